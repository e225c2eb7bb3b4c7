"""Tensors of random numbers for tests: of any dtype, between two limits, laid out as a test wants them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import ceil, isnan, prod
from typing import Any

from ..engine.derivatives.ops import torch
from ..engine.errors.reasons import refuse
from ..engine.tensor.tensor import Tensor
from ..engine.types import dtypes
from ..engine.types.device import device
from ..engine.types.dtypes import dtype
from ..engine.types.formats import memory_format
from ..engine.types.limits import finfo, iinfo

SMALL_FLOATS = (dtypes.float8_e4m3fn, dtypes.float8_e5m2, dtypes.float8_e4m3fnuz, dtypes.float8_e5m2fnuz)
"""Drawn as float32 and then converted."""
WHOLE = (dtypes.bool_, dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint16,
         dtypes.uint32, dtypes.uint64)  # fmt: skip


def make_tensor(
    *shape: Any,
    dtype: dtype,
    device: str | device,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: memory_format | None = None,
) -> Tensor:
    """Returns a tensor of numbers drawn evenly from `low` up to `high`; from -9 up to 9 if nothing else is said.

    >>> import tensorwidgets as torch
    >>> x = torch.testing.make_tensor(2, 3, dtype=torch.int64, device="cpu", low=1, high=4)
    >>> x.shape, bool(((x >= 1) & (x < 4)).all())
    (torch.Size([2, 3]), True)
    """
    size = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], Sequence) else shape
    if noncontiguous and memory_format is not None:
        message = "The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got "
        message += f"noncontiguous={noncontiguous!r} and memory_format={memory_format!r}"
        refuse(ValueError, message, "each says how the elements lie", "one of the two", rule="make_tensor.order")
    if type(requires_grad) is not bool and dtype not in WHOLE:
        message = "requires_grad must be a bool"
        refuse(RuntimeError, message, f"{requires_grad!r} is none", "requires_grad=True", rule="make_tensor.grad")
    if requires_grad and dtype in WHOLE:
        message = f"`requires_grad=True` is not supported for boolean and integral dtypes, but got dtype={dtype!r}"
        refuse(ValueError, message, "whole numbers have no gradients", "dtype=torch.float32", rule="make_tensor.grad")
    apart = noncontiguous and prod(size) > 1
    drawn = _drawn((*size[:-1], 2 * size[-1]) if apart else size, dtype, device, low, high)
    if apart:
        drawn = drawn[..., 1::2]
    elif memory_format is not None:
        drawn = drawn.clone(memory_format=memory_format)
    if exclude_zero:
        drawn[drawn == 0] = 1 if dtype in WHOLE else finfo(dtype).tiny
    return drawn.requires_grad_(requires_grad) if dtype not in WHOLE and dtype not in SMALL_FLOATS else drawn


def _drawn(size: tuple, d: dtype, place: Any, low: float | None, high: float | None) -> Any:
    if d is dtypes.bool_:
        return torch.randint(*_limits(d, low, high, 0, 2, 0, 2), size, device=place, dtype=d)
    if d in WHOLE:
        info = iinfo(d)
        end = info.max + (d is not dtypes.int64)  # the end itself is not drawn, and int64 holds no more
        return torch.randint(*_limits(d, low, high, info.min, end, -9, 10), size, device=place, dtype=d)
    if not isinstance(d, dtype) or not (d.is_floating_point or d.is_complex):
        message = f"The requested dtype '{d}' is not supported by torch.testing.make_tensor()."
        message += " To request support, file an issue at: https://github.com/pytorch/pytorch/issues"
        refuse(TypeError, message, "it is drawn as numbers of another dtype", "dtype=torch.float32", rule="dtype")
    begin, end = _limits(d, low, high, finfo(d).min, finfo(d).max, -9, 9)
    drawn = torch.empty(size, device=place, dtype=dtypes.float32 if d in SMALL_FLOATS else d)
    numbers = torch.view_as_real(drawn) if d.is_complex else drawn
    if end - begin >= finfo(numbers.dtype).max:  # such a range is no number
        numbers.uniform_(begin / 2, end / 2).mul_(2)
    else:
        numbers.uniform_(begin, end)
    return drawn.to(d) if d in SMALL_FLOATS else drawn


def _limits(
    d: dtype, low: float | None, high: float | None, least: float, end: float, usual_low: float, usual_high: float
) -> tuple[Any, Any]:
    """Between which numbers is drawn, from those asked for and those that the dtype has."""
    low, high = usual_low if low is None else low, usual_high if high is None else high
    if any(isinstance(one, float) and isnan(one) for one in (low, high)):
        message = f"`low` and `high` cannot be NaN, but got {low=} and {high=}"
        refuse(ValueError, message, "NaN is no limit", "two numbers", rule="make_tensor.limits")
    if low == high and d not in WHOLE and d not in SMALL_FLOATS:
        warnings.warn(
            "Passing `low==high` to `torch.testing.make_tensor` for floating or complex types is deprecated since 2.1 "
            "and will be removed in 2.3. Use `torch.full(...)` instead.",
            FutureWarning,
            stacklevel=4,
        )
    elif low >= high:
        message = f"`low` must be less than `high`, but got {low} >= {high}"
        refuse(ValueError, message, "nothing is between them", f"low={high}, high={low}", rule="make_tensor.limits")
    elif high < least or low >= end:
        message = f"The value interval specified by `low` and `high` is [{low}, {high}), "
        message += f"but {d} only supports [{least}, {end})"
        refuse(ValueError, message, "the dtype has no number there", "another dtype", rule="make_tensor.limits")
    low, high = min(max(low, least), end), min(max(high, least), end)
    return (ceil(low), ceil(high)) if d in WHOLE else (low, high)
