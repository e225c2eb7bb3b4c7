"""autocast where it is off: `enabled=False`, or for GPUs where there are none. Switched on it is for later."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...tensor.type_names import type_name
from ...types import dtypes
from ...types.class_paths import ShownByPath, path_of
from ...types.device import device, gpu_is_there
from ...types.dtypes import dtype
from ..switches import get_autocast_dtype

_AVAILABLE = ("cpu", "cuda", "ipu", "xpu", "hpu", "mps", "mtia", "maia", "xla", "privateuseone")
_SUPPORTED = (dtypes.bfloat16, dtypes.float16)


def is_autocast_available(device_type: str) -> bool:
    """Whether PyTorch has autocast for a kind of device.

    >>> is_autocast_available("cpu"), is_autocast_available("meta")
    (True, False)
    """
    if not isinstance(device_type, str):
        message = "_is_autocast_available(): argument 'device_type' (position 1) must be str, not "
        refuse(
            TypeError, message + type_name(device_type), "a kind of device has a name", "'cpu'", rule="argument.type"
        )
    return device(device_type).type in _AVAILABLE


def _check_type(device_type: Any) -> None:
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `<class '{path_of(type(device_type))}'>`")


class autocast(ShownByPath):  # noqa: N801
    """A block, or a function, in which nothing is computed in fewer bits: the switch is off.

    >>> with autocast("cpu", enabled=False):
    ...     pass
    """

    def __init__(
        self, device_type: str, dtype: dtype | None = None, enabled: bool = True, cache_enabled: bool | None = None
    ) -> None:
        _check_type(device_type)
        self.fast_dtype = get_autocast_dtype(device_type) if dtype is None else dtype
        self.device = device_type
        if not is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self._cache_enabled = True if cache_enabled is None else cache_enabled
        self._enabled = bool(enabled) and self._can_be_on()
        if self._enabled and device_type in ("cpu", "cuda"):  # no tensor is on any other device
            refuse(
                NotImplementedError,
                "torch.autocast: enabled=True is for later",
                f"it computes products in {self.fast_dtype} and other ops in float32; this package has no code for it",
                f"torch.autocast({device_type!r}, enabled=False)",
                rule="name.later",
            )

    def _can_be_on(self) -> bool:
        if self.device == "cuda" and not gpu_is_there():
            warn("CUDA is not available or torch_xla is imported. Disabling autocast.")
            return False
        if self.device != "cuda" and self.fast_dtype not in _SUPPORTED:
            name = self.device.upper()
            warn(
                f"In {name} autocast, but the target dtype is not supported. Disabling autocast.\n{name} Autocast only "
                "supports dtypes of torch.bfloat16, torch.float16 currently."
            )
            return False
        return True

    def __enter__(self) -> autocast:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __call__(self, func: Callable) -> Callable:
        if not callable(func):
            raise TypeError(
                f"autocast()(func) requires a callable, but got {type(func).__name__}. Did you mean to use autocast as "
                "a context manager? For example:\n    with torch.autocast(device_type=...):\n"
                "        output = model(input)"
            )

        @functools.wraps(func)
        def call(*args: Any, **kwargs: Any) -> Any:
            with self:
                return func(*args, **kwargs)

        return call


def custom_fwd(fwd: Any = None, *, device_type: str, cast_inputs: dtype | None = None) -> Any:
    """Mark the `forward` of an `autograd.Function`, which gets its inputs as they are: autocast is off."""
    _check_type(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def call(*args: Any, **kwargs: Any) -> Any:
        args[0]._dtype, args[0]._fwd_used_autocast = get_autocast_dtype(device_type), False
        return fwd(*args, **kwargs)

    return call


def custom_bwd(bwd: Any = None, *, device_type: str) -> Any:
    """Mark the `backward` of an `autograd.Function`, which runs as its `forward` did."""
    _check_type(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def call(*args: Any, **kwargs: Any) -> Any:
        return bwd(*args, **kwargs)

    return call
