"""Which worker is this? What a dataset may ask in a process that loads for another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """A worker: its number, how many there are, its seed, and its own copy of the dataset."""

    id: int
    num_workers: int
    seed: int
    dataset: Any
    rng: Any = None
    worker_method: str | None = "multiprocessing"


_worker: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """What is known of this worker; None in the process that the loader belongs to.

    >>> get_worker_info() is None
    True
    """
    return _worker


def set_worker_info(info: WorkerInfo) -> None:
    """Say that this process is a worker."""
    global _worker
    _worker = info
