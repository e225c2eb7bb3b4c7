"""Which settings of a DataLoader do not go together?"""

from __future__ import annotations

import multiprocessing
from importlib.util import find_spec
from multiprocessing.context import BaseContext
from typing import Any

from ...engine.errors.reasons import refuse


def check_numbers(num_workers: int, timeout: float, prefetch_factor: int | None, persistent_workers: bool) -> None:
    """Settings that are numbers, and those that make sense with workers only."""
    if num_workers < 0:
        _refuse(
            "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.",
            "it is a number of processes",
        )
    if num_workers > 0 and find_spec("_multiprocessing") is None:  # as in a browser, where Python is WebAssembly
        _refuse("num_workers > 0 needs processes", "this Python cannot start any", "num_workers=0")
    if timeout < 0:
        _refuse(
            "timeout option should be non-negative",
            "it is a number of seconds, and 0 means that the loader waits forever",
        )
    if num_workers == 0 and prefetch_factor is not None:
        _refuse(
            "prefetch_factor option could only be specified in multiprocessing."
            "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None.",
            "only workers load ahead, and there are none",
        )
    if prefetch_factor is not None and prefetch_factor < 0:
        _refuse("prefetch_factor option should be non-negative", "it is how many batches each worker loads ahead")
    if persistent_workers and num_workers == 0:
        _refuse("persistent_workers option needs num_workers > 0", "there are no workers to keep")


def check_sampling(
    streams: bool, batch_size: int | None, shuffle: Any, sampler: Any, batch_sampler: Any, drop_last: bool
) -> None:
    """Settings that each say in which order samples come, or which of them make a batch."""
    if streams:
        head = "DataLoader with IterableDataset: expected unspecified"
        because = "a stream decides on the order of its samples by itself"
        if shuffle not in (False, None):
            _refuse(f"{head} shuffle option, but got shuffle={shuffle}", because)
        if sampler is not None:
            _refuse(f"{head} sampler option, but got sampler={sampler}", because)
        if batch_sampler is not None:
            _refuse(f"{head} batch_sampler option, but got batch_sampler={batch_sampler}", because)
    if sampler is not None and shuffle:
        _refuse(
            "sampler option is mutually exclusive with shuffle",
            "sampler and shuffle both say in which order the samples come",
            "sampler=..., alone",
        )
    if batch_sampler is not None:
        if batch_size != 1 or shuffle or sampler is not None or drop_last:
            _refuse(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last",
                "a batch sampler decides on all of these",
            )
    elif batch_size is None and drop_last:
        _refuse(
            "batch_size=None option disables auto-batching and is mutually exclusive with drop_last",
            "without batches there is no incomplete one to drop",
        )


def check_context(context: Any, num_workers: int) -> None:
    """A way of starting processes, by its name or as a context of `multiprocessing`."""
    if num_workers <= 0:
        _refuse(
            "multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got "
            f"num_workers={num_workers}",
            "no process is started",
        )
    ways = multiprocessing.get_all_start_methods()
    if isinstance(context, str):
        if context not in ways:
            _refuse(
                f"multiprocessing_context option should specify a valid start method in {ways!r}, but got "
                f"multiprocessing_context={context!r}",
                "these are the ways of this system",
            )
    elif not isinstance(context, BaseContext):
        refuse(
            TypeError,
            "multiprocessing_context option should be a valid context object or a string specifying the start method, "
            f"but got multiprocessing_context={context}",
            "multiprocessing.get_context makes one",
            rule="data.context",
        )


def _refuse(message: str, because: str, *ways: str) -> None:
    refuse(ValueError, message, because, *ways, rule="data.settings")
