"""A view cut along one dimension into several."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors.reasons import Reason
from .dims import wrap_dim
from .layout import Geometry, make

Pieces = tuple[Geometry, ...]


def unbind(g: Geometry, dim: int = 0) -> Pieces | Reason:
    """One view for each index of a dimension, which goes away.

    >>> [piece.offset for piece in unbind(Geometry((2, 3), (3, 1), 0))]
    [0, 3]
    """
    d = wrap_dim(dim, len(g.size))
    if isinstance(d, Reason):
        return d
    if not g.size:
        none = wrap_dim(d, 0, scalar=False)
        assert isinstance(none, Reason)
        return none
    size, stride = g.size[:d] + g.size[d + 1 :], g.stride[:d] + g.stride[d + 1 :]
    return tuple([make((size, stride, g.offset + i * g.stride[d])) for i in range(g.size[d])])


def split(g: Geometry, size_or_sections: int | Sequence[int], dim: int = 0) -> Pieces | Reason:
    """Pieces of one size (the last may be shorter), or of the sizes listed.

    >>> [piece.size for piece in split(Geometry((5,), (1,), 0), 2)]
    [(2,), (2,), (1,)]
    """
    if not g.size:
        return _zero_dim("split expects at least a 1-dimensional tensor")
    if not isinstance(size_or_sections, int):
        return _split_listed(g, size_or_sections, dim)
    width = size_or_sections
    if width < 0:
        return Reason(
            "split.negative",
            RuntimeError,
            f"split expects split_size be non-negative, but got split_size={width}",
            because=f"A piece of {width} elements cannot be.",
            facts={"split_size": width},
        )
    d = wrap_dim(dim, len(g.size))
    if isinstance(d, Reason):
        return d
    n = g.size[d]
    if not width and n:
        return Reason(
            "split.zero",
            RuntimeError,
            f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}",
            because=f"Pieces of 0 never use up the {n} of dimension {d}.",
            facts={"split_size": 0, "dim": d, "size": g.size},
        )
    starts = range(0, n, width) if n else (0,)
    return tuple([_piece(g, d, start, min(width, n - start)) for start in starts])


MOST_EMPTY = 1 << 20
"""How many pieces without an element can be made at most. PyTorch makes them until the memory is full."""


def _too_many(pieces: int) -> Reason | None:
    if pieces <= MOST_EMPTY:
        return None
    return Reason(
        "pieces.memory",
        RuntimeError,
        "std::bad_alloc" if pieces < 1 << 60 else "cannot create std::vector larger than max_size()",
        because=f"There would be {pieces} pieces, and most of them would be empty.",
        facts={"pieces": pieces, "most": MOST_EMPTY},
    )


def chunk(g: Geometry, chunks: int, dim: int = 0) -> Pieces | Reason:
    """At most that many pieces, all of one size but the last.

    >>> [piece.size for piece in chunk(Geometry((5,), (1,), 0), 4)]
    [(2,), (2,), (1,)]
    """
    if not g.size:
        return _zero_dim("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        return Reason(
            "chunk.count",
            RuntimeError,
            f"chunk expects `chunks` to be greater than 0, got: {chunks}",
            because=f"{chunks} pieces cannot hold anything.",
            facts={"chunks": chunks},
        )
    d = wrap_dim(dim, len(g.size))
    if isinstance(d, Reason):
        return d
    n = g.size[d]
    if not n:
        return _too_many(chunks) or (_piece(g, d, 0, 0),) * chunks
    width = -(-n // chunks)
    return tuple([_piece(g, d, start, min(width, n - start)) for start in range(0, n, width)])


def tensor_split(g: Geometry, indices_or_sections: int | Sequence[int], dim: int = 0) -> Pieces | Reason:
    """Exactly that many pieces, sizes differing by at most 1; or cut before each of the indices.

    >>> [piece.size for piece in tensor_split(Geometry((5,), (1,), 0), 3)]
    [(2,), (2,), (1,)]
    >>> [piece.size for piece in tensor_split(Geometry((5,), (1,), 0), (1, 3))]
    [(1,), (2,), (2,)]
    """
    if not g.size:
        return _zero_dim("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    d = wrap_dim(dim, len(g.size))
    if isinstance(d, Reason):
        return d
    n = g.size[d]
    if isinstance(indices_or_sections, int):
        sections = indices_or_sections
        if sections <= 0:
            return Reason(
                "tensor_split.count",
                RuntimeError,
                f"number of sections must be larger than 0, got {sections}",
                because=f"{sections} pieces cannot hold anything.",
                facts={"sections": sections},
            )
        if sections > n and (refusal := _too_many(sections)):
            return refusal
        width, longer = divmod(n, sections)
        starts = [i * width + min(i, longer) for i in range(sections + 1)]
        return tuple([_piece(g, d, a, b - a) for a, b in zip(starts, starts[1:], strict=False)])
    cuts = [min(max(i + n if i < 0 else i, 0), n) for i in indices_or_sections]
    return tuple([_piece(g, d, a, max(b - a, 0)) for a, b in zip([0, *cuts], [*cuts, n], strict=True)])


def hsplit(g: Geometry, indices_or_sections: int | Sequence[int]) -> Pieces | Reason:
    """`tensor_split` along columns (of a vector: along it), into equal pieces.

    >>> [piece.offset for piece in hsplit(Geometry((2, 4), (4, 1), 0), 2)]
    [0, 2]
    """
    return _equal_split(g, indices_or_sections, "hsplit", 1, 1 if len(g.size) > 1 else 0)


def vsplit(g: Geometry, indices_or_sections: int | Sequence[int]) -> Pieces | Reason:
    """`tensor_split` along rows, into equal pieces.

    >>> [piece.offset for piece in vsplit(Geometry((2, 4), (4, 1), 0), 2)]
    [0, 4]
    """
    return _equal_split(g, indices_or_sections, "vsplit", 2, 0)


def dsplit(g: Geometry, indices_or_sections: int | Sequence[int]) -> Pieces | Reason:
    """`tensor_split` along the third dimension, into equal pieces.

    >>> [piece.offset for piece in dsplit(Geometry((1, 1, 4), (4, 4, 1), 0), 2)]
    [0, 2]
    """
    return _equal_split(g, indices_or_sections, "dsplit", 3, 2)


def _piece(g: Geometry, dim: int, start: int, length: int) -> Geometry:
    size, stride, offset = g
    return make((size[:dim] + (length,) + size[dim + 1 :], stride, offset + start * stride[dim]))


def _split_listed(g: Geometry, sections: Sequence[int], dim: int) -> Pieces | Reason:
    d = wrap_dim(dim, len(g.size))
    if isinstance(d, Reason):
        return d
    n = g.size[d]
    facts = {"dim": d, "size": g.size, "sections": tuple(sections), "sum": sum(sections)}
    if min(sections, default=0) < 0:
        return Reason(
            "split.negative",
            RuntimeError,
            "split_with_sizes expects split_sizes have only non-negative entries, "
            f"but got split_sizes={list(sections)}",
            because=f"A piece of {min(sections)} elements cannot be.",
            facts=facts,
        )
    if sum(sections) != n:
        return Reason(
            "split.sum",
            RuntimeError,
            f"split_with_sizes expects split_sizes to sum exactly to {n} "
            f"(input tensor's size at dimension {dim}), but got split_sizes={list(sections)}",
            because=f"The pieces hold {sum(sections)} together, and dimension {d} has {n}.",
            instead=(f"x.split({[*sections, n - sum(sections)]}, dim={d})",) if 0 < sum(sections) < n else (),
            facts=facts,
        )
    pieces = []
    start = 0
    for length in sections:
        pieces.append(_piece(g, d, start, length))
        start += length
    return tuple(pieces)


def _equal_split(g: Geometry, arg: int | Sequence[int], name: str, rank: int, dim: int) -> Pieces | Reason:
    ndim = len(g.size)
    if ndim < rank:
        return Reason(
            f"{name}.rank",
            RuntimeError,
            f"torch.{name} requires a tensor with at least {rank} dimension, but got a tensor with {ndim} dimensions!",
            because=f"{name} cuts dimension {dim}, which {list(g.size)} does not have.",
            facts={"size": g.size, "dim": dim},
        )
    if isinstance(arg, int) and (not arg or g.size[dim] % arg):
        n = g.size[dim]
        return Reason(
            f"{name}.uneven",
            RuntimeError,
            f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension {n} "
            f"is not divisible by the split_size {arg}!",
            because=f"{n} does not fall into {arg} equal pieces.",
            instead=(f"x.tensor_split({arg}, {dim}), whose pieces may differ by 1",) if arg > 0 else (),
            facts={"size": g.size, "dim": dim, "sections": arg},
        )
    return tensor_split(g, arg, dim)


def _zero_dim(message: str) -> Reason:
    return Reason(
        "dim.scalar",
        RuntimeError,
        message,
        because="A 0-dim tensor is a single number; there is no dimension to cut.",
        instead=("x.reshape(1)",),
        facts={"ndim": 0},
    )
