"""torch.cuda.memory: what the allocator of a GPU holds, its statistics, its history and its bounds.

Without a GPU, counters are 0 and statistics are empty, as in PyTorch; what needs a GPU is refused.
"""

from __future__ import annotations

import sys
import warnings
from collections import OrderedDict
from collections.abc import Collection
from os import PathLike
from typing import TYPE_CHECKING, Any

from ..errors.out_of_memory import OutOfMemoryError
from ..errors.reasons import refuse

if TYPE_CHECKING:
    from ..memory.caching import CachingAllocator
    from ..types.device import device

__all__ = [
    "OutOfMemoryError", "empty_cache", "get_allocator_backend", "get_per_process_memory_fraction",
    "host_memory_stats", "host_memory_stats_as_nested_dict", "reset_accumulated_host_memory_stats",
    "reset_peak_host_memory_stats", "list_gpu_processes", "max_memory_allocated", "max_memory_cached",
    "max_memory_reserved", "mem_get_info", "memory_allocated", "memory_cached", "memory_reserved",
    "memory_snapshot", "memory_stats", "memory_stats_as_nested_dict", "memory_summary",
    "reset_accumulated_memory_stats", "reset_max_memory_allocated", "reset_max_memory_cached",
    "reset_peak_memory_stats", "set_per_process_memory_fraction",
]  # fmt: skip
"""What `torch.cuda` has as well. What begins with an underscore is in `torch.cuda.memory` alone."""


def _allocator(device: str | int | device | None = None, call: str = "") -> CachingAllocator:
    """The allocator of a GPU; refused without a GPU, some calls in words of their own."""
    from ..memory.caching.by_device import ALLOCATORS
    from .cuda import _checked

    _, index = _checked(device, call)
    found = ALLOCATORS.get(index)
    if found is None:
        refuse(
            RuntimeError,
            f"the memory of GPU {index} has no caching allocator here",
            "statistics and history are those of our own allocator, which does not serve this GPU",
            rule="device.memory",
        )
    return found


def _all(call: str = "") -> list[CachingAllocator]:
    """The allocators of all GPUs; refused without a GPU."""
    from ..memory.caching.by_device import ALLOCATORS

    _allocator(call=call)
    return [ALLOCATORS[index] for index in sorted(ALLOCATORS)]


def _found(device: str | int | device | None) -> CachingAllocator | None:
    """The allocator of a GPU; None without a GPU, whatever the device."""
    from .cuda import is_available

    return _allocator(device) if is_available() else None


# -- statistics ----------------------------------------------------------------------------------------------------


def memory_stats(device: str | int | device | None = None) -> OrderedDict[str, Any]:
    """Returns the statistics of the allocator of a GPU by flat names; an empty dictionary without a GPU.

    >>> memory_stats()
    OrderedDict()
    """
    found = _found(device)
    return OrderedDict() if found is None else found.statistics.flat()


def memory_stats_as_nested_dict(device: str | int | device | None = None) -> dict[str, Any]:
    """Returns what `memory_stats` does, as dictionaries in dictionaries."""
    found = _found(device)
    return {} if found is None else found.statistics.nested()


def memory_allocated(device: str | int | device | None = None) -> int:
    """Returns the GPU memory occupied by tensors, in bytes; 0 without a GPU."""
    return int(memory_stats(device).get("allocated_bytes.all.current", 0))


def max_memory_allocated(device: str | int | device | None = None) -> int:
    """Returns the peak GPU memory occupied by tensors, in bytes; 0 without a GPU."""
    return int(memory_stats(device).get("allocated_bytes.all.peak", 0))


def memory_reserved(device: str | int | device | None = None) -> int:
    """Returns the GPU memory that the allocator holds, in use or not, in bytes; 0 without a GPU."""
    return int(memory_stats(device).get("reserved_bytes.all.current", 0))


def max_memory_reserved(device: str | int | device | None = None) -> int:
    """Returns the peak GPU memory that the allocator held, in bytes; 0 without a GPU."""
    return int(memory_stats(device).get("reserved_bytes.all.peak", 0))


def memory_cached(device: str | int | device | None = None) -> int:
    """The old name of `memory_reserved`."""
    _renamed("memory_cached", "memory_reserved")
    return memory_reserved(device)


def max_memory_cached(device: str | int | device | None = None) -> int:
    """The old name of `max_memory_reserved`."""
    _renamed("max_memory_cached", "max_memory_reserved")
    return max_memory_reserved(device)


def _renamed(old: str, new: str) -> None:
    warnings.warn(f"`torch.cuda.{old}` has been renamed to `torch.cuda.{new}`", FutureWarning, stacklevel=3)


def memory_summary(device: str | int | device | None = None, abbreviated: bool = False) -> str:
    """Returns a table of the statistics of the allocator of a GPU."""
    from ..memory.caching.summary import summary

    found = _allocator(device, "allocated_bytes.all.current")
    return summary(found.statistics.flat(), found.device, abbreviated)


def reset_peak_memory_stats(device: str | int | device | None = None) -> None:
    """Lets the peaks of the statistics begin again at what there is now."""
    _allocator(device, "_cuda_resetPeakMemoryStats").statistics.reset_peak()


def reset_accumulated_memory_stats(device: str | int | device | None = None) -> None:
    """Sets to 0 what the statistics add up: all that was ever allocated and freed, and the counts of events."""
    _allocator(device, "_cuda_resetAccumulatedMemoryStats").statistics.reset_accumulated()


def reset_max_memory_allocated(device: str | int | device | None = None) -> None:
    """The old name of `reset_peak_memory_stats`."""
    _resets_all("reset_max_memory_allocated")
    reset_peak_memory_stats(device)


def reset_max_memory_cached(device: str | int | device | None = None) -> None:
    """The old name of `reset_peak_memory_stats`."""
    _resets_all("reset_max_memory_cached")
    reset_peak_memory_stats(device)


def _resets_all(old: str) -> None:
    words = "now calls torch.cuda.reset_peak_memory_stats, which resets /all/ peak memory stats."
    warnings.warn(f"torch.cuda.{old} {words}", FutureWarning, stacklevel=3)


def host_memory_stats() -> OrderedDict[str, Any]:
    """Returns statistics of pinned memory by flat names; an empty dictionary, for there is none here."""
    return OrderedDict()


def host_memory_stats_as_nested_dict() -> dict[str, Any]:
    """Returns what `host_memory_stats` does, as dictionaries in dictionaries."""
    return {}


def reset_peak_host_memory_stats() -> None:
    """Lets the peaks of pinned memory begin again: nothing here; refused without a GPU."""
    _allocator(call="_cuda_resetPeakHostMemoryStats")


def reset_accumulated_host_memory_stats() -> None:
    """Sets to 0 what the statistics of pinned memory add up: nothing here; refused without a GPU."""
    _allocator(call="_cuda_resetAccumulatedHostMemoryStats")


# -- what the allocator may have, and what it gives back -------------------------------------------------------------


def empty_cache() -> None:
    """Returns all segments without a block in use to the driver; does nothing without a GPU.

    >>> empty_cache()
    """
    from .cuda import is_available

    for found in _all() if is_available() else ():
        found.empty_cache()


def mem_get_info(device: str | int | device | None = None) -> tuple[int, int]:
    """Returns the free and the total memory of a GPU, in bytes, as its driver knows them."""
    from .cuda import _checked

    gpus, index = _checked(device)
    free, total = gpus.memory(index)
    return free, total


def set_per_process_memory_fraction(fraction: float, device: str | int | device | None = None) -> None:
    """Bounds what the allocator requests from the driver to a part of the GPU's memory; 1.0 lifts the bound."""
    found = _allocator(device)
    if not isinstance(fraction, float):
        refuse(TypeError, "Invalid type for fraction argument, must be `float`", "", "1.0", rule="device.memory")
    if not 0 <= fraction <= 1:
        refuse(ValueError, f"Invalid fraction value: {fraction}. Allowed range: 0~1", "", "0.5", rule="device.memory")
    found.allow(fraction)


def get_per_process_memory_fraction(device: str | int | device | None = None) -> float:
    """Returns the part of the GPU's memory that the allocator may request from the driver."""
    return _allocator(device).fraction


def list_gpu_processes(device: str | int | device | None = None) -> str:
    """Returns which processes use a GPU, and how much of its memory. Of a simulated GPU that is this process alone.

    >>> list_gpu_processes()
    'pynvml module not found, please install nvidia-ml-py'
    """
    import os

    found = _found(device)
    if found is None:
        return "pynvml module not found, please install nvidia-ml-py"
    size = found.reserved / (1 << 20)
    return f"GPU:{found.device}\nprocess {os.getpid():>10d} uses {size:>12.3f} MB GPU memory"


def get_allocator_backend() -> str:
    """Returns the kind of the allocator: `native` is the caching allocator."""
    _allocator(call="_cuda_getAllocatorBackend")
    return "native"


# -- history and snapshots -----------------------------------------------------------------------------------------


def memory_snapshot(mempool_id: Any = None, include_traces: bool = True) -> list[dict[str, Any]]:
    """Returns the segments of all GPUs, with their blocks."""
    from ..memory.caching.snapshot import snapshot

    segments: list[dict[str, Any]] = snapshot(_all("_cuda_memorySnapshot"), include_traces=False)["segments"]
    return segments


def _snapshot(device: str | int | device | None = None, augment_with_fx_traces: bool = False) -> dict[str, Any]:
    """Returns the segments, the blocks and the recorded events of all GPUs, for PyTorch's viewer and ours."""
    from ..memory.caching.snapshot import snapshot

    return snapshot(_all("_cuda_memorySnapshot"))


def _dump_snapshot(
    filename: str | PathLike[str] = "dump_snapshot.pickle", augment_with_fx_traces: bool = False
) -> None:
    """Writes a snapshot to a file that PyTorch's viewer and `show.allocator` read."""
    from ..memory.caching.snapshot import dump

    dump(_snapshot(), filename)


def _record_memory_history(
    enabled: str | None = "all", context: str | None = "all", stacks: str = "all", max_entries: int = sys.maxsize,
    device: str | int | device | None = None, clear_history: bool = False, compile_context: bool = False,
    global_record_annotations: bool = False, skip_actions: Collection[str] | None = None,
) -> None:  # fmt: skip
    """Begins to record what the allocators do and from which lines, or ends it (`enabled=None`)."""
    from ..memory.caching.history import History, check

    check("stacks", stacks, ("python", "all"))
    for found in _all("_cuda_record_memory_history"):
        before = found.record
        if enabled is None:
            found.record = None
            continue
        history = History(enabled, context, max_entries, skip_actions or ())
        if isinstance(before, History) and not clear_history:
            history.events.extend(before.events)
            history.segments.update(before.segments)
        found.record = history


def _set_memory_metadata(metadata: str) -> None:
    """Adds a text to all events to come."""
    from ..memory.caching.history import History

    for found in _all("_cuda_setMemoryMetadata"):
        if isinstance(found.record, History):
            found.record.metadata = metadata


def _get_memory_metadata() -> str:
    """Returns the text that is added to events."""
    return str(getattr(_allocator(call="_cuda_getMemoryMetadata").record, "metadata", ""))


def _set_allocator_settings(env: str) -> None:
    """Sets the settings of the allocators, as the environment's PYTORCH_CUDA_ALLOC_CONF does."""
    from ..memory.caching import read_settings
    from .cuda import is_available

    settings = read_settings(env)
    for found in _all() if is_available() else ():
        found.use(settings)
