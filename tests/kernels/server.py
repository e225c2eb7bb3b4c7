"""The process that kernels are forked from: `python -m tests.kernels.server FD`, with the number of its socket.

It imports nothing before a kernel is asked for, and ends, with all its kernels, when its standard input does. What goes
wrong with one question is an answer to it, that there is no fork, and no matter of the others.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from tests.kernels.door import send, that_matter

IMPORTED = (
    "ipykernel.kernelapp", "tensorwidgets.course", "tensorwidgets.live.explorer", "executing", "PIL.Image",
    "sklearn.datasets",
)  # fmt: skip
"""What a kernel imports, what every lesson imports in its first cells, and what takes two seconds in six lessons."""

LARGEST = 1 << 20
"""Bytes of a question: more than the system lets anyone send as one message."""


class Door:
    """A connection through which a kernel is asked for, and then the kernel's number."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.pid = 0

    def tell(self, number: int) -> None:
        with contextlib.suppress(OSError):  # it was killed
            self.connection.send(b"%d" % number)

    def hear(self) -> Question | None:
        """What is asked; nothing if that is no question, or if the process that asked has ended."""
        streams: list[int] = []
        try:
            message, streams, _, _ = socket.recv_fds(self.connection, LARGEST, 3)
            return Question(streams, **json.loads(message))
        except (OSError, TypeError, ValueError):
            for stream in streams:
                os.close(stream)
            return None


@dataclass
class Question:
    """How a kernel is to be started."""

    streams: list[int]
    environment: dict[str, str]
    folder: str
    arguments: list[str]

    def can_be_forked(self) -> bool:
        """Whether a fork of this process is what a new process would be; threads would be missing in it."""
        if that_matter(self.environment) != that_matter(os.environ):
            return False
        import_all()
        return threading.active_count() == 1

    def become(self) -> None:
        """This process, a fork, is the kernel from now on: nothing is left of the process that forks."""
        from multiprocessing import process

        import numpy as np

        from tensorwidgets.course import record

        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for place, stream in enumerate(self.streams):
            os.dup2(stream, place)
        self.close()
        os.environ.clear()
        os.environ.update(self.environment)
        os.chdir(self.folder)
        np.random.seed()  # Python's own numbers are other ones in each fork
        process.ORIGINAL_DIR = os.getcwd()  # type: ignore[attr-defined]
        record._folder = Path.cwd()

    def close(self) -> None:
        for stream in self.streams:
            os.close(stream)
        self.streams = []


class Server:
    """Forks a kernel for each question that comes through a door."""

    def __init__(self, listening: socket.socket) -> None:
        self.listening = listening
        self.woken, self.wakes = socket.socketpair()
        self.wakes.setblocking(False)
        self.doors: dict[int, Door] = {}
        """By the number of the connection."""

    def serve(self) -> Question | None:
        """Comes back in each fork, with the question it answers, and at the end with nothing."""
        signal.set_wakeup_fd(self.wakes.fileno())
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        while True:
            watched = [sys.stdin.fileno(), self.woken.fileno(), self.listening.fileno(), *self.doors]
            # One at a time: what is done about one thing can close the connection of the next.
            ready = select.select(watched, [], [])[0][0]
            if ready == sys.stdin.fileno():
                for door in self.doors.values():
                    kill(door.pid)
                return None
            if ready == self.woken.fileno():
                self.woken.recv(4096)
                for pid, status in ended():
                    for door in [one for one in self.doors.values() if one.pid == pid]:
                        door.tell(status)
                        self.close(door)
            elif ready == self.listening.fileno():
                connection, _ = self.listening.accept()
                self.doors[connection.fileno()] = Door(connection)
            elif question := self.question(self.doors[ready]):
                return question

    def question(self, door: Door) -> Question | None:
        """In a fork: what was asked."""
        question = door.hear()
        if question is None:
            kill(door.pid)
            self.close(door)
            return None
        pid = 0
        try:
            forks = question.can_be_forked()
            pid = os.fork() if forks else 0
        except Exception:
            traceback.print_exc()
            forks = False
        if forks and not pid:
            for other in (self.listening, self.woken, self.wakes, *(one.connection for one in self.doors.values())):
                other.close()
            return question
        question.close()
        door.pid = pid
        door.tell(pid)
        return None

    def close(self, door: Door) -> None:
        del self.doors[door.connection.fileno()]
        door.connection.close()


def import_all() -> None:
    if IMPORTED[-1] not in sys.modules:
        for name in IMPORTED:
            import_module(name)
        gc.collect()
        gc.freeze()


def kill(pid: int) -> None:
    if pid:  # there is a kernel
        send(pid, signal.SIGKILL)


def ended() -> Iterator[tuple[int, int]]:
    """The processes that have ended since the last time, and how."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        yield pid, os.waitstatus_to_exitcode(status)


def main() -> None:
    sys.path.remove(os.getcwd())
    question = Server(socket.socket(fileno=int(sys.argv[1]))).serve()
    if question is None:
        return
    question.become()
    import ipykernel_launcher
    from ipykernel import kernelapp

    sys.argv = [ipykernel_launcher.__file__, *question.arguments]
    app = kernelapp.IPKernelApp.instance(parent_handle=os.getppid())
    app.initialize()
    app.start()


if __name__ == "__main__":
    main()
