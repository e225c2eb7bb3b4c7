"""Copies of a tensor, and numbers written into one: what the ops that copy have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import geometry
from ..backends.numpy.casts import assign, cast
from ..errors.reasons import Reason, refuse
from ..errors.warnings import warn_of_lost_part
from ..memory import Place, moved
from ..types import dtypes, formats
from ..types.dtypes import dtype
from .keys import KEY_PROMISE
from .lazy_conj import promised, values_of
from .lookups import size_and_stride, storage_of
from .tensor import Tensor
from .wrapping import empty_array, place_of, wrap_any

if TYPE_CHECKING:
    from ..types.formats import memory_format


def stride_for(size: tuple[int, ...], stride: tuple[int, ...], memory_format: memory_format | None) -> tuple[int, ...]:
    """The strides of a copy in a memory format."""
    if memory_format is None or memory_format is formats.preserve_format:
        return geometry.preserve_stride(size, stride)
    result = geometry.memory_format_stride(size, memory_format.name)
    if isinstance(result, Reason):
        result.refuse()
    return result


def copied(t: Tensor, d: dtype, memory_format: memory_format | None = None, place: Place | None = None) -> Tensor:
    """A copy of a tensor in a dtype, a memory format and a place."""
    if d is not t._dtype and d._is_quantized:
        dtypes.refuse_quantized(d)
    size, stride = size_and_stride(t)
    source = place_of(t)
    target = source if place is None else place
    array = empty_array(size, stride_for(size, stride, memory_format), d, target)
    if target.has_numbers:
        if not source.has_numbers:
            refuse(
                NotImplementedError,
                "Cannot copy out of meta tensor; no data!",
                "a meta tensor has a size and no numbers",
                "torch.empty_like(x, device='cpu')",
                rule="meta.copy",
            )
        if loses_part(t._dtype, d) and t._array.size:
            warn_of_lost_part()
        values = values_of(t)
        if source is not target and source.in_main_memory:
            values = cast(values, d)  # PyTorch converts here as well: what crosses the bus has the new dtype
        assign(array, values if source is target else moved(values, target))
    return wrap_any(array, d)


def loses_part(source: dtype, target: dtype) -> bool:
    """Whether a cast drops imaginary parts."""
    return source._kind == dtypes.COMPLEX and target._kind in (dtypes.INTEGER, dtypes.FLOAT)


def warn_if_part_is_lost(t: Tensor, d: dtype) -> None:
    """Warn where an op reads the numbers of a tensor in a dtype that has no imaginary parts, as a cast does."""
    if loses_part(t._dtype, d) and t._array.size and place_of(t).has_numbers:
        warn_of_lost_part()


def overwrite(target: Tensor, values: np.ndarray) -> None:
    """Write numbers, which may have to be converted and broadcast, into the memory of a tensor."""
    if target._keys & KEY_PROMISE:
        values = promised(cast(values, target._dtype), target)
    assign(target._array, moved(values, place_of(target)))


def wrap_reshaped(copy: Tensor, size: tuple[int, ...]) -> Tensor:
    """Reshape a new contiguous tensor without making it a view."""
    copy._array = storage_of(copy)._array(size, geometry.contiguous_stride(size), 0, copy._dtype._in_numpy)
    return copy
