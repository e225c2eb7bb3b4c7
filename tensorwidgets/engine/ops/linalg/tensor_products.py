"""Outer, inner and Kronecker products, products over several dimensions, chains of matrices: made of other ops."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any

from ... import geometry
from ...declare.rules import composite_row
from ...dispatch.registry import OPS
from ...errors.reasons import refuse, sure
from ...errors.warnings import warn
from ...tensor.must_be_tensor import must_be_tensor, must_have
from ...tensor.results import check_out, copy_to
from ...tensor.tensor import Tensor
from ...tensor.wrapping import alias_of
from ...types.dtypes import COMPLEX
from .products import refuse_dtypes, refuse_ndim

_row = partial(composite_row, family="matmul")


def _do(name: str, *args: Any, out: Tensor | None = None) -> Tensor:
    return OPS[name].function(*args, **({} if out is None else {"out": out}))


@_row("outer", "Computes the outer product of two vectors.", "ger", category="blas_lapack")
def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    for position, (t, name) in enumerate(((input, "self"), (vec2, "vec2")), 1):
        if must_be_tensor("outer", t, "input" if position == 1 else name, position)._array.ndim != 1:
            refuse_ndim(
                f"outer: Expected 1-D argument {name}, but got {t._array.ndim}-D",
                "outer multiplies two vectors",
                "torch.einsum('...i,j->...ij', a, b)",
            )
    return _do("mul", _do("unsqueeze", input, 1), vec2, out=out)


_OF_OUT = "tensordot: Expected the output tensor to have dtype {Wanted}, but got an output tensor with dtype {Got}"


@_row("inner", "Computes the sum of products along the last dimension of both tensors.", category="blas_lapack")
def inner(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    must_be_tensor("inner", input)
    must_be_tensor("inner", other, "other", 2)
    if not input._array.ndim or not other._array.ndim:
        return _do("mul", input, other, out=out)
    x, y = input._array.shape, other._array.shape
    if x[-1] != y[-1]:
        refuse(
            RuntimeError,
            f"inner() the last dimension must match on both input tensors but got shapes {list(x)} and {list(y)}",
            f"the last dimension has {x[-1]} elements in one and {y[-1]} in the other",
            rule="matmul.size",
            sizes=(x, y),
        )
    if input._dtype is not other._dtype:
        refuse_dtypes("both inputs should have same dtype", input, other)
    if len(x) == len(y) == 1:
        check_out(input._dtype, out, _OF_OUT)
        return _do("dot", input, other, out=out)
    return tensordot(input, other, ([-1], [-1]), out=out)


@_row("vdot", "Computes the dot product of two vectors, the first one conjugated.", category="blas_lapack")
def vdot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    must_be_tensor("vdot", input)
    must_be_tensor("vdot", other, "other", 2)
    if input._dtype._kind == COMPLEX:
        input = _do("conj_physical", input)
    return _do("dot", input, other, out=out)


# -- over several dimensions -------------------------------------------------------------------------------------


def _dims(a: Tensor, b: Tensor, dims: Any) -> tuple[list[int], list[int]]:
    """Returns the dimensions of both operands that are summed."""
    if isinstance(dims, Tensor):
        if dims.numel() > 1 and len(dims) != 2:
            message = f"dims tensor must have size 2 in first dimension, got {len(dims)}"
            _refuse_dims(message, "one row of dimensions for each tensor", error=AssertionError)
        dims = dims.tolist() if dims.numel() > 1 else int(dims)
    if isinstance(dims, int):
        if dims < 0:
            _refuse_dims(
                f"tensordot expects dims >= 0, but got dims={dims}", "dims counts the dimensions that are summed"
            )
        must_have(a, "dim", "tensordot")
        must_have(b, "dim", "tensordot")
        if dims > min(a._array.ndim, b._array.ndim):
            _refuse_dims(
                f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}",
                f"the tensors have {a._array.ndim} and {b._array.ndim} dimensions",
            )
        return list(range(-dims, 0)), list(range(dims))
    if isinstance(dims, (list, tuple)) and len(dims) != 2:  # Python's own words for two names and another count
        few = f"not enough values to unpack (expected 2, got {len(dims)})"
        _refuse_dims(
            few if len(dims) < 2 else "too many values to unpack (expected 2)",
            "one list of dimensions for each tensor",
            error=ValueError,
        )
    if not isinstance(dims, (list, tuple)):
        _refuse_dims(
            "tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] containing two lists, "
            f"but got dims={dims}",
            "one list of dimensions for each tensor",
        )
    must_be_tensor("tensordot", a)
    must_be_tensor("tensordot", b, "other", 2)
    for position, (name, given) in enumerate(zip(("dims_self", "dims_other"), dims, strict=True), 3):
        if isinstance(given, int):
            refuse(
                TypeError,
                f"tensordot(): argument '{name}' (position {position}) must be tuple of ints, not int",
                "one list of dimensions for each tensor",
                f"dims=([{dims[0]}], [{dims[1]}])",
                rule="tensordot.dims",
            )
    first, second = dims
    return list(first), list(second)


def _refuse_dims(message: str, words: str, *ways: str, error: type[Exception] = RuntimeError) -> None:
    refuse(error, message, words, *ways, rule="tensordot.dims")


def _wrapped(dims: list[int], ndim: int) -> list[int]:
    result = sure(geometry.wrap_dims(tuple(dims), ndim))
    return list(result)


@_row(
    "tensordot",
    "Computes the sum of products of two tensors over the given dimensions.",
    category="other",
    forms="function",
)
def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    first, second = _dims(a, b, dims)
    if len(first) != len(second):
        _refuse_dims("both dimension lists should have same length", f"{len(first)} dimensions meet {len(second)}")
    if a._dtype is not b._dtype:
        refuse_dtypes("both inputs should have same dtype", a, b)
    for t, dim in ((t, dim) for pair in zip(first, second, strict=True) for t, dim in zip((a, b), pair, strict=True)):
        if not t._array.ndim:
            refuse(
                IndexError,
                f"Dimension specified as {dim} but tensor has no dimensions",
                "a zero-dimensional tensor has nothing to sum over",
                "a * b",
                rule="dim.range",
            )
    x, y = a._array.shape, b._array.shape
    longer: tuple[list[int], list[int]] = [], []
    for i, j in zip(first, second, strict=True):
        n, m = x[_wrapped([i], len(x))[0]], y[_wrapped([j], len(y))[0]]
        if n != m and n != 1 and m != 1:
            _refuse_dims(
                f"contracted dimensions need to match, but first has size {n} in dim {i} and second has size {m} "
                f"in dim {j}",
                f"{n} elements of one have no partner among {m}",
            )
        if n != m:
            longer[n == 1].append(j if n == 1 else i)
    first, second = _wrapped(first, len(x)), _wrapped(second, len(y))
    # A dimension of size 1 broadcasts: the other operand is summed first.
    a, b = (
        OPS["sum"].function(t, dims, True, dtype=t._dtype) if dims else t
        for t, dims in zip((a, b), longer, strict=True)
    )
    x, y = a._array.shape, b._array.shape
    left = [d for d in range(len(x)) if d not in first]
    right = [d for d in range(len(y)) if d not in second]
    inside = prod(x[d] for d in first)
    rows, columns = prod(x[d] for d in left), prod(y[d] for d in right)
    one, two = _do("permute", a, [*left, *first]), _do("permute", b, [*second, *right])
    if rows != 1 or columns != 1:
        product = _do("mm", _do("reshape", one, [rows, inside]), _do("reshape", two, [inside, columns]))
    elif one.is_contiguous() and two.is_contiguous():
        product = _do("dot", _do("flatten", one), _do("flatten", two))
    else:
        product = _do("sum", _do("mul", _do("squeeze", one), _do("squeeze", two)))
    result = _do("reshape", product, [*[x[d] for d in left], *[y[d] for d in right]])
    return copy_to(out, result, _OF_OUT)


@_row("kron", "Computes the Kronecker product of two tensors.", category="other")
def kron(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    must_be_tensor("kron", input)
    must_be_tensor("kron", other, "other", 2)
    x, y = input._array.shape, other._array.shape
    ndim = max(len(x), len(y))
    x, y = (1,) * (ndim - len(x)) + x, (1,) * (ndim - len(y)) + y
    one = _do("reshape", input, [n for pair in zip(x, (1,) * ndim, strict=True) for n in pair])
    two = _do("reshape", other, [n for pair in zip((1,) * ndim, y, strict=True) for n in pair])
    # A result of other strides is only refused where it is not written into out=.
    laid = OPS["view" if out is None else "reshape"].function
    result = laid(_do("mul", one, two), [n * m for n, m in zip(x, y, strict=True)])
    return copy_to(out, alias_of(result, share_version=False))  # in PyTorch it is not a view


# -- chains ------------------------------------------------------------------------------------------------------


CHAIN_MATMUL_DEPRECATED = (
    "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use torch.linalg.multi_dot "
    "instead, which accepts a list of two or more tensors rather than multiple parameters."
)


@_row(
    "chain_matmul",
    "Computes the product of several matrices in the order that needs the fewest multiplications.",
    category="blas_lapack",
    forms="function",
)
def _chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    warn(CHAIN_MATMUL_DEPRECATED, once=True)
    if not matrices:
        refuse(
            RuntimeError,
            "chain_matmul(): Expected one or more matrices",
            "the list of matrices is empty",
            rule="matmul.chain",
        )
    for t in matrices:
        if t._array.ndim != 2:
            refuse_ndim(
                f"Tensor dimension is {t._array.ndim}, expected 2 instead.", "a chain is made of matrices", "x[None]"
            )
    return OPS["clone"].function(matrices[0]) if len(matrices) == 1 else _do("linalg.multi_dot", matrices, out=out)
