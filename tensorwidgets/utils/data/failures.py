"""What does a loader say when a worker raised an exception, died, or does not answer?"""

from __future__ import annotations

import signal
from typing import Any

from ...engine.errors.reasons import Reason, refuse


def death_of(process: Any) -> Exception | None:
    """How a worker died, in PyTorch's words; None if it ended as if its work were done."""
    code = process.exitcode
    if code is None or code == 0:
        return None
    if code > 0:
        said = (
            f"DataLoader worker (pid {process.pid}) exited unexpectedly with exit code {code}. Details are lost due to "
            "multiprocessing. Rerunning with num_workers=0 may give better error trace."
        )
    else:
        said = f"DataLoader worker (pid {process.pid}) is killed by signal: {signal.strsignal(-code)}. "
        if -code == getattr(signal, "SIGBUS", 0):
            said += (
                "It is possible that dataloader's workers are out of shared memory. Please try to raise your shared "
                "memory limit."
            )
    return RuntimeError(said)


def refuse_dead(processes: list[Any]) -> Any:
    """The loader's error when workers died."""
    pids = ", ".join(str(process.pid) for process in processes)
    cause = next((death for death in map(death_of, processes) if death is not None), None)
    out_of_memory = any(process.exitcode == -getattr(signal, "SIGKILL", 9) for process in processes)
    raise Reason(
        "data.died",
        RuntimeError,
        f"DataLoader worker (pid(s) {pids}) exited unexpectedly",
        "the batch that it was loading is lost"
        + ("; a system that runs out of memory kills processes in this way" if out_of_memory else ""),
        ("DataLoader(…, num_workers=0) to see where",),
    ).exception() from cause


def refuse_slow(timeout: float) -> Any:
    """The loader's error when no worker answers in time."""
    refuse(
        RuntimeError,
        f"DataLoader timed out after {timeout} seconds",
        "no batch came from the worker whose turn it is",
        "DataLoader(…, num_workers=0) to see where it hangs",
        rule="data.timeout",
    )
