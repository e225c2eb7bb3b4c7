"""Dimensions exchanged, added and taken away, parts picked out, tensors joined: the coordinates are computed anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ... import geometry
from ...declare.pointwise import common_dtype
from ...dispatch.registry import OPS, find
from ...dispatch.stations import no_kernel
from ...errors.reasons import Reason, refuse
from ...tensor.lookups import checked_dim
from ...tensor.tensor import Tensor
from ...tensor.type_names import type_name
from .accessors import no_backend
from .conversion import coo_of, matrix_indices
from .made_of_others import is_truth, numbers_in_keys
from .parts.checks import ready
from .parts.coalescing import coalesce, rising
from .parts.same_indices import again, replace, view_kernel
from .parts.tensors import (
    BLOCKED,
    COMPRESSED,
    COO,
    TURNED,
    Compressed,
    around,
    compressed_kernel,
    coo,
    coo_kernel,
    fresh,
    int64,
    is_coo,
    is_sparse,
)

if TYPE_CHECKING:
    from collections.abc import Callable


# -- dimensions exchanged ----------------------------------------------------------------------------------------


@coo_kernel("transpose")
@view_kernel
def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    parts = input._array
    one, two = checked_dim(dim0, parts.ndim), checked_dim(dim1, parts.ndim)
    n = parts.sparse_dim
    if one == two:
        return again(input)
    if max(one, two) >= n:
        refuse(
            RuntimeError,
            f"sparse transpose: transposed dimensions must be sparse Got sparse_dim: {n}, d0: {one}, d1: {two}",
            f"dimensions {n} and up are kept whole in values",
            "x.permute(…)",
            rule="sparse.transpose",
        )
    order = list(range(parts.ndim))
    order[one], order[two] = two, one
    return _permuted(input, order)


def _permuted(t: Tensor, order: list[int]) -> Tensor:
    parts = t._array
    n = parts.sparse_dim
    size = tuple([parts.shape[k] for k in order])
    if order == list(range(parts.ndim)):
        return again(t)
    indices = int64(np.ascontiguousarray(parts.indices._array[order[:n]]))
    values = parts.values
    if order[n:] != list(range(n, parts.ndim)):
        values = OPS["permute"].function(values, 0, *[k - n + 1 for k in order[n:]])
    return coo(indices, values, size, not parts.nnz, parts.checked)


@coo_kernel("permute")
@view_kernel
def permute(input: Tensor, *places: Any, dims: Any = None) -> Tensor:
    parts = input._array
    places = places if dims is None else (dims,)
    wanted = list(places[0]) if len(places) == 1 and isinstance(places[0], (tuple, list)) else list(places)
    allowed = geometry.permute(geometry.contiguous(parts.shape), tuple(wanted))
    if isinstance(allowed, Reason):
        allowed.refuse()
    order = [d % parts.ndim for d in wanted]
    if any((k < parts.sparse_dim) != (place < parts.sparse_dim) for place, k in enumerate(order)):
        refuse(
            RuntimeError,
            "permute(sparse_coo): transpositions between sparse and dense dimensions are not "
            "allowed.Only transpositions "
            "within sparse and dense dimensions are supported.",
            f"dimensions {parts.sparse_dim} and up are kept whole in values",
            rule="sparse.permute",
        )
    result = _permuted(input, order)
    if wanted and (wanted[0] != 0 or order != list(range(parts.ndim))):
        # PyTorch does not see that a place counted from the end is the first.
        result._array.coalesced = parts.coalesced and wanted[0] == 0 and rising(result._array)
    return result


@coo_kernel("t")
@view_kernel
def t(input: Tensor) -> Tensor:
    parts = input._array
    if parts.sparse_dim > 2 or parts.dense_dim:
        refuse(
            RuntimeError,
            "t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got "
            f"{parts.sparse_dim} sparse and {parts.dense_dim} dense dimensions",
            "t() turns matrices",
            "x.transpose(0, 1)",
            rule="sparse.transpose",
        )
    return again(input) if parts.ndim < 2 else transpose(input, 0, 1)


@coo_kernel("adjoint")
@view_kernel
def adjoint(input: Tensor) -> Tensor:
    if input._array.ndim < 2:
        return again(input)
    return OPS["conj"].function(transpose(input, -2, -1))


@coo_kernel("numpy_T")
def reversed_dims(input: Tensor) -> Tensor:
    return permute(input, *range(input._array.ndim - 1, -1, -1))


@compressed_kernel("numpy_T", "permute")
def no_steps(input: Tensor, *places: Any, dims: Any = None) -> Tensor:
    no_kernel(find("permute"), COMPRESSED, "as_strided")


@coo_kernel("adjoint_view")
def last_two(input: Tensor, *args: Any) -> Tensor:
    return transpose(input, -2, -1)


@coo_kernel("movedim")
def movedim(input: Tensor, source: int, destination: int) -> Tensor:
    n = input._array.ndim
    pairs = [[x] if isinstance(x, int) else list(x) for x in (source, destination)]
    moved, places = ([checked_dim(d, n) for d in dims] for dims in pairs)
    rest = [d for d in range(n) if d not in moved]
    at = dict(zip(places, moved, strict=True))
    return permute(input, *[at[k] if k in at else rest.pop(0) for k in range(n)])


def _in_place(name: str) -> None:
    def kernel(input: Tensor, *args: Any, **named: Any) -> Tensor:
        return replace(input, OPS[name].function(input, *args, **named))

    coo_kernel(name + "_")(kernel)


for _name in ("t", "transpose"):
    _in_place(_name)


@compressed_kernel("t")
@view_kernel
def t_compressed(input: Tensor) -> Tensor:
    if input._array.ndim > 2:
        refuse(
            RuntimeError,
            f"t() expects a tensor with <= 2 dimensions, but self is {input._array.ndim}D",
            "t() turns matrices",
            "x.transpose(0, 1)",
            rule="sparse.transpose",
        )
    return transpose_compressed(input, 0, 1)


@compressed_kernel("transpose", "swapaxes")
@view_kernel
def transpose_compressed(input: Tensor, dim0: int, dim1: int) -> Tensor:
    parts = input._array
    one, two = checked_dim(dim0, parts.ndim), checked_dim(dim1, parts.ndim)
    b = parts.batch_dim
    if one == two:
        return again(input)
    if {one, two} != {b, b + 1}:
        kinds = ["Batch"] * b + ["Sparse"] * 2 + ["Dense"] * parts.dense_dim
        if kinds[one] != kinds[two]:
            refuse(
                RuntimeError,
                "transpose(): can only transpose dimensions of the same type (Batch, Sparse, Dense), got "
                f"{one}({kinds[one]}) and {two}({kinds[two]})",
                "rows and columns can be exchanged",
                rule="sparse.transpose",
            )
        refuse(
            RuntimeError,
            "transpose(): can only transpose 2D compressed sparse tensors' rows and columns, got dims "
            f"{dim0} and {dim1}",
            "rows and columns can be exchanged",
            rule="sparse.transpose",
        )
    size = list(parts.shape)
    size[one], size[two] = size[two], size[one]
    values = parts.values
    if parts.layout in BLOCKED:
        values = OPS["transpose"].function(values, b + 1, b + 2)
    return around(Compressed(TURNED[parts.layout], parts.outer, parts.inner, values, tuple(size), parts.checked))


@compressed_kernel("adjoint_view")
def last_two_compressed(input: Tensor, *args: Any) -> Tensor:
    return transpose_compressed(input, -2, -1)


@compressed_kernel("adjoint")
@view_kernel
def adjoint_compressed(input: Tensor) -> Tensor:
    return OPS["conj"].function(transpose_compressed(input, -2, -1))


# -- dimensions added --------------------------------------------------------------------------------------------


@coo_kernel("unsqueeze")
@view_kernel
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    parts = input._array
    place = checked_dim(dim, parts.ndim + 1)
    size = (*parts.shape[:place], 1, *parts.shape[place:])
    if place <= parts.sparse_dim:
        indices = np.insert(parts.indices._array, place, 0, axis=0)
        return coo(int64(indices), parts.values, size, parts.nnz < 2 and parts.coalesced, parts.checked)
    values = OPS["unsqueeze"].function(parts.values, place - parts.sparse_dim + 1)
    return coo(parts.indices, values, size, parts.nnz < 2 and parts.coalesced, parts.checked)


def _at_least(n: int) -> Any:
    def kernel(*tensors: Any) -> Any:
        if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
            return tuple([one(t) for t in tensors[0]])
        return one(tensors[0]) if len(tensors) == 1 else tuple([one(t) for t in tensors])

    def one(x: Tensor) -> Tensor:
        while x._array.ndim < n:
            x = unsqueeze(x, 0 if x._array.ndim < 2 else 2)
        return x

    return kernel


for _n in (1, 2, 3):
    coo_kernel(f"atleast_{_n}d")(_at_least(_n))


# -- parts picked out --------------------------------------------------------------------------------------------


def _checked_index(index: int, dim: int, size: tuple[int, ...], words: str) -> int:
    n = size[dim]
    if not -n <= index < n:
        refuse(
            IndexError,
            words,
            f"dimension {dim} has the indices {-n} to {n - 1}",
            rule="index.bounds",
            index=index,
            dim=dim,
        )
    return index % n


@coo_kernel("select")
@view_kernel
def select(input: Tensor, dim: int, index: int, words: str = "") -> Tensor:
    parts = input._array
    dim = checked_dim(dim, parts.ndim)
    words = words or f"select(): index {index} out of range for tensor of size {list(parts.shape)} at dimension {dim}"
    index = _checked_index(index, dim, parts.shape, words)
    size = (*parts.shape[:dim], *parts.shape[dim + 1 :])
    if dim >= parts.sparse_dim:
        values = OPS["select"].function(parts.values, dim - parts.sparse_dim + 1, index)
        return coo(parts.indices, values, size, parts.nnz < 2, parts.checked)
    ready(parts)
    kept = np.flatnonzero(parts.indices._array[dim] == index)
    values = fresh(parts.values._array[kept], input._dtype)
    if parts.sparse_dim == 1:
        if len(kept) == 1:
            return OPS["select"].function(values, 0, 0)
        return OPS["to"].function(OPS["sum"].function(values, 0), input._dtype)
    indices = np.delete(parts.indices._array, dim, 0)[:, kept]
    return coo(int64(np.ascontiguousarray(indices)), values, size, len(kept) < 2)


def _no_view() -> NoReturn:
    refuse(
        RuntimeError,
        "select(): no view exists for the given input, consider using torch.select_copy.",
        "a row of blocks lies in pieces",
        "x.to_dense()",
        rule="sparse.select",
    )


def line(input: Tensor, dim: int, index: int, words: str = "", copied: bool = False) -> Tensor:
    """A row or column of a compressed matrix, by coordinates: a view of the values, where there is one, or a copy."""
    parts = input._array
    ready(parts)
    words = words or f"select(): index {index} out of range for tensor of size {list(parts.shape)} at dimension {dim}"
    sizes = parts.block or (1, 1)
    block, within = divmod(_checked_index(index, dim, parts.shape, words), sizes[dim])
    lines = matrix_indices(parts)
    places = np.flatnonzero(lines[dim] == block)
    step = int(places[1] - places[0]) if len(places) > 1 else 1
    if (np.diff(places) == step).all():
        first = int(places[0]) if len(places) else 0
        kept = parts.values[first : first + (len(places) - 1) * step + 1 : step] if len(places) else parts.values[:0]
    elif copied:
        kept = OPS["index_select"].function(parts.values, 0, int64(places))
    else:
        _no_view()
    across = sizes[1 - dim]
    joined = OPS["select"].function(kept, dim + 1, within) if parts.block else kept
    try:
        values = OPS["reshape" if copied else "view"].function(joined, (len(places) * across, *parts.shape[2:]))
    except RuntimeError:
        _no_view()
    others = lines[1 - dim][places][:, None] * across + np.arange(across)
    return coo(int64(others.reshape(1, -1)), values, (parts.shape[1 - dim], *parts.shape[2:]), True)


@compressed_kernel("select")
@view_kernel
def select_compressed(input: Tensor, dim: int, index: int, words: str = "") -> Tensor:
    parts, place = input._array, checked_dim(dim, input._array.ndim)
    if not parts.batch_dim and place < 2:
        return line(input, place, index, words)
    if place < parts.batch_dim:
        words = (
            words or f"select(): index {index} out of range for tensor of size {list(parts.shape)} at dimension {place}"
        )
        index = _checked_index(index, place, parts.shape, words)
        outer, inner, values = (OPS["select"].function(part, place, index) for part in parts.all())
        size = (*parts.shape[:place], *parts.shape[place + 1 :])
        return around(Compressed(parts.layout, outer, inner, values, size, parts.checked))
    if parts.batch_dim and place < parts.batch_dim + 2:
        refuse(
            RuntimeError,
            "select(): selecting sparse dimensions is not supported for batched sparse compressed tensors.",
            "each matrix of the batch keeps its own indices",
            "x[0].select(…)",
            rule="sparse.select",
        )
    result = select(coalesce(coo_of(input)), dim, index, words)
    if is_coo(result):
        result._array.coalesced = True
    return result


@compressed_kernel("select_copy")
def select_copy(input: Tensor, dim: int, index: int, *, out: Tensor | None = None) -> Tensor:
    if out is not None:
        no_kernel(find("select_copy"), COMPRESSED, "select_copy.int_out")
    place = checked_dim(dim, input._array.ndim)
    if not input._array.batch_dim and place < 2:
        return OPS["clone"].function(line(input, place, index, copied=True))
    return OPS["clone"].function(OPS["select"].function(input, dim, index))


@coo_kernel("getitem")
@compressed_kernel("getitem")
def getitem(input: Tensor, key: Any) -> Tensor:
    dim, result = 0, input
    keys = numbers_in_keys(list(key) if isinstance(key, tuple) else [key])
    _only_known(input, keys)
    named = sum(k is not None and k is not Ellipsis for k in keys)
    if named > input._array.ndim:
        refuse(
            IndexError,
            f"too many indices for tensor of dimension {input._array.ndim}",
            f"{named} indices are for a tensor of {named} dimensions",
            rule="index.many",
        )
    for place, k in enumerate(keys):
        if k is None:
            result = OPS["unsqueeze"].function(result, dim)
            dim += 1
        elif k is Ellipsis:
            rest = sum(after is not None for after in keys[place + 1 :])
            dim = result._array.ndim - rest
        elif isinstance(k, slice):
            dim += 1
        else:
            words = f"index {k} is out of bounds for dimension {place} with size {result._array.shape[dim]}"
            index = _checked_index(k, dim, result._array.shape, words)
            result = OPS["select"].function(result, dim, index)
    return again(result) if result is input else result


def _only_known(t: Tensor, keys: list) -> None:
    """Refuse slices that leave something out, and keys of tensors or lists."""
    dim = 0
    for place, k in enumerate(keys):
        if isinstance(k, slice):
            if dim < t._array.ndim and k.indices(t._array.shape[dim]) != (0, t._array.shape[dim], 1):
                if not is_coo(t):
                    t.stride()  # which is refused
                no_kernel(find("getitem"), COO, "as_strided")
        elif k is not None and k is not Ellipsis and not isinstance(k, (int, np.integer)) or isinstance(k, bool):
            picked = is_coo(t) or any(isinstance(before, int) for before in keys[:place])  # by then by coordinates
            if not picked:
                t.stride()  # which is refused
            no_kernel(find("getitem"), COO, "fill_.Scalar" if is_truth(k) else "index.Tensor")
        dim += k is not None


@coo_kernel("unbind")
@compressed_kernel("unbind")
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    dim = checked_dim(dim, input._array.ndim)
    return tuple([OPS["select"].function(input, dim, i) for i in range(input._array.shape[dim])])


@coo_kernel("index_select")
def index_select(input: Tensor, dim: int, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    if out is not None:
        no_kernel(find("index_select"), COO, "index_select.out")
    parts = input._array
    if not parts.ndim:
        refuse(
            IndexError, "index_select() cannot be applied to a 0-dim tensor.", "it has no dimension", rule="index.dims"
        )
    dim = checked_dim(dim, parts.ndim)
    if index._array.ndim != 1 or index._dtype._name not in ("int64",):
        refuse(
            IndexError,
            "index_select() argument index must be 1-D strided (non-sparse) long-tensor.",
            f"it is {index._array.ndim}-D and of {index._dtype}",
            rule="index.kind",
        )
    n = parts.shape[dim]
    wanted = index._array
    if dim >= parts.sparse_dim:  # counted from the front alone, as of other tensors
        along = dim - parts.sparse_dim + 1
        wrong = (wanted < 0) | (wanted >= n)
        if wrong.any():
            bad = int(wanted[np.argmax(wrong)])
            refuse(
                RuntimeError,
                f"index {bad} is out of bounds for dimension {along} with size {n}",
                f"dimension {along} of the values has the indices 0 to {n - 1}",
                rule="index.bounds",
            )
        values = OPS["index_select"].function(parts.values, along, index)
        size = (*parts.shape[:dim], len(wanted), *parts.shape[dim + 1 :])
        return coo(parts.indices, values, size, parts.nnz < 2, parts.checked)
    wrong = (wanted < -n) | (wanted >= n)
    if wrong.any():
        bad = int(wanted[np.argmax(wrong)])
        refuse(
            IndexError,
            f"index_select(): index contains {bad} that is out of range for tensor of size {list(parts.shape)} at "
            f"dimension {dim}",
            f"index[{int(np.argmax(wrong))}] is {bad}, and dimension {dim} has the indices {-n} to {n - 1}",
            rule="index.bounds",
        )
    wanted = wanted % n if n else wanted
    size = (*parts.shape[:dim], len(wanted), *parts.shape[dim + 1 :])
    ready(parts)
    # The elements at each index in turn, in the order in which they are stored.
    row = parts.indices._array[dim]
    order = np.argsort(row, kind="stable")
    begins = np.searchsorted(row[order], wanted)
    counts = np.searchsorted(row[order], wanted, side="right") - begins
    places = np.repeat(np.arange(len(wanted)), counts)
    within = np.arange(len(places)) - np.repeat(np.cumsum(counts) - counts, counts)
    source = order[np.repeat(begins, counts) + within]
    if parts.nnz < len(wanted):  # PyTorch walks along the shorter of the two
        by_element = np.argsort(source, kind="stable")
        source, places = source[by_element], places[by_element]
    indices = np.take(parts.indices._array, source, axis=1)
    indices[dim] = places
    return coo(int64(indices), fresh(parts.values._array[source], input._dtype), size, len(source) < 2)


@coo_kernel("narrow_copy")
def narrow_copy(input: Tensor, dim: int, start: int, length: int, *, out: Tensor | None = None) -> Tensor:
    parts = input._array
    if not 0 <= dim < parts.ndim:
        refuse(
            RuntimeError,
            f"Dimension {dim} out of range. Expecting 0 <= dim < {parts.ndim}.",
            "dimensions are counted from the front here",
            rule="narrow.dim",
        )
    n = parts.shape[dim]
    if start < 0 or length < 0 or start + length > n:
        refuse(
            RuntimeError,
            f"Invalid range to narrow. range(start, start+length) must be a subset of range(0, {n}).",
            f"start {start} and length {length} end at {start + length}",
            rule="narrow.range",
        )
    size = (*parts.shape[:dim], length, *parts.shape[dim + 1 :])
    if dim >= parts.sparse_dim:
        values = OPS["narrow_copy"].function(parts.values, dim - parts.sparse_dim + 1, start, length)
        return coo(parts.indices, values, size, parts.coalesced, parts.checked)
    ready(parts)
    row = parts.indices._array[dim]
    kept = np.flatnonzero((row >= start) & (row < start + length))
    indices = np.take(parts.indices._array, kept, axis=1)
    indices[dim] -= start
    return coo(int64(indices), fresh(parts.values._array[kept], input._dtype), size, parts.coalesced)


# -- joined ------------------------------------------------------------------------------------------------------


@coo_kernel("cat")
def cat(tensors: Sequence[Tensor], dim: int = 0, *, out: Tensor | None = None) -> Tensor:
    tensors = _all_tensors(tensors)
    first = tensors[0]
    if out is not None:
        no_kernel(find("cat"), COO, "cat.out")
    if not is_sparse(first):
        no_backend(first, "_values")
    for place, t in enumerate(tensors):
        if not is_coo(t):
            refuse(
                RuntimeError,
                f"Concatenating sparse tensors, but a dense tensor was found at position {place}.",
                f"the others have layout={next(x._array.layout for x in tensors if is_coo(x))}",
                "x.to_sparse()",
                rule="sparse.mixed",
            )
    dim = checked_dim(dim, first._array.ndim)
    if not first._array.ndim:
        message = "Dimension out of range (expected to be in range of [-1, 0], but got 1)"
        refuse(IndexError, message, "numbers are stacked, not joined", "torch.stack(tensors)", rule="dim.range")
    for place, t in enumerate(tensors):
        _check_joined(first._array, t._array, dim, place)
    n = first._array.sparse_dim
    d = common_dtype(tuple(tensors))
    total = sum(t._array.shape[dim] for t in tensors)
    size = (*first._array.shape[:dim], total, *first._array.shape[dim + 1 :])
    indices, values, before = [], [], 0
    for t in tensors:
        parts = t._array
        rows, own = parts.indices._array, OPS["to"].function(parts.values, d)._array
        if dim < n:
            rows = rows.copy()
            rows[dim] += before
        else:
            wide = np.zeros((len(own), *size[n:]), own.dtype)
            inside: list[Any] = [slice(None)] * wide.ndim
            inside[dim - n + 1] = slice(before, before + parts.shape[dim])
            wide[tuple(inside)] = own
            own = wide
        before += parts.shape[dim]
        indices.append(rows)
        values.append(own)
    merged = np.concatenate(indices, 1)
    checked = all(t._array.checked for t in tensors)
    return coo(int64(merged), fresh(np.concatenate(values), d), size, merged.shape[1] < 2, checked)


def _check_joined(first: Any, other: Any, dim: int, place: int) -> None:
    own, its = list(first.shape), list(other.shape)
    if len(own) != len(its) or own[:dim] + own[dim + 1 :] != its[:dim] + its[dim + 1 :]:
        refuse(
            RuntimeError,
            f"All tensors must have the same shape: {own} (except in the concatenating dimension), but found shape: "
            f"{its} at position {place}.",
            f"they are joined along dimension {dim}",
            rule="cat.size",
        )
    if (first.sparse_dim, first.dense_dim) != (other.sparse_dim, other.dense_dim):
        refuse(
            RuntimeError,
            f"All tensors must have the same sparse_dim and dense_dim: {first.sparse_dim}, "
            f"{first.dense_dim}, but tensor "
            f"at position {place} has {other.sparse_dim}, {other.dense_dim}.",
            "they keep elements of different sizes",
            rule="cat.dims",
        )


@coo_kernel("stack")
def stack(tensors: Sequence[Tensor], dim: int = 0, *, out: Tensor | None = None) -> Tensor:
    tensors = _all_tensors(tensors)
    dim = checked_dim(dim, tensors[0]._array.ndim + 1)
    for place, t in enumerate(tensors):
        if t._array.shape != tensors[0]._array.shape:
            refuse(
                RuntimeError,
                f"stack expects each tensor to be equal size, but got {list(tensors[0]._array.shape)} at entry 0 and "
                f"{list(t._array.shape)} at entry {place}",
                "they become neighbours along a new dimension",
                rule="stack.size",
            )
    return cat([OPS["unsqueeze"].function(t, dim) for t in tensors], dim)


def _all_tensors(tensors: Sequence[Any]) -> list[Tensor]:
    for place, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            message = f"expected Tensor as element {place} in argument 0, but got {type_name(t)}"
            refuse(TypeError, message, "only tensors are joined", "torch.tensor(…)", rule="argument.type")
    return list(tensors)


def _joined(name: str, n: int, dim: Callable[..., Any]) -> None:
    def kernel(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
        raise_one = OPS[f"atleast_{n}d"].function
        each = [raise_one(t) for t in _all_tensors(tensors)]
        return cat(each, dim(each[0]._array.ndim))

    coo_kernel(name)(kernel)


_joined("vstack", 2, lambda n: 0)
_joined("hstack", 1, lambda n: 0 if n == 1 else 1)
_joined("dstack", 3, lambda n: 2)


@coo_kernel("column_stack")
def column_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    return cat([unsqueeze(t, 1) if t._array.ndim == 1 else t for t in tensors], 1)
