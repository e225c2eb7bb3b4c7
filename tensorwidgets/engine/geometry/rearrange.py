"""The same dimensions in another order: only size and stride trade places, never an element."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors.reasons import Reason
from .dims import wrap_dim
from .layout import Geometry, make


def transpose(g: Geometry, d0: int, d1: int) -> Geometry | Reason:
    """Two dimensions swapped.

    >>> transpose(Geometry((2, 3), (3, 1), 0), 0, 1)
    Geometry(size=(3, 2), stride=(1, 3), offset=0)
    """
    size, stride, offset = g
    ndim = len(size)
    if not 0 <= d0 < ndim:
        wrapped = wrap_dim(d0, ndim)
        if isinstance(wrapped, Reason):
            return wrapped
        d0 = wrapped
    if not 0 <= d1 < ndim:
        wrapped = wrap_dim(d1, ndim)
        if isinstance(wrapped, Reason):
            return wrapped
        d1 = wrapped
    if d0 == d1:
        return g
    if ndim == 2:
        return make((size[::-1], stride[::-1], offset))
    sizes, strides = list(size), list(stride)
    sizes[d0], sizes[d1] = size[d1], size[d0]
    strides[d0], strides[d1] = stride[d1], stride[d0]
    return make((tuple(sizes), tuple(strides), offset))


def t(g: Geometry) -> Geometry | Reason:
    """A matrix with rows and columns swapped; vectors and numbers stay.

    >>> t(Geometry((2, 3), (3, 1), 0)).size
    (3, 2)
    >>> t(Geometry((2, 3, 4), (12, 4, 1), 0)).message
    't() expects a tensor with <= 2 dimensions, but self is 3D'
    """
    size, stride, offset = g
    ndim = len(size)
    if ndim == 2:
        return make((size[::-1], stride[::-1], offset))
    if ndim < 2:
        return g
    return Reason(
        "t.rank",
        RuntimeError,
        f"t() expects a tensor with <= 2 dimensions, but self is {ndim}D",
        because=f"With {ndim} dimensions, {list(size)}, there is more than one pair to swap.",
        instead=("x.mT for the last two", f"x.transpose({ndim - 2}, {ndim - 1})", "x.permute(...)"),
        facts={"size": size},
    )


def matrix_transpose(g: Geometry, spelling: str = "mT") -> Geometry | Reason:
    """The last two dimensions swapped, as `.mT`, `.mH`, `.H` and `adjoint()` do it.

    >>> matrix_transpose(Geometry((5, 2, 3), (6, 3, 1), 0)).size
    (5, 3, 2)
    >>> matrix_transpose(Geometry((5,), (1,), 0), "mH").message
    'tensor.mH is only supported on matrices or batches of matrices. Got 1-D tensor.'
    """
    size, stride, offset = g
    ndim = len(size)
    if ndim == 2 or (ndim > 2 and spelling != "H"):
        return make((size[:-2] + size[:-3:-1], stride[:-2] + stride[:-3:-1], offset))
    if not ndim:
        return g
    if spelling == "H":
        advice = " For batches of matrices, consider using tensor.mH" if ndim > 2 else ""
        message = f"tensor.H is only supported on matrices (2-D tensors). Got {ndim}-D tensor.{advice}"
    else:
        message = f"tensor.{spelling} is only supported on matrices or batches of matrices. Got {ndim}-D tensor."
    return Reason(
        "matrix.rank",
        RuntimeError,
        message,
        because=f"{list(size)} has {ndim} dimension{'s' * (ndim > 1)}; {spelling} swaps rows and columns.",
        instead=("x.mH",) if ndim > 2 else ("x[:, None] for a column", "x[None, :] for a row"),
        facts={"size": size},
    )


def reverse_dims(g: Geometry) -> Geometry:
    """All dimensions in reverse order, as `.T` has it.

    >>> reverse_dims(Geometry((2, 3, 4), (12, 4, 1), 0))
    Geometry(size=(4, 3, 2), stride=(1, 4, 12), offset=0)
    """
    size, stride, offset = g
    return make((size[::-1], stride[::-1], offset))


def permute(g: Geometry, dims: Sequence[int]) -> Geometry | Reason:
    """The dimensions in the order given.

    >>> permute(Geometry((2, 3, 4), (12, 4, 1), 0), (2, 0, 1))
    Geometry(size=(4, 2, 3), stride=(1, 12, 4), offset=0)
    """
    size, stride, offset = g
    ndim = len(size)
    if len(dims) != ndim:
        return Reason(
            "permute.length",
            RuntimeError,
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
            "desired ordering of dimensions i.e. "
            f"input.dim() = {ndim} is not equal to len(dims) = {len(dims)}",
            because=f"{list(size)} has {ndim} dimensions, and the order {tuple(dims)} lists {len(dims)}.",
            instead=(f"each of the dimensions {', '.join(map(str, range(ndim)))} once",) if ndim else (),
            facts={"size": size, "dims": tuple(dims)},
        )
    order = dims
    if sorted(dims) != [*range(ndim)]:
        order = [dim + ndim if dim < 0 else dim for dim in dims]
        if sorted(order) != [*range(ndim)]:
            return _not_an_order(dims, ndim)
    return make((tuple([size[d] for d in order]), tuple([stride[d] for d in order]), offset))


def movedim(g: Geometry, source: int | Sequence[int], destination: int | Sequence[int]) -> Geometry | Reason:
    """Some dimensions put at new places; the others keep their order.

    >>> movedim(Geometry((2, 3, 4), (12, 4, 1), 0), 0, -1)
    Geometry(size=(3, 4, 2), stride=(4, 1, 12), offset=0)
    """
    sources = (source,) if isinstance(source, int) else tuple(source)
    places = (destination,) if isinstance(destination, int) else tuple(destination)
    if len(sources) != len(places):
        return Reason(
            "movedim.length",
            RuntimeError,
            f"movedim: Invalid source or destination dims: source ({list(sources)} dims) should contain "
            f"the same number of dims as destination ({list(places)} dims)",
            because=f"{len(sources)} dimensions are to move, and {len(places)} places are named.",
            facts={"source": sources, "destination": places},
        )
    ndim = len(g.size)
    moved = _wrap_all(sources, ndim)
    if isinstance(moved, Reason):
        return moved
    targets = _wrap_all(places, ndim)
    if isinstance(targets, Reason):
        return targets
    for name, given, wrapped in (("source", sources, moved), ("destination", places, targets)):
        if len(set(wrapped)) != len(wrapped):
            return Reason(
                "movedim.twice",
                RuntimeError,
                f"movedim: repeated dim in `{name}` ({list(given)})",
                because=f"Counted from 0, {name} names {list(wrapped)}; each dimension can be named once.",
                facts={"source": sources, "destination": places, "ndim": ndim},
            )
    if not ndim:
        return g
    order = [-1] * ndim
    for d, place in zip(moved, targets, strict=True):
        order[place] = d
    rest = iter([d for d in range(ndim) if d not in moved])
    return permute(g, [next(rest) if d < 0 else d for d in order])


def _wrap_all(dims: tuple[int, ...], ndim: int) -> tuple[int, ...] | Reason:
    wrapped = []
    for dim in dims:
        d = wrap_dim(dim, ndim)
        if isinstance(d, Reason):
            return d
        wrapped.append(d)
    return tuple(wrapped)


def _not_an_order(dims: Sequence[int], ndim: int) -> Reason:
    wrapped: list[int] = []
    for dim in dims:
        d = wrap_dim(dim, ndim)
        if isinstance(d, Reason):
            return d
        if d in wrapped:
            break
        wrapped.append(d)
    missing = sorted(set(range(ndim)) - {d % ndim for d in dims if -ndim <= d < ndim})
    return Reason(
        "permute.twice",
        RuntimeError,
        "permute(): duplicate dims are not allowed.",
        because=f"{tuple(dims)} names dimension {d} twice, and leaves out {', '.join(map(str, missing))}.",
        instead=(f"each of the dimensions {', '.join(map(str, range(ndim)))} once",),
        facts={"dims": tuple(dims), "dim": d, "missing": tuple(missing)},
    )
