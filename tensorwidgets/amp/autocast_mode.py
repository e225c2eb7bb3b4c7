"""torch.amp.autocast: a block in which PyTorch computes with 16 bits where that is safe.

Here every call computes with the dtypes of its tensors. So a block that is not enabled is what it is in PyTorch, and
one that is enabled is refused, because its results would have other dtypes than PyTorch's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..engine.compat import cuda as _cuda
from ..engine.compat.switches import get_autocast_dtype
from ..engine.errors.reasons import refuse
from ..engine.errors.warnings import warn
from ..engine.types.device import device
from ..engine.types.dtypes import bfloat16, dtype, float16

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]

_AVAILABLE = ("cpu", "cuda", "xpu", "xla", "hpu", "ipu", "maia", "mps", "mtia", "privateuseone")


def _checked(device_type: Any) -> str:
    if not isinstance(device_type, str):
        message = f"Expected `device_type` of type `str`, got: `{type(device_type)}`"
        refuse(ValueError, message, "a device is named by a text", "'cpu'", rule="argument.type")
    return device(device_type).type


def is_autocast_available(device_type: str) -> bool:
    """Whether PyTorch has `autocast` for a sort of device.

    >>> is_autocast_available("cpu"), is_autocast_available("meta")
    (True, False)
    """
    return _checked(device_type) in _AVAILABLE


class autocast:
    """A block, or a decorator, of numbers of two precisions. Only `enabled=False` runs here.

    >>> with autocast("cuda", enabled=False):
    ...     pass

    Without a GPU, 'cuda' warns and is not enabled, as in PyTorch.
    """

    def __init__(
        self, device_type: str, dtype: dtype | None = None, enabled: bool = True, cache_enabled: bool | None = None
    ) -> None:
        self.device = _checked(device_type)
        self.fast_dtype = get_autocast_dtype(self.device) if dtype is None else dtype
        self._cache_enabled = True if cache_enabled is None else cache_enabled
        if enabled and self.device == "cuda" and not _cuda.is_available():
            warn("CUDA is not available or torch_xla is imported. Disabling autocast.")
            enabled = False
        if enabled and self.device == "cpu" and self.fast_dtype not in (bfloat16, float16):
            warn(
                "In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
                "CPU Autocast only supports dtypes of torch.bfloat16, torch.float16 currently."
            )
            enabled = False
        if enabled:
            refuse(
                NotImplementedError,
                f"torch.autocast({self.device!r}) is for later",
                "every call here computes with the dtypes of its tensors",
                f"torch.autocast({self.device!r}, enabled=False), or model.to({self.fast_dtype})",
                rule="name.later",
            )
        self._enabled = False

    def __enter__(self) -> autocast:
        return self

    def __exit__(self, *exc: Any) -> None:
        """Nothing was changed."""

    def __call__(self, func: Callable) -> Callable:
        @functools.wraps(func)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            with self:
                return func(*args, **kwargs)

        return decorated


def custom_fwd(fwd: Callable | None = None, *, device_type: str, cast_inputs: dtype | None = None) -> Callable:
    """Mark `forward` of an `autograd.Function` for `autocast`; where that is not enabled, it stays as it is."""
    _checked(device_type)
    return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs) if fwd is None else fwd


def custom_bwd(bwd: Callable | None = None, *, device_type: str) -> Callable:
    """Mark `backward` of an `autograd.Function` for `autocast`; where that is not enabled, it stays as it is."""
    _checked(device_type)
    return functools.partial(custom_bwd, device_type=device_type) if bwd is None else bwd
