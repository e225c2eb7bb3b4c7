"""Another size for a tensor by coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...declare.by_parts import Made, computes
from ...dispatch.registry import OPS, find
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...tensor.keys import KEY_META
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from ...types.formats import sparse_csr
from .accessors import no_backend
from .parts.empty import of_zeros
from .parts.same_indices import replace
from .parts.tensors import (
    COMPRESSED,
    COO,
    compressed,
    compressed_kernel,
    coo,
    coo_kernel,
    expects,
    fresh,
    is_compressed,
    is_coo,
    layout_name,
)

if TYPE_CHECKING:
    from ...types.formats import memory_format


def grown(values: Tensor, size: tuple[int, ...]) -> Tensor:
    """The values in a tensor of zeros in which each has this size."""
    result = OPS["new_zeros"].function(values, (len(values._array), *size))
    result._array[tuple([slice(None), *[slice(n) for n in values._array.shape[1:]]])] = values._array
    return result


@computes(grown)
def sparse_resize_(input: Tensor, size: tuple[int, ...], sparse_dim: int, dense_dim: int) -> Any:
    """Larger, with the same coordinates; anything else only if nothing is kept."""
    if not is_coo(input):
        no_backend(input, "sparse_resize_")
    size = tuple(size)
    _check_dims(size, sparse_dim, dense_dim)
    parts = input._array
    if parts.nnz:
        for kind, own, wanted in (("sparse", parts.sparse_dim, sparse_dim), ("dense", parts.dense_dim, dense_dim)):
            if own != wanted:
                _no_change(
                    f"changing the number of {kind} dimensions (from {own} to {wanted}) on a non-empty sparse tensor "
                    "is not supported."
                )
        for kind, own, new in (
            ("sparse", parts.shape[:sparse_dim], size[:sparse_dim]),
            ("dense", parts.shape[sparse_dim:], size[sparse_dim:]),
        ):
            if any(n < m for n, m in zip(new, own, strict=True)):
                _no_change(
                    f"shrinking the size of {kind} dimensions (from {list(own)} to {list(new)}) on a non-empty sparse "
                    "tensor is not supported."
                )
    elif size != parts.shape or sparse_dim != parts.sparse_dim:
        return replace(input, of_zeros(size, sparse_dim, input._dtype, bool(input._keys & KEY_META)))

    def make(values: Tensor) -> Tensor:
        return replace(input, coo(parts.indices, values, size, parts.coalesced, parts.checked))

    same = size[sparse_dim:] == parts.shape[sparse_dim:]
    return make(parts.values) if same else Made(make, (parts.values, size[sparse_dim:]))


def _no_change(message: str) -> None:
    refuse(
        RuntimeError,
        message,
        "the elements that are kept would have no place",
        "x.sparse_resize_and_clear_(…)",
        rule="sparse.resize",
    )


def _check_dims(size: tuple[int, ...], sparse_dim: int, dense_dim: int) -> None:
    if sparse_dim + dense_dim != len(size):
        refuse(
            RuntimeError,
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(size)}, sparse_dim = "
            f"{sparse_dim}, dense_dim = {dense_dim}",
            "each dimension is either sparse or dense",
            rule="sparse.dims",
        )


def sparse_resize_and_clear_(input: Tensor, size: tuple[int, ...], sparse_dim: int, dense_dim: int) -> Tensor:
    """Changes the size in place and removes all stored elements."""
    if not is_coo(input):
        no_backend(input, "sparse_resize_and_clear_")
    _check_dims(tuple(size), sparse_dim, dense_dim)
    return replace(input, of_zeros(tuple(size), sparse_dim, input._dtype, bool(input._keys & KEY_META)))


@compressed_kernel("resize_")
def resize_(input: Tensor, *size: Any, memory_format: memory_format | None = None) -> Tensor:
    """A larger matrix in CSR, with the same elements."""
    parts = input._array
    wanted = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    if len(wanted) < 2:
        refuse(
            RuntimeError,
            f"torch.resize_: Only batched sparse CSR matrices are supported, but got size {list(wanted)}",
            "rows and columns are two dimensions",
            rule="sparse.resize",
        )
    if wanted[-1] < parts.shape[-1]:
        refuse(
            RuntimeError,
            "torch.resize_: Resizing columns of sparse CSR tensors to a smaller value is not supported. The original "
            f"number of columns is {parts.shape[-1]} while the requested new number of columns is {wanted[-1]}.",
            "the elements that are kept would have no place",
            rule="sparse.resize",
        )
    if wanted == tuple(parts.shape):
        return input
    more = wanted[-2] - parts.shape[-2]
    if parts.layout is not sparse_csr or parts.ndim != 2 or len(wanted) != 2 or more < 0:
        no_kernel(find("resize_"), COMPRESSED)
    begins = parts.outer._array
    outer = fresh(np.append(begins, np.full(more, parts.nnz, begins.dtype)), parts.outer._dtype)
    return replace(input, compressed(parts.layout, outer, parts.inner, parts.values, wanted, parts.checked))


@compressed_kernel("resize_as_")
def resize_as_compressed_(input: Tensor, other: Tensor, memory_format: memory_format | None = None) -> Tensor:
    if is_coo(input):
        no_kernel(find("resize_"), COO)
    return OPS["resize_"].function(input, other._array.shape)


@coo_kernel("resize_as_")
def resize_as_(input: Tensor, other: Tensor, memory_format: memory_format | None = None) -> Tensor:
    if not is_coo(input):  # of a sparse tensor only the size is taken
        return OPS["resize_"].function(input, other._array.shape)
    own, wanted = input._array, other._array
    if is_coo(other) and own.shape == wanted.shape and own.sparse_dim == wanted.sparse_dim:
        return input
    return resize_as_sparse_(input, other)


def _compressed_as(input: Tensor, template: Tensor) -> Any:
    """Nothing changes where all agrees. Others are refused: their new elements would be whatever memory holds."""
    for name, t in (("src ", template), ("self ", input)):
        if not is_compressed(t):
            expects(t, f"resize_as_sparse_compressed_: {name}", "sparse compressed")
    if layout_name(input) != layout_name(template):
        refuse(
            RuntimeError,
            "resize_as_sparse_compressed_tensor_: self and src must have the same layout, but got: self "
            f"({layout_name(input)}) and source ({layout_name(template)})",
            "a new size is not a new layout",
            rule="sparse.layout",
        )
    if input._array.nnz == template._array.nnz and input._array.shape == template._array.shape:
        bump_version(input)
        return input
    no_backend(template, "resize_as_sparse_")


def resize_as_sparse_(input: Tensor, the_template: Tensor, **named: Any) -> Tensor:
    """The size and the dimensions of another tensor."""
    if is_compressed(the_template) or is_compressed(input):
        return _compressed_as(input, the_template)
    if not is_coo(the_template):
        no_backend(the_template, "resize_as_sparse_")
    parts = the_template._array
    if not is_coo(input):
        no_backend(input, "resize_as_sparse_")
    return OPS["sparse_resize_"].function(input, parts.shape, parts.sparse_dim, parts.dense_dim)
