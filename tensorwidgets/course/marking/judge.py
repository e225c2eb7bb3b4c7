"""Each notebook judged in a process of its own, forked from one that has imported everything.

Whatever an answer leaves behind becomes a child of the process that judges it, and an answer that ends its judge ends
no other. `judged` may be called from any thread, also from one of a cluster's worker, which may have no children by
`multiprocessing`.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import families, walls
from .box import Limits
from .marks import Row, marked, no_marks_yet, seconds_in_all
from .submissions import Submission

CHECKOUT = str(Path(__file__).resolve().parents[3])
ENDED = "an answer ended what judges it"
_SIZE = struct.Struct(">Q")


def judged(one: Submission, limits: Limits, way: walls.Way | None, hidden: Path | None) -> Row:
    """The row of one notebook; it is waited for no longer than the notebook may take."""
    until = time.monotonic() + 2 * seconds_in_all(one.lesson, limits) + 60
    row, whole, judge = no_marks_yet(one), False, 0
    with tempfile.TemporaryDirectory(prefix="tensorwidgets-", ignore_cleanup_errors=True) as work, _judge() as channel:
        try:
            _send(channel, (one, limits, way, hidden, work))
            judge = _receive(channel, until)
            while not whole:
                row, whole = _receive(channel, until)
        except TimeoutError:
            families.end([judge] if judge else [])
        except (EOFError, OSError, pickle.UnpicklingError):
            pass  # the judge ended before it was done
    if not whole:
        row.problem = ENDED
    return row


def _send(channel: socket.socket, thing: Any) -> None:
    data = pickle.dumps(thing)
    channel.sendall(_SIZE.pack(len(data)) + data)


def _receive(channel: socket.socket, until: float = float("inf")) -> Any:
    """What the other end sent; raises EOFError if it ends, and TimeoutError when the time is over."""
    (size,) = _SIZE.unpack(_read(channel, _SIZE.size, until))
    return pickle.loads(_read(channel, size, until))


def _read(channel: socket.socket, size: int, until: float) -> bytes:
    data = b""
    while len(data) < size:
        channel.settimeout(None if until == float("inf") else max(0.001, until - time.monotonic()))
        more = channel.recv(min(size - len(data), 1 << 20))
        if not more:
            raise EOFError("the judge ended")
        data += more
    return data


# -- the process that asks -----------------------------------------------------------------------------------------


class Court:
    """A process that has imported everything and forks a judge for each notebook."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._control, there = socket.socketpair()
        paths = os.pathsep.join(filter(None, [CHECKOUT, os.environ.get("PYTHONPATH", "")]))
        with there:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__], stdin=there.fileno(), env={**os.environ, "PYTHONPATH": paths}
            )

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    def judge(self) -> socket.socket:
        """A connection to a new judge."""
        here, there = socket.socketpair()
        with there, self._lock:
            socket.send_fds(self._control, [b"+"], [there.fileno()])
        return here

    def close(self) -> None:
        """End the process, its judges, and what these left behind."""
        self._control.close()
        self._process.wait()


class _Courts(dict[int, Court]):
    """One court for each process: a fork has no use for its parent's."""

    lock = threading.Lock()

    def here(self) -> Court:
        with self.lock:
            court = self.get(os.getpid())
            if court is None or not court.runs:
                court = self[os.getpid()] = Court()
        return court


_COURTS = _Courts()


@contextlib.contextmanager
def _judge() -> Iterator[socket.socket]:
    # Elsewhere than on Linux a process that has imported NumPy may not be able to fork twice, so each forks once.
    court = _COURTS.here() if sys.platform == "linux" else Court()
    try:
        with court.judge() as channel:
            yield channel
    finally:
        if court is not _COURTS.get(os.getpid()):
            court.close()


def end() -> None:
    """End this process's court; the next notebook starts another."""
    with _COURTS.lock:
        court = _COURTS.pop(os.getpid(), None)
    if court is not None:
        court.close()


# -- the process that is forked ------------------------------------------------------------------------------------


def serve(control: socket.socket) -> None:
    """Fork a judge for every connection that comes, until the other end closes; then end what is left."""
    gc.freeze()  # a judge does not search what was imported here for garbage, and so need not copy it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks says that it was stopped
    families.adopt_orphans()
    judges: set[int] = set()
    while True:
        ready, _, _ = select.select([control], [], [], 0.25)
        if ready:
            asked, numbers, _, _ = socket.recv_fds(control, 1, 1)
            if not asked:
                break
            judges.add(_fork(control, numbers[0]))
        if ended := _reaped():
            judges -= ended
            families.end_orphans()  # what a judge that was killed has left: the boxes of the others are theirs
    families.end(judges)
    _reaped()
    families.end_orphans()


def _reaped() -> set[int]:
    """The children that ended."""
    ended = set()
    with contextlib.suppress(ChildProcessError):
        while (pid := os.waitpid(-1, os.WNOHANG)[0]) != 0:
            ended.add(pid)
    return ended


def _fork(control: socket.socket, number: int) -> int:
    child = os.fork()
    if child:
        os.close(number)
        return child
    try:
        control.close()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _judge_over(socket.socket(fileno=number))
    except (KeyboardInterrupt, BrokenPipeError):
        pass  # nobody waits for the row
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


def _judge_over(channel: socket.socket) -> None:
    """Send the row after every mark, and then the whole one. What is written lies below the folder that comes."""
    _send(channel, os.getpid())
    one, limits, way, hidden, tempfile.tempdir = _receive(channel)
    row = marked(one, limits, way, hidden, lambda so_far: _send(channel, (so_far, False)))
    _send(channel, (row, True))


if __name__ == "__main__":
    serve(socket.socket(fileno=os.dup(0)))
