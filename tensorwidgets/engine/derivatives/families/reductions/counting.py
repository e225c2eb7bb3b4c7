"""Counting and cutting into segments: histograms, bincount, unique, segment_reduce."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...beside import places_beside
from ...declaring import constant, differentiate, not_differentiable, not_implemented, refused
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
    places = places_beside(data, data.shape[axis])
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

        def product(values: Any) -> Any:
            """The product of each segment, for each of its elements."""
            found = torch.segment_reduce(
                values, "prod", lengths=lengths, offsets=offsets, axis=axis, unsafe=True, initial=initial
            )
            return found.gather(axis, index)

        given = given * _of_the_others(data, whole, total, product)
    return given.masked_fill(inside.logical_not(), 0)


def _of_the_others(data: Any, whole: Any, total: Any, product: Any) -> Any:
    """For each element the product of the others in its segment; zeros and NaN are left out, not divided by."""
    zero, unknown = data == 0, data.isnan()
    odd = zero.logical_or(unknown)
    if not odd.any():
        return whole / data
    filled = data.masked_fill(odd, 1)
    others = product(filled)

    def elsewhere(found: Any) -> Any:
        """Whether another element of the segment is one of these."""
        found = found.to(data.dtype)
        return total(found) - found > 0

    others = torch.where(elsewhere(zero), others * 0, others).masked_fill(elsewhere(unknown), float("nan"))
    return torch.where(odd, others, whole / filled)


constant("segment_reduce", "segment_reduce", "lengths", "indices", "offsets")
differentiate(
    "segment_reduce", node="SegmentReduceBackward0",
    data=lambda grad, data, result, reduce, lengths=None, offsets=None, axis=0, initial=None: of_segments(
        grad, data, result, reduce, lengths, offsets, axis, initial),
)  # fmt: skip
