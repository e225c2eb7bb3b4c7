"""Allocate the result of an op, or resize `out=`, and let the kernel fill it.

Only this file decides whether a result has bytes or is a meta tensor."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import geometry
from ..backends.numpy.casts import assign
from ..types.dtypes import dtype, refuse_quantized
from .resizing import resize_output
from .storage import MetaArray
from .tensor import Tensor, bump_version, empty_array, wrap, wrap_any
from .write_checks import check_cast, check_writable


def finish(
    size: tuple[int, ...],
    d: dtype,
    out: Tensor | None,
    fill: Callable[[np.ndarray], None],
    meta: bool,
    stride: tuple[int, ...] | None = None,
) -> Tensor:
    """Allocate the result by its rule (contiguous where no stride is named) and let the kernel fill it."""
    if d._is_quantized:
        refuse_quantized(d)
    if out is not None:
        return _into(out, size, d, fill, meta, stride)
    if meta:
        stride = stride or geometry.contiguous_stride(size)
        return wrap_any(MetaArray(size, tuple([s * d.itemsize for s in stride]), d._in_numpy), d)
    array = empty_array(size, stride, d)
    fill(array)
    return wrap(array, d)


def _into(
    out: Tensor,
    size: tuple[int, ...],
    d: dtype,
    fill: Callable[[np.ndarray], None],
    meta: bool,
    stride: tuple[int, ...] | None,
) -> Tensor:
    """Write a result into `out=`, resized to fit. The kernel may raise, so it runs before any change of size."""
    check_cast(d, out._dtype)
    fits = out._array.shape == size
    check_writable(out, alike=not fits)
    if fits and not meta and out._array.dtype == d._in_numpy:
        fill(out._array)
        bump_version(out)
        return out
    values = None
    if not meta:
        values = np.empty(size, d._in_numpy)
        fill(values)
    if not fits:
        resize_output(out, size, stride)
    if values is not None:
        assign(out._array, values)
    bump_version(out)
    return out
