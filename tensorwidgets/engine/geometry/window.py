"""A part of the elements, cut out of a view by arithmetic."""

from __future__ import annotations

from ..errors.reasons import Reason
from .dims import wrap_dim
from .layout import Geometry, make
from .memory import because_index, out_of_bounds


def narrow(g: Geometry, dim: int, start: int, length: int) -> Geometry | Reason:
    """A run of `length` indices of one dimension.

    >>> narrow(Geometry((4, 3), (3, 1), 0), 0, 1, 2)
    Geometry(size=(2, 3), stride=(3, 1), offset=3)
    """
    size, stride, offset = g
    if not size:
        return _zero_dim("narrow()", RuntimeError)
    if length < 0:
        return Reason(
            "narrow.length",
            RuntimeError,
            "narrow(): length must be non-negative.",
            because=f"length is {length}; it counts indices.",
            facts={"length": length},
        )
    d = wrap_dim(dim, len(size))
    if isinstance(d, Reason):
        return d
    n = size[d]
    if not -n <= start <= n:
        return Reason(
            "narrow.start",
            IndexError,
            f"start out of range (expected to be in range of [{-n}, {n}], but got {start})",
            because=f"Dimension {d} has size {n}.",
            facts={"dim": d, "size": size, "start": start, "length": length},
        )
    if start < 0:
        start += n
    if start + length > n:
        return Reason(
            "narrow.end",
            RuntimeError,
            f"start ({start}) + length ({length}) exceeds dimension size ({n}).",
            because=f"Dimension {d} has size {n}; from {start} on there are {n - start}, not {length}.",
            instead=(f"x.narrow({dim}, {start}, {n - start})",),
            facts={"dim": d, "size": size, "start": start, "length": length},
        )
    return make((size[:d] + (length,) + size[d + 1 :], stride, offset + start * stride[d]))


def select(g: Geometry, dim: int, index: int, spelling: str = "select", entry: int | None = None) -> Geometry | Reason:
    """One index of one dimension, which goes away.

    With `spelling` "index" the message is that of `x[...]`, where PyTorch calls dimension what is the `entry` between
    the brackets: in `x[0, 9]` it says dimension 1, though 9 is asked of what `x[0]` has left as dimension 0.

    >>> select(Geometry((4, 3), (3, 1), 0), 0, -1)
    Geometry(size=(3,), stride=(1,), offset=9)
    """
    size, stride, offset = g
    ndim = len(size)
    if not 0 <= dim < ndim:
        if not ndim:
            return _zero_dim("select()", IndexError) if spelling == "select" else _index_of_a_number(index)
        wrapped = wrap_dim(dim, ndim)
        if isinstance(wrapped, Reason):
            return wrapped
        dim = wrapped
    n = size[dim]
    if not 0 <= index < n:
        if not -n <= index < 0:
            if spelling == "index":
                return out_of_bounds(index, dim, size, entry)
            return _not_selectable(index, dim, g)
        index += n
    offset += index * stride[dim]
    if not dim:
        return make((size[1:], stride[1:], offset))
    return make((size[:dim] + size[dim + 1 :], stride[:dim] + stride[dim + 1 :], offset))


def slice(g: Geometry, dim: int, start: int | None, stop: int | None, step: int | None = 1) -> Geometry | Reason:
    """Every `step`-th index from start to before stop, as `x[start:stop:step]`.

    >>> slice(Geometry((10,), (1,), 0), 0, 1, -2, 3)
    Geometry(size=(3,), stride=(3,), offset=1)
    >>> slice(Geometry((10,), (1,), 0), 0, None, None, -1).message
    'step must be greater than zero'
    """
    size, stride, offset = g
    ndim = len(size)
    if step is None:
        step = 1
    elif step < 1:
        return _backwards(step)
    if not 0 <= dim < ndim:
        if not ndim:
            return _zero_dim("slice()", IndexError)
        wrapped = wrap_dim(dim, ndim)
        if isinstance(wrapped, Reason):
            return wrapped
        dim = wrapped
    n = size[dim]
    if start is None:
        start = 0
    elif start < 0:
        start = max(start + n, 0)
    elif start > n:
        start = n
    if stop is None or stop >= n:
        stop = n
    elif stop < 0:
        stop += n
    count = (stop - start + step - 1) // step if stop > start else 0
    by = stride[dim]
    if step != 1:
        stride = stride[:dim] + (by * step,) + stride[dim + 1 :]
    if count != n:
        size = size[:dim] + (count,) + size[dim + 1 :]
    return make((size, stride, offset + start * by))


def diagonal(g: Geometry, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Geometry | Reason:
    """Where two dimensions have equal indices (shifted by `offset`): one new dimension, at the end.

    >>> diagonal(Geometry((3, 4), (4, 1), 0), 1)
    Geometry(size=(3,), stride=(5,), offset=1)
    """
    size, stride, start = g
    ndim = len(size)
    d1 = wrap_dim(dim1, ndim)
    if isinstance(d1, Reason):
        return d1
    d2 = wrap_dim(dim2, ndim)
    if isinstance(d2, Reason):
        return d2
    if d1 == d2:
        return Reason(
            "diagonal.same",
            RuntimeError,
            f"diagonal dimensions cannot be identical {dim1}, {dim2}",
            because=f"Both mean dimension {d1}; a diagonal runs through two.",
            facts={"size": size, "dims": (dim1, dim2)},
        )
    if offset >= 0:
        count, skip = min(size[d1], size[d2] - offset), offset * stride[d2]
    else:
        count, skip = min(size[d1] + offset, size[d2]), -offset * stride[d1]
    if count > 0:
        start += skip
    else:
        count = 0
    keep = [d for d in range(ndim) if d != d1 and d != d2]
    return make(
        (
            (*[size[d] for d in keep], count),
            (*[stride[d] for d in keep], stride[d1] + stride[d2]),
            start,
        )
    )


def unfold(g: Geometry, dim: int, size: int, step: int) -> Geometry | Reason:
    """Windows of `size` along one dimension, one every `step`; the window is a new last dimension.

    >>> unfold(Geometry((5,), (1,), 0), 0, 2, 1)
    Geometry(size=(4, 2), stride=(1, 1), offset=0)
    """
    ndim = len(g.size)
    d = wrap_dim(dim, ndim)
    if isinstance(d, Reason):
        return d
    n, by = (g.size[d], g.stride[d]) if ndim else (1, 1)
    if size < 0:
        message, because = (
            f"size is {size} but must be >= 0",
            f"A window holds 0 elements or more, not {size}.",
        )
    elif size > n:
        message = f"maximum size for tensor at dimension {d} is {n} but size is {size}"
        because = f"Dimension {d} has {n} elements; a window of {size} does not fit once."
    elif step <= 0:
        message, because = (
            f"step is {step} but must be > 0",
            f"A step of {step} never gets to the next window.",
        )
    else:
        count = (n - size) // step + 1
        if not ndim:
            return make(((size,), (1,), g.offset))
        return make(
            (
                (*g.size[:d], count, *g.size[d + 1 :], size),
                (*g.stride[:d], by * step, *g.stride[d + 1 :], by),
                g.offset,
            )
        )
    return Reason(
        "unfold.window",
        RuntimeError,
        message,
        because=because,
        facts={"dim": d, "extent": n, "size": size, "step": step},
    )


def _not_selectable(index: int, dim: int, g: Geometry) -> Reason:
    return Reason(
        "select.range",
        IndexError,
        f"select(): index {index} out of range for tensor of size {list(g.size)} at dimension {dim}",
        because=because_index(index, g.size[dim], f"Dimension {dim}"),
        facts={"index": index, "dim": dim, "size": g.size},
    )


def _index_of_a_number(index: int) -> Reason:
    if index:
        message = f"index {index} is out of bounds for dimension 0 with size 0"
    else:
        message = (
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ "
            "to convert a 0-dim tensor to a number"
        )
    because = "A 0-dim tensor is a single number; an index needs a dimension to count along."
    return Reason("index.scalar", IndexError, message, because, ("x.item()",), {"index": index, "ndim": 0})


def _backwards(step: int) -> Reason:
    return Reason(
        "slice.step",
        ValueError,
        "step must be greater than zero" if step else "slice step cannot be zero",
        because=f"A step of {step} would {'go backwards' if step else 'not move'}; a step must go forwards.",
        instead=("x.flip(dim), which copies",),
        facts={"step": step},
    )


def _zero_dim(call: str, error: type[Exception]) -> Reason:
    return Reason(
        "dim.scalar",
        error,
        f"{call} cannot be applied to a 0-dim tensor.",
        because="A 0-dim tensor is a single number; there is no dimension to cut.",
        instead=("x.item()", "x.reshape(1)"),
        facts={"ndim": 0},
    )
