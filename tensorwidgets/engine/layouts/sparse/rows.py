"""The ops that only sparse tensors bring: how they are called. What they do is loaded when one of them is called."""

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
"""What is no tensor."""


def _row(name: str, words: str, way: str, room: str, function: str = "", forms: str = "method") -> None:
    def run(**given: Any) -> Any:
        return _there(room, function or name)(**given)

    run.__annotations__["return"] = _TOLD.get(name, "Tensor")
    calls(name, words, *way.split(" | "), forms=forms, family="sparse", category="sparse")(run)
    OWN.append(name)


for _name, _words, _way, _room, _function in (
    ("coalesce", "The elements in rising order of their coordinates, each once.", "", "coalescing", ""),
    ("is_coalesced", "Whether coordinates are in order, each once.", "", "asking", ""),
    ("indices", "The coordinates of the kept elements: a row for each sparse dimension.", "", "asking", ""),
    ("values", "The kept elements.", "", "asking", ""),
    ("_indices", "The coordinates as they are kept, with repeats.", "", "asking", "raw_indices"),
    ("_values", "The values as they are kept, with repeats.", "", "asking", "raw_values"),
    ("_nnz", "How many elements are kept.", "", "asking", "nnz"),
    ("_coalesced_", "Say that coordinates are in order, or that they are not.", ", bool coalesced", "asking",
     "set_coalesced"),
    ("sparse_dim", "Along how many dimensions elements are left out.", "", "asking", ""),
    ("dense_dim", "Along how many dimensions every element is kept.", "", "asking", ""),
    ("crow_indices", "Where each row begins.", "", "asking", ""),
    ("col_indices", "The column of each kept element.", "", "asking", ""),
    ("ccol_indices", "Where each column begins.", "", "asking", ""),
    ("row_indices", "The row of each kept element.", "", "asking", ""),
    ("to_dense", "Every element in its place.", ", torch.dtype dtype = None, *, bool? masked_grad = None",
     "converting", ""),
    ("to_sparse", "Only what is not zero, by coordinates or in another sparse layout.",
     ", *, torch.layout layout = None, object blocksize = None, int dense_dim = None | , int sparse_dim",
     "converting", ""),
    ("to_sparse_coo", "Only what is not zero, by coordinates.", "", "converting", ""),
    ("to_sparse_csr", "Only what is not zero, by compressed rows.", ", int dense_dim = None", "converting", ""),
    ("to_sparse_csc", "Only what is not zero, by compressed columns.", ", int dense_dim = None", "converting", ""),
    ("to_sparse_bsr", "Only blocks that are not zero, by compressed rows of blocks.",
     ", object blocksize, int dense_dim = None", "converting", ""),
    ("to_sparse_bsc", "Only blocks that are not zero, by compressed columns of blocks.",
     ", object blocksize, int dense_dim = None", "converting", ""),
    ("sparse_mask", "The elements at the coordinates of another tensor.", ", Tensor mask", "masking", ""),
    ("sparse_resize_", "Another size and number of sparse and dense dimensions.",
     ", tuple of ints size, int sparse_dim, int dense_dim", "resizing", ""),
    ("sparse_resize_and_clear_", "Another size, with nothing kept.",
     ", tuple of ints size, int sparse_dim, int dense_dim", "resizing", ""),
    ("resize_as_sparse_", "The size and dimensions of another sparse tensor.", ", Tensor the_template", "resizing", ""),
):  # fmt: skip
    _row(_name, _words, " | ".join("Tensor input" + part for part in _way.split(" | ")), _room, _function)

_ROOMS = {"sparse_sum": "reducing", "softmax": "softmax", "log_softmax": "softmax", "spdiags": "diagonals"}

for _name, _words, _way, _function in (
    ("smm", "A sparse matrix times a dense one, as a sparse tensor.", "Tensor input, Tensor mat2", "smm"),
    ("hspmm", "A sparse matrix times a dense one; rows are kept whole.", "Tensor mat1, Tensor mat2", "hspmm"),
    ("sspaddmm", "A sparse matrix plus the product of a sparse and a dense one.",
     "Tensor input, Tensor mat1, Tensor mat2, *, Number beta = 1, Number alpha = 1", "sspaddmm"),
    ("sparse.mm", "A sparse matrix times a dense or sparse one.",
     "Tensor sparse, Tensor dense | Tensor sparse, Tensor dense, str reduce",
     "sparse_mm"),
    ("sparse.addmm", "A matrix plus the product of a sparse and a dense one.",
     "Tensor mat, Tensor mat1, Tensor mat2, *, Number beta = 1, Number alpha = 1", "addmm"),
    ("sparse.sampled_addmm", "A product of dense matrices, computed only where a compressed one has elements.",
     "Tensor input, Tensor mat1, Tensor mat2, *, Number beta = 1, Number alpha = 1, Tensor out = None",
     "sampled_addmm"),
    ("sparse.sum", "The sum of the kept elements, along dimensions or of all.",
     "Tensor input, object dim = None, torch.dtype dtype = None", "sparse_sum"),
    ("sparse.softmax", "Softmax over the kept elements; what is left out counts as minus infinity.",
     "Tensor input, int dim, *, torch.dtype dtype = None", "softmax"),
    ("sparse.log_softmax", "The logarithm of sparse.softmax.",
     "Tensor input, int dim, *, torch.dtype dtype = None", "log_softmax"),
    ("sparse.spdiags", "A sparse matrix with these rows on its diagonals.",
     "Tensor diagonals, Tensor offsets, tuple of ints shape, torch.layout layout = None", "spdiags"),
):  # fmt: skip
    _forms = "function method" if _name in ("smm", "sspaddmm") else "function"
    _row(_name, _words, _way, _ROOMS.get(_function, "products"), _function, _forms)


def _filled(name: str, size: tuple[int, ...], value: Any, d: Any, place: Any, layout: Any) -> Tensor:
    return _there("making", "filled")(name, size, value, d, place, layout)


for _layout in (formats.sparse_coo, formats.sparse_csr, formats.sparse_csc, formats.sparse_bsr, formats.sparse_bsc):
    IN_LAYOUTS[_layout] = _filled


# -- creation ----------------------------------------------------------------------------------------------------


def _straight(*args: Any) -> Tensor | None:
    """The short way of `sparse_coo_tensor(indices, values, size)` for tensors."""
    if len(args) == 3 and isinstance(args[0], Tensor) and isinstance(args[1], Tensor) and isinstance(args[2], tuple):
        return _there("making", "straight")(*args)
    return None


@creation_row(
    "sparse_coo_tensor",
    "A tensor by coordinates: values, and where each of them stands.",
    f"object indices, object values, *, {_OPTIONS}, bool? is_coalesced = None",
    f"object indices, object values, tuple of ints size, *, {_OPTIONS}, bool? is_coalesced = None",
    f"tuple of ints size, *, {_OPTIONS.replace('bool? pin_memory = False, ', '')}",
    fast=_straight,
)
def sparse_coo_tensor(**given: Any) -> Tensor:
    return _there("making", "sparse_coo_tensor")(**given)


OWN.append("sparse_coo_tensor")


def _compressed_row(name: str, words: str, outer: str, inner: str) -> None:
    @creation_row(
        name,
        words,
        f"object {outer}, object {inner}, object values, tuple of ints size, *, {_COMPRESSED}",
        f"object {outer}, object {inner}, object values, *, {_COMPRESSED}",
    )
    def make(**given: Any) -> Tensor:
        return _there("making", "compressed_tensor")(name, given.pop(outer), given.pop(inner), **given)

    OWN.append(name)


_compressed_row("sparse_csr_tensor", "A tensor by compressed rows.", "crow_indices", "col_indices")
_compressed_row("sparse_csc_tensor", "A tensor by compressed columns.", "ccol_indices", "row_indices")
_compressed_row("sparse_bsr_tensor", "A tensor by compressed rows of blocks.", "crow_indices", "col_indices")
_compressed_row("sparse_bsc_tensor", "A tensor by compressed columns of blocks.", "ccol_indices", "row_indices")
_compressed_row(
    "sparse_compressed_tensor",
    "A tensor in the compressed layout that is named.",
    "compressed_indices",
    "plain_indices",
)
