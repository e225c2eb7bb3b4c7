"""The same elements read more than once: sizes of 1 repeated by a stride of 0."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors.reasons import Reason
from .layout import Geometry, Ints, count_overflow, make


def expand(g: Geometry, shape: Sequence[int], type_name: str = "torch.FloatTensor") -> Geometry | Reason:
    """Dimensions of size 1 repeated by stride 0, and new ones in front; -1 keeps a size.

    `type_name` is how PyTorch's message calls the tensor's type (``CPUBoolType`` for some).

    >>> expand(Geometry((3, 1), (1, 1), 0), (2, -1, 4))
    Geometry(size=(2, 3, 4), stride=(0, 1, 0), offset=0)
    >>> expand(Geometry((3,), (1,), 0), (4,)).because
    'Dimension 0 has size 3, and only a size of 1 can be stretched (to 4).'
    >>> "size 3 and is dimension 1 of the result" in expand(Geometry((3,), (1,), 0), (3, 5)).because
    True
    >>> expand(Geometry((3,), (1,), 0), (3, 5)).instead[0]
    'x.unsqueeze(-1).expand(3, 5), a view that repeats each element along a row'
    """
    size, stride, offset = g
    lead = len(shape) - len(size)
    if lead < 0:
        return _too_few_sizes(size, shape, type_name)
    sizes, strides = list(shape), [0] * lead + list(stride)
    for dim in range(len(shape) - 1, -1, -1):
        wanted = shape[dim]
        if dim >= lead:
            n = size[dim - lead]
            if wanted == -1:
                sizes[dim] = n
            elif wanted != n:
                if n != 1:
                    return _cannot_stretch(size, shape, dim)
                strides[dim] = 0
        elif size:
            if wanted == -1:
                return _nothing_to_keep(size, shape, dim)
            if wanted == 1:
                strides[dim] = sizes[dim + 1] * strides[dim + 1]  # as a new axis has it
    result = tuple(sizes)
    return count_overflow(result) or make((result, tuple(strides), offset))


def _too_few_sizes(size: Ints, shape: Sequence[int], type_name: str) -> Reason:
    return Reason(
        "expand.rank",
        RuntimeError,
        f"expand({type_name}{{{list(size)}}}, size={list(shape)}): the number of sizes provided "
        f"({len(shape)}) must be greater or equal to the number of dimensions in the tensor ({len(size)})",
        because=f"expand drops no dimension: {list(size)} has {len(size)}, {list(shape)} names {len(shape)}.",
        instead=(f"x.expand({', '.join(['-1'] * len(size))}) keeps each size",),
        facts={"size": size, "shape": tuple(shape)},
    )


def _nothing_to_keep(size: Ints, shape: Sequence[int], dim: int) -> Reason:
    return Reason(
        "expand.leading",
        RuntimeError,
        f"The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {dim}",
        because=f"-1 keeps a size, and {list(size)} has none in the new dimension {dim} of {list(shape)}.",
        facts={"size": size, "shape": tuple(shape), "dim": dim},
    )


def _repeated(size: Ints, shape: Sequence[int]) -> tuple[str, ...]:
    """How often each dimension has to be repeated to have these sizes, where whole times will do.

    >>> _repeated((2, 3), (4, 3)), _repeated((2, 3), (5, 3))
    (('x.repeat(2, 1), which copies',), ())
    """
    own = (1,) * (len(shape) - len(size)) + tuple(size)
    wanted = [n if m == -1 else m for n, m in zip(own, shape, strict=True)]
    if any(not n or m % n for n, m in zip(own, wanted, strict=True)):
        return ()
    times = ", ".join(str(m // n) for n, m in zip(own, wanted, strict=True))
    return (f"x.repeat({times}), which copies",)


def _cannot_stretch(size: Ints, shape: Sequence[int], dim: int) -> Reason:
    own = dim - len(shape) + len(size)
    n, wanted = size[own], shape[dim]
    column = (*size, 1)
    fits = len(column) <= len(shape) and all(a in (1, b) for a, b in zip(column[::-1], shape[::-1], strict=False))
    meets = f" and is dimension {dim} of the result, since sizes are lined up at the right" if own != dim else ""
    as_column = f"x.unsqueeze(-1).expand({', '.join(map(str, shape))}), a view that repeats each element along a row"
    return Reason(
        "expand.size",
        RuntimeError,
        f"The expanded size of the tensor ({wanted}) must match the existing size ({n}) at non-singleton "
        f"dimension {dim}.  Target sizes: {list(shape)}.  Tensor sizes: {list(size)}",
        because=f"Dimension {own} has size {n}{meets}, and only a size of 1 can be stretched (to {wanted}).",
        instead=(*([as_column] if fits else []), *_repeated(size, shape)),
        facts={"size": size, "shape": tuple(shape), "dim": dim, "own_dim": own, "sizes": (n, wanted)},
    )
