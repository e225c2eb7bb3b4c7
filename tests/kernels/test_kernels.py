"""Forked kernels behave as real ones: they are interrupted, end, are killed, and find nothing that another has made."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

FORKED = sys.platform == "linux"
PATIENCE = 60


class Kernel:
    """A kernel that Jupyter has started, and what it prints."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.manager = KernelManager()
        extra = ["--HistoryManager.hist_file=:memory:"]  # nbclient has it, too
        self.manager.start_kernel(cwd=str(folder), env={**os.environ, **variables}, extra_arguments=extra)
        self.client: BlockingKernelClient = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)

    def prints(self, code: str) -> str:
        said: list[str] = []

        def note(message: Any) -> None:
            content = message["content"]
            if message["msg_type"] == "stream":
                said.append(content["text"])
                if "interrupt me" in content["text"]:
                    self.manager.interrupt_kernel()
            elif message["msg_type"] == "error":
                said.append(content["ename"])

        self.client.execute_interactive(code, output_hook=note, timeout=PATIENCE)
        return "".join(said).strip()

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Kernel]]:
    started: list[Kernel] = []

    def start(**variables: str) -> Kernel:
        started.append(Kernel(tmp_path, **variables))
        return started[-1]

    yield start
    for kernel in started:
        kernel.close()


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


WHERE = "import os, sys; print(os.getcwd(), os.environ['MINE'], sys.argv[1], os.getpid() == os.getsid(0), sys.stdin)"
PARENT = "import os, pathlib; print(pathlib.Path(f'/proc/{os.getppid()}/cmdline').read_text())"


def test_a_kernel_has_its_folder_its_variables_and_nothing_of_another(
    start: Callable[..., Kernel], tmp_path: Path
) -> None:
    one, other = start(MINE="1"), start(MINE="2")
    for kernel, mine in ((one, "1"), (other, "2")):
        assert kernel.prints(WHERE).startswith(f"{tmp_path} {mine} -f True ")
        assert kernel.prints("print(In[1] == WHERE if 'WHERE' in globals() else len(In))") == "3"
    assert one.prints("from tensorwidgets.course import record; print(record.where().parent)") == str(tmp_path)
    assert one.prints("import tensorwidgets as torch; torch.mine = kept = 3") == ""
    assert other.prints("import tensorwidgets as torch; print(hasattr(torch, 'mine'), 'kept' in globals())") == (
        "False False"
    )
    assert one.prints("print(get_ipython().history_manager.hist_file)") == ":memory:"
    assert not FORKED or "tests.kernels.server" in one.prints(PARENT)


def test_a_kernel_is_interrupted(start: Callable[..., Kernel]) -> None:
    kernel = start()
    assert kernel.prints("import time\nprint('interrupt me', flush=True)\ntime.sleep(1000)").split() == [
        "interrupt", "me", "KeyboardInterrupt",
    ]  # fmt: skip
    assert kernel.prints("print(3)") == "3"


def test_jupyter_hears_how_a_kernel_ends(start: Callable[..., Kernel]) -> None:
    kernel = start()
    pid = int(kernel.prints("import os; print(os.getpid())"))
    process = kernel.manager.provisioner.process  # type: ignore[union-attr]
    kernel.client.execute("import os; os._exit(3)")
    assert process.wait(PATIENCE) == 3 and gone(pid)
    kernel = start()
    kernel.client.execute("import os; os.kill(os.getpid(), 9)")
    assert kernel.manager.provisioner.process.wait(PATIENCE) == -signal.SIGKILL  # type: ignore[union-attr]


def test_a_kernel_that_jupyter_kills_is_gone(start: Callable[..., Kernel]) -> None:
    kernel = start()
    pid = int(kernel.prints("import os; print(os.getpid())"))
    kernel.close()
    start()  # the process that forks has looked at its doors
    assert gone(pid)


def test_where_something_else_would_be_imported_a_kernel_is_started(
    start: Callable[..., Kernel], tmp_path: Path
) -> None:
    (tmp_path / "tensorwidgets.py").write_text("mine = 3")
    kernel = start(PYTHONPATH=str(tmp_path))
    assert not FORKED or "tests.kernels.server" not in kernel.prints(PARENT)
    assert kernel.prints("import tensorwidgets; print(tensorwidgets.mine)") == "3"
