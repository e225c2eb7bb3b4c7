"""Accessors of the parts of a sparse tensor. The parts are shared: a write to them changes the tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dispatch.kinds import KINDS
from ...errors.reasons import refuse
from ...ops.views.view_copies import copied, into
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from .parts.empty import shared
from .parts.tensors import BY_ROWS, expects, is_compressed, is_coo, is_sparse


def _part(t: Tensor, name: str) -> Tensor:
    if not t._array.coalesced:
        refuse(
            RuntimeError,
            f"Cannot get {name} on an uncoalesced tensor, please call .coalesce() first",
            f"coordinates may contain duplicates, so {name} would not list the elements",
            f"x.coalesce().{name}()",
            f"x._{name}() for the parts as stored",
            rule="sparse.uncoalesced",
        )
    return shared(getattr(t._array, name), t, view=name == "values")


def indices(input: Tensor) -> Tensor:
    if not is_coo(input):
        expects(input, "indices", "sparse coordinate")
    return _part(input, "indices")


def values(input: Tensor) -> Tensor:
    if is_compressed(input):
        return shared(input._array.values, input, view=True)
    if not is_coo(input):
        expects(input, "values", "sparse")
    return _part(input, "values")


def is_coalesced(input: Tensor) -> bool:
    if not is_coo(input):
        expects(input, "is_coalesced", "sparse coordinate")
    return input._array.coalesced


def raw_indices(input: Tensor) -> Tensor:
    _only_coo(input, "_indices")
    return shared(input._array.indices, input)


def raw_values(input: Tensor) -> Tensor:
    _only_coo(input, "_values")
    return shared(input._array.values, input)


def nnz(input: Tensor) -> int:
    if not is_sparse(input):
        no_backend(input, "_nnz")
    return input._array.nnz


def sparse_dim(input: Tensor) -> int:
    return input._array.sparse_dim if is_sparse(input) else 0


def dense_dim(input: Tensor) -> int:
    return input._array.dense_dim if is_sparse(input) else input._array.ndim


def set_coalesced(input: Tensor, coalesced: bool) -> Tensor:
    _only_coo(input, "_coalesced_")
    input._array.coalesced = coalesced
    bump_version(input)
    return input


def crow_indices(input: Tensor) -> Tensor:
    return shared(_compressed(input, "crow_indices", True).outer, input)


def col_indices(input: Tensor) -> Tensor:
    return shared(_compressed(input, "col_indices", True).inner, input)


def ccol_indices(input: Tensor) -> Tensor:
    return shared(_compressed(input, "ccol_indices", False).outer, input)


def row_indices(input: Tensor) -> Tensor:
    return shared(_compressed(input, "row_indices", False).inner, input)


def _compressed(t: Tensor, name: str, by_rows: bool) -> Any:
    if not is_compressed(t) or (t._array.layout in BY_ROWS) is not by_rows:
        expects(t, name, f"sparse {'row' if by_rows else 'column'} compressed")
    return t._array


def _only_coo(t: Tensor, name: str) -> None:
    if not is_coo(t):
        no_backend(t, name)


def copy_of_part(name: str, input: Tensor, out: Tensor | None = None) -> Tensor:
    """What `input.name()` shows, as a copy; as in PyTorch, only compressed tensors have it."""
    if is_coo(input):
        no_backend(input, f"{name}_copy")
    part = _PARTS[name](input)
    return copied(part) if out is None else into(out, part)


_PARTS: dict[str, Callable[[Tensor], Tensor]] = {
    "indices": indices, "values": values, "crow_indices": crow_indices, "col_indices": col_indices,
    "ccol_indices": ccol_indices, "row_indices": row_indices,
}  # fmt: skip


def no_backend(t: Tensor, name: str) -> None:
    backend = "SparseCsrCPU" if is_compressed(t) else "SparseCPU" if is_coo(t) else "CPU"
    if t._keys & KINDS["quantized"].key:
        backend = KINDS["quantized"].backend
    refuse(
        NotImplementedError,
        f"Could not run 'aten::{name}' with arguments from the '{backend}' backend.",
        "only COO tensors have it" if is_compressed(t) else "this tensor is dense",
        "x.to_sparse()",
        rule="dispatch.no_kernel",
    )


def stored_bytes(t: Tensor) -> dict[str, int]:
    """The bytes of each part, and of a dense tensor of the same size.

    >>> import tensorwidgets as torch
    >>> stored_bytes(torch.eye(100).to_sparse())
    {'indices': 1600, 'values': 400, 'all parts': 2000, 'dense': 40000}
    """
    from .parts.checks import names_of

    parts = t._array
    names = ("indices", "values") if is_coo(t) else (*names_of(parts.layout)[:2], "values")
    collected = {name: part.nbytes for name, part in zip(names, parts.all(), strict=True)}
    return {**collected, "all parts": sum(collected.values()), "dense": parts.size * parts.itemsize}
