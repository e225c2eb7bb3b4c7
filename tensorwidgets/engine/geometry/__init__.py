"""Where would this view's elements lie? Pure functions on tuples of ints; no arrays anywhere.

Each function is named after the question that it answers. One that can refuse *returns* a `Reason` (PyTorch's
exception type and message, our explanation, the numbers); nothing here raises.

>>> x = contiguous((2, 3))
>>> transpose(x, 0, 1)
Geometry(size=(3, 2), stride=(1, 3), offset=0)
>>> view(transpose(x, 0, 1), (6,)).rule
'view.span'
"""

from __future__ import annotations

from .contiguity import is_contiguous, is_non_overlapping_and_dense, suggested_format, why_not_contiguous
from .dims import wrap_dim, wrap_dims
from .fresh import pointwise_stride, preserve_stride, reduction_stride, storage_order
from .gather import Gather, Indexed, gather
from .joins import ways_to_join, ways_to_stack
from .layout import (
    Geometry,
    channels_last_3d_stride,
    channels_last_stride,
    contiguous,
    contiguous_stride,
    make,
    memory_format_stride,
    numel,
)
from .memory import extent, memory_overlap, offset_of, offsets, out_of_bounds, overlap, reads, rows_share, walk
from .pieces import chunk, dsplit, hsplit, split, tensor_split, unbind, vsplit
from .rearrange import matrix_transpose, movedim, permute, reverse_dims, t, transpose
from .reshape import flatten, new_axis, squeeze, unflatten, unsqueeze, view
from .retype import imag_part, real_part, view_as_complex, view_as_real, view_dtype
from .shapes import broadcast, broadcast_verdict, infer_size
from .stretch import expand
from .strided import as_strided
from .window import diagonal, narrow, select, slice, unfold

__all__ = [
    "Gather",
    "Geometry",
    "Indexed",
    "as_strided",
    "broadcast",
    "broadcast_verdict",
    "channels_last_3d_stride",
    "channels_last_stride",
    "chunk",
    "contiguous",
    "contiguous_stride",
    "diagonal",
    "dsplit",
    "expand",
    "extent",
    "flatten",
    "gather",
    "hsplit",
    "imag_part",
    "infer_size",
    "is_contiguous",
    "is_non_overlapping_and_dense",
    "make",
    "matrix_transpose",
    "memory_format_stride",
    "memory_overlap",
    "movedim",
    "narrow",
    "new_axis",
    "numel",
    "offset_of",
    "offsets",
    "out_of_bounds",
    "overlap",
    "permute",
    "pointwise_stride",
    "preserve_stride",
    "reads",
    "rows_share",
    "walk",
    "real_part",
    "reduction_stride",
    "reverse_dims",
    "select",
    "slice",
    "split",
    "squeeze",
    "storage_order",
    "t",
    "suggested_format",
    "tensor_split",
    "transpose",
    "unbind",
    "unflatten",
    "unfold",
    "unsqueeze",
    "view",
    "view_as_complex",
    "view_as_real",
    "view_dtype",
    "vsplit",
    "ways_to_join",
    "ways_to_stack",
    "why_not_contiguous",
    "wrap_dim",
    "wrap_dims",
]
