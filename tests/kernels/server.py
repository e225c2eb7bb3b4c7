"""The process that kernels are forked from: `python -m tests.kernels.server FD`, with the number of its socket.

It imports nothing before a kernel is asked for, and ends, with all its kernels, when its standard input does.
"""

from __future__ import annotations

import gc
import json
import os
import selectors
import signal
import socket
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.kernels.door import that_matter

IMPORTED = (
    "ipykernel.kernelapp", "tensorwidgets.course", "tensorwidgets.live.explorer", "executing", "PIL.Image",
    "sklearn.datasets",
)  # fmt: skip
"""What a kernel imports, what every lesson imports in its first cells, and what takes two seconds in six lessons."""


class Kernel:
    """A kernel, and the door through which it was asked for."""

    def __init__(self, door: socket.socket) -> None:
        self.door = door
        self.streams = socket.recv_fds(door, 1, 3)[1]
        with door.makefile("rb") as lines:
            self.asked: dict[str, Any] = json.loads(lines.readline())
        self.pid = 0

    def tell(self, number: int) -> None:
        try:
            self.door.sendall(b"%d\n" % number)
        except OSError:
            pass  # it was killed

    def become(self) -> None:
        """This process, a fork, is the kernel from now on."""
        from multiprocessing import process

        from tensorwidgets.course import record

        self.door.close()
        os.setsid()
        for place, stream in enumerate(self.streams):
            os.dup2(stream, place)
            os.close(stream)
        os.environ.clear()
        os.environ.update(self.asked["environment"])
        os.chdir(self.asked["folder"])
        process.ORIGINAL_DIR = os.getcwd()  # type: ignore[attr-defined]
        record._folder = Path.cwd()

    def close(self) -> None:
        for stream in self.streams:
            os.close(stream)
        self.streams = []


def serve(listening: socket.socket) -> Kernel | None:
    """Fork a kernel for each door; comes back in each fork with its kernel, and at the end with none."""
    woken, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.set_wakeup_fd(wakes.fileno())
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    running: dict[int, Kernel] = {}
    with selectors.DefaultSelector() as selector:
        for one in (sys.stdin, listening, woken):
            selector.register(one, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is sys.stdin:
                    for pid in running:
                        _kill(pid)
                    return None
                if key.fileobj is woken:
                    woken.recv(4096)
                    for pid, status in _ended():
                        kernel = running.pop(pid)
                        kernel.tell(status)
                        if kernel.door.fileno() in selector.get_map():
                            selector.unregister(kernel.door)
                        kernel.door.close()
                elif key.fileobj is listening:
                    door = listening.accept()[0]
                    try:
                        kernel = Kernel(door)
                    except ValueError:
                        continue  # it was killed while it asked
                    if that_matter(kernel.asked["environment"]) != that_matter(os.environ):
                        kernel.tell(0)
                        kernel.close()
                        door.close()
                        continue
                    _import_all()
                    kernel.pid = os.fork()
                    if not kernel.pid:
                        signal.set_wakeup_fd(-1)
                        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                        for other in (listening, woken, wakes, *(one.door for one in running.values())):
                            other.close()
                        kernel.become()
                        return kernel
                    kernel.close()
                    kernel.tell(kernel.pid)
                    running[kernel.pid] = kernel
                    selector.register(kernel.door, selectors.EVENT_READ, kernel)
                else:  # its door was killed
                    selector.unregister(key.fileobj)
                    _kill(key.data.pid)


def _import_all() -> None:
    if IMPORTED[0] not in sys.modules:
        for name in IMPORTED:
            import_module(name)
        gc.collect()
        gc.freeze()


def _kill(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it has not begun a session yet, or has ended
    os.kill(pid, signal.SIGKILL)  # a child that nobody has waited for is there


def _ended() -> list[tuple[int, int]]:
    found = []
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if not pid:
            return found
        found.append((pid, os.waitstatus_to_exitcode(status)))


def main() -> None:
    sys.path.remove(os.getcwd())
    kernel = serve(socket.socket(fileno=int(sys.argv[1])))
    if kernel is None:
        return
    import ipykernel_launcher
    from ipykernel import kernelapp

    sys.argv = [ipykernel_launcher.__file__, *kernel.asked["arguments"]]
    app = kernelapp.IPKernelApp.instance(parent_handle=os.getppid())
    app.initialize()
    app.start()


if __name__ == "__main__":
    main()
