"""A program in several ranks: `python -m tensorwidgets.distributed.run -n 2 train.py`."""

from __future__ import annotations

import pickle
import signal
from collections.abc import Callable
from typing import NoReturn

from ..engine.errors.reasons import Reason
from .ranks import Failure, Ranks


class RankFailed(RuntimeError):
    """A rank failed, and all others were ended. `rank` and `pid` say which one it was."""

    rank: int
    pid: int


def run_program(
    name: str, args: list[str], count: int, module: bool = False, timeout: float | None = None,
    python: tuple[str, ...] = (), write: Callable[[int, str], object] | None = None,
) -> None:  # fmt: skip
    """Run a program in `count` ranks and wait for them. The first one that fails ends all."""
    work = pickle.dumps(("module" if module else "program", name, args))
    ranks = Ranks(count, lambda rank: (work, []), python, write)
    ranks.start()
    try:
        if not ranks.wait(timeout) and ranks.failure is None:
            ranks.too_late()
    finally:
        ranks.end()
    if ranks.failure is not None:
        raise_failure(ranks.failure, count, timeout)


def raise_failure(failure: Failure, count: int, timeout: float | None) -> NoReturn:
    """Raise the error of ranks that failed."""
    because, instead = "all other ranks were ended with it", ()
    if failure.late is not None:
        who = _those(list(failure.late)) + " still ran" if failure.late else "no rank had started"
        message = f"{who} after {timeout:g} seconds, and all ranks were ended"
        message += "".join(f"\n\n-- Rank {n} was here:\n{_shown(stack)}" for n, stack in failure.late.items() if stack)
        because = "a rank waits without end if another one does not make the same call"
        instead = ("a longer timeout, if they were not waiting for each other",)  # type: ignore[assignment]
    elif failure.rank < 0:
        message = f"no {count} ranks could be started: mpiexec ended\n{failure.said}"
        because = "ranks are processes of MPI"
    elif failure.trace:
        message = f"rank {failure.rank} of {count} raised an error:\n\n{failure.trace.rstrip()}"
    elif failure.code is not None and failure.code < 0:
        message = f"rank {failure.rank} of {count} (process {failure.pid}) was ended by {signal_name(failure.code)}"
    else:
        message = f"rank {failure.rank} of {count} (process {failure.pid}) ended with exit code {failure.code}"
        message += f": {failure.said}" if failure.said else ""
    kind = TimeoutError if failure.late is not None else RankFailed
    error = Reason("ranks.failed", kind, message, because, instead).exception()
    if isinstance(error, RankFailed):
        error.rank, error.pid = failure.rank, failure.pid
    raise error


def _shown(stack: str) -> str:
    """A stack without the lines of the launcher."""
    lines = stack.strip().splitlines()
    return "\n".join(line for line in lines if "multiprocessing/rank.py" not in line and '"<string>"' not in line)


def _those(ranks: list[int]) -> str:
    return ("rank " if len(ranks) == 1 else "ranks ") + ", ".join(map(str, ranks))


def signal_name(code: int) -> str:
    """The name of a signal by a negative exit code."""
    known = -code in signal.Signals._value2member_map_
    return signal.Signals(-code).name if known else f"<Unknown signal {-code}>"
