"""Interprets the key of ``x[…]``, part by part.

Whole numbers, slices, None and Ellipsis change the geometry at once; tensors, lists and masks are collected for the
gather that comes after. True and False are a new dimension of size 1 that is kept or dropped.
"""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy import ndarray

from ... import geometry
from ...calling.arguments import is_python_int
from ...dispatch.other_classes import answers_itself
from ...errors.reasons import refuse, sure
from ...errors.warnings import warn
from ...geometry import Geometry
from ...tensor.lookups import geometry_of
from ...tensor.tensor import Tensor
from ...tensor.type_names import type_name
from ...tensor.wrapping import wrap
from ...types import dtypes

MASKS = (dtypes.bool_, dtypes.uint8)
_INT64 = range(-(1 << 63), 1 << 63)


class Key(NamedTuple):
    """The part of a key that makes a view, and the index tensors that remain."""

    geometry: Geometry
    untouched: bool
    """Whether the geometry is unchanged, because the key holds only tensors."""
    tensors: list[tuple[int, Tensor]]
    """The remaining index tensors, by dimension of that geometry."""


def is_plain(key: Any) -> bool:
    """Whether a key is one number, slice, None, Ellipsis or truth value, which PyTorch takes by a shorter way.

    >>> is_plain(3), is_plain((3,)), is_plain(np.int64(3))
    (True, False, True)
    """
    return key is None or key is Ellipsis or isinstance(key, (slice, bool)) or is_python_int(key)


def apply(t: Tensor, key: Any) -> Key:
    """Returns the view that a key makes and the remaining index tensors."""
    g = geometry_of(t)
    if is_plain(key):
        if key is Ellipsis:
            return Key(g, False, [])
        g, result, _ = _apply_part(g, key, 0, 0)
        return Key(g, False, result)
    parts = parts_of(key)
    ndim = len(g.size)
    used = sum(map(_consumes, parts))
    if used > ndim:
        refuse(
            IndexError,
            f"too many indices for tensor of dimension {ndim}",
            f"{used} indices are given, and the tensor has {ndim} dimension{'' if ndim == 1 else 's'}, {list(g.size)}",
            "x.item()"
            if not ndim
            else f"x[{', '.join(':' * ndim)}], with at most {'one index' if ndim == 1 else f'{ndim} indices'}",
            rule="index.too_many",
            indices=used,
            ndim=ndim,
        )
    dim = 0
    tensors: list[tuple[int, Tensor]] = []
    untouched = True
    for place, part in enumerate(parts):
        if part is Ellipsis:
            dim += ndim - used
            continue
        if dim >= len(g.size) and _consumes(part):
            _refuse_beyond(g, part, dim, place, tensors)
        new, result, taken = _apply_part(g, part, dim, place)
        untouched = untouched and (new is g or isinstance(part, slice) and _is_whole(part, g.size[dim]))
        g = new
        tensors += result
        dim += taken
    return Key(g, untouched, tensors)


def _refuse_beyond(g: Geometry, part: Any, dim: int, place: int, before: list[tuple[int, Tensor]]) -> None:
    """Refuse a part behind the last dimension, to which several ellipses or a mask in a list have led."""
    if isinstance(part, (slice, bool)):
        return
    number = int(part) if is_python_int(part) else None
    if number is None:
        index = part if isinstance(part, Tensor) else index_tensor(part)
        given = dim - sum([t._array.ndim - 1 for _, t in before if t._dtype in MASKS])
        if index._array.ndim and given < len(g.size):  # PyTorch counts a mask as one until it looks at all of them
            refuse_too_many(g.size, [*before, (dim, index)])
        number = None if index._array.ndim else index.item()
    refuse(
        IndexError,
        f"too many indices for tensor of dimension {len(g.size)} (got {dim + 1})"
        if number is None
        else f"index {number} is out of bounds for dimension {place} with size 0",
        "each ... skips all dimensions that the other parts leave",
        "one ...",
        rule="index.bounds",
    )


def refuse_too_many(size: tuple[int, ...], tensors: list[tuple[int, Tensor]]) -> NoReturn:
    """Refuse masks that cover so many dimensions that none is left for another index, after what else is wrong."""
    shapes = [places.shape for _, places in expanded(size, tensors)]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        message = "shape mismatch: indexing tensors could not be broadcast together with shapes "
        message += ", ".join([str(list(shape)) for shape in shapes])
    else:
        message = (
            f"Dimension out of range (expected to be in range of [{-len(size)}, {len(size) - 1}], but got {len(size)})"
        )
    refuse(
        IndexError,
        message,
        f"a mask takes a dimension for each of its own: {len(shapes)} are indexed, and the tensor has {len(size)}",
        rule="index.too_many",
    )


# -- the parts ---------------------------------------------------------------------------------------------------


def parts_of(key: Any) -> tuple:
    """A key as a tuple of its parts. A list that holds sequences or slices counts as a tuple.

    >>> parts_of([0, 1])
    ([0, 1],)
    """
    if isinstance(key, tuple):
        return tuple(key)
    if _counts_as_tuple(key):
        warn(
            "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch "
            "2.9; use "
            "x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, "
            "x[torch.tensor(seq)], "
            "which will result either in an error or a different result"
        )
        return tuple(key)
    return (key,)


def _counts_as_tuple(key: Any) -> bool:
    if isinstance(key, (Tensor, np.ndarray)) or not is_sequence(key) or len(key) >= 32:
        return False
    return any(isinstance(k, slice) or k is None or k is Ellipsis or is_sequence(k) for k in key)


def is_sequence(x: Any) -> bool:
    """Returns whether an object supports indexing by integers."""
    return hasattr(type(x), "__getitem__") and not isinstance(x, (dict, np.generic, type))


def _consumes(k: Any) -> int:
    """Returns how many dimensions a part of a key consumes; a mask in a list or an array counts as one."""
    if k is None or k is Ellipsis or isinstance(k, bool):
        return 0
    return k._array.ndim if isinstance(k, Tensor) and k._dtype in MASKS else 1


def _is_whole(k: slice, n: int) -> bool:
    """Returns whether a slice selects its whole dimension."""
    _, stop, step = _bounds(k)
    return k.start in (None, 0) and (stop is None or stop >= n) and step == 1


def _apply_part(g: Geometry, k: Any, dim: int, place: int) -> tuple[Geometry, list[tuple[int, Tensor]], int]:
    """One part: the view it makes, the tensor it leaves, and how many dimensions of the view it is past then."""
    if isinstance(k, slice):
        return sure(geometry.slice(g, dim, *_bounds(k))), [], 1
    if is_python_int(k):
        return sure(geometry.select(g, dim, _int64(int(k)), "index", place)), [], 0
    if k is None:
        return sure(geometry.new_axis(g, dim)), [], 1
    if isinstance(k, bool):
        return sure(geometry.new_axis(g, dim)), [(dim, _choice(k))], 1
    if isinstance(k, Tensor) or is_sequence(k):
        index = k if isinstance(k, Tensor) else index_tensor(k)
        if index._array.ndim or index._dtype._kind > dtypes.INTEGER:
            return g, [(dim, index)], index._array.ndim if index._dtype in MASKS else 1
        if index._dtype in MASKS:
            return sure(geometry.new_axis(g, dim)), [(dim, _choice(bool(index.item())))], 1
        return sure(geometry.select(g, dim, index.item(), "index", place)), [], 0
    if hasattr(k, "__index__") and not isinstance(k, (np.bool_, type)) and not answers_itself(k):
        return sure(geometry.select(g, dim, _int64(k.__index__()), "index", place)), [], 0
    refuse(
        IndexError,
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
        f"(got {type_name(k)})",
        f"{k!r} names no element",
        "x[int(i)]",
        rule="index.kind",
    )


def _choice(keep: bool) -> Tensor:
    """Returns the index that True or False stands for, in a new dimension of size 1."""
    return wrap(np.zeros(int(keep), np.int64), dtypes.int64)


def _int64(n: int) -> int:
    if n not in _INT64:
        refuse(ValueError, "Overflow when unpacking long long", f"{n} does not fit into 64 bits", rule="index.overflow")
    return n


def _bounds(k: slice) -> tuple:
    """Returns start, stop and step of a slice as Python integers."""
    step = 1 if k.step is None else _bound(k.step)
    if step == 0:
        refuse(ValueError, "slice step cannot be zero", "a step of 0 never advances", rule="slice.step", step=0)
    return _bound(k.start), _bound(k.stop), step


def _bound(bound: int | None) -> int | None:
    if bound is None or type(bound) is int and -(1 << 63) <= bound < 1 << 63:
        return bound
    if hasattr(bound, "__index__"):
        return max(_INT64.start, min(bound.__index__(), _INT64.stop - 1))
    refuse(
        TypeError,
        "slice indices must be integers or None or have an __index__ method",
        f"{bound!r} is not a whole number",
        rule="index.slice",
    )


# -- tensors -----------------------------------------------------------------------------------------------------


def index_tensor(k: Any) -> Tensor:
    """Convert a list or an array to an index tensor: bool and uint8 are kept, all else becomes int64."""
    from ...interop.nested_lists import infer_dtype
    from ..creation.from_data import tensor_from

    if isinstance(k, (str, bytes)) or isinstance(k, (list, tuple)) and any(isinstance(x, (str, bytes)) for x in k):
        name = "str" if isinstance(k, str) or any(isinstance(x, str) for x in k) else "bytes"
        refuse(
            TypeError,
            f"new(): invalid data type '{name}'",
            "an index is an integer, a slice, None, ..., a bool or a tensor",
            "x[0]",
            rule="index.kind",
        )
    if isinstance(k, np.ndarray):
        result = tensor_from(k)
        return result if result._dtype in MASKS or result._dtype is dtypes.int64 else result.to(dtypes.int64)
    d = infer_dtype(k)
    return tensor_from(k, dtype=d if d in MASKS else dtypes.int64)


def expanded(size: tuple[int, ...], tensors: list[tuple[int, Tensor]]) -> list[tuple[int, np.ndarray]]:
    """Tensors as whole numbers: a mask as the positions where it is true, one index for each of its dimensions."""
    for _, k in tensors:
        if k._dtype not in (*MASKS, dtypes.int64, dtypes.int32):
            refuse(
                IndexError,
                "tensors used as indices must be long, int, byte or bool tensors",
                f"an index counts places, and {k._dtype} is not a dtype for that",
                "index.long()",
                rule="index.dtype",
                dtype=k._dtype,
            )
    results: list[tuple[int, np.ndarray]] = []
    for dim, k in tensors:
        if k._dtype not in MASKS:
            results.append((dim, k._array if k._dtype is dtypes.int64 else k.to(dtypes.int64)._array))
            continue
        if k._dtype is dtypes.uint8:
            warn("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.")
        check_mask(k._array.shape, size, dim)
        # One row per true element and one column per dimension: the columns are the indices.
        places = _places(k._array)
        results += [(dim + i, places[:, i]) for i in range(k._array.ndim)]
    return results


def _places(mask: ndarray) -> Any:
    if not mask.ndim:  # one place, or none, that no number names
        return np.zeros((int(mask), 0), np.int64)
    found = np.nonzero(mask)
    return np.ascontiguousarray(np.transpose(found)) if type(mask) is np.ndarray else np.stack(found, axis=1)


def _ways_to_mask(mask: tuple[int, ...], size: tuple[int, ...], dim: int) -> list[str]:
    """Where a mask would fit."""
    fits = [d for d in range(len(size) - len(mask) + 1) if size[d : d + len(mask)] == mask]
    if dim or not fits:
        return [f"a mask of size {list(size[dim : dim + len(mask)])}"]
    return [f"x[{':, ' * fits[0]}mask], as dimension {fits[0]} has {mask[0]} places"]


def check_mask(mask: tuple[int, ...], size: tuple[int, ...], dim: int) -> None:
    """Refuse a mask whose size differs from that of the indexed dimensions."""
    for i, n in enumerate(mask):
        if dim + i >= len(size) or n != size[dim + i]:
            refuse(
                IndexError,
                f"The shape of the mask {list(mask)} at index {i} does not match the shape of the indexed tensor "
                f"{list(size)} "
                f"at index {dim + i}",
                f"a mask covers whole dimensions: it has {n} place{'s' * (n != 1)} where the tensor has "
                + (str(size[dim + i]) if dim + i < len(size) else "no dimension"),
                *_ways_to_mask(mask, size, dim),
                rule="index.mask",
                mask=mask,
                size=size,
            )


def check_bounds(
    size: tuple[int, ...], indices: list[tuple[int, np.ndarray]], steps: tuple[int, ...] | None = None
) -> None:
    """Refuse an index outside its dimension, before anything is read or written.

    Of several, the one that is visited first is named: along dimensions with small `steps` before those with large
    ones.
    """
    outside = [(places < -size[dim]) | (places >= size[dim]) for dim, places in indices]
    if not any(wrong.any() for wrong in outside):
        return
    # The indices of one place are numbered as they were given.
    stretched = np.broadcast_arrays(*outside)
    result = np.argwhere(np.logical_or.reduce(stretched))
    at = tuple(result[0] if steps is None else result[np.argmin(result @ np.array(steps, np.int64))])
    number = next(n for n, wrong in enumerate(stretched) if wrong[at])
    dim, places = indices[number]
    bad = int(np.broadcast_to(places, stretched[0].shape)[at])
    geometry.out_of_bounds(bad, dim, size, number).refuse()
