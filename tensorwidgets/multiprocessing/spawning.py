"""`spawn`: one function in several new processes, and what becomes of the others when one of them fails."""

from __future__ import annotations

import multiprocessing
import sys
import traceback
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from . import mpiexec
from .parcels import Carried
from .processes import ProcessContext


def _run(work: Carried, index: int, failures: Connection) -> None:
    """What a process does: it calls the function, and sends the traceback of an exception."""
    function, args = work.contents
    try:
        function(index, *args)
    except KeyboardInterrupt:
        pass
    except Exception:
        failures.send(traceback.format_exc())
        sys.exit(1)


def start_processes(
    fn: Callable, args: tuple = (), nprocs: int = 1, join: bool = True, daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:  # fmt: skip
    """Call `fn(i, *args)` in `nprocs` processes, and wait for them with `join`."""
    ways = multiprocessing.get_context(start_method)
    processes: list[Any] = []
    failures = []
    for index in range(nprocs):
        here, there = ways.Pipe(duplex=False)
        process = ways.Process(target=_run, args=(Carried(fn, args), index, there), daemon=daemon)  # type: ignore[attr-defined]
        process.start()
        there.close()
        processes.append(process)
        failures.append(here)
    started = ProcessContext(processes, failures)
    if not join:
        return started
    while not started.join():
        pass
    return None


def spawn(
    fn: Callable, args: tuple = (), nprocs: int = 1, join: bool = True, daemon: bool = False,
    start_method: str = "spawn", timeout: float | None = None,
) -> ProcessContext | None:  # fmt: skip
    """Call `fn(i, *args)` in `nprocs` new processes. A function of a notebook is sent whole.

    Where MPI is installed, several processes are ranks: `torch.distributed` works in them. What they print comes line
    by line with its rank. After `timeout` seconds all are ended.
    """
    if not hasattr(nprocs, "__index__"):
        raise TypeError(f"can't multiply sequence by non-int of type '{type(nprocs).__name__}'")
    if timeout is not None and not isinstance(timeout, (int, float)):
        raise TypeError(f"spawn(): timeout is a number of seconds, not {type(timeout).__name__}")
    if start_method != "spawn":
        warnings.warn(
            f"This method only supports start_method=spawn (got: {start_method}).\n"
            "To use a different start_method use:\n\t\t torch.multiprocessing.start_processes(...)",
            FutureWarning,
            stacklevel=2,
        )
    if nprocs > 1 and mpiexec.available():
        from .spawned_ranks import spawn_ranks

        return spawn_ranks(fn, args, nprocs, join, daemon, timeout)
    started = start_processes(fn, args, nprocs, timeout is None and join, daemon, "spawn")
    if started is None or not join:
        return started
    started.join_within(timeout)
    return None
