"""dim_order: the order of the dimensions in memory."""

from __future__ import annotations

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
    listed = list(check) if isinstance(check, list) else []
    if any(s == 0 and n > 1 for s, n in zip(stride, size, strict=True)):
        _ambiguous("The tensor does not have unique dim order.")
    if len(set(stride)) == len(stride):
        return
    fitting = [f for f in listed if geometry.is_contiguous(size, stride, f.name)]
    if len(fitting) != 1:
        _ambiguous("The tensor does not have unique dim order, or cannot map to exact one of the given memory formats.")


def _ambiguous(message: str) -> None:
    refuse(
        RuntimeError,
        message,
        "two dimensions have equal strides, so either may come first",
        rule="dim_order.ambiguous",
    )


METHODS = {"dim_order": dim_order}
__all__ = ["METHODS"]
