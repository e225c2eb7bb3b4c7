"""Ranks of MPI that this process starts, hears and ends: whatever happens to one of them, nothing of any is left.

`mpiexec` gets a session of its own and no input. Each rank connects to a socket here, is sent its work and the pipes
that it prints to, and says how it ended. When this process ends in whichever way, the ranks read that and end.
"""

from __future__ import annotations

import os
import pickle
import re
import selectors
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple

from . import messages, sessions
from .interrupts import uninterrupted
from .lines import Lines
from .mpiexec import command, environment, new_folder, search_path

LOOK_EVERY = 0.1
"""Seconds after which this process looks whether `mpiexec` still runs."""
GRACE = 3.0
"""Seconds that `mpiexec` is given to end after its ranks have."""

_RANK = "import sys; from tensorwidgets.multiprocessing.rank import main; main(sys.argv[1])"


class Failure(NamedTuple):
    """How ranks failed: which one was the first, and what is known of it."""

    rank: int
    pid: int
    trace: str = ""
    code: int | None = None
    said: str | None = None
    late: dict[int, str] | None = None
    """Where the ranks were that still ran when the time was up."""


def _printed(stream: int, line: str) -> None:
    print(line, file=sys.stdout if stream == 1 else sys.stderr, flush=True)


class Rank:
    """A rank, as this process knows it."""

    def __init__(self, number: int, pid: int, sock: socket.socket):
        self.number, self.pid, self.sock = number, pid, sock
        self.pipes: list[int] = []
        self.stacks = b""
        self.done = False

    def close(self) -> None:
        """Close our ends."""
        self.sock.close()
        for number in self.pipes:
            os.close(number)
        self.pipes.clear()


class Ranks:
    """`count` ranks; `work_of(rank)` is what one is sent: a pickle and file descriptors."""

    def __init__(
        self, count: int, work_of: Callable[[int], tuple[bytes, list[int]]], python: tuple[str, ...] = (),
        write: Callable[[int, str], object] | None = None,
    ):  # fmt: skip
        self.count, self.work_of, self.python = count, work_of, python
        self.write = write or _printed
        self.ranks: dict[int, Rank] = {}
        self.failure: Failure | None = None
        self.stopping = False
        self.notes = b""
        self._selector: selectors.BaseSelector | None = None
        self._process: subprocess.Popen | None = None
        self._folder = ""

    # -- starting ----------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start `mpiexec`; the ranks connect while `wait` listens."""
        ranks = command(self.count, [sys.executable, *self.python, "-c", _RANK])  # refused before anything is made
        try:
            with uninterrupted():
                self._folder = new_folder(self.count)
                self._selector = selectors.DefaultSelector()
                self._listener = socket.socket(socket.AF_UNIX)
                self._listener.bind(self._folder + "/s")
                self._listener.listen(self.count)
                self._process = subprocess.Popen(
                    [*ranks, self._folder + "/s"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT, start_new_session=True, bufsize=0,
                    env=environment(self._folder, self._folder, self.count) | search_path(),
                )  # fmt: skip
                self._hear(self._listener, self._arrives)
                self._hear(self._process.stdout, self._notes)
        except BaseException:
            self.end()
            raise

    def _hear(self, file: Any, what: Callable) -> None:
        assert self._selector is not None
        self._selector.register(file, selectors.EVENT_READ, what)

    def _arrives(self) -> None:
        """A rank connects: it is sent its work."""
        sock, _ = self._listener.accept()
        sock.settimeout(30)
        try:
            _, number, pid = pickle.loads(messages.receive(sock)[0])
        except EOFError:  # another launcher looked whether somebody listens here: `mpiexec.sweep`
            sock.close()
            return
        rank = self.ranks[number] = Rank(number, pid, sock)
        theirs = []
        prefix = f"[rank {number}] "
        try:
            for stream in (1, 2):
                here, there = os.pipe()
                rank.pipes.append(here)
                theirs.append(there)
                lines = Lines(prefix, lambda line, stream=stream: self.write(stream, line))  # type: ignore[misc]
                self._hear(here, lambda here=here, lines=lines: self._prints(here, lines))
            here, there = os.pipe()
            rank.pipes.append(here)
            theirs.append(there)
            self._hear(here, lambda here=here: self._shows_stack(rank, here))
            payload, descriptors = self.work_of(number)
            messages.send(sock, payload, theirs + descriptors)
        finally:
            for each in theirs:
                os.close(each)
        sock.settimeout(None)
        self._hear(sock, lambda: self._speaks(rank))

    # -- hearing -----------------------------------------------------------------------------------------------------

    def _notes(self) -> None:
        """`mpiexec` itself says something."""
        assert self._process is not None and self._process.stdout is not None
        data = os.read(self._process.stdout.fileno(), 1 << 16)
        self.notes = (self.notes + data)[-(1 << 16) :]
        if not data:
            self._deaf(self._process.stdout)

    def _prints(self, here: int, lines: Lines) -> None:
        data = os.read(here, 1 << 16)
        lines.add(data)
        if not data:
            lines.end()
            self._deaf(here)

    def _shows_stack(self, rank: Rank, here: int) -> None:
        data = os.read(here, 1 << 16)
        rank.stacks += data
        if not data:
            self._deaf(here)

    def _speaks(self, rank: Rank) -> None:
        """A rank says how it ended, or is gone."""
        try:
            message = pickle.loads(messages.receive(rank.sock)[0])
        except (EOFError, OSError, pickle.UnpicklingError):
            self._deaf(rank.sock)
            if not rank.done:
                self._fails(Failure(rank.number, rank.pid))
            return
        if message[0] == "done":
            rank.done = True
        elif message[0] == "raised":
            rank.done = True
            self._fails(Failure(rank.number, rank.pid, trace=message[1]))
        else:
            rank.done = True
            self._fails(Failure(rank.number, rank.pid, code=message[1], said=message[2]))

    def _deaf(self, file: Any) -> None:
        assert self._selector is not None
        with suppress(KeyError, ValueError):
            self._selector.unregister(file)

    def _fails(self, failure: Failure) -> None:
        if self.failure is None:
            self.failure = failure

    def hear(self, seconds: float) -> bool:
        """Handle what ranks say for at most so long: True if there was something."""
        assert self._selector is not None
        found = self._selector.select(max(0.0, seconds))
        for key, _ in found:
            key.data()
        return bool(found)

    def running(self) -> bool:
        """Whether `mpiexec` runs."""
        return self._process is not None and not sessions.ended(self._process)

    def wait(self, seconds: float | None = None) -> bool:
        """Hear ranks until all have ended, one fails, or the time is up: True if all have ended."""
        end = None if seconds is None else monotonic() + seconds
        while self.failure is None and not self.stopping and self.running():
            left = LOOK_EVERY if end is None else min(LOOK_EVERY, end - monotonic())
            if left <= 0:
                return False
            self.hear(left)
        while self.hear(0):
            pass
        if self.stopping:
            return False
        if self.failure is None and not all(rank.done for rank in self.ranks.values()):
            gone = next(rank for rank in self.ranks.values() if not rank.done)
            self._fails(Failure(gone.number, gone.pid))
        if self.failure is None and len(self.ranks) < self.count:
            self._fails(Failure(-1, -1, said=self.notes.decode("utf-8", "replace").strip()))
        return self.failure is None

    def too_late(self) -> None:
        """The time is up: ask the ranks that still run where they are."""
        late = {n: rank for n, rank in sorted(self.ranks.items()) if not rank.done}
        if hasattr(signal, "SIGUSR2"):
            alive = sessions.members(self._process.pid) if self._process else []
            sessions.kill([rank.pid for rank in late.values() if rank.pid in alive], signal.SIGUSR2)
        end = monotonic() + GRACE  # they write piece by piece, and are done when nothing new comes
        while monotonic() < end and (self.hear(0.1) or not all(rank.stacks for rank in late.values())):
            pass
        where = {n: rank.stacks.decode("utf-8", "replace") for n, rank in late.items()}
        first = next(iter(late.values()), None)
        self._fails(Failure(first.number if first else 0, first.pid if first else -1, late=where))

    # -- ending ------------------------------------------------------------------------------------------------------

    def end(self) -> None:
        """End everything that was started."""
        with uninterrupted():
            if self._process is not None:
                self._end_processes(self._process)
            if self._selector is not None:
                self._selector.close()
                self._listener.close()
            for rank in self.ranks.values():
                rank.close()
            if self._folder:
                shutil.rmtree(self._folder, ignore_errors=True)
            self._process, self._selector, self._folder = None, None, ""

    def _end_processes(self, process: subprocess.Popen) -> None:
        leader = process.pid
        if self.running():
            ranks = sessions.members(leader) or [rank.pid for rank in self.ranks.values() if not rank.done]
            if self.failure is not None and self.failure.trace == "" and self.failure.code is None:
                self._hear_until(0.5)  # how a rank died is known when `mpiexec` has seen it
            sessions.kill([leader], signal.SIGTERM)
            self._hear_until(0.3)
            sessions.kill(ranks)
            self._hear_until(GRACE)
            if self.running():
                sessions.kill([leader])
        # The number of the session is not used again before its leader is reaped.
        for _ in range(100):
            rest = sessions.members(leader)
            if not rest:
                break
            sessions.kill(rest)
            self._hear_until(0.02, while_running=False)
        if self._selector is not None:
            while self.hear(0):
                pass
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
        if self.failure is not None and self.failure.trace == "" and self.failure.code is None:
            self.failure = self.failure._replace(code=self._death(process.returncode))

    def _hear_until(self, seconds: float, while_running: bool = True) -> None:
        end = monotonic() + seconds
        while monotonic() < end and (not while_running or self.running()):
            self.hear(0.02)

    def _death(self, code: int) -> int:
        """How the first rank died, as Python counts: a signal is a negative number."""
        found = re.search(rb"exited on\s+signal (\d+)", self.notes)
        if found:
            return -int(found[1])
        found = re.search(rb"Exit code:\s+(\d+)", self.notes)
        if found:
            return int(found[1])
        return 128 - code if code > 128 else code
