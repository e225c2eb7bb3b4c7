"""What indexing with tensors gives: the size of the result, and the strides of its fresh memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..errors.reasons import Reason
from .fresh import pointwise_stride
from .layout import Geometry, Ints
from .reshape import view
from .shapes import broadcast
from .stretch import expand


class Indexed(NamedTuple):
    """One dimension that a tensor of places is given for: which, and the tensor's size and stride."""

    dim: int
    size: Ints
    stride: Ints


class Gather(NamedTuple):
    """How a result is put together from what is left of a tensor's dimensions and those of its indices."""

    size: Ints
    stride: Ints
    """Of the result, freshly allocated."""
    first: int
    """The first of the indices' dimensions in the result."""
    common: Ints
    """The size to which the indices are stretched together."""
    source: tuple[Ints, Ints]
    """The tensor as the result sees it, as (size, stride): the stride is 0 along the dimensions of the indices."""
    places: tuple[tuple[Ints, Ints], ...]
    """The indices as the result sees them, as (size, stride)."""

    def steps(self, stride: Ints) -> Ints:
        """Those strides of a result that belong to the dimensions of the indices."""
        return stride[self.first : self.first + len(self.common)]


def gather(size: Ints, stride: Ints, indices: Sequence[Indexed]) -> Gather | Reason:
    """The result of indexing a tensor of this size and stride with tensors of indices.

    The dimensions of adjacent indices stay in place; if other dimensions separate the indices, theirs come first.

    >>> rows = Indexed(0, (2,), (1,))
    >>> gather((4, 3), (3, 1), [rows]).size, gather((3, 4, 5), (1, 3, 12), [rows]).stride
    ((2, 3), (20, 1, 4))
    >>> gather((4, 5, 3), (15, 3, 1), [rows, Indexed(2, (2,), (1,))]).size
    (2, 5)
    """
    common = broadcast(*[index.size for index in indices])
    if isinstance(common, Reason):
        shapes = ", ".join(str(list(index.size)) for index in indices)
        return Reason(
            "index.broadcast",
            IndexError,
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}",
            common.because,
            facts={"sizes": tuple(index.size for index in indices)},
        )
    if 0 not in common and any(size[index.dim] == 0 for index in indices):
        dim = next(index.dim for index in indices if size[index.dim] == 0)
        return Reason(
            "index.range",
            IndexError,
            "index is out of bounds for dimension with size 0",
            f"Dimension {dim} has size 0: there is nothing to pick.",
            facts={"dim": dim, "size": size},
        )
    dims = [index.dim for index in indices]
    first = dims[0] if dims == list(range(dims[0], dims[0] + len(dims))) else 0
    rest = [dim for dim in range(len(size)) if dim not in dims]
    before, after = rest[:first], rest[first:]
    result = (*[size[d] for d in before], *common, *[size[d] for d in after])
    still = (*[stride[d] for d in before], *(0,) * len(common), *[stride[d] for d in after])
    places = tuple([_as_seen(index, common, len(before), len(after)) for index in indices])
    return Gather(result, pointwise_stride(result, [(result, still), *places]), first, common, (result, still), places)


def _as_seen(index: Indexed, common: Ints, before: int, after: int) -> tuple[Ints, Ints]:
    """The size and stride of an index, stretched, with a dimension of size 1 for each that it does not decide on."""
    stretched = expand(Geometry(index.size, index.stride, 0), common)
    assert not isinstance(stretched, Reason)  # they have been broadcast
    size = (*(1,) * before, *common, *(1,) * after)
    seen = view(stretched, size)
    assert not isinstance(seen, Reason)  # dimensions of size 1 fit anywhere
    return size, seen.stride
