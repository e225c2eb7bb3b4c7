"""Products of sparse tensors, element by element, with sparse and dense tensors and with numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import geometry
from ....declare.pointwise import common_dtype
from ....dispatch.registry import OPS
from ....errors.reasons import refuse, sure
from ....tensor.tensor import Tensor
from ....tensor.versions import bump_version
from ....tensor.write_checks import check_cast
from ....types.dtype_refusals import refuse_dtype
from ....types.promotion import can_cast
from ..accessors import no_backend
from ..conversion import coo_of, of_coordinates
from ..mask import sparse_mask
from ..parts.checks import ready
from ..parts.coalescing import coalesce, linear, narrowed
from ..parts.empty import of_zeros
from ..parts.merge import intersected
from ..parts.same_indices import into, replace, with_values
from ..parts.tensors import coo, fresh, int64, is_compressed, is_coo, is_sparse
from .results import check_result, fitted, is_number, register, with_kind_of_indices

_mul = OPS["mul"].function


def mul(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
    """An element-wise product: it has elements only where both operands have them."""
    if not is_sparse(input):
        input, other = other, input
    if not is_sparse(input):  # only out= is sparse
        no_backend(input, "_nnz")
    if is_number(other):
        return into(out, with_values(input, _mul(input._array.values, other)))
    if is_coo(input) and is_coo(other):
        return into(out, fitted(_mul_coo(input, other), out, "mul"))
    if is_compressed(input):
        return into(out, _mul_compressed(input, other))
    if is_compressed(other):
        return into(out, _mul_coo(input, coo_of(other)))
    return into(out, _mul_dense(input, other))


def _mul_coo(a: Tensor, b: Tensor) -> Tensor:
    one, two = a._array, b._array
    if one.shape == two.shape and not (one.nnz and two.nnz):
        return of_zeros(one.shape, one.sparse_dim, common_dtype((a, b)))
    if (
        one.ndim != two.ndim
        or one.sparse_dim != two.sparse_dim
        or one.shape[: one.sparse_dim] != two.shape[: one.sparse_dim]
    ):
        if 1 in (a._array.size, b._array.size) and not (one.ndim and two.ndim):
            single, many = (a, b) if not one.ndim else (b, a)
            return with_values(many, _mul(many._array.values, single.to_dense()))
        refuse(
            RuntimeError,
            "sparse_binary_op_intersection_cpu(): expects sparse inputs with equal dimensionality, number of sparse "
            "dimensions, and shape of sparse dimensions",
            f"the sizes are {list(one.shape)} and {list(two.shape)}, with {one.sparse_dim} and {two.sparse_dim} sparse "
            "dimensions",
            rule="sparse.size",
        )
    ready(one)
    ready(two)
    if not (one.nnz and two.nnz):
        return of_zeros(one.shape, one.sparse_dim, common_dtype((a, b)))
    # The smaller operand gives the coordinates, which are looked up in the other.
    walked, looked = (
        (b, a)
        if one.coalesced and not two.coalesced or one.coalesced == two.coalesced and one.nnz >= two.nnz
        else (a, b)
    )
    coalesced = walked._array.coalesced
    other = coalesce(looked)._array
    parts = walked._array
    sparse = one.shape[: one.sparse_dim]
    place, result = intersected(linear(parts.indices._array, sparse), linear(other.indices._array, sparse))
    values = parts.values._array
    if coalesced:
        kept = result
        if (result.any() or not one.dense_dim) and a._dtype._name == b._dtype._name == "bool":
            refuse_dtype("mul_out_sparse", a._dtype)
        product = _mul(fresh(values[kept], walked._dtype), fresh(other.values._array[place[kept]], looked._dtype))
        return coo(narrowed(parts.indices._array[:, kept], parts.nnz), product, one.shape, True)
    theirs = np.zeros((len(values), *other.values._array.shape[1:]), other.values._array.dtype)
    theirs[result] = other.values._array[place[result]]
    product = _mul(parts.values, fresh(theirs, looked._dtype))
    product._array[~result] = 0
    return coo(parts.indices, product, one.shape, False)


def _mul_dense(sparse: Tensor, dense: Tensor) -> Tensor:
    parts = sparse._array
    ready(parts)
    size = sure(geometry.broadcast(dense._array.shape, parts.shape))
    t = sparse if size == parts.shape else _stretched(coalesce(sparse), size)
    own = t._array
    factors = np.broadcast_to(dense._array, size)[tuple(own.indices._array)]
    if not own.sparse_dim:
        factors = np.broadcast_to(factors, own.values._array.shape)
    return with_values(t, _mul(own.values, fresh(np.ascontiguousarray(factors), dense._dtype)))


def _stretched(t: Tensor, size: tuple[int, ...]) -> Tensor:
    """A tensor repeated along new sparse dimensions, and along those of size 1."""
    parts = t._array
    new = len(size) - parts.ndim
    kept = parts.sparse_dim + new
    rows = np.concatenate([np.zeros((new, parts.nnz), np.int64), parts.indices._array])
    own = (1,) * new + tuple(parts.shape)
    repeats = tuple([size[i] if own[i] != size[i] else 1 for i in range(kept)])
    steps = np.indices(repeats).reshape(kept, -1)
    indices = (rows[:, None, :] + steps[:, :, None]).reshape(kept, -1)
    values = np.broadcast_to(parts.values._array, (parts.nnz, *size[kept:]))
    values = np.broadcast_to(values, (steps.shape[1], *values.shape)).reshape(-1, *size[kept:])
    # New dimensions come first, so the result is coalesced if the tensor was.
    return coo(int64(indices), fresh(values.copy(), t._dtype), size, parts.coalesced)


def _mul_compressed(a: Tensor, b: Tensor) -> Tensor:
    if is_sparse(b):
        if a._array.layout.name != "sparse_csr":
            _wants_csr()
        if a._array.batch_dim:
            refuse(
                RuntimeError,
                "coo_to_sparse_csr: conversion from Sparse to SparseCsr for input tensors with sparse_dim()!=2 is not "
                "supported",
                "products of batches have no kernel",
                "a.to_dense() * b.to_dense()",
                rule="sparse.layout",
            )
        one, two = coo_of(a), coo_of(b) if is_compressed(b) else coalesce(b)
        return with_kind_of_indices(of_coordinates(coalesce(_mul_coo(one, two)), a._array.layout), a)
    if a._array.shape != b._array.shape:
        refuse(
            RuntimeError,
            f"sparse_mask(): operands have incompatible sizes; self has size {list(b._array.shape)} but mask has size "
            f"{list(a._array.shape)}",
            "compressed tensors do not broadcast",
            "dense.expand_as(sparse)",
            rule="sparse.size",
        )
    if a._dtype._name == b._dtype._name == "bool" and a._array.nnz:
        refuse_dtype("mul_out_sparse", a._dtype)
    return with_values(a, _mul(a._array.values, sparse_mask(b, a)._array.values))


def _wants_csr() -> None:
    words = "Expected result Tensor to be of format CSR"
    refuse(RuntimeError, words, "products of other layouts have no kernel", rule="sparse.layout")


def mul_(input: Tensor, other: Any) -> Tensor:
    """A product that is written into its first operand."""
    if is_sparse(input) and is_number(other):
        product = common_dtype((input._array.values, other))
        if input._array.nnz and not can_cast(product, input._dtype):
            refuse(
                RuntimeError,
                f"dtype of values ({product._type_name}) must match dtype of sparse tensor ({input._dtype._type_name})",
                f"the product is of {product}",
                "x * y",
                rule="write.dtype",
            )
        if is_coo(input):  # which gets values of its own; what shares the old ones keeps them
            values = input._array.values
            if input._array.nnz:
                values = OPS["to"].function(OPS["mul"].function(values, other), input._dtype)
            return replace(input, with_values(input, values, input._array.nnz < 2))
        if input._array.nnz:
            OPS["mul_"].function(input._array.values, other)
        bump_version(input)
        return input
    if is_coo(input) and is_coo(other) and input._array.nnz and other._array.nnz:
        ordered = input._array.coalesced and other._array.coalesced
        check_result(input, other, " in mul operation" if ordered else "")
    if is_compressed(other) and not is_sparse(input):
        _wants_csr()
    if not is_sparse(input):
        check_result(input, other, " in add operation")
    result = mul(input, other)
    if not is_sparse(input):
        return OPS["copy_"].function(input, result.to_dense())
    if result._array.nnz:
        check_cast(result._dtype, input._dtype)
    values = OPS["to"].function(result._array.values, input._dtype)
    # A product with a dense tensor that is written into one by coordinates is not marked in PyTorch.
    flag = result._array.nnz < 2 if is_coo(input) and not is_sparse(other) else None
    return replace(input, with_values(result, values, flag))


register(mul=mul, mul_=mul_)
