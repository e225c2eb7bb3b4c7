"""Sums and differences of sparse tensors with sparse and dense tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....backends.numpy.casts import cast as cast_array
from ....declare.pointwise import common_dtype
from ....dispatch.registry import OPS, find
from ....dispatch.stations import no_kernel
from ....errors.reasons import refuse
from ....tensor.tensor import Tensor
from ....tensor.versions import bump_version
from ....tensor.write_checks import check_cast, check_writable
from ....types import dtypes
from ....types.dtype_refusals import refuse_dtype
from ..conversion import coo_of, of_coordinates
from ..copies import cast, clone
from ..parts.checks import ready
from ..parts.coalescing import coordinates, linear, merged, narrowed
from ..parts.merge import added
from ..parts.same_indices import expected, into, replace, with_values
from ..parts.tensors import (
    COMPRESSED,
    coo,
    expects,
    fresh,
    int64,
    is_compressed,
    is_coo,
    is_sparse,
    layout_name,
)
from .results import check_result, fitted, register, with_kind_of_indices

if TYPE_CHECKING:
    from ....types.dtypes import dtype

_mul = OPS["mul"].function


def _same_size(a: Tensor, b: Tensor) -> None:
    if a._array.shape != b._array.shape:
        refuse(
            RuntimeError,
            f"add: expected sizes of 'self' and 'other' to match, but {list(a._array.shape)} != {list(b._array.shape)}",
            "sparse tensors do not broadcast",
            rule="sparse.size",
        )


def _scaled(t: Tensor, alpha: float, d: dtype) -> np.ndarray:
    """The values of a tensor times a number, in a dtype."""
    values = cast_array(t._array.values._array, d)
    return values if alpha == 1 else cast_array(_mul(fresh(values, d), alpha)._array, d)


def _check_alpha(d: dtype, alpha: float) -> None:
    if (
        type(alpha) is not bool
        and d._name == "bool"
        or isinstance(alpha, float)
        and not (d.is_floating_point or d.is_complex)
    ):
        OPS["add"].function(*[fresh(np.zeros(1, d._in_numpy), d)] * 2, alpha=alpha)  # raises


def add(input: Any, other: Any, *, alpha: float = 1, out: Tensor | None = None) -> Any:
    """A sum; a dense tensor comes first."""
    if is_coo(input) and is_coo(other):
        return into(out, fitted(_add_coo(input, other, alpha), out, "add"))
    if is_compressed(input) and is_compressed(other):
        return into(out, _add_compressed(input, other, alpha))
    if is_sparse(input) and is_sparse(other):
        refuse(
            RuntimeError,
            "memory format option is only supported by strided tensors" if is_coo(input) else
            "expected both operands of add to be sparse compressed tensors",
            f"one has layout={input._array.layout}, the other {other._array.layout}",
            "x.to_sparse() + y.to_sparse()",
            rule="sparse.mixed",
        )  # fmt: skip
    if out is not None and is_sparse(out) and not is_coo(input):
        expected("!r.is_sparse()", "a sum with a dense tensor is dense")
    number = not isinstance(input, Tensor)
    if is_coo(input) or is_coo(other) and number and alpha == 1 and other._array.ndim:
        refuse(
            RuntimeError,
            "add(sparse, dense) is not supported. Use add(dense, sparse) instead.",
            "adding a number or a dense tensor gives a dense result",
            "dense + sparse" if isinstance(other, Tensor) else "x.to_dense() + number",
            rule="sparse.dense_sum",
        )
    if is_compressed(input):  # PyTorch accepts compressed operands in either order
        input, other = other, input
    return into(out, _add_dense(input, other, alpha))


def _add_coo(a: Tensor, b: Tensor, alpha: float) -> Tensor:
    _same_size(a, b)
    one, two = a._array, b._array
    if one.nnz and two.nnz and one.sparse_dim != two.sparse_dim:
        refuse(
            RuntimeError,
            "add: expected 'self' and 'other' to have same density, but 'self' has "
            f"{one.sparse_dim} sparse dimensions while 'other' has {two.sparse_dim} sparse dimensions",
            "they keep elements of different sizes",
            rule="sparse.dims",
        )
    d = common_dtype((a, b))
    _check_alpha(d, alpha)
    if not two.nnz:
        return cast(clone(a), d)
    if not one.nnz:
        if d._name == "bool":
            check_cast(dtypes.int64, d)  # PyTorch multiplies by alpha, a whole number
        return with_values(b, fresh(_scaled(b, alpha, d).copy(), d), apart=True)
    in_rows = one.values._array.flags.c_contiguous and two.values._array.flags.c_contiguous
    if d._name in ("bool", "float16") or d._name == "bfloat16" and not in_rows:
        refuse_dtype("cadd_sparse" if in_rows else "add_out_sparse_cpu", d)
    ready(one)
    ready(two)
    if not in_rows:
        values = np.concatenate([cast_array(one.values._array, d), _scaled(b, alpha, d)])
        indices = np.concatenate([one.indices._array, two.indices._array], 1)
        if len(values) > a._array.size:
            indices, values = merged(indices, values, one.shape)
        return coo(int64(indices), fresh(values, d), one.shape, False)
    both = one.coalesced and two.coalesced
    sparse = one.shape[: one.sparse_dim]
    first, second = linear(one.indices._array, sparse), linear(two.indices._array, sparse)
    keys, values = added(first, cast_array(one.values._array, d), second, _scaled(b, alpha, d), both)
    return coo(narrowed(coordinates(keys, sparse), one.nnz + two.nnz), fresh(values, d), one.shape, both)


def _add_compressed(a: Tensor, b: Tensor, alpha: Any) -> Tensor:
    _same_size(a, b)
    one, two = a._array, b._array
    if a is b and one.layout.name != "sparse_csr":  # the one sum of such matrices that PyTorch has
        return with_values(a, OPS["add"].function(one.values, one.values, alpha=alpha))
    for t in (one, two):
        if t.layout.name != "sparse_csr":
            expects(a if t is one else b, "crow_indices", "sparse row compressed")
    d = common_dtype((a, b))
    if a._dtype is not b._dtype and one.nnz and two.nnz:
        result = b._dtype if a._dtype is d else a._dtype
        refuse(
            RuntimeError,
            f"expected scalar type {d._type_name} but found {result._type_name}",
            "sums of compressed tensors do not promote dtypes",
            f"x.to({d})",
            rule="sparse.dtype",
        )
    if d._name not in ("float32", "float64", "complex64", "complex128") and one.nnz and two.nnz:
        refuse_dtype("add_out_sparse_csr_impl_mkl", d)
    if one.batch_dim:
        for own, other in ((one.outer, two.outer), (one.inner, two.inner)):
            if not np.array_equal(own._array, other._array):
                refuse(
                    RuntimeError,
                    "sums of batches of compressed matrices are added where both have the same indices",
                    "each matrix of a batch keeps as many elements as the others",
                    "x.to_dense() + y.to_dense()",
                    rule="sparse.batch",
                )
        return with_values(a, OPS["add"].function(one.values, two.values, alpha=alpha))
    return with_kind_of_indices(of_coordinates(_add_coo(coo_of(a), coo_of(b), alpha), one.layout), a)


def _add_dense(dense: Any, sparse: Tensor, alpha: Any) -> Tensor:
    size = dense._array.shape if isinstance(dense, Tensor) else ()
    if size != sparse._array.shape:
        which = "dense" if is_coo(sparse) else "op2"
        refuse(
            RuntimeError,
            f"add: expected 'self' and 'other' to have same size, but self has size {list(size)} while other has size "
            f"{list(sparse._array.shape)} (FYI: {which}-sparse addition does not currently support broadcasting)",
            "sparse tensors do not broadcast",
            "dense.expand_as(sparse) + sparse",
            rule="sparse.size",
        )
    d = common_dtype((dense, sparse))
    _check_alpha(d, alpha)
    own = dense._array if isinstance(dense, Tensor) else np.asarray(dense)
    result = fresh(np.array(cast_array(own, d), order="C", copy=True), d)
    _add_to(result._array, sparse, alpha, d)
    return result


def _add_to(target: np.ndarray, sparse: Tensor, alpha: int, d: dtype) -> None:
    t = sparse if is_coo(sparse) else coo_of(sparse)
    parts = t._array
    ready(parts)
    values, rows = _scaled(t, alpha, d), tuple(parts.indices._array)
    if not rows:
        target += values.sum(0)
    elif parts.coalesced:
        target[rows] += values
    else:
        np.add.at(target, rows, values)


def add_(input: Tensor, other: Tensor, *, alpha: int = 1) -> Tensor:
    """A sum that is written into its first operand."""
    if not is_sparse(input) and is_sparse(other):
        if input._array.shape != other._array.shape:
            _add_dense(input, other, alpha)  # raises
        check_cast(common_dtype((input, other)), input._dtype)
        check_writable(input)
        _add_to(input._array, other, alpha, input._dtype)
        bump_version(input)
        return input
    if is_coo(input) and is_coo(other):
        check_result(input, other, " in add operation")
    if is_compressed(input) and not is_sparse(other):
        input.is_contiguous()  # raises: a sum with a dense tensor is dense
    result = add(input, other, alpha=alpha)
    return replace(input, cast(result, input._dtype))


def sub(input: Tensor | int, other: Tensor, *, alpha: int = 1, out: Tensor | None = None) -> Any:
    """A difference: the sum with the negative."""
    _no_bools(input, other)
    if is_compressed(input) or is_compressed(other):
        if out is not None:
            no_kernel(find("sub"), COMPRESSED, "sub.out")
        _no_compressed(input, other)
    return add(input, other, alpha=-alpha, out=out)


def sub_(input: Tensor, other: Tensor, *, alpha: int = 1) -> Tensor:
    _no_bools(input, other)
    if is_compressed(input) or is_compressed(other):
        _no_compressed(input, other)
    return add_(input, other, alpha=-alpha)


def _no_bools(input: Tensor | int, other: Tensor) -> None:
    """Refuse the difference of bool tensors, as for dense tensors."""
    OPS["sub"].function(
        *[fresh(np.zeros(1, x._dtype._in_numpy), x._dtype) if isinstance(x, Tensor) else x for x in (input, other)]
    )


def _no_compressed(*operands: Any) -> None:
    first = next(t for t in operands if is_sparse(t))
    refuse(
        RuntimeError,
        f"unsupported tensor layout: {layout_name(first)}",
        "this op has no kernel for compressed tensors",
        "x.to_sparse()",
        "x.to_dense()",
        rule="sparse.layout",
    )


register(add=add, add_=add_, sub=sub, sub_=sub_)
