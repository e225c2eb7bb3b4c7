"""Declares the ops that only sparse tensors have; their kernels are imported at the first call."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...declare.by_signature import calls
from ...declare.creation import IN_LAYOUTS, creation_row
from ...tensor.tensor import Tensor
from ...types import formats

_OPTIONS = (
    "torch.dtype dtype = None, torch.device device = None, bool? pin_memory = False, bool? requires_grad = False, "
    "bool? check_invariants = None"
)
_COMPRESSED = _OPTIONS.replace("torch.device", "torch.layout layout = None, torch.device", 1)


def _there(room: str, function: str) -> Any:
    return getattr(import_module(f"{__package__}.{room}"), function)


OWN: list[str] = []
"""The rows of this file; their functions know all layouts."""


_TOLD = {"is_coalesced": "bool", "_nnz": "int", "sparse_dim": "int", "dense_dim": "int"}
"""Questions whose answer is not a tensor."""


def _row(name: str, words: str, way: str, room: str, function: str = "", forms: str = "method") -> None:
    def run(**given: Any) -> Any:
        return _there(room, function or name)(**given)

    run.__annotations__["return"] = _TOLD.get(name, "Tensor")
    calls(name, words, *way.split(" | "), forms=forms, family="sparse", category="sparse")(run)
    OWN.append(name)


for _name, _words, _way, _room, _function in (
    ("coalesce", "Sorts the coordinates of a sparse tensor and sums the values of equal ones.", "", "coalescing", ""),
    ("is_coalesced", "Returns whether the coordinates are sorted and unique.", "", "accessors", ""),
    ("indices", "Returns the coordinates of the stored elements, one row per sparse dimension.", "", "accessors", ""),
    ("values", "Returns the stored elements.", "", "accessors", ""),
    ("_indices", "Returns the coordinates as stored, possibly with duplicates.", "", "accessors", "raw_indices"),
    ("_values", "Returns the values as stored, possibly with duplicates.", "", "accessors", "raw_values"),
    ("_nnz", "Returns the number of stored elements.", "", "accessors", "nnz"),
    ("_coalesced_", "Marks the tensor as coalesced or not.", ", bool coalesced", "accessors",
     "set_coalesced"),
    ("sparse_dim", "Returns the number of sparse dimensions.", "", "accessors", ""),
    ("dense_dim", "Returns the number of dense dimensions.", "", "accessors", ""),
    ("crow_indices", "Returns the compressed row indices: where each row begins.", "", "accessors", ""),
    ("col_indices", "Returns the column index of each stored element.", "", "accessors", ""),
    ("ccol_indices", "Returns the compressed column indices: where each column begins.", "", "accessors", ""),
    ("row_indices", "Returns the row index of each stored element.", "", "accessors", ""),
    ("to_dense", "Converts to a dense (strided) tensor.", ", torch.dtype dtype = None, *, bool? masked_grad = None",
     "conversion", ""),
    ("to_sparse", "Converts to a sparse tensor in COO or another sparse layout.",
     ", *, torch.layout layout = None, object blocksize = None, int dense_dim = None | , int sparse_dim",
     "conversion", ""),
    ("to_sparse_coo", "Converts to a sparse tensor in coordinate (COO) layout.", "", "conversion", ""),
    ("to_sparse_csr", "Converts to a sparse tensor in compressed row (CSR) layout.",
     ", int dense_dim = None", "conversion", ""),
    ("to_sparse_csc", "Converts to a sparse tensor in compressed column (CSC) layout.",
     ", int dense_dim = None", "conversion", ""),
    ("to_sparse_bsr", "Converts to a sparse tensor in block compressed row (BSR) layout.",
     ", object blocksize, int dense_dim = None", "conversion", ""),
    ("to_sparse_bsc", "Converts to a sparse tensor in block compressed column (BSC) layout.",
     ", object blocksize, int dense_dim = None", "conversion", ""),
    ("sparse_mask", "Returns the elements at the coordinates of a sparse tensor.", ", Tensor mask", "mask", ""),
    ("sparse_resize_", "Changes the size and the numbers of sparse and dense dimensions in place.",
     ", tuple of ints size, int sparse_dim, int dense_dim", "resize", ""),
    ("sparse_resize_and_clear_", "Changes the size in place and removes all stored elements.",
     ", tuple of ints size, int sparse_dim, int dense_dim", "resize", ""),
    ("resize_as_sparse_", "Changes the size and dimensions in place to those of another sparse tensor.",
     ", Tensor the_template", "resize", ""),
):  # fmt: skip
    _row(_name, _words, " | ".join("Tensor input" + part for part in _way.split(" | ")), _room, _function)


def _copy_row(name: str) -> None:
    @calls(
        f"{name}_copy",
        f"A copy of what `{name}` shows of a compressed tensor.",
        "Tensor input, *, Tensor out = None",
        forms="function",
        family="sparse",
        category="sparse",
    )
    def copying(input: Tensor, out: Tensor | None = None) -> Tensor:
        return _there("accessors", "copy_of_part")(name, input, out)

    OWN.append(f"{name}_copy")


for _name in ("indices", "values", "crow_indices", "col_indices", "ccol_indices", "row_indices"):
    _copy_row(_name)

_ROOMS = {"sparse_sum": "reductions", "softmax": "softmax", "log_softmax": "softmax", "spdiags": "diagonals"}

for _name, _words, _way, _function in (
    ("smm", "Computes the product of a sparse and a dense matrix, as a sparse tensor.",
     "Tensor input, Tensor mat2", "smm"),
    ("hspmm", "Computes the product of a sparse and a dense matrix, as a hybrid tensor that stores whole rows.",
     "Tensor mat1, Tensor mat2", "hspmm"),
    ("sspaddmm", "Adds the product of a sparse and a dense matrix to a sparse matrix.",
     "Tensor input, Tensor mat1, Tensor mat2, *, Number beta = 1, Number alpha = 1", "sspaddmm"),
    ("sparse.mm", "Computes the product of a sparse matrix and a dense or sparse one.",
     "Tensor sparse, Tensor dense | Tensor sparse, Tensor dense, str reduce",
     "sparse_mm"),
    ("sparse.addmm", "Adds the product of a sparse and a dense matrix to a matrix.",
     "Tensor mat, Tensor mat1, Tensor mat2, *, Number beta = 1, Number alpha = 1", "addmm"),
    ("sparse.sampled_addmm", "Computes a product of dense matrices only at the stored elements of a sparse matrix.",
     "Tensor input, Tensor mat1, Tensor mat2, *, Number beta = 1, Number alpha = 1, Tensor out = None",
     "sampled_addmm"),
    ("sparse.sum", "Returns the sum of the stored elements, or along the given dimensions.",
     "Tensor input, object dim = None, torch.dtype dtype = None", "sparse_sum"),
    ("sparse.softmax", "Computes softmax over the stored elements; others count as minus infinity.",
     "Tensor input, int dim, *, torch.dtype dtype = None", "softmax"),
    ("sparse.log_softmax", "Computes the logarithm of sparse.softmax.",
     "Tensor input, int dim, *, torch.dtype dtype = None", "log_softmax"),
    ("sparse.spdiags", "Returns a sparse matrix with the given rows on its diagonals.",
     "Tensor diagonals, Tensor offsets, tuple of ints shape, torch.layout layout = None", "spdiags"),
):  # fmt: skip
    _forms = "function method" if _name in ("smm", "sspaddmm") else "function"
    _row(_name, _words, _way, _ROOMS.get(_function, "products"), _function, _forms)


def _filled(name: str, size: tuple[int, ...], value: Any, d: Any, place: Any, layout: Any) -> Tensor:
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
    f"object indices, object values, *, {_OPTIONS}, bool? is_coalesced = None",
    f"object indices, object values, tuple of ints size, *, {_OPTIONS}, bool? is_coalesced = None",
    f"tuple of ints size, *, {_OPTIONS.replace('bool? pin_memory = False, ', '')}",
    fast=_straight,
)
def sparse_coo_tensor(**given: Any) -> Tensor:
    return _there("creation", "sparse_coo_tensor")(**given)


OWN.append("sparse_coo_tensor")


def _compressed_row(name: str, words: str, outer: str, inner: str) -> None:
    @creation_row(
        name,
        words,
        f"object {outer}, object {inner}, object values, tuple of ints size, *, {_COMPRESSED}",
        f"object {outer}, object {inner}, object values, *, {_COMPRESSED}",
    )
    def make(**given: Any) -> Tensor:
        return _there("creation", "compressed_tensor")(name, given.pop(outer), given.pop(inner), **given)

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
