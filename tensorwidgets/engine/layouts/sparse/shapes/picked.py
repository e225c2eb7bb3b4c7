"""Parts picked out of sparse tensors, by an index, a list of indices or a range: the coordinates are computed anew."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ....dispatch.registry import OPS, find
from ....dispatch.stations import no_kernel
from ....errors.reasons import refuse
from ....tensor.lookups import checked_dim
from ....tensor.tensor import Tensor
from ..conversion import coo_of, matrix_indices
from ..made_of_others import is_truth, numbers_in_keys
from ..parts.checks import ready
from ..parts.coalescing import coalesce
from ..parts.same_indices import again, view_kernel
from ..parts.tensors import (
    COMPRESSED,
    COO,
    Compressed,
    around,
    compressed_kernel,
    coo,
    coo_kernel,
    fresh,
    int64,
    is_coo,
)


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
