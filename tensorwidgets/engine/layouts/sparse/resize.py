"""Another size for a tensor by coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...declare.by_parts import Made, computes
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.keys import KEY_META
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from .accessors import no_backend
from .parts.empty import of_zeros
from .parts.same_indices import replace
from .parts.tensors import coo, coo_kernel, is_coo

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


@coo_kernel("resize_as_")
def resize_as_(input: Tensor, other: Tensor, memory_format: memory_format | None = None) -> Tensor:
    return resize_as_sparse_(input, other)


def resize_as_sparse_(input: Tensor, the_template: Tensor, **named: Any) -> Tensor:
    """The size and the dimensions of another tensor."""
    if not is_coo(the_template):
        no_backend(the_template, "resize_as_sparse_")
    parts = the_template._array
    if not is_coo(input):
        no_backend(input, "resize_as_sparse_")
    bump_version(input)
    return OPS["sparse_resize_"].function(input, parts.shape, parts.sparse_dim, parts.dense_dim)
