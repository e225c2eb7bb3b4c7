"""Sums, products and quotients of sparse tensors with sparse and dense tensors and with numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import geometry
from ...backends.numpy.casts import cast as cast_array
from ...declare.by_signature import no_kernel as no_dtype
from ...declare.pointwise import common_dtype
from ...dispatch.registry import OPS, find
from ...dispatch.stations import no_kernel
from ...errors.reasons import Reason, refuse
from ...tensor.keys import KEY_META
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from ...tensor.write_checks import check_cast
from ...types import dtypes
from ...types.promotion import can_cast
from .accessors import no_backend
from .conversion import of_coordinates
from .copies import cast, clone
from .parts.checks import ready
from .parts.coalescing import coalesce, coordinates, linear, merged, narrowed
from .parts.merge import added, intersected
from .parts.same_indices import expected, into, replace, with_values
from .parts.tensors import (
    COMPRESSED,
    COO,
    compressed_kernel,
    coo,
    coo_kernel,
    fresh,
    int64,
    is_compressed,
    is_coo,
    is_sparse,
    layout_name,
)

if TYPE_CHECKING:
    from ...types.dtypes import dtype

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


# -- sums --------------------------------------------------------------------------------------------------------


def add(input: Any, other: Any, *, alpha: float = 1, out: Tensor | None = None) -> Any:
    """A sum; a dense tensor comes first."""
    if is_coo(input) and is_coo(other):
        return into(out, _fitted(_add_coo(input, other, alpha), out, "add"))
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


def _fitted(value: Tensor, out: Tensor | None, name: str) -> Tensor:
    """A result in the dtype of `out=`."""
    if out is None or not is_coo(out) or out._dtype is value._dtype:
        return value
    if not can_cast(value._dtype, out._dtype):
        one, two = value._dtype._type_name, out._dtype._type_name
        refuse(
            RuntimeError,
            f"Can't convert result type {one} to output {two} in {name} operation",
            f"the result is of {value._dtype}",
            f"out= of {value._dtype}",
            rule="out.dtype",
        )
    return cast(value, out._dtype)


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
        no_dtype("cadd_sparse" if in_rows else "add_out_sparse_cpu", d)
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
            from .parts.tensors import expects

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
        no_dtype("add_out_sparse_csr_impl_mkl", d)
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
    return _with_kind_of_indices(of_coordinates(_add_coo(_flat(a), _flat(b), alpha), one.layout), a)


def _flat(t: Tensor) -> Tensor:
    from .conversion import coo_of

    return coo_of(t)


def _with_kind_of_indices(t: Tensor, like: Tensor) -> Tensor:
    """The dtype of the indices: int32 if both operands have int32."""
    d = like._array.outer._dtype
    if t._array.outer._dtype is not d:
        t._array.outer, t._array.inner = (OPS["to"].function(p, d) for p in (t._array.outer, t._array.inner))
    return t


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
    from .conversion import coo_of

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
        from ...tensor.write_checks import check_writable

        check_writable(input)
        _add_to(input._array, other, alpha, input._dtype)
        bump_version(input)
        return input
    if is_coo(input) and is_coo(other):
        _check_result(input, other, " in add operation")
    if is_compressed(input) and not is_sparse(other):
        input.is_contiguous()  # raises: a sum with a dense tensor is dense
    result = add(input, other, alpha=alpha)
    return replace(input, cast(result, input._dtype))


def _check_result(input: Tensor, other: Tensor, where: str = "") -> None:
    d = common_dtype((input, other))
    if not can_cast(d, input._dtype):
        refuse(
            RuntimeError,
            f"Can't convert result type {d._type_name} to output {input._dtype._type_name}{where}",
            f"the result is of {d}",
            "x + y" if where == " in add operation" else "x * y",
            rule="write.dtype",
        )


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


# -- products ----------------------------------------------------------------------------------------------------


def _is_number(x: Tensor | complex) -> bool:
    return not isinstance(x, Tensor) or not is_sparse(x) and x._array.ndim == 0


def mul(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
    """An element-wise product: it has elements only where both operands have them."""
    if not is_sparse(input):
        input, other = other, input
    if not is_sparse(input):  # only out= is sparse
        no_backend(input, "_nnz")
    if _is_number(other):
        return into(out, with_values(input, _mul(input._array.values, other)))
    if is_coo(input) and is_coo(other):
        return into(out, _fitted(_mul_coo(input, other), out, "mul"))
    if is_compressed(input):
        return into(out, _mul_compressed(input, other))
    if is_compressed(other):
        return into(out, _mul_coo(input, _flat(other)))
    return into(out, _mul_dense(input, other))


def _mul_coo(a: Tensor, b: Tensor) -> Tensor:
    one, two = a._array, b._array
    if one.shape == two.shape and not (one.nnz and two.nnz):
        from .parts.empty import of_zeros

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
        from .parts.empty import of_zeros

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
            no_dtype("mul_out_sparse", a._dtype)
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
    size = geometry.broadcast(dense._array.shape, parts.shape)
    if isinstance(size, Reason):
        size.refuse()
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
        one, two = _flat(a), _flat(b) if is_compressed(b) else coalesce(b)
        return _with_kind_of_indices(of_coordinates(coalesce(_mul_coo(one, two)), a._array.layout), a)
    if a._array.shape != b._array.shape:
        refuse(
            RuntimeError,
            f"sparse_mask(): operands have incompatible sizes; self has size {list(b._array.shape)} but mask has size "
            f"{list(a._array.shape)}",
            "compressed tensors do not broadcast",
            "dense.expand_as(sparse)",
            rule="sparse.size",
        )
    from .mask import sparse_mask

    if a._dtype._name == b._dtype._name == "bool" and a._array.nnz:
        no_dtype("mul_out_sparse", a._dtype)
    return with_values(a, _mul(a._array.values, sparse_mask(b, a)._array.values))


def _wants_csr() -> None:
    words = "Expected result Tensor to be of format CSR"
    refuse(RuntimeError, words, "products of other layouts have no kernel", rule="sparse.layout")


def mul_(input: Tensor, other: Any) -> Tensor:
    """A product that is written into its first operand."""
    if is_sparse(input) and _is_number(other):
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
        _check_result(input, other, " in mul operation" if ordered else "")
    if is_compressed(other) and not is_sparse(input):
        _wants_csr()
    if not is_sparse(input):
        _check_result(input, other, " in add operation")
    result = mul(input, other)
    if not is_sparse(input):
        return OPS["copy_"].function(input, result.to_dense())
    if result._array.nnz:
        check_cast(result._dtype, input._dtype)
    values = OPS["to"].function(result._array.values, input._dtype)
    # A product with a dense tensor that is written into one by coordinates is not marked in PyTorch.
    flag = result._array.nnz < 2 if is_coo(input) and not is_sparse(other) else None
    return replace(input, with_values(result, values, flag))


def _on_one_device(kernel: Callable) -> Callable:
    """A kernel of two operands that refuses one with numbers beside one without."""

    @wraps(kernel)
    def checked(input: Any, other: Any, *args: Any, **named: Any) -> Any:
        if isinstance(input, Tensor) and isinstance(other, Tensor) and (input._keys ^ other._keys) & KEY_META:
            message = "Values and crow_indices need to be on the same device."
            because = "one of the tensors is on the meta device, and has no numbers"
            refuse(RuntimeError, message, because, "x.to('meta'), for both of them", rule="sparse.meta")
        return kernel(input, other, *args, **named)

    return checked


_BOTH: dict[str, Callable] = {"add": add, "add_": add_, "sub": sub, "sub_": sub_, "mul": mul, "mul_": mul_}

for _name, _kernel in _BOTH.items():
    coo_kernel(_name)(_kernel)
    compressed_kernel(_name)(_on_one_device(_kernel))


# -- quotients and powers ----------------------------------------------------------------------------------------


def _divisor(other: Any, words: str) -> None:
    if not _is_number(other):
        got = (
            "a sparse divisor"
            if is_sparse(other) and other._array.ndim == 0
            else f"shape {list(other._array.shape)} for divisor"
        )
        refuse(
            RuntimeError,
            f"{words} requires a scalar or zero-dim dense tensor divisor (got {got})",
            "elements that are not stored would become 0 / divisor, which is not 0 for a divisor of 0",
            "x * (1 / dense)",
            rule="sparse.divisor",
        )


@coo_kernel("div")
def div(input: Tensor, other: Tensor | float, *, rounding_mode: str | None = None, out: Tensor | None = None) -> Tensor:
    _divisor(other, "Sparse division")
    t = input if rounding_mode is None else coalesce(input)
    return into(
        out, with_values(t, OPS["div"].function(t._array.values, other, rounding_mode=rounding_mode), apart=True)
    )


@coo_kernel("div_")
def div_(input: Tensor, other: int, *, rounding_mode: str | None = None) -> Tensor:
    result = div(input, other, rounding_mode=rounding_mode)
    check_cast(result._dtype, input._dtype)
    if rounding_mode is None and result._dtype is input._dtype:  # in the values, which others may share
        OPS["copy_"].function(input._array.values, result._array.values)
        bump_version(input)
        return input
    return replace(
        input,
        result
        if result._dtype is input._dtype
        else with_values(result, OPS["to"].function(result._array.values, input._dtype)),
    )


@coo_kernel("floor_divide")
def floor_divide(input: Tensor, other: int, *, out: Tensor | None = None) -> Tensor:
    _divisor(other, "Sparse floor division")
    t = coalesce(input)
    return into(out, with_values(t, OPS["floor_divide"].function(t._array.values, other), apart=True))


@coo_kernel("floor_divide_")
def floor_divide_(input: Tensor, other: int) -> Tensor:
    _divisor(other, "Sparse floor division")
    t = coalesce(input)
    return replace(input, with_values(t, OPS["floor_divide"].function(t._array.values, other)))


def _power(name: str) -> Any:
    def kernel(input: Any, exponent: Tensor | float, *, out: Tensor | None = None) -> Tensor:
        if not is_coo(input) or isinstance(exponent, Tensor):
            no_kernel(
                find("pow"),
                COO,
                ("pow.Scalar" if not is_coo(input) and not isinstance(input, Tensor) else "pow.Tensor_Tensor")
                + ("" if out is None else "_out"),
            )
        if exponent == 0:
            refuse(
                RuntimeError,
                "pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor dense",
                "0 to the power of 0 is 1",
                "x.to_dense() ** 0",
                rule="sparse.power",
            )
        t = coalesce(input)
        result = OPS[name].function(t._array.values, exponent)
        if name == "pow":
            check_cast(result._dtype, input._dtype)
        return into(out, with_values(t, result, apart=True))

    return kernel


coo_kernel("pow")(_power("pow"))
coo_kernel("float_power")(_power("float_power"))


@coo_kernel("square")
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    return into(out, OPS["pow"].function(input, 2))
