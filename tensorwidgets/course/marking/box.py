"""A sandboxed process: limited in time, memory and number of processes, and ended with all its children.

A box holds a runner (`runner.py`) that has imported everything and runs no answer itself. `start` lets it fork a
process for a list of cells. Lines go to that process and come back; it may crash or loop, and the box starts the next.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from . import families, homes, walls

MOST_PROCESSES = 16
MOST_OPEN_FILES = 128
"""Of one process: sockets and pipes hold memory that counts as no process's."""
MOST_ANSWER = 32_000_000
"""Bytes of one line from inside."""
PATIENCE = 4
"""How many times as long as an answer a cell of the lesson may take. Training in lesson 22 needs five seconds."""
LOOK = 0.05
"""Seconds between looks at what a box uses."""
ROOM_LOOKED_AT = 1.0
"""Seconds between looks at what was written, where no wall bounds it."""
STARTING = 60.0
"""Seconds in which a box imports everything."""


class Limits(NamedTuple):
    """What answers may use: each as many seconds of computing, and of waiting; all of a notebook these megabytes.

    A machine that is busy with something else does not count: a process that waits for its turn is not idle. A cell of
    the lesson's own, which may train a model, has `PATIENCE` times as long.
    """

    seconds: float = 5.0
    megabytes: int = 2048


class Stopped(BaseException):
    """Why a process was ended. No Exception: what judges an answer catches those, and takes them for the answer's."""


class TooSlow(Stopped):
    """Its time was over."""


class Box:
    """One runner and all that it starts. What breaks a limit is ended, and the next use says why."""

    def __init__(self, limits: Limits, way: walls.Way | None, hidden: Path | None = None, modules: Sequence[str] = ()):
        self.limits = limits
        self.why = ""
        self.received, self.searched = bytearray(), 0
        self.channel: socket.socket | None = None
        self.ended, self.how = True, ""
        self._work = None if way else tempfile.TemporaryDirectory(prefix="tensorwidgets-", ignore_cleanup_errors=True)
        self.work = Path(self._work.name).resolve() if self._work else None
        home = self.work or walls.HOME
        around = walls.command(way, hidden) if way else []
        command = [*around, *walls.inside(way, modules)]
        self.control, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                command, cwd=self.work or "/", env=walls.environment(home), preexec_fn=_bounded(limits),
                stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        families.adopt_orphans()  # until `close`
        self._closing = threading.Event()
        self._watching = threading.Thread(target=self._watch, daemon=True)
        self._watching.start()
        try:
            self._note(STARTING)
        except BaseException:
            self.close()
            raise
        self.quiet = len(self._family())
        self.begin()

    def start(self) -> None:
        """A fresh process in the box. Raises `Stopped` when the box is gone, or an answer left something running."""
        self.end()
        self.why = self.why or ("" if self._is_quiet() else "an answer left a process running")
        if self.why:
            raise Stopped(self.why)
        mine, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self.control, [b"+"], [theirs.fileno()])
            except OSError as closed:
                raise Stopped("the box was closed from inside") from closed
        mine.setblocking(False)
        self.channel, self.received, self.searched, self.ended = mine, bytearray(), 0, False
        self.begin()

    def _is_quiet(self) -> bool:
        """Whether nothing is left of what ran: the last of a family is gone a moment after its first."""
        for _ in range(10):
            if len(self._family()) <= self.quiet:
                return True
            time.sleep(LOOK / 5)
        return False

    def end(self) -> None:
        """End the process that runs cells, if one does."""
        if self.channel is not None:
            self.channel.close()
            self.channel = None
        if not self.ended:
            with contextlib.suppress(OSError):
                self.control.send(b"x")
            try:
                self._note(10.0)
            except Stopped as gone:
                self.why = self.why or str(gone)
            self.ended = True

    def begin(self, times: float = 1) -> None:
        """Restarts the time limit, or so many times the limit."""
        self._most = times * self.limits.seconds
        self._cpu, self._waited, self._looked = families.cpu_seconds(self._family()), 0.0, time.monotonic()

    def ask(self, line: bytes) -> bytes:
        """Send a line, wait for one. Raises `Stopped` with the reason when there will be none."""
        self.send(line)
        return self.line()

    def send(self, line: bytes) -> None:
        """Send a line."""
        waiting = memoryview(line + b"\n")
        while waiting:
            self._wait([self.control, self._open()], [self._open()])
            with contextlib.suppress(BlockingIOError):
                try:
                    waiting = waiting[self._open().send(waiting[:65536]) :]
                except (BrokenPipeError, ConnectionError) as closed:
                    raise Stopped("it ended the process before everything was checked") from closed

    def line(self) -> bytes:
        """Wait for a line."""
        while (end := self._end_of_line()) < 0:
            self._wait([self.control, self._open()], [])
        line = bytes(self.received[:end])
        del self.received[: end + 1]
        self.searched = 0
        return line

    def _end_of_line(self) -> int:
        """Where the next line ends; -1 while it is incomplete. Does not search the same bytes twice."""
        end = self.received.find(b"\n", self.searched)
        self.searched = len(self.received) if end < 0 else 0
        return end

    def _open(self) -> socket.socket:
        if self.channel is None:
            raise Stopped(self.why or "it ended the process")
        return self.channel

    def _wait(self, readers: list[socket.socket], writers: list[socket.socket]) -> None:
        """Wait a little for something to read or room to write; read what is there."""
        if self.ended:
            raise Stopped(self.how)  # it wrote more lines before it ended: they are read by now
        self._within_limits()
        readable, _, _ = select.select(readers, writers, [], LOOK)
        if self.control in readable:
            note = self._read_note()
            self._drain()
            self.ended, self.how = True, self._reason(note)
            if self._end_of_line() < 0:
                raise Stopped(self.how)
        elif readable and not self._receive():
            # Closed: either it ended, which the runner will say, or it goes on until its time is over.
            select.select([self.control], [], [], LOOK)

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._receive():
                pass

    def _receive(self) -> int:
        try:
            part = self._open().recv(1 << 20)
        except ConnectionError:
            return 0
        self.received += part
        if len(self.received) > MOST_ANSWER:
            raise Stopped("the answers are too large to be handed over")
        return len(part)

    def _note(self, seconds: float) -> bytes:
        """What the runner says next: that it is ready, or that the process ended."""
        until = time.monotonic() + seconds
        while not select.select([self.control], [], [], LOOK)[0]:
            if self.why or time.monotonic() > until:
                raise Stopped(self.why or "the box does not answer")
        return self._read_note()

    def _read_note(self) -> bytes:
        note = b""
        with contextlib.suppress(OSError):
            note = self.control.recv(4, socket.MSG_WAITALL)
        if len(note) < 4:
            self.ended, self.how = True, self.why or "it ended everything in its box"
            raise Stopped(self.how)
        return note

    def _reason(self, note: bytes) -> str:
        """Why there will be no more lines, from how the process ended."""
        code = int.from_bytes(note[1:], "big", signed=True)
        if self.why:
            return self.why
        if code >= 0:
            return f"it ended the process, with exit status {code}"
        try:
            return f"it crashed the process: {signal.Signals(-code).name}"
        except ValueError:
            return f"it crashed the process: signal {-code}"

    def _within_limits(self) -> None:
        if self.why:
            raise Stopped(self.why)
        now, most = time.monotonic(), self._most
        if now - self._looked < LOOK:
            return
        family = self._family()
        if not families.is_busy(family):
            self._waited += min(now - self._looked, 4 * LOOK)  # a look that comes late was itself kept waiting
        self._looked = now
        if max(self._waited, families.cpu_seconds(family) - self._cpu) > most:
            raise TooSlow(f"took longer than {most:g} second{'s' * (most != 1)}: a loop that does not end?")

    def _family(self) -> list[int]:
        """All processes in the box, and its orphans that we adopted."""
        left = [one for pid in families.orphans() for one in families.descendants(pid)]
        return sorted({*families.descendants(self.process.pid), *left})

    def _watch(self) -> None:
        """Look at what the box uses, until it is closed: also while nothing is asked of it."""
        look_at_room = 0.0
        while not self._closing.wait(LOOK):
            self.why = self.why or self._too_much()
            if not self.why and self.work and time.monotonic() > look_at_room:
                look_at_room = time.monotonic() + ROOM_LOOKED_AT
                if families.written_bytes(self.work, walls.ROOM) > walls.ROOM:
                    self.why = f"wrote more than {walls.ROOM >> 20} MB"
            if self.why:
                families.end([pid for pid in self._family() if pid != self.process.pid])
                self.process.kill()
                return

    def _too_much(self) -> str:
        family = self._family()
        if len(family) > MOST_PROCESSES:
            return f"started more than {MOST_PROCESSES} processes"
        most = self.limits.megabytes << 20
        if families.memory_bytes(family, most) > most:
            return f"took more than {self.limits.megabytes} MB of memory"
        return ""

    def close(self) -> None:
        """End it with all that it started; safe to call at any time."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._watching.join()
        family = families.descendants(self.process.pid)
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        families.end(family)
        for end in (self.control, self.channel):
            if end is not None:
                end.close()
        self.process.wait()
        families.end_orphans()
        families.release_orphans()
        if self._work is not None and self.work is not None:
            homes.empty(self.work)  # which `cleanup` cannot do however deep it is
            self._work.cleanup()


def _bounded(limits: Limits):  # type: ignore[no-untyped-def]
    """What the new process does to itself before it begins."""
    import resource

    def bound() -> None:
        for what, most in (
            (resource.RLIMIT_AS, (2 * limits.megabytes + 512) << 20),  # addresses are more than memory
            (resource.RLIMIT_FSIZE, 64 << 20),
            (resource.RLIMIT_NOFILE, MOST_OPEN_FILES),
            (resource.RLIMIT_MSGQUEUE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(what, (most, most))

    return bound if sys.platform != "win32" else None
