"""torch.multiprocessing: Python's `multiprocessing`, whose queues and processes share tensors instead of copying them.

>>> import tensorwidgets as torch
>>> x = torch.zeros(2).share_memory_()
>>> x.is_shared()
True
"""

from __future__ import annotations

from multiprocessing import *  # noqa: F403
from typing import Any

from .processes import ProcessContext, ProcessExitedException, ProcessRaisedException, SpawnContext
from .reductions import register
from .spawning import spawn, start_processes

__all__ = [
    "ProcessContext", "ProcessExitedException", "ProcessRaisedException", "SpawnContext", "get_all_sharing_strategies",
    "get_sharing_strategy", "set_sharing_strategy", "spawn", "start_processes",
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
    if new_strategy not in ("file_descriptor", "file_system"):
        raise AssertionError(new_strategy)


def __getattr__(name: str) -> Any:
    import multiprocessing

    return getattr(multiprocessing, name)
