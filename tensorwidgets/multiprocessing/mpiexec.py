"""How is `mpiexec` called, so that it works anywhere and leaves nothing? The command, and its environment."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import tempfile
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from ..engine.errors.reasons import refuse

CAN_START = hasattr(socket, "AF_UNIX")
"""Whether ranks can talk to who starts them, through sockets that take file descriptors along. Not on Windows."""
INSTALL = (
    "pip install 'tensorwidgets[parallel]', which brings Open MPI and mpi4py" if CAN_START else "a move to Linux or WSL"
)


def mpiexec() -> Path | None:
    """Where the program `mpiexec` is: beside Python, where the wheel puts it, or on the path."""
    beside = Path(sys.executable).parent / "mpiexec"
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which("mpiexec")
    return None if found is None else Path(found)


def available() -> bool:
    """Whether several ranks can be started."""
    return CAN_START and find_spec("mpi4py") is not None and mpiexec() is not None


def command(count: int, python: list[str]) -> list[str]:
    """The command that starts `count` ranks."""
    if not CAN_START:
        refuse(
            RuntimeError,
            "this system cannot start several ranks",
            "ranks are reached through Unix sockets, which send file descriptors, and Windows has none",
            "Linux, in WSL or in a container",
            "world_size=1, in this process",
            rule="ranks.system",
        )
    program = mpiexec()
    if program is None or find_spec("mpi4py") is None:
        missing = "mpiexec" if program is None else "mpi4py"
        refuse(
            RuntimeError,
            f"{missing} is not installed, which starts and connects ranks",
            "several ranks are processes of MPI",
            INSTALL,
            rule="ranks.install",
        )
    options = ["-n", str(count)]
    if (program.parent / "prterun").exists() or (program.parent / "ompi_info").exists():  # Open MPI
        options += ["--bind-to", "none", "--map-by", ":OVERSUBSCRIBE"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            options.append("--allow-run-as-root")
    return [str(program), *options, *python]


def environment(folder: str, shared: str, count: int) -> dict[str, str]:
    """The environment of `mpiexec`: its files in our own folders, one machine, waiting ranks that yield."""
    env = dict(os.environ)
    for name in list(env):
        # A program that is a rank itself may start ranks of its own.
        if name.startswith(("OMPI_", "PMIX_", "PRTE_", "PMI_")) and not name.startswith("OMPI_MCA_"):
            del env[name]
    for name in ("OMPI_MCA_num_procs", "OMPI_MCA_initial_wdir"):
        env.pop(name, None)
    env |= {
        "TMPDIR": folder,
        "OMPI_MCA_btl_sm_backing_directory": shared,
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMPI_MCA_btl": "self,sm",
        "OMPI_MCA_pml": "ob1",
        "OMPI_MCA_mpi_warn_on_fork": "0",
    }
    each = str(max(1, (os.cpu_count() or 1) // count))
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        env.setdefault(name, each)  # ranks share the cores
    return env


def search_path() -> dict[str, str]:
    """Ranks import what this process imports, and keep their own folder for temporary files."""
    paths = [os.path.abspath(path) if path else os.getcwd() for path in sys.path]
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    given = [root] if root in paths else []
    known = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([*given, *([known] if known else [])])
    return {"PYTHONPATH": path} | {"TENSORWIDGETS_TMPDIR": os.environ.get("TMPDIR", "")}


def new_folder(count: int) -> str:
    """A new folder for the socket and for MPI's files: in memory if there is room."""
    memory = "/dev/shm"
    for each in (memory, tempfile.gettempdir()):
        sweep(each)
    with suppress(OSError):
        if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > count << 26:
            return tempfile.mkdtemp(prefix=f"ranks-{os.getpid()}-", dir=memory)
    folder = tempfile.mkdtemp(prefix=f"ranks-{os.getpid()}-")
    if len(folder) > 80:  # the address of a socket is short
        os.rmdir(folder)
        folder = tempfile.mkdtemp(prefix=f"ranks-{os.getpid()}-", dir="/tmp")
    return folder


def sweep(where: str) -> None:
    """Remove the folders of launchers that were killed before their ranks could do so: nobody listens in them."""
    for path in Path(where).glob("ranks-*"):
        with suppress(OSError):
            if path.stat().st_uid != os.getuid() or time.time() - path.stat().st_mtime < 60:
                continue
            with socket.socket(socket.AF_UNIX) as sock:
                try:
                    sock.connect(str(path / "s"))
                except (ConnectionRefusedError, FileNotFoundError):
                    shutil.rmtree(path, ignore_errors=True)
