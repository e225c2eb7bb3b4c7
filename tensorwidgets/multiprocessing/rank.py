"""What does a process do that is started as a rank? It runs the work that it is sent, and says how it ended."""

from __future__ import annotations

import faulthandler
import os
import pickle
import runpy
import shutil
import signal
import socket
import sys
import threading
import traceback
from contextlib import suppress
from typing import Any

from . import messages

OF_THIS_PROCESS = "TENSORWIDGETS_RANK_PROCESS"
"""The environment variable with the number of the process that is the rank: its own children are none."""


def number_and_count() -> tuple[int, int]:
    """This process's rank and how many there are, as MPI's launcher says."""
    env = os.environ
    rank = env.get("OMPI_COMM_WORLD_RANK") or env.get("PMI_RANK") or env.get("PMIX_RANK") or "0"
    count = env.get("OMPI_COMM_WORLD_SIZE") or env.get("PMI_SIZE") or "1"
    return int(rank), int(count)


def main(address: str) -> None:
    """The process of a rank."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    folder = os.environ.pop("TENSORWIDGETS_TMPDIR", "")
    os.environ.pop("TMPDIR", None)
    if folder:
        os.environ["TMPDIR"] = folder
    rank, count = number_and_count()
    sock = socket.socket(socket.AF_UNIX)
    try:
        sock.connect(address)
        messages.say(sock, "here", rank, os.getpid())
        payload, descriptors = messages.receive(sock)
    except (OSError, EOFError):  # the launcher is gone already
        shutil.rmtree(os.path.dirname(address), ignore_errors=True)
        raise SystemExit(1) from None
    os.dup2(descriptors[0], 1)
    os.dup2(descriptors[1], 2)
    stacks = os.fdopen(descriptors[2], "wb", 0)
    faulthandler.register(signal.SIGUSR2, stacks, all_threads=False)
    for number in descriptors[:2]:
        os.close(number)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(  # type: ignore[union-attr]
                line_buffering=True
            )
    os.environ |= {
        "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(count), "LOCAL_WORLD_SIZE": str(count),
        "GROUP_RANK": "0", "MASTER_ADDR": os.environ.get("MASTER_ADDR", "127.0.0.1"),
        "MASTER_PORT": os.environ.get("MASTER_PORT", "29500"), OF_THIS_PROCESS: str(os.getpid()),
    }  # fmt: skip
    threading.Thread(target=_end_with, args=(sock, os.path.dirname(address)), daemon=True).start()
    _work(sock, payload, descriptors[3:])


def _end_with(sock: socket.socket, folder: str) -> None:
    """End this process when its launcher is gone, however that ended. There is nobody then who removes its folder."""
    with suppress(OSError):
        if sock.recv(1):
            return
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def _work(sock: socket.socket, payload: bytes, descriptors: list[int]) -> None:
    code: Any = 0
    try:
        kind, *rest = pickle.loads(payload)
        if kind == "function":
            _call(descriptors, *rest)
        else:
            _program(kind, *rest)
        _finish()
        messages.say(sock, "done")
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
        said = None if error.code is None or isinstance(error.code, int) else str(error.code)
        with suppress(OSError):
            if code == 0:
                _finish()
                messages.say(sock, "done")
            else:
                _failed()
                messages.say(sock, "exit", code, said)
    except BaseException as error:
        code = 1
        _failed()
        with suppress(OSError):
            messages.say(sock, "raised", _trace(error))
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    raise SystemExit(code)


def _finish() -> None:
    """Wait for the other ranks to finish as well, if this one talked to them."""
    mpi = sys.modules.get("tensorwidgets.distributed.mpi")
    if mpi is not None:
        mpi.finish()


def _failed() -> None:
    mpi = sys.modules.get("tensorwidgets.distributed.mpi")
    if mpi is not None:
        mpi.forget()


def _trace(error: BaseException) -> str:
    """The traceback from the first line that is not ours."""
    trace = error.__traceback__
    ours = (__file__, runpy.__file__, "<frozen runpy>")
    while trace is not None and trace.tb_frame.f_code.co_filename in ours and trace.tb_next is not None:
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace))


def _call(descriptors: list[int], preparation: dict, content: bytes, rank: int) -> None:
    """Call the function of `spawn`."""
    from multiprocessing import process, spawn

    process.current_process()._inheriting = True  # type: ignore[attr-defined]
    spawn.prepare(preparation)
    messages.arrived[:] = descriptors
    function, args = pickle.loads(content).contents
    del process.current_process()._inheriting  # type: ignore[attr-defined]
    for number in descriptors:
        os.close(number)
    messages.arrived.clear()
    function(rank, *args)


def _program(kind: str, name: str, args: list[str]) -> None:
    """Run a program as `python name` or `python -m name` does."""
    sys.argv[:] = [name, *args]
    if kind == "module":
        sys.path.insert(0, os.getcwd())
        runpy.run_module(name, run_name="__main__", alter_sys=True)
        return
    sys.path.insert(0, os.path.dirname(os.path.abspath(name)))
    with open(name, "rb") as file:
        code = compile(file.read(), name, "exec")
    main = sys.modules["__main__"].__dict__
    for key in [key for key in main if not key.startswith("__")]:
        del main[key]
    main |= {"__file__": name, "__spec__": None, "__doc__": None, "__cached__": None}
    exec(code, main)
