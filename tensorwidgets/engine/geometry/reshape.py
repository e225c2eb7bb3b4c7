"""Other sizes for the same elements in the same order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod

from ..errors.reasons import Reason
from .dims import dim_out_of_range, wrap_dim, wrap_dims
from .layout import Geometry, Ints, contiguous_stride, count_overflow, make
from .shapes import infer_size


def view(g: Geometry, shape: Sequence[int]) -> Geometry | Reason:
    """The same elements in another shape, if strides can say so.

    Neighbouring dimensions can merge when a step of the outer one is a whole run of the inner one.

    >>> view(Geometry((2, 3), (3, 1), 0), (-1,))
    Geometry(size=(6,), stride=(1,), offset=0)
    >>> view(Geometry((3, 2), (1, 3), 0), (6,)).because
    'Dimensions 0 and 1 would have to become one: that needs stride 2 * 3 = 6 in dimension 0, which has 1.'
    """
    size, stride, offset = g
    wanted = infer_size(shape, prod(size))
    if isinstance(wanted, Reason):
        return wanted
    if 0 in wanted:
        too_many = count_overflow(wanted)
        if too_many is not None:
            return too_many
    result = _view_stride(size, stride, wanted)
    return result if isinstance(result, Reason) else make((wanted, result, offset))


def flatten(g: Geometry, start: int = 0, end: int = -1) -> Geometry | Reason:
    """Dimensions start to end as one; a reason with rule "view.span" means that only a copy can do it.

    >>> flatten(Geometry((2, 3, 4), (12, 4, 1), 0), 1)
    Geometry(size=(2, 12), stride=(12, 1), offset=0)
    """
    ndim = len(g.size)
    first = wrap_dim(start, ndim)
    if isinstance(first, Reason):
        return first
    last = wrap_dim(end, ndim)
    if isinstance(last, Reason):
        return last
    if first > last:
        return Reason(
            "flatten.order",
            RuntimeError,
            "flatten() has invalid args: start_dim cannot come after end_dim",
            because=f"start_dim means dimension {first}, and end_dim {last}, which comes before it.",
            instead=(f"x.flatten({last}, {first})",),
            facts={"start": first, "end": last, "ndim": ndim},
        )
    if not ndim:
        return make(((1,), (1,), g.offset))
    if first == last:
        return g
    size = g.size
    shape = (*size[:first], prod(size[first : last + 1]), *size[last + 1 :])
    stride = _view_stride(size, g.stride, shape)
    return stride if isinstance(stride, Reason) else make((shape, stride, g.offset))


def unflatten(g: Geometry, dim: int, sizes: Sequence[int]) -> Geometry | Reason:
    """One dimension as several.

    >>> unflatten(Geometry((2, 6), (6, 1), 0), 1, (2, -1))
    Geometry(size=(2, 2, 3), stride=(6, 3, 1), offset=0)
    """
    if not sizes:
        return Reason(
            "unflatten.empty",
            RuntimeError,
            "unflatten: sizes must be non-empty",
            because="No sizes were given to split the dimension into.",
            instead=(f"x.unflatten({dim}, (-1, 1))",),
            facts={"dim": dim},
        )
    d = wrap_dim(dim, len(g.size))
    if isinstance(d, Reason):
        return d
    parts = infer_size(sizes, g.size[d]) if g.size else wrap_dim(d, 0, scalar=False)
    if isinstance(parts, Reason):
        return _bad_parts(parts, g, d, sizes)
    assert not isinstance(parts, int)  # wrap_dim without scalars refuses whatever a 0-dim tensor is asked for
    return view(g, (*g.size[:d], *parts, *g.size[d + 1 :]))


def squeeze(g: Geometry, dims: int | Sequence[int] | None = None) -> Geometry | Reason:
    """Without dimensions of size 1: all of them, or those named.

    >>> squeeze(Geometry((1, 3, 1), (3, 1, 1), 0), 0)
    Geometry(size=(3, 1), stride=(1, 1), offset=0)
    """
    size, stride, offset = g
    if dims is None:
        if 1 not in size:
            return g
        drop: Sequence[int] = range(len(size))
    elif isinstance(dims, int):
        dim = wrap_dim(dims, len(size))
        if isinstance(dim, Reason):
            return dim
        if not size or size[dim] != 1:
            return g
        return make((size[:dim] + size[dim + 1 :], stride[:dim] + stride[dim + 1 :], offset))
    else:
        several = wrap_dims(dims, len(size), one_by_one=True)
        if isinstance(several, Reason):
            return several
        drop = several
    keep = [dim for dim, n in enumerate(size) if n != 1 or dim not in drop]
    return make((tuple([size[d] for d in keep]), tuple([stride[d] for d in keep]), offset))


def unsqueeze(g: Geometry, dim: int) -> Geometry | Reason:
    """With a new dimension of size 1; its stride is what the next dimension spans.

    >>> unsqueeze(Geometry((2, 3), (3, 1), 0), 0)
    Geometry(size=(1, 2, 3), stride=(6, 3, 1), offset=0)
    """
    size, stride, offset = g
    ndim = len(size)
    d = wrap_dim(dim, ndim + 1)
    if isinstance(d, Reason):
        return dim_out_of_range(dim, ndim + 1, f"The new dimension is one of {ndim + 1}")
    step = size[d] * stride[d] if d < ndim else 1
    return make((size[:d] + (1,) + size[d:], stride[:d] + (step,) + stride[d:], offset))


new_axis = unsqueeze
"""What `x[None]` gives at that place: the same as `unsqueeze`."""


def _view_stride(size: Ints, stride: Ints, shape: Ints) -> Ints | Reason:
    """Strides that read `shape` from the same elements in the same order.

    The old dimensions fall into runs that step evenly through storage; whole new ones must fill each run.
    """
    if stride == contiguous_stride(size):
        return contiguous_stride(shape)
    if 0 in size:
        return stride if size == shape else contiguous_stride(shape)
    result = [0] * len(shape)
    at = len(shape) - 1
    step = stride[-1]
    run = filled = 1
    for dim in range(len(size) - 1, -1, -1):
        run *= size[dim]
        if dim and (size[dim - 1] == 1 or stride[dim - 1] == run * step):
            continue
        while at >= 0 and (filled < run or shape[at] == 1):
            result[at] = filled * step
            filled *= shape[at]
            at -= 1
        if filled != run:
            return _spans(size, stride, shape, dim, at + 1)
        if dim:
            step = stride[dim - 1]
            run = filled = 1
    return tuple(result)


def _spans(size: Ints, stride: Ints, shape: Ints, dim: int, target: int) -> Reason:
    outer = dim - 1
    inner = next(d for d in range(dim, len(size)) if size[d] != 1)
    wanted = size[inner] * stride[inner]
    sizes = ", ".join(map(str, shape))
    return Reason(
        "view.span",
        RuntimeError,
        "view size is not compatible with input tensor's size and stride (at least one dimension spans "
        "across two contiguous subspaces). Use .reshape(...) instead.",
        because=(
            f"Dimensions {outer} and {inner} would have to become one: that needs stride {size[inner]} * "
            f"{stride[inner]} = {wanted} in dimension {outer}, which has {stride[outer]}."
        ),
        instead=(f"x.reshape({sizes})", f"x.contiguous().view({sizes})"),
        facts={
            "size": size,
            "stride": stride,
            "shape": shape,
            "dims": (outer, inner),
            "sizes": (size[outer], size[inner]),
            "strides": (stride[outer], stride[inner]),
            "wanted": wanted,
            "found": stride[outer],
            "target": target,
            "numel": prod(size),
        },
    )


def _bad_parts(reason: Reason, g: Geometry, dim: int, sizes: Sequence[int]) -> Reason:
    if reason.rule == "shape.count":
        message = (
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} "
            f"({g.size[dim]}) in the input tensor"
        )
    else:
        message = f"unflatten got an unexpected error:\n{reason.message}"
    ways = tuple(re.sub(r"^x\.reshape\((.*)\)$", rf"x.unflatten({dim}, (\1))", way) for way in reason.instead)
    return Reason(reason.rule, RuntimeError, message, reason.because, ways, reason.facts)
