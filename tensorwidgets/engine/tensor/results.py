"""Allocate the result of an op, or resize `out=`, and let the kernel fill it.

Only this file decides where a result is, and whether it has numbers: as the place of the operands says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..backends.numpy.casts import assign
from ..memory import Place
from ..types.dtypes import dtype, refuse_quantized
from .moving.resizing import resize_output
from .tensor import Tensor
from .versions import bump_version
from .wrapping import empty_array, wrap_any
from .write_checks import check_cast, check_writable


def finish(
    size: tuple[int, ...],
    d: dtype,
    out: Tensor | None,
    fill: Callable[[Any], None],
    place: Place,
    stride: tuple[int, ...] | None = None,
) -> Tensor:
    """Allocate the result by its rule (contiguous if no stride is given) and let the kernel fill it.

    `place` is where the operands are; without numbers there, the kernel does not run.
    """
    if d._is_quantized:
        refuse_quantized(d)
    if out is not None:
        return _into(out, size, d, fill, place, stride)
    array = empty_array(size, stride, d, place)
    if place.has_numbers:
        fill(array)
    return wrap_any(array, d)


def _into(
    out: Tensor,
    size: tuple[int, ...],
    d: dtype,
    fill: Callable[[Any], None],
    place: Place,
    stride: tuple[int, ...] | None,
) -> Tensor:
    """Write a result into `out=`, resized to fit. The kernel may raise, so it runs before any change of size."""
    check_cast(d, out._dtype)
    fits = out._array.shape == size
    check_writable(out, alike=not fits)
    if fits and place.has_numbers and out._array.dtype == d._in_numpy:
        fill(out._array)
        bump_version(out)
        return out
    values = None
    if place.has_numbers:
        values = place.empty(size, d._in_numpy)
        fill(values)
    if not fits:
        resize_output(out, size, stride)
    if values is not None:
        assign(out._array, values)
    bump_version(out)
    return out
