"""autocast: a block, or a function, whose products are computed in 16 bits, and in float32 what needs its precision."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

import numpy as np

from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...tensor.tensor import Tensor
from ...tensor.type_names import type_name
from ...types import dtypes
from ...types.class_paths import ShownByPath, path_of
from ...types.device import device, gpu_is_there
from ...types.dtypes import dtype
from .autocast_state import (
    autocast_decrement_nesting,
    autocast_increment_nesting,
    clear_autocast_cache,
    get_autocast_dtype,
    is_autocast_cache_enabled,
    is_autocast_enabled,
    set_autocast_cache_enabled,
    set_autocast_dtype,
    set_autocast_enabled,
)

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
    """A block, or a function, in which products and convolutions are computed in 16 bits, and losses, norms and what
    else needs the precision in float32. Parameters stay as they are, and so do their gradients.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.Linear(3, 2)
    >>> with autocast("cpu", dtype=torch.bfloat16):
    ...     y = layer(torch.ones(3))
    >>> y.dtype, layer.weight.dtype
    (torch.bfloat16, torch.float32)
    """

    def __init__(
        self, device_type: str, dtype: dtype | None = None, enabled: bool = True, cache_enabled: bool | None = None
    ) -> None:
        _check_type(device_type)
        self.fast_dtype = get_autocast_dtype(device_type) if dtype is None else dtype
        self.device = device_type
        if not is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self.custom_backend_name = "privateuseone"
        self._cache_enabled = is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        self._enabled = enabled and self._can_be_on() and enabled  # what is no bool is refused by the block

    def _can_be_on(self) -> bool:
        if self.device == "cuda":
            if not gpu_is_there():
                warn("CUDA is not available or torch_xla is imported. Disabling autocast.")
            return gpu_is_there()
        if self.fast_dtype not in _SUPPORTED:
            name = self.device.upper()
            warn(
                f"In {name} autocast, but the target dtype is not supported. Disabling autocast.\n{name} Autocast only "
                "supports dtypes of torch.bfloat16, torch.float16 currently."
            )
            return False
        return True

    def __enter__(self) -> autocast:
        self.prev_cache_enabled = is_autocast_cache_enabled()
        self.prev = is_autocast_enabled(self.device)
        self.prev_fastdtype = get_autocast_dtype(self.device)
        set_autocast_enabled(self.device, self._enabled)
        set_autocast_dtype(self.device, self.fast_dtype)
        autocast_increment_nesting()
        set_autocast_cache_enabled(self._cache_enabled)
        return self

    def __exit__(self, *error: object) -> Literal[False]:
        if autocast_decrement_nesting() == 0:
            clear_autocast_cache()
        set_autocast_enabled(self.device, self.prev)
        set_autocast_dtype(self.device, self.prev_fastdtype)
        set_autocast_cache_enabled(self.prev_cache_enabled)
        return False

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


def _cast(value: Any, device_type: str, d: dtype) -> Any:
    """A value, and all tensors in it, in another dtype: those of a kind of device that are floats and no float64."""
    if isinstance(value, Tensor):
        eligible = value.is_floating_point() and value.device.type == device_type and value.dtype is not dtypes.float64
        return value.to(d) if eligible else value
    if isinstance(value, (str, bytes, np.ndarray)):
        return value
    if isinstance(value, Mapping):
        return {_cast(key, device_type, d): _cast(of_key, device_type, d) for key, of_key in value.items()}
    if isinstance(value, Iterable):
        converted = (_cast(part, device_type, d) for part in value)
        return type(value)(converted) if isinstance(value, (list, tuple)) else converted  # type: ignore[call-arg]
    return value


def custom_fwd(fwd: Any = None, *, device_type: str, cast_inputs: dtype | None = None) -> Any:
    """Mark the `forward` of an `autograd.Function`. With `cast_inputs`, a call in a block of autocast gets its inputs
    in this dtype and runs as if there were no block.
    """
    _check_type(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def call(*args: Any, **kwargs: Any) -> Any:
        enabled = is_autocast_enabled(device_type)
        if not isinstance(args[0], Tensor):  # beside a `setup_context`, `forward` is given no context
            args[0]._dtype = get_autocast_dtype(device_type)
        args[0]._fwd_used_autocast = enabled and cast_inputs is None
        if cast_inputs is None or not enabled:
            return fwd(*args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(*_cast(args, device_type, cast_inputs), **_cast(kwargs, device_type, cast_inputs))

    return call


def custom_bwd(bwd: Any = None, *, device_type: str) -> Any:
    """Mark the `backward` of an `autograd.Function`, which runs as its `forward` did."""
    _check_type(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def call(*args: Any, **kwargs: Any) -> Any:
        with autocast(device_type, enabled=args[0]._fwd_used_autocast, dtype=args[0]._dtype):
            return bwd(*args, **kwargs)

    return call
