"""Loaders that fail at a random moment, and a count of what they leave: processes, shared memory, file descriptors.

Nothing outside is touched: signals go to the workers of a trial, by descriptors of these processes, and to this one.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import tensorwidgets as tw

KINDS = (
    "raises", "cannot start", "exits", "kills itself", "killed", "killed while it ends", "hangs", "interrupted",
    "left early", "two epochs left early", "forked meanwhile", "kept batches",
)  # fmt: skip
LARGE, SMALL = 300_000, 3


class Trouble(tw.utils.data.Dataset):
    """Samples, one of which is trouble."""

    def __init__(self, kind: str, at: int, size: int, pause: float):
        self.kind, self.at, self.size, self.pause = kind, at, size, pause

    def __len__(self) -> int:
        return 24

    def __getitem__(self, index: int) -> Any:
        if self.pause:
            time.sleep(self.pause)
        if index == self.at:
            if self.kind == "raises":
                raise ValueError("trouble")
            if self.kind == "exits":
                os._exit(3)
            if self.kind == "kills itself":
                os.kill(os.getpid(), signal.SIGKILL)
            if self.kind == "hangs":
                time.sleep(600)
        return tw.full((self.size,), float(index))


def cannot(worker: int) -> None:
    """A `worker_init_fn` that fails."""
    raise OSError("no data here")


class Left(NamedTuple):
    """What there is of a process: its children, its descriptors, its mapped memory, and named shared memory."""

    children: int
    descriptors: int
    mappings: int
    named: int


def left() -> Left:
    """What this process holds now. Children count as long as they are not waited for.

    Of named shared memory, what this process has mapped or this package has named: that of others comes and goes.
    """
    me, children = os.getpid(), 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            children += int(stat.read_text().rpartition(")")[2].split()[1]) == me
    maps, shm = Path("/proc/self/maps"), Path("/dev/shm")
    lines = maps.read_text().splitlines() if maps.exists() else []
    mappings = sum("memfd:tensorwidgets" in line for line in lines)
    named = sum("/dev/shm/" in line for line in lines) + len(list(shm.glob("*tensorwidgets*")))
    return Left(children, len(os.listdir("/dev/fd")), mappings, named)


def trial(seed: int, kind: str = "") -> tuple[str, str]:
    """One loader in trouble: its kind, and what was raised. A kind that is given is tried with forked workers."""
    r = random.Random(seed)
    chosen = r.choice(KINDS)
    way = "fork" if kind else r.choice(["fork"] * 30 + ["spawn", "forkserver"])
    kind = kind or chosen
    data = Trouble(kind, r.randrange(24), r.choice((SMALL, LARGE)), r.choice((0.0, 0.001, 0.01)))
    loader = tw.utils.data.DataLoader(
        data, r.choice((1, 2, 5)), r.random() < 0.5, num_workers=r.choice((1, 2, 3)),
        prefetch_factor=r.choice((1, 2, 4)), persistent_workers=r.random() < 0.3, in_order=r.random() < 0.8,
        multiprocessing_context=way,
        timeout=0.3 if kind == "hangs" else 0, worker_init_fn=cannot if kind == "cannot start" else None,
    )  # fmt: skip
    try:
        went_through(loader, kind, r)
    except BaseException as error:
        return kind, f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    return kind, "nothing"


def went_through(loader: Any, kind: str, r: random.Random) -> None:
    """Go through a loader, while a second thread does what the kind of trouble says."""
    stop_at = r.randrange(8) if "left" in kind else 1 << 30
    kept = []
    helper = None
    try:
        if kind == "interrupted":
            helper = threading.Thread(target=interrupt, args=(r.random() * 0.15, r.random() < 0.5))
            helper.start()
        for epoch in range(2):
            batches = iter(loader)
            if helper is None:
                helper = threading.Thread(target=disturb, args=(kind, workers_of(batches, kind), r.random() * 0.1))
                helper.start()
            for i, batch in enumerate(batches):
                assert batch.sum().item() % batch[0].numel() == 0
                if kind == "kept batches":
                    kept.append(batch)
                if kind == "forked meanwhile" and i == 1:
                    forked()
                if i == stop_at and epoch == (kind == "two epochs left early"):
                    return
            del batches
    finally:
        while helper is not None and helper.is_alive():
            with suppress(KeyboardInterrupt):
                helper.join()
        time.sleep(0.001)  # an interrupt that came last is raised here, and not in the next trial


def workers_of(batches: Any, kind: str) -> list[int]:
    """Descriptors of the worker processes, so that no signal can reach another process."""
    return [os.pidfd_open(process.pid) for process in batches._team.processes] if kind.startswith("killed") else []


def disturb(kind: str, workers: list[int], delay: float) -> None:
    """Kill a worker after a while."""
    time.sleep(delay)
    for number, worker in enumerate(workers):
        if number == len(workers) - 1:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(worker, signal.SIGKILL if kind == "killed" else signal.SIGTERM)
        os.close(worker)


def interrupt(delay: float, twice: bool) -> None:
    """What Ctrl-C does to this process."""
    for _ in range(1 + twice):
        time.sleep(delay)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)  # type: ignore[arg-type]


def forked() -> None:
    """A process of the user's, which has a copy of the iterator and ends."""
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


EXPECTED = {
    "raises": ("ValueError: Caught ValueError in DataLoader worker process",),
    "cannot start": ("OSError: Caught OSError in DataLoader worker process",),
    "exits": ("RuntimeError: DataLoader worker (pid(s) ",),
    "kills itself": ("RuntimeError: DataLoader worker (pid(s) ",),
    "killed": ("RuntimeError: DataLoader worker (pid(s) ", "nothing"),
    "killed while it ends": ("RuntimeError: DataLoader worker (pid(s) ", "nothing"),
    "hangs": ("RuntimeError: DataLoader timed out after 0.3 seconds",),
    "interrupted": ("KeyboardInterrupt", "nothing"),
}
"""How the error of each kind of trouble begins; nothing is raised by the others."""


def as_expected(kind: str, said: str) -> bool:
    """Whether a trial ended as its kind should."""
    return said.startswith(EXPECTED.get(kind, ("nothing",)))


def warm_up() -> None:
    """Start what stays: the fork server, and the tracker of the resources that `multiprocessing` names."""
    for way in ("forkserver", "spawn"):
        process = multiprocessing.get_context(way).Process(target=int)
        process.start()
        process.join()
        process.close()
