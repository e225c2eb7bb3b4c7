"""Forked kernels behave as real ones: they are interrupted, end, are killed, and find nothing that another has made."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tensorwidgets.course import record
from tests.kernels.door import that_matter
from tests.kernels.starting import Kernels

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
        self.process = self.manager.provisioner.process  # type: ignore[union-attr]

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

    def pid(self) -> int:
        return int(self.prints("import os; print(os.getpid())"))

    def was_forked_by(self, kernels: Kernels | None) -> bool:
        return kernels is not None and int(self.prints("import os; print(os.getppid())")) == kernels.server.pid

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def kernels() -> Iterator[Kernels | None]:
    """A process of this file's own that forks: no other test can have ended it, and variables are those of now."""
    kernels = Kernels({}) if FORKED else None
    yield kernels
    if kernels is not None:
        kernels.close()


@pytest.fixture
def start(kernels: Kernels | None, tmp_path: Path) -> Iterator[Callable[..., Kernel]]:
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


def children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def ask(kernels: Kernels, question: bytes) -> None:
    """As a door asks that is killed before it has an answer."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
        door.connect(kernels.address)
        if question:
            socket.send_fds(door, [question], [0, 1, 2])


def wait_until(true: Callable[[], bool]) -> None:
    for _ in range(PATIENCE * 100):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


WHERE = "import os, sys; print(os.getcwd(), os.environ['MINE'], sys.argv[1], os.getpid() == os.getsid(0), sys.stdin)"
DRAWN = "import numpy, random, uuid; print(numpy.random.rand(), random.random(), uuid.uuid4())"


def test_a_kernel_has_its_folder_its_variables_and_nothing_of_another(
    start: Callable[..., Kernel], kernels: Kernels | None, tmp_path: Path
) -> None:
    one, other = start(MINE="1"), start(MINE="2")
    for kernel, mine in ((one, "1"), (other, "2")):
        assert kernel.prints(WHERE).startswith(f"{tmp_path} {mine} -f True ")
        assert kernel.prints("print(In[1] == WHERE if 'WHERE' in globals() else len(In))") == "3"
    assert one.prints("from tensorwidgets.course import record; print(record.where().parent)") == str(tmp_path)
    there = tmp_path / "there.json"
    assert start(**{record.VARIABLE: str(there)}).prints(
        "from tensorwidgets.course import record; print(record.where())"
    ) == str(there)
    assert one.prints("import tensorwidgets as torch; torch.mine = kept = 3") == ""
    assert other.prints("import tensorwidgets as torch; print(hasattr(torch, 'mine'), 'kept' in globals())") == (
        "False False"
    )
    assert one.prints("print(get_ipython().history_manager.hist_file)") == ":memory:"
    drawn = [*one.prints(DRAWN).split(), *other.prints(DRAWN).split()]
    assert len({*drawn}) == len(drawn) == 6
    assert one.was_forked_by(kernels) == other.was_forked_by(kernels) == FORKED


def test_a_kernel_is_interrupted(start: Callable[..., Kernel]) -> None:
    kernel = start()
    assert kernel.prints("import time\nprint('interrupt me', flush=True)\ntime.sleep(1000)").split() == [
        "interrupt", "me", "KeyboardInterrupt",
    ]  # fmt: skip
    assert kernel.prints("print(3)") == "3"


def test_jupyter_hears_how_a_kernel_ends(start: Callable[..., Kernel]) -> None:
    kernel = start()
    pid = kernel.pid()
    kernel.client.execute("import os; os._exit(3)")
    assert kernel.process.wait(PATIENCE) == 3 and gone(pid)
    kernel = start()
    kernel.client.execute("import os; os.kill(os.getpid(), 9)")
    assert kernel.process.wait(PATIENCE) == -signal.SIGKILL


def test_a_kernel_that_jupyter_kills_is_gone(start: Callable[..., Kernel]) -> None:
    kernel = start()
    pid = kernel.pid()
    kernel.close()
    start()  # the process that forks has looked at its doors
    assert gone(pid)


@pytest.mark.linux
def test_what_happens_all_at_once_is_no_harm(start: Callable[..., Kernel], kernels: Kernels, tmp_path: Path) -> None:
    """Under load the process that forks finds several things to do when its turn comes: kernels that have ended, and
    doors that were killed, with their kernels, without them, and before they had one.
    """
    ended, killed, both, unharmed = (start() for _ in range(4))
    pids = [kernel.pid() for kernel in (ended, killed, both)]
    os.kill(kernels.server.pid, signal.SIGSTOP)
    try:
        os.kill(pids[0], signal.SIGKILL)
        os.kill(pids[2], signal.SIGKILL)
        for door in (killed.process, both.process):
            door.kill()
            door.wait()
        asked = {"environment": dict(os.environ), "folder": str(tmp_path), "arguments": ["-f", "made.json"]}
        ask(kernels, json.dumps(asked).encode())
    finally:
        os.kill(kernels.server.pid, signal.SIGCONT)
    assert ended.process.wait(PATIENCE) == -signal.SIGKILL
    assert unharmed.prints("print(3)") == "3"
    assert start().was_forked_by(kernels) and kernels.server.poll() is None
    wait_until(lambda: all(map(gone, pids)) and len(children(kernels.server.pid)) == 2)


@pytest.mark.linux
def test_a_question_that_is_none_is_refused(start: Callable[..., Kernel], kernels: Kernels) -> None:
    for question in (b"", b"{", b"3", b'{"environment": 3}'):
        ask(kernels, question)
    assert start().was_forked_by(kernels) and kernels.server.poll() is None


def test_where_something_else_would_be_imported_a_kernel_is_started(
    start: Callable[..., Kernel], kernels: Kernels | None, tmp_path: Path
) -> None:
    (tmp_path / "tensorwidgets.py").write_text("mine = 3")
    kernel = start(PYTHONPATH=str(tmp_path))
    assert not kernel.was_forked_by(kernels)
    assert kernel.prints("import tensorwidgets; print(tensorwidgets.mine)") == "3"


def test_only_what_changes_what_is_imported_matters() -> None:
    here = {"PYTHONPATH": os.pathsep.join("ab"), "OMP_NUM_THREADS": "1", "HOME": "c"}
    assert that_matter(here) == that_matter(
        {**here, "PYTHONPATH": os.pathsep.join("aba"), "HOME": "d", record.VARIABLE: "e"}
    )
    for other in ({"PYTHONPATH": os.pathsep.join("ba")}, {"OMP_NUM_THREADS": "2"}, {"PYTHONHASHSEED": "0"}):
        assert that_matter(here) != that_matter({**here, **other})


@pytest.mark.linux
def test_where_nobody_forks_any_more_a_kernel_is_started(tmp_path: Path) -> None:
    kernels = Kernels({})
    try:
        kernels.server.communicate()
        kernel = Kernel(tmp_path)
        assert kernel.prints("import tensorwidgets; print(3)") == "3" and not kernel.was_forked_by(kernels)
        kernel.close()
    finally:
        kernels.close()
