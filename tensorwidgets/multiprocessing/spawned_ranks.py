"""One function in several ranks: what `spawn` does where MPI is installed, and `torch.distributed` works in them."""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Callable
from multiprocessing import context, reduction
from multiprocessing import spawn as spawning

from .messages import SentFd
from .parcels import Carried
from .processes import ProcessContext, ProcessExitedException, ProcessRaisedException
from .programs import raise_failure, signal_name
from .ranks import Failure, Ranks


class _Sending:
    """What picklers of `multiprocessing` ask while a process starts: descriptors travel beside the pickle."""

    DupFd = SentFd

    def __init__(self) -> None:
        self.descriptors: list[int] = []

    def duplicate_for_child(self, number: int) -> int:
        """The place of a descriptor among those that travel."""
        self.descriptors.append(number)
        return len(self.descriptors) - 1


def _work(carried: Carried, rank: int) -> tuple[bytes, list[int]]:
    """What a rank is sent: how to import the program, the function and its arguments."""
    sending = _Sending()
    before = context.get_spawning_popen()
    context.set_spawning_popen(sending)  # type: ignore[arg-type]
    try:
        preparation = spawning.get_preparation_data(f"rank {rank}")
        if not os.path.exists(preparation.get("init_main_from_path", "/")):
            del preparation["init_main_from_path"]
        content = bytes(reduction.ForkingPickler.dumps(carried))
        return pickle.dumps(("function", preparation, content, rank)), sending.descriptors
    finally:
        context.set_spawning_popen(before)


def work_in_ranks(fn: Callable, args: tuple) -> Callable[[int], tuple[bytes, list[int]]]:
    """What each rank is sent. What cannot be pickled is refused here, before anything starts."""
    carried = Carried(fn, args)
    _work(carried, 0)
    return lambda rank: _work(carried, rank)


class RankProcess:
    """A rank as `processes` of a context shows it."""

    def __init__(self, ranks: Ranks, number: int):
        self._ranks, self.number = ranks, number

    @property
    def pid(self) -> int | None:
        """Its process; None before it has started."""
        rank = self._ranks.ranks.get(self.number)
        return None if rank is None else rank.pid

    def is_alive(self) -> bool:
        """Whether it still runs."""
        rank = self._ranks.ranks.get(self.number)
        return rank is not None and not rank.done


class RanksContext(ProcessContext):
    """Ranks that `spawn` started with `join=False`. A thread hears them."""

    def __init__(self, ranks: Ranks, count: int, timeout: float | None, daemon: bool):
        super().__init__([], [])
        self.processes = [RankProcess(ranks, number) for number in range(count)]
        self._ranks, self._timeout = ranks, timeout
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._hear, daemon=daemon)
        self._thread.start()

    def _hear(self) -> None:
        try:
            finish(self._ranks, self._timeout)
        except BaseException as error:
            self._error = error

    def pids(self) -> list[int]:
        """The numbers of the processes, when all have started."""
        while self._thread.is_alive() and len(self._ranks.ranks) < len(self.processes):
            self._thread.join(0.01)
        return [process.pid for process in self.processes if process.pid is not None]

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Wait until all ranks have ended: True if they have. If one failed, the others are ended, and it raises."""
        try:
            self._thread.join(timeout)
        except BaseException:
            self._ranks.stopping = True
            self._thread.join(10)
            raise
        if self._thread.is_alive():
            return False
        error, self._error = self._error, None
        if error is not None:
            raise error
        return True


def finish(ranks: Ranks, timeout: float | None) -> None:
    """Hear ranks until they have ended, and raise the error of the first that failed."""
    try:
        if not ranks.wait(timeout) and ranks.failure is None and not ranks.stopping:
            ranks.too_late()
    finally:
        ranks.end()
    failure = ranks.failure
    if failure is None:
        return
    if failure.late is not None or failure.rank < 0:
        raise_failure(failure, ranks.count, timeout)
    raise _exception(failure)


def _exception(failure: Failure) -> Exception:
    rank, pid = failure.rank, failure.pid
    if failure.trace:
        said = f"\n\n-- Process {rank} terminated with the following error:\n{failure.trace}"
        return ProcessRaisedException(said, rank, pid)
    code = failure.code or 0
    if code >= 0:
        said = f": {failure.said}" if failure.said else ""
        return ProcessExitedException(f"process {rank} terminated with exit code {code}{said}", rank, pid, code)
    name = signal_name(code)
    return ProcessExitedException(f"process {rank} terminated with signal {name}", rank, pid, code, name)


def spawn_ranks(
    fn: Callable, args: tuple, nprocs: int, join: bool, daemon: bool, timeout: float | None
) -> RanksContext | None:
    """Call `fn(rank, *args)` in `nprocs` ranks."""
    ranks = Ranks(nprocs, work_in_ranks(fn, args))
    ranks.start()
    if not join:
        return RanksContext(ranks, nprocs, timeout, daemon)
    finish(ranks, timeout)
    return None
