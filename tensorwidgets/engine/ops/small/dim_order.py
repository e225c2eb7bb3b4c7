"""dim_order: the order of the dimensions in memory."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ... import geometry
from ...errors.reasons import refuse
from ...tensor.lookups import size_and_stride
from ...tensor.tensor import Tensor
from ...types import formats


def dim_order(self: Tensor, *, ambiguity_check: Any = False) -> tuple[int, ...]:
    """Returns the dimensions in the order of their strides, the largest first.

    >>> import tensorwidgets as torch
    >>> torch.ones(2, 3).t().dim_order()
    (1, 0)
    """
    if self.is_sparse:  # the compressed layouts have no strides, and say so themselves
        refuse(
            AttributeError,
            f"Can't get dim order on sparse type: {self.type()} Use Tensor.to_dense() to convert to a dense tensor "
            "first.",
            "a sparse tensor stores indices and values, not one array",
            "x.to_dense()",
            rule="dim_order.sparse",
        )
    if self.layout is not formats.strided:
        self.stride()
    size, stride = size_and_stride(self)
    if not isinstance(ambiguity_check, bool) and not (
        isinstance(ambiguity_check, list) and all(isinstance(f, formats.memory_format) for f in ambiguity_check)
    ):
        refuse(
            TypeError,
            "The ambiguity_check argument must be a bool or a list of memory formats.",
            "ambiguity_check decides whether an ambiguous order raises an error",
            rule="dim_order.check",
        )
    if ambiguity_check is not False:
        _check_one_order(size, stride, ambiguity_check)
    return geometry.storage_order(size, stride)


def _check_one_order(size: tuple[int, ...], stride: tuple[int, ...], check: Any) -> None:
    """Refuse a size or strides that fit several orders, unless they are of exactly one of the listed formats.

    PyTorch's rules: a dimension of size 1 may come anywhere, and of two equal strides either may come first. It looks
    at neighbours first, then at all strides that are of neither or of both of two formats.
    """
    listed = check if isinstance(check, list) else []
    if 1 in size or any(a == b for a, b in pairwise(stride)):
        names = ["contiguous_format" if f is formats.preserve_format else f.name for f in listed]
        fitting = [name for name in names if geometry.is_contiguous(size, stride, name)]
        if len(fitting) != 1:
            _ambiguous(
                "The tensor does not have unique dim order, or cannot map to exact one of the given memory formats."
            )
    rows_first = geometry.is_contiguous(size, stride)
    if check and len(size) > 1 and rows_first == geometry.is_contiguous(size, stride, "channels_last"):
        if 0 in stride or len(set(stride)) < len(stride):
            _ambiguous("The tensor does not have unique dim order.")


def _ambiguous(message: str) -> None:
    refuse(
        RuntimeError,
        message,
        "a dimension of size 1 may come anywhere, and of two equal strides either may come first",
        rule="dim_order.ambiguous",
    )


METHODS = {"dim_order": dim_order}
__all__ = ["METHODS"]
