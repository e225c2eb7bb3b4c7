"""torch.multiprocessing: Python's `multiprocessing`, whose queues and processes share tensors instead of copying them.

>>> import tensorwidgets as torch
>>> x = torch.zeros(2).share_memory_()
>>> x.is_shared()
True
"""

from __future__ import annotations

import multiprocessing as _multiprocessing
from multiprocessing import *  # noqa: F403
from typing import Any

from .processes import ProcessContext, ProcessExitedException, ProcessRaisedException, SpawnContext
from .reductions import register
from .spawning import spawn, start_processes

__all__ = [
    "ProcessContext", "ProcessExitedException", "ProcessRaisedException", "SpawnContext", "get_all_sharing_strategies",
    "get_sharing_strategy", "set_sharing_strategy", "spawn", "start_processes", *_multiprocessing.__all__,
]  # fmt: skip

register()


def get_all_sharing_strategies() -> set[str]:
    """How tensors may be shared: by file descriptors, which leave nothing behind.

    >>> get_all_sharing_strategies()
    {'file_descriptor'}
    """
    return {"file_descriptor"}


def get_sharing_strategy() -> str:
    """How tensors are shared."""
    return "file_descriptor"


def set_sharing_strategy(new_strategy: str) -> None:
    """Accept the one strategy; PyTorch has a second one, by files with names, for systems with few descriptors."""
    known = {"file_descriptor", "file_system"}
    if new_strategy not in known:
        raise AssertionError(f"invalid sharing strategy {new_strategy!r}, expected one of {known}")


def __getattr__(name: str) -> Any:
    if hasattr(_multiprocessing, name):
        return getattr(_multiprocessing, name)
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
