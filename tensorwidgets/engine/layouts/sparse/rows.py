"""Declares the ops that only sparse tensors have; their kernels are imported at the first call."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ...declare.by_parts import declared_in, later_row
from ...declare.by_signature import calls
from ...declare.creation import IN_LAYOUTS, creation_row
from ...dispatch.registry import OPS
from ...tensor.tensor import Tensor
from ...types import formats

if TYPE_CHECKING:
    from ...types.device import device
    from ...types.dtypes import dtype
    from ...types.formats import layout


def _there(room: str, function: str) -> Any:
    return getattr(import_module(f"{__package__}.{room}"), function)


OWN: list[str] = []
"""The rows of this file; their functions know all layouts."""


_TOLD = {"is_coalesced": "bool", "_nnz": "int", "sparse_dim": "int", "dense_dim": "int"}
"""Questions whose answer is not a tensor."""

_COMPOSITE = ("sparse_resize_and_clear_", "resize_as_sparse_", "smm", "sparse.mm", "sparse.addmm")
"""Rows that are made of others."""


def _row(name: str, words: str, room: str, function: str = "", *own_ways: str, forms: str = "method") -> None:
    how = "rule" if room == "accessors" else "composite" if name in _COMPOSITE else "kernel"
    later_row(
        name, words, f"{__package__}.{room}", function or name, *own_ways, forms=forms, family="sparse",
        category="sparse", how=how, answer=_TOLD.get(name, "Tensor"),
    )  # fmt: skip
    OWN.append(name)


_OWN_WAYS = {
    **dict.fromkeys(("_indices", "_values", "_nnz", "to_sparse_coo"), ("Tensor input",)),
    "_coalesced_": ("Tensor input, bool coalesced",),
}
"""The notations of methods that are not in PyTorch's table."""

for _name, _words, _room, _function in (
    ("coalesce", "Sorts the coordinates of a sparse tensor and sums the values of equal ones.", "parts.coalescing", ""),
    ("is_coalesced", "Returns whether the coordinates are sorted and unique.", "accessors", ""),
    ("indices", "Returns the coordinates of the stored elements, one row per sparse dimension.", "accessors", ""),
    ("values", "Returns the stored elements.", "accessors", ""),
    ("_indices", "Returns the coordinates as stored, possibly with duplicates.", "accessors", "raw_indices"),
    ("_values", "Returns the values as stored, possibly with duplicates.", "accessors", "raw_values"),
    ("_nnz", "Returns the number of stored elements.", "accessors", "nnz"),
    ("_coalesced_", "Marks the tensor as coalesced or not.", "accessors", "set_coalesced"),
    ("sparse_dim", "Returns the number of sparse dimensions.", "accessors", ""),
    ("dense_dim", "Returns the number of dense dimensions.", "accessors", ""),
    ("crow_indices", "Returns the compressed row indices: where each row begins.", "accessors", ""),
    ("col_indices", "Returns the column index of each stored element.", "accessors", ""),
    ("ccol_indices", "Returns the compressed column indices: where each column begins.", "accessors", ""),
    ("row_indices", "Returns the row index of each stored element.", "accessors", ""),
    ("to_dense", "Converts to a dense (strided) tensor.", "conversion", ""),
    ("to_sparse", "Converts to a sparse tensor in COO or another sparse layout.", "conversion", ""),
    ("to_sparse_coo", "Converts to a sparse tensor in coordinate (COO) layout.", "conversion", ""),
    ("to_sparse_csr", "Converts to a sparse tensor in compressed row (CSR) layout.", "conversion", ""),
    ("to_sparse_csc", "Converts to a sparse tensor in compressed column (CSC) layout.", "conversion", ""),
    ("to_sparse_bsr", "Converts to a sparse tensor in block compressed row (BSR) layout.", "conversion", ""),
    ("to_sparse_bsc", "Converts to a sparse tensor in block compressed column (BSC) layout.", "conversion", ""),
    ("sparse_mask", "Returns the elements at the coordinates of a sparse tensor.", "mask", ""),
    ("sparse_resize_", "Changes the size and the numbers of sparse and dense dimensions in place.", "resize", ""),
    ("sparse_resize_and_clear_", "Changes the size in place and removes all stored elements.", "resize", ""),
    ("resize_as_sparse_", "Changes the size and dimensions in place to those of another sparse tensor.",
     "resize", ""),
):  # fmt: skip
    _row(_name, _words, _room, _function, *_OWN_WAYS.get(_name, ()))


def _copy_row(name: str) -> None:
    @calls(
        f"{name}_copy",
        f"A copy of what `{name}` shows of a compressed tensor.",
        forms="function",
        family="sparse",
        category="sparse",
    )
    def copying(input: Tensor, out: Tensor | None = None) -> Tensor:
        return _there("accessors", "copy_of_part")(name, input, out)

    if name == "indices":  # which compressed tensors do not have, and PyTorch refuses others
        declared_in(OPS["indices_copy"], f"{__package__}.accessors", "copy_of_part", kernel=False)
    OWN.append(f"{name}_copy")


for _name in ("indices", "values", "crow_indices", "col_indices", "ccol_indices", "row_indices"):
    _copy_row(_name)

_ROOMS = {
    "sparse_sum": "reductions", "softmax": "softmax", "log_softmax": "softmax", "spdiags": "diagonals",
    "sampled_addmm": "sampled_products", "smm": "row_products", "hspmm": "row_products", "sspaddmm": "row_products",
    "sparse_mm": "row_products",
}  # fmt: skip

for _name, _words, _function, *_ways in (
    ("smm", "Computes the product of a sparse and a dense matrix, as a sparse tensor.", "smm"),
    ("hspmm", "Computes the product of a sparse and a dense matrix, as a hybrid tensor that stores whole rows.",
     "hspmm"),
    ("sspaddmm", "Adds the product of a sparse and a dense matrix to a sparse matrix.", "sspaddmm"),
    ("sparse.mm", "Computes the product of a sparse matrix and a dense or sparse one.",
     "sparse_mm", "Tensor sparse, Tensor dense", "Tensor sparse, Tensor dense, c10::string_view reduce"),
    ("sparse.addmm", "Adds the product of a sparse and a dense matrix to a matrix.",
     "addmm", "Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1"),
    ("sparse.sampled_addmm", "Computes a product of dense matrices only at the stored elements of a sparse matrix.",
     "sampled_addmm", "Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor out=None"),
    ("sparse.sum", "Returns the sum of the stored elements, or along the given dimensions.",
     "sparse_sum", "Tensor input, PyObject* dim=None, ScalarType? dtype=None"),
    ("sparse.softmax", "Computes softmax over the stored elements; others count as minus infinity.",
     "softmax", "Tensor input, int64_t dim, *, ScalarType? dtype=None"),
    ("sparse.log_softmax", "Computes the logarithm of sparse.softmax.",
     "log_softmax", "Tensor input, int64_t dim, *, ScalarType? dtype=None"),
    ("sparse.spdiags", "Returns a sparse matrix with the given rows on its diagonals.",
     "spdiags", "Tensor diagonals, Tensor offsets, IntArrayRef shape, Layout? layout=None"),
):  # fmt: skip
    _forms = "function method" if _name in ("smm", "sspaddmm") else "function"
    _row(_name, _words, _ROOMS.get(_function, "products"), _function, *_ways, forms=_forms)


def _filled(name: str, size: tuple[int, ...], value: int, d: dtype, place: device, layout: layout) -> Tensor:
    return _there("creation", "filled")(name, size, value, d, place, layout)


for _layout in (formats.sparse_coo, formats.sparse_csr, formats.sparse_csc, formats.sparse_bsr, formats.sparse_bsc):
    IN_LAYOUTS[_layout] = _filled


# -- creation ----------------------------------------------------------------------------------------------------


def _straight(*args: Any) -> Tensor | None:
    """The fast path of `sparse_coo_tensor(indices, values, size)` for tensors."""
    if len(args) == 3 and isinstance(args[0], Tensor) and isinstance(args[1], Tensor) and isinstance(args[2], tuple):
        return _there("creation", "straight")(*args)
    return None


@creation_row(
    "sparse_coo_tensor",
    "Makes a sparse tensor from coordinates and values (COO).",
    fast=_straight,
)
def sparse_coo_tensor(**given: Any) -> Tensor:
    return _there("creation", "sparse_coo_tensor")(**given)


OWN.append("sparse_coo_tensor")


def _compressed_row(name: str, words: str, outer: str, inner: str) -> None:
    @creation_row(name, words)
    def make(**given: Any) -> Tensor:
        return _there("creation", "compressed_tensor")(name, given.pop(outer), given.pop(inner), **given)

    declared_in(OPS[name], f"{__package__}.creation", "compressed_tensor")
    OWN.append(name)


_compressed_row(
    "sparse_csr_tensor", "Makes a sparse tensor in compressed row (CSR) layout.", "crow_indices", "col_indices"
)
_compressed_row(
    "sparse_csc_tensor", "Makes a sparse tensor in compressed column (CSC) layout.", "ccol_indices", "row_indices"
)
_compressed_row(
    "sparse_bsr_tensor", "Makes a sparse tensor in block compressed row (BSR) layout.", "crow_indices", "col_indices"
)
_compressed_row(
    "sparse_bsc_tensor", "Makes a sparse tensor in block compressed column (BSC) layout.", "ccol_indices", "row_indices"
)
_compressed_row(
    "sparse_compressed_tensor",
    "Makes a sparse tensor in the given compressed layout.",
    "compressed_indices",
    "plain_indices",
)
