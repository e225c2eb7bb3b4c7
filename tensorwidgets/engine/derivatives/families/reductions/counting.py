"""Counting and cutting into segments: histograms, bincount, unique, segment_reduce."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...declaring import differentiate, not_differentiable, not_implemented, refused
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

not_differentiable("histc")
refused("histogram bincount")
refused("histogramdd", "aten::_histogramdd_from_bin_cts")


# -- sets --------------------------------------------------------------------------------------------------------


differentiate("unique", node="UniqueDimBackward0", when=lambda call: call.get("dim") is not None,
              input=lambda: not_implemented("unique_dim"))  # fmt: skip
differentiate("unique", node="Unique2Backward0", input=lambda: not_implemented("_unique2"))
differentiate("unique_consecutive", input=lambda: not_implemented("unique_consecutive"))


# -- segments ----------------------------------------------------------------------------------------------------


def segments(data: Any, lengths: Any, offsets: Any, axis: int) -> Any:
    """The number of the segment that each element belongs to, along the last dimension."""
    ends = offsets[..., 1:] if offsets is not None else lengths.cumsum(-1)
    places = torch.arange(data.shape[axis])
    return (places.unsqueeze(-1) >= ends.unsqueeze(-2)).sum(-1)


def of_segments(
    grad: Tensor, data: Any, result: Tensor, reduce: str, lengths: Any, offsets: Any, axis: int, initial: Any
) -> Any:
    """The gradient of each element of the segments."""
    axis = axis % data.dim()
    number = segments(data, lengths, offsets, axis)
    count = result.shape[axis]
    inside = number < count
    index = number.clamp(max=max(count - 1, 0))
    for _ in range(data.dim() - 1 - axis):
        index, inside = index.unsqueeze(-1), inside.unsqueeze(-1)
    index, inside = index.expand(data.shape), inside.expand(data.shape)
    if not count:
        return torch.zeros_like(data)
    given, whole = grad.gather(axis, index), result.gather(axis, index)

    def total(values: Any) -> Any:
        """The sum over each segment, for each of its elements."""
        values = values.masked_fill(inside.logical_not(), 0)
        return torch.zeros_like(result).scatter_add(axis, index, values.to(result.dtype)).gather(axis, index)

    if reduce == "mean":
        given = given / total(torch.ones_like(data))
    elif reduce in ("max", "min", "amax", "amin"):
        chosen = (data == whole).logical_or(data.isnan())
        given = (given * chosen).masked_fill(chosen.logical_not(), 0) / total(chosen.to(data.dtype)).clamp(min=1)
    elif reduce == "prod":
        given = given * _of_the_others(data, whole, total, initial)
    return given.masked_fill(inside.logical_not(), 0)


def _of_the_others(data: Any, whole: Any, total: Any, initial: Any) -> Any:
    """For each element the product of the others in its segment; with one zero it is left for that element alone."""
    zero = data == 0
    if not zero.any():
        return whole / data
    filled = data.masked_fill(zero, 1)
    start = 1 if initial is None else initial
    signs = 1 - 2 * (total((filled < 0).to(data.dtype)) % 2)
    product = start * signs * total(filled.abs().log()).exp()
    return torch.where(total((zero).to(data.dtype)) - zero.to(data.dtype) > 0, 0.0, product / filled)


differentiate(
    "segment_reduce", node="SegmentReduceBackward0",
    data=lambda grad, data, result, reduce, lengths=None, offsets=None, axis=0, initial=None: of_segments(
        grad, data, result, reduce, lengths, offsets, axis, initial),
)  # fmt: skip
