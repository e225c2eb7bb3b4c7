"""torch.accelerator: the functions of whatever computes beside the CPU. Here that is a GPU, real or simulated, or none.

>>> import tensorwidgets as torch
>>> torch.accelerator.is_available(), torch.accelerator.current_accelerator()
(False, None)
>>> with torch.cuda.simulate():
...     torch.accelerator.current_accelerator()
tensorwidgets simulates 1 GPU of 64 MiB: 'cuda' is a part of main memory, and NumPy computes there.
device(type='cuda')
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from .engine.compat import cuda as _cuda
from .engine.compat.streams import Stream
from .engine.errors.reasons import refuse as _refuse
from .engine.types import dtypes as _dtypes
from .engine.types.device import device as _device

__all__ = [
    "current_accelerator", "current_device_idx", "current_device_index", "current_stream", "device_count",
    "device_index", "empty_cache", "empty_host_cache", "get_device_capability", "get_memory_info", "is_available",
    "max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved", "memory_stats",
    "reset_accumulated_memory_stats", "reset_peak_memory_stats", "set_device_idx", "set_device_index", "set_stream",
    "synchronize",
]  # fmt: skip


def is_available() -> bool:
    """Whether there is an accelerator."""
    return _cuda.is_available()


def device_count() -> int:
    """How many accelerators there are."""
    return _cuda.device_count()


def current_accelerator(check_available: bool = False) -> _device | None:
    """The accelerator as a device without a number; None if there is none."""
    return _device("cuda") if _cuda.is_available() else None


def _present() -> Any:
    """The functions of GPUs; refused without one."""
    if not _cuda.is_available():
        _refuse(
            RuntimeError,
            "Cannot access accelerator device when none is available.",
            "there is no GPU here",
            "torch.cuda.simulate(), for a simulated GPU",
            rule="device.none",
        )
    return _cuda


def current_device_index() -> int:
    """The number of the current accelerator."""
    return int(_present().current_device())


def set_device_index(device: Any, /) -> None:
    """Sets the current accelerator."""
    _present().set_device(device)


def _renamed(old: str, new: Callable) -> Callable:
    def function(*args: Any) -> Any:
        warnings.warn(f"Use `{new.__name__}` instead.", FutureWarning, stacklevel=2)
        return new(*args)

    function.__name__ = function.__qualname__ = old
    function.__doc__ = f"The old name of `{new.__name__}`."
    return function


current_device_idx = _renamed("current_device_idx", current_device_index)
set_device_idx = _renamed("set_device_idx", set_device_index)


class device_index:
    """Makes an accelerator the current one inside a `with` block; None changes nothing."""

    def __init__(self, device: int | None, /) -> None:
        self._block = None if device is None else _cuda.device(device)

    def __enter__(self) -> None:
        if self._block is not None:
            _present()
            self._block.__enter__()

    def __exit__(self, *exc: Any) -> None:
        if self._block is not None:
            self._block.__exit__(*exc)


def get_device_capability(device: Any = None, /) -> dict[str, Any]:
    """What an accelerator can do: the dtypes that it computes in."""
    _present()
    return {"supported_dtypes": set(_dtypes.ALL)}


def current_stream(device: Any = None, /) -> Stream:
    """The stream of an accelerator to which calls go."""
    found = _present().current_stream(device)
    return Stream(device_index=found.device_index, stream_id=found.stream_id)


def set_stream(stream: Stream) -> None:
    """Lets calls go to a stream from now on."""
    _present().set_stream(stream)


def synchronize(device: Any = None, /) -> None:
    """Waits for all work of an accelerator."""
    _present().synchronize(device)


# -- memory --------------------------------------------------------------------------------------------------------


def empty_cache() -> None:
    """Returns what the allocator keeps to the driver."""
    _present().empty_cache()


def empty_host_cache() -> None:
    """Returns pinned memory that is kept to the system; there is none here."""
    _present()


def memory_stats(device: Any = None, /) -> OrderedDict[str, Any]:
    """The statistics of the allocator."""
    found: OrderedDict[str, Any] = _present().memory_stats(device)
    return found


def memory_allocated(device: Any = None, /) -> int:
    """The bytes that tensors occupy."""
    return int(_present().memory_allocated(device))


def max_memory_allocated(device: Any = None, /) -> int:
    """The most bytes that tensors have occupied."""
    return int(_present().max_memory_allocated(device))


def memory_reserved(device: Any = None, /) -> int:
    """The bytes that the allocator holds."""
    return int(_present().memory_reserved(device))


def max_memory_reserved(device: Any = None, /) -> int:
    """The most bytes that the allocator has held."""
    return int(_present().max_memory_reserved(device))


def get_memory_info(device: Any = None, /) -> tuple[int, int]:
    """The free and the total memory of an accelerator, in bytes."""
    free, total = _present().mem_get_info(device)
    return free, total


def reset_peak_memory_stats(device: Any = None, /) -> None:
    """Lets the peaks of the statistics begin again."""
    _present().reset_peak_memory_stats(device)


def reset_accumulated_memory_stats(device: Any = None, /) -> None:
    """Sets to 0 what the statistics add up."""
    _present().reset_accumulated_memory_stats(device)
