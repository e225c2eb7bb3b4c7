"""Element-wise functions that map zero to zero: the values change, the coordinates stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dispatch.registry import OPS, find
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from .parts.coalescing import coalesce
from .parts.same_indices import expected, into, view_kernel, with_values
from .parts.tensors import COMPRESSED, COO, compressed_kernel, coo, coo_kernel, is_coo, is_sparse, layout_name

EACH = (
    "abs", "asin", "asinh", "atan", "atanh", "ceil", "deg2rad", "erf", "erfinv", "expm1", "floor", "frac", "log1p",
    "nan_to_num", "rad2deg", "relu", "round", "sgn", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
)  # fmt: skip
"""Functions that need coalesced input, because they are not additive."""

TRUTHS = ("isinf", "isnan", "isneginf", "isposinf", "signbit")

LINEAR = ("neg", "conj_physical", "resolve_conj", "resolve_neg")
"""These may be done to the parts of a sum."""


def _of_values(name: str, together: bool) -> Callable:
    def kernel(input: Tensor, *args: Any, out: Tensor | None = None, **named: Any) -> Tensor:
        if out is not None and (is_coo(input) != is_coo(out) or not is_sparse(input)):
            expected("self.is_sparse() && result.is_sparse()", "out= has the layout of the input")
        if args or named:
            _no_arguments(name, input)
        if out is input and together and is_coo(input) and not input._array.coalesced:
            expects_coalesced()
        t = coalesce(input) if together and is_coo(input) else input
        return into(out, with_values(t, OPS[name].function(t._array.values, *args, **named)))

    return kernel


def expects_coalesced() -> None:
    refuse(
        RuntimeError,
        "expected coalesced tensor for inplace operation",
        "duplicate coordinates mean the sum of their values, which is not stored",
        "x.coalesce()",
        rule="sparse.uncoalesced",
    )


def _no_arguments(name: str, input: Tensor) -> None:
    """Refuse arguments of the one function whose kernel knows none here."""
    if name not in ("round", "round_"):
        return
    if is_coo(input):
        no_kernel(find(name), COO, f"{name}.decimals")
    refuse(
        RuntimeError,
        f"unsupported tensor layout: {layout_name(input)}",
        "compressed tensors are rounded to whole numbers only",
        "x.to_dense().round(decimals=…)",
        rule="sparse.layout",
    )


def _in_place(name: str, together: bool) -> Callable:
    def kernel(input: Tensor, *args: Any, **named: Any) -> Tensor:
        if args or named:
            _no_arguments(name, input)
        if together and is_coo(input) and not input._array.coalesced:
            refuse(
                RuntimeError,
                f"{name} requires coalesced input",
                "duplicate coordinates mean the sum of their values, which is not stored",
                f"x.coalesce().{name}()",
                rule="sparse.uncoalesced",
            )
        OPS[name].function(input._array.values, *args, **named)
        bump_version(input)
        return input

    return kernel


for _names, _together in ((EACH, True), (TRUTHS, True), (LINEAR, False)):
    for _name in _names:
        coo_kernel(_name)(_of_values(_name, _together))
        if _name not in ("nan_to_num",):
            compressed_kernel(_name)(_of_values(_name, _together))
        if _name + "_" in OPS:
            coo_kernel(_name + "_")(_in_place(_name + "_", _together))
            if _name not in ("nan_to_num",):
                compressed_kernel(_name + "_")(_in_place(_name + "_", _together))
compressed_kernel("angle")(_of_values("angle", True))


@coo_kernel("positive")
@compressed_kernel("positive")
def itself(input: Tensor) -> Tensor:
    OPS["positive"].function(input._array.values)  # raises for bool
    return input


@coo_kernel("conj")
@compressed_kernel("conj")
def conj(input: Tensor) -> Tensor:
    if not input._dtype.is_complex:
        return input
    return with_values(input, OPS["conj_physical"].function(input._array.values))


def _part(name: str) -> Callable:
    def kernel(input: Tensor) -> Tensor:
        result = OPS[name].function(input._array.values)
        if result is input._array.values:
            return input
        if result._array.ndim > input._array.values._array.ndim:
            parts = input._array
            return coo(parts.indices, result, (*parts.shape, 2), parts.coalesced, parts.checked)
        return with_values(input, result, input._array.nnz < 2)  # of the same memory

    return kernel


for _name in ("real", "imag", "view_as_real"):
    coo_kernel(_name)(view_kernel(_part(_name)))


def _no_part(name: str) -> Callable:
    def kernel(input: Tensor) -> Tensor:
        if input._dtype.is_complex:
            no_kernel(find(name), COMPRESSED, "view_as_real")
        OPS[name].function(input._array.values)  # raises for the imaginary part of real numbers
        return input

    return kernel


for _name in ("real", "imag"):
    compressed_kernel(_name)(_no_part(_name))
