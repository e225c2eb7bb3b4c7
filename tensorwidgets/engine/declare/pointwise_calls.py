"""The wrappers by which users call pointwise ops: a fast way for small plain tensors, and the long one.

The fast way computes nothing that the long one would compute otherwise; whatever is unusual goes the long way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..backends.numpy.chunks import THREADED
from ..backends.numpy.sums.scaled_sum import add_scaled, scaled_sum
from ..backends.numpy.without_warnings import run
from ..calling.arguments import as_number
from ..dispatch import registry, stations
from ..dispatch.called_as import called_method
from ..dispatch.registry import Op, watching
from ..dispatch.stations import long_route, publish
from ..errors.reasons import refuse
from ..tensor.keys import KEY_AUTOGRAD
from ..tensor.must_be_tensor import must_be_tensor
from ..tensor.tensor import Tensor
from ..tensor.thread_state import state
from ..tensor.versions import bump_version
from ..types.dtypes import FLOAT, float32, float64
from . import fast_calls
from .fast_calls import MISSING, NO_GRAD, PLAIN
from .pointwise import Pointwise
from .pointwise_runs import run_inplace, run_plain


def operand(op_name: str, value: Tensor | complex, position: int, name: str = "other", numbers: bool = True) -> Any:
    """An argument as a tensor or a number, or PyTorch's refusal."""
    if isinstance(value, Tensor) or numbers and isinstance(value, (bool, int, float, complex)):
        return value
    if numbers and isinstance(value, np.generic):
        return as_number(value)
    method = called_method()
    if method is not None:
        op_name, position = method, 1
    return must_be_tensor(op_name, value, name, position, f"{op_name} works on tensors" + " and numbers" * numbers)


ONE_WAY = frozenset(("add", "sub", "mul", "div"))
"""Ops whose one signature takes tensors and numbers alike, even two numbers."""


def check_numbers(op_name: str, input: Tensor | complex, other: Tensor | complex, either: bool) -> None:
    """Refuse operands of which none is a tensor, or one is neither a tensor nor a number.

    The second operand may be a number, or `either` one. Only floor_divide takes two numbers.
    """
    first, second = isinstance(input, Tensor), isinstance(other, Tensor)
    numbers = (bool, int, float, complex, np.generic)
    if (first or either and isinstance(input, numbers)) and (second or isinstance(other, numbers)):
        if first or second or op_name == "floor_divide":
            return
    called = op_name.replace(".", "_")
    kinds = ", ".join("Tensor" if isinstance(v, Tensor) else type(v).__name__ for v in (input, other))
    ways = [("Tensor", "Tensor"), ("Tensor", "Number")] + [("Number", "Tensor")] * either
    refuse(
        TypeError,
        f"{called}() received an invalid combination of arguments - got ({kinds}), but expected one of:\n"
        + "".join(f" * ({a} input, {b} other, *, Tensor out = None)\n" for a, b in ways),
        f"{op_name} needs at least one tensor" if either else "the first operand has to be a tensor",
        f"torch.{op_name}(torch.tensor({input!r}), …)",
        rule="argument.type",
    )


def given(*args: Any) -> tuple:
    """The arguments without those that are missing."""
    return tuple([a for a in args if a is not MISSING])


def bind_unary(op: Op) -> Callable:
    """The wrapper of an op with one operand."""

    def plain(input: Tensor, *, out: Tensor | None = None) -> Tensor:
        return run_plain(op, (must_be_tensor(op.name, input),), out)

    def otherwise(input: Any = MISSING, /, *rest: Any, **more: Any) -> Tensor:
        if input is MISSING and not rest and "input" in more:
            input = more.pop("input")
        if type(input) in PLAIN and not (input._keys or rest or more or watching):
            return plain(input)
        return long_route(op, given(input, *rest), more)  # type: ignore[no-any-return]

    return publish(op, fast_calls.unary(op, otherwise), plain)


def bind_binary(op: Op, adjust: Callable | None = None) -> Callable:
    """The wrapper of an op with two operands.

    `adjust` handles further keywords: it returns the operands (alpha), or also another rule (rounding_mode).
    """
    rule: Pointwise = op.rule  # type: ignore[assignment]

    def plain(input: Tensor | complex, other: Tensor | float, *, out: Tensor | None = None, **more: Any) -> Tensor:
        if op.name not in ONE_WAY and rule.numbers != "none":
            check_numbers(op.name, input, other, rule.numbers == "both")
        operands = (
            operand(op.name, input, 1, "input", rule.numbers == "both"),
            operand(op.name, other, 2, "other", rule.numbers != "none"),
        )
        other_row = None
        if more:
            operands, other_row = _adjusted(op, adjust, operands, more)
        return run_plain(op, operands, out, other_row)

    def otherwise(input: Tensor | complex, other: Tensor | complex) -> Any:
        return long_route(op, (input, other), {})

    compute = fast_calls.binary(op, otherwise)
    takes_other = op.name not in ("pow", "float_power") and "_polynomial_" not in op.name

    def call(input: Any = MISSING, other: Any = MISSING, /, *rest: Any, **more: Any) -> Tensor:
        if other is not MISSING and not (rest or more):
            return compute(input, other)  # type: ignore[no-any-return]
        if len(more) == 1 and other is MISSING and takes_other and type(input) in PLAIN:
            other = more.get("other")
            if type(other) in PLAIN:
                return compute(input, other)  # type: ignore[no-any-return]
            other = MISSING
        return long_route(op, given(input, other, *rest), more)  # a refusal says which operands were given by name

    return publish(op, call, plain)


def _adjusted(op: Op, adjust: Callable | None, operands: tuple, more: dict) -> tuple[tuple, Pointwise | None]:
    known: Any = () if adjust is None else adjust.__kwdefaults__
    for name in more:
        if name not in known:
            refuse(TypeError, f"{op.name}() got an unexpected keyword argument '{name}'", rule="argument.unknown")
    assert adjust is not None
    return adjust(op.name, *operands, **more)


def _counts(t: Tensor) -> bool:
    """Whether what is special about a tensor matters to a write: more than a gradient that nobody records."""
    return t._keys != KEY_AUTOGRAD or t._base is not None or state.__dict__ != NO_GRAD


def _scaling(ufunc: Callable, more: dict[str, Any]) -> Callable | None:
    """A sum or difference with a usual factor, the only further argument; None if it is anything else."""
    alpha: Any = more.get("alpha")
    if type(alpha) in PLAIN and not alpha._keys and not alpha._array.ndim and alpha._dtype._kind == FLOAT:
        alpha = alpha.item()  # what a loop multiplies by is often the result of an op, as in LBFGS
    if type(alpha) is not float or len(more) > 1 or not -1e30 < alpha < 1e30:
        return None
    factor = -alpha if ufunc is np.subtract else alpha

    def compute(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
        if a.shape == b.shape and b.flags.c_contiguous:
            add_scaled(out.reshape(-1), b.reshape(-1), factor)
        else:
            scaled_sum(a, b, factor, out)

    return compute


def unrelated(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors certainly do not share memory."""
    if a._base is None and b._base is None and a._storage is None:
        return a is not b
    one = a if a._base is None else a._base
    two = b if b._base is None else b._base
    return one is not two and (one._storage is None or one._storage is not two._storage)


def inplace_unary(op: Op) -> Callable:
    """The `_` form of an op with one operand."""

    rule: Pointwise = op.rule  # type: ignore[assignment]
    ufunc = fast_calls.kernel_of(rule)
    fast = rule.fast & _FLOATS if rule.promotion in ("same", "float") and rule.check is None else frozenset()

    def plain(input: Tensor) -> Tensor:
        return run_inplace(op, (must_be_tensor(op.name, input),))

    def call(input: Any = MISSING, /, *rest: Any, **more: Any) -> Tensor:
        if type(input) in PLAIN and not rest and not more and not watching and input._dtype in fast:
            a = input._array
            if not (input._keys and _counts(input)) and type(a) is np.ndarray and a.flags.carray and a.size < THREADED:
                try:
                    run(ufunc, a, a)
                except (RuntimeError, TypeError):
                    return slow(input)
                bump_version(input)
                return input
            a = None  # so that only tensors refer to it: see `tensor/moving/views_beside`
        return slow(input, *rest, **more) if input is not MISSING else slow(*rest, **more)

    slow = named_inplace(op, plain)
    call.__name__ = call.__qualname__ = op.name + "_"
    call.__module__ = "tensorwidgets"
    call.__doc__ = slow.__doc__
    return call


_FLOATS = frozenset((float32, float64))


def inplace_binary(op: Op, adjust: Callable | None = None) -> Callable:
    """The `_` form of an op with two operands."""
    rule: Pointwise = op.rule  # type: ignore[assignment]
    ufunc, fast = fast_calls.kernel_of(rule), rule.fast
    by_number = getattr(rule.ufunc, "by_number", ufunc)
    writes_own_kind = rule.promotion != "bool"
    takes_numbers = rule.numbers != "none"

    def plain(input: Tensor, other: Tensor | complex, **more: Any) -> Tensor:
        operands: tuple = (input, operand(op.name + "_", other, 1, "other", rule.numbers != "none"))
        other_row = None
        if more:
            operands, other_row = _adjusted(op, adjust, operands, more)
        return run_inplace(op, operands, other_row)

    scales = "alpha" in (getattr(adjust, "__kwdefaults__", None) or ())

    def call(input: Any = MISSING, other: Any = MISSING, /, *rest: Any, **more: Any) -> Tensor:
        kind = type(other)
        if type(input) in PLAIN and not rest and writes_own_kind and not watching:
            d = input._dtype
            a = input._array
            b = None
            if d in fast and not (input._keys and _counts(input)) and a.flags.carray and a.size < THREADED:
                compute = ufunc
                if kind in PLAIN:
                    if other._dtype is d and input is not other and not (other._keys and _counts(other)):
                        if input._base is other._base is input._storage is None or unrelated(input, other):
                            b = other._array  # if it does not broadcast, NumPy refuses it and the long way says why
                            if more:
                                scaling = _scaling(ufunc, more) if scales and (d is float32 or d is float64) else None
                                compute, b = (ufunc, None) if scaling is None else (scaling, b)
                elif (
                    takes_numbers
                    and not more
                    and (kind is float and d._kind >= FLOAT or kind is int and -(1 << 63) <= other < 1 << 64)
                ):
                    compute, b = by_number, other
            if b is not None:
                try:
                    run(compute, a, b, a)
                except (RuntimeError, OverflowError, ValueError, TypeError):
                    return slow(input, other, **more)
                bump_version(input)
                return input
            a = None  # so that only tensors refer to it: see `tensor/moving/views_beside`
        if kind is int and not -(1 << 63) <= other < 1 << 64:
            as_number(other)  # PyTorch reads the numbers of a call before anything else
        return slow(*given(input, other, *rest), **more)

    slow = named_inplace(op, plain)
    call.__name__ = call.__qualname__ = op.name + "_"
    call.__module__ = "tensorwidgets"
    call.__doc__ = slow.__doc__
    return call


def named_inplace(op: Op, plain: Callable, words: str = "") -> Callable:
    """A `_` form as a row of its own, so that it can be routed and recorded."""
    row = Op(
        op.name + "_",
        "inplace",
        op.category,
        words or f"In-place form of `{op.name}`.",
        forms=frozenset(("method",)),
    )
    row.rule, row.kernel = op.rule, op.kernel
    registry.add_row(row)
    return stations.bind(row, plain)


__all__ = ["bind_binary", "bind_unary", "check_numbers", "inplace_binary", "inplace_unary", "named_inplace", "operand"]
