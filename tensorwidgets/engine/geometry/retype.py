"""The same bytes read as elements of another width, or complex numbers as pairs of real ones."""

from __future__ import annotations

from ..errors.reasons import Reason
from .layout import Geometry, make


def view_dtype(
    g: Geometry,
    old_itemsize: int,
    new_itemsize: int,
    old_name: str = "Float",
    new_name: str = "Long",
) -> Geometry | Reason:
    """The view after `x.view(dtype)`; the names are what PyTorch's messages call the two dtypes.

    >>> view_dtype(Geometry((2, 4), (4, 1), 0), 4, 8)
    Geometry(size=(2, 2), stride=(2, 1), offset=0)
    >>> view_dtype(Geometry((2, 3), (3, 1), 0), 4, 8, "Float", "Double").because
    'Each new element takes 2 old ones, and the last dimension has 3.'
    """
    if old_itemsize == new_itemsize:
        return g
    size, stride, offset = g

    def refuse(what: str, value: int | None, because: str, **facts: int) -> Reason:
        tail = "" if value is None else f", but got {value}"
        return Reason(
            "dtype.width",
            RuntimeError,
            f"self.{what} to view {old_name} as {new_name} (different element sizes){tail}",
            because=because,
            instead=("x.to(dtype), which converts the values",),
            facts={
                "size": size,
                "stride": stride,
                "offset": offset,
                "itemsizes": (old_itemsize, new_itemsize),
                **facts,
            },
        )

    if not size:
        return refuse("dim() cannot be 0", None, "A single number cannot become more or fewer of another width.")
    ratio = max(old_itemsize, new_itemsize) // min(old_itemsize, new_itemsize)
    widen = new_itemsize > old_itemsize
    if widen and size[-1] % ratio:
        because = f"Each new element takes {ratio} old ones, and the last dimension has {size[-1]}."
        return refuse(f"size(-1) must be divisible by {ratio}", size[-1], because, ratio=ratio)
    if widen and offset % ratio:
        because = f"The view starts at old element {offset}, in the midst of a new one of {ratio}."
        return refuse(f"storage_offset() must be divisible by {ratio}", offset, because, ratio=ratio)
    if stride[-1] != 1:
        because = f"The bytes of one row must lie side by side; the last stride is {stride[-1]}."
        return refuse("stride(-1) must be 1", stride[-1], because, ratio=ratio)
    if not widen:
        strides = (*[step * ratio for step in stride[:-1]], 1)
        return make(((*size[:-1], size[-1] * ratio), strides, offset * ratio))
    for dim, step in enumerate(stride[:-1]):
        if step % ratio:
            because = f"A step of dimension {dim} is {step} old elements, and a new one takes {ratio} of them."
            return refuse(f"stride({dim}) must be divisible by {ratio}", step, because, ratio=ratio, dim=dim)
    strides = (*[step // ratio for step in stride[:-1]], 1)
    return make(((*size[:-1], size[-1] // ratio), strides, offset // ratio))


def view_as_real(g: Geometry) -> Geometry:
    """Complex numbers as pairs: a last dimension of 2, in real elements.

    >>> view_as_real(Geometry((3,), (1,), 1))
    Geometry(size=(3, 2), stride=(2, 1), offset=2)
    """
    return make(((*g.size, 2), (*[step * 2 for step in g.stride], 1), g.offset * 2))


def view_as_complex(g: Geometry) -> Geometry | Reason:
    """Pairs as complex numbers: the last dimension must be 2 neighbours, all else even.

    >>> view_as_complex(Geometry((3, 2), (2, 1), 2))
    Geometry(size=(3,), stride=(1,), offset=1)
    """
    size, stride, offset = g
    message = because = ""
    if not size:
        message, because = "Input tensor must have one or more dimensions", "A single number is not a pair."
    elif size[-1] != 2:
        message = "Tensor must have a last dimension of size 2"
        because = f"A complex number takes 2 real ones; the last dimension has {size[-1]}."
    elif stride[-1] != 1:
        message = "Tensor must have a last dimension with stride 1"
        because = f"The two parts must lie side by side; their stride is {stride[-1]}."
    elif any(step % 2 and n != 1 for n, step in zip(size[:-1], stride[:-1], strict=True)):
        dim = next(d for d, step in enumerate(stride) if step % 2 and size[d] != 1)
        message = "Tensor must have a stride divisible by 2 for all but last dimension"
        because = f"A step of dimension {dim} is {stride[dim]} real numbers, not a whole number of pairs."
    elif offset % 2:
        message = "Tensor must have a storage_offset divisible by 2"
        because = f"The view starts at real number {offset}, the second half of a pair."
    if message:
        facts = {"size": size, "stride": stride, "offset": offset}
        return Reason("complex.pairs", RuntimeError, message, because, ("torch.complex(real, imag)",), facts)
    return make((size[:-1], tuple([step // 2 for step in stride[:-1]]), offset // 2))


def real_part(g: Geometry) -> Geometry:
    """The real parts of complex numbers, in real elements: every other one.

    >>> real_part(Geometry((3,), (1,), 1))
    Geometry(size=(3,), stride=(2,), offset=2)
    """
    return make((g.size, tuple([step * 2 for step in g.stride]), g.offset * 2))


def imag_part(g: Geometry) -> Geometry:
    """The imaginary parts, one further on.

    >>> imag_part(Geometry((3,), (1,), 1))
    Geometry(size=(3,), stride=(2,), offset=3)
    """
    return make((g.size, tuple([step * 2 for step in g.stride]), g.offset * 2 + 1))
