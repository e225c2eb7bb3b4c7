"""More functions of each element: roots, angles, signs, rounding to decimals, the parts of a floating-point number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...backends.numpy import in_double
from ...backends.numpy.casts import cast
from ...backends.numpy.without_warnings import quietly
from ...calling.arguments import is_real
from ...declare.pointwise import Pointwise, check_numbers, common_dtype, named_inplace, run_inplace, run_plain
from ...dispatch import stations
from ...dispatch.registry import OPS, Op, add_row
from ...errors.reasons import refuse
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.results import finish
from ...tensor.tensor import Tensor, is_meta, size_and_stride
from ...tensor.type_names import type_name
from ...types import dtypes
from ...types.dtypes import BOOL, COMPLEX, FLOAT, HALVES, INTEGER, dtype
from ...types.limits import finfo
from ...types.promotion import can_cast
from ...types.return_types import result
from . import kernels
from .rows import BOOLS, FLOATS, FRACTIONS, INPLACE, NUMBERS, REALS, UNSIGNED, binary, unary

REAL_FRACTIONS = FLOATS | HALVES


def stepwise(function: Callable) -> Callable:
    """A kernel from a function (arrays, out) of several steps that may use `out` for what comes in between."""

    def compute(*arrays: np.ndarray, out: Any = None) -> Any:
        if out is not None and out.dtype == arrays[0].dtype:
            return function(*arrays, out)
        outcome = function(*arrays, None)
        if out is None:
            return outcome
        np.copyto(out, outcome, casting="unsafe")
        return out

    compute.__name__ = function.__name__.strip("_")
    return compute


def prepared(
    name: str, words: str, signature: str, *aliases: str, inplace: bool = True, category: str = "pointwise",
    method: bool = True,
) -> Callable[[Callable], Callable]:  # fmt: skip
    """Declare a pointwise op by a function of its arguments that answers with operands and a `Pointwise` row.

    That function is called with the name of the form (`clamp` or `clamp_`) before the arguments.
    """

    def declare(prepare: Callable) -> Callable:
        forms = frozenset(("function", "method") if method else ("function",))
        op = Op(name, "pointwise", category, words, kernel=prepare, aliases=aliases, signature=signature, forms=forms)
        add_row(op)

        def plain(*args: Any, out: Tensor | None = None, **named: Any) -> Tensor:
            if out is not None and "out=" not in signature:
                named["out"] = out
            operands, row = prepare(name, *args, **named)
            return run_plain(op, operands, out, row)

        def over(*args: Any, **named: Any) -> Tensor:
            operands, row = prepare(name + "_", *args, **named)
            return run_inplace(op, operands, row)

        if inplace:
            INPLACE[name + "_"] = named_inplace(op, over)
        return stations.bind(op, plain)

    return declare


def refuse_dtype(stub: str, d: dtype) -> None:
    """PyTorch has no kernel for this dtype."""
    refuse(
        NotImplementedError,
        f"\"{stub}\" not implemented for '{d._type_name}'",
        f"PyTorch has no kernel for {d} here, so there is none to agree with",
        "x.float()",
        rule="pointwise.dtype",
        dtype=d,
    )


# -- one operand -------------------------------------------------------------------------------------------------


@stepwise
def _rsqrt(a: np.ndarray, out: Any) -> Any:
    return np.reciprocal(np.sqrt(a, out), out)


@stepwise
def _sigmoid(a: np.ndarray, out: Any) -> Any:
    outcome = in_double.exp(np.negative(a), out)
    return np.reciprocal(np.add(outcome, outcome.dtype.type(1), out), out)


@stepwise
def _frac(a: np.ndarray, out: Any) -> Any:
    return np.subtract(a, np.trunc(a), out)


@stepwise
def _sinc(a: np.ndarray, out: Any) -> Any:
    angle = np.asarray(np.multiply(a, a.dtype.type(np.pi)))
    one = angle == 0
    angle[one] = 1
    outcome = np.asarray(np.divide(in_double.sin(angle), angle, out))
    np.copyto(outcome, 1, where=one)
    return outcome


@stepwise
def _sgn(a: np.ndarray, out: Any) -> Any:
    if a.dtype.kind != "c":
        return kernels.sign(a, out)
    size = np.abs(a)
    zero = size == 0
    outcome = np.asarray(np.divide(a, np.where(zero, a.dtype.type(1), size), out))
    np.copyto(outcome, 0, where=zero)
    return outcome


def _angle(a: np.ndarray, out: Any = None) -> Any:
    if a.dtype.kind == "c":
        return in_double.arctan2(a.imag, a.real, out)
    outcome = np.where(np.isnan(a), a, np.where(a < 0, a.dtype.type(np.pi), a.dtype.type(0)))
    if out is None:
        return outcome
    np.copyto(out, outcome, casting="unsafe")
    return out


def _times(factor: float) -> Callable:
    @stepwise
    def multiply(a: np.ndarray, out: Any) -> Any:
        return np.multiply(a, a.dtype.type(factor), out)

    return multiply


_FLOATING: dict[str, Any] = {"promotion": "float"}
unary(
    "rsqrt",
    _rsqrt,
    "Computes the reciprocal of the square root of each element.",
    **_FLOATING,
    stub="rsqrt_cpu",
    domain=FRACTIONS,
)
unary(
    "sigmoid", _sigmoid, "Computes the logistic sigmoid, 1 / (1 + exp(-x)), of each element.", "special.expit",
    **_FLOATING, stub="sigmoid_cpu", domain=FRACTIONS,
)  # fmt: skip
unary(
    "sinc",
    _sinc,
    "Computes the normalized sinc, sin(pi x) / (pi x), of each element; 1 at 0.",
    "special.sinc",
    **_FLOATING,
    stub="sinc_cpu",
    domain=FRACTIONS,
)
unary("frac", _frac, "Computes the fractional part of each element.", stub="frac_cpu", domain=REAL_FRACTIONS)
unary(
    "sgn", _sgn, "Computes the sign of each element; for complex numbers, x / |x|.",
    stub="sign_cpu", domain=NUMBERS | BOOLS,
)  # fmt: skip
unary(
    "angle", _angle, "Computes the angle of each element, in radians; pi for negative real numbers.", inplace=False,
    promotion="float to real", stub="angle_cpu", domain=FRACTIONS,
)  # fmt: skip


def _no_complex_angle(name: str, operands: tuple) -> None:
    if operands[0]._dtype._kind == COMPLEX:
        refuse(
            RuntimeError,
            f"{name.rstrip('_')} is not supported for complex tensors.",
            "an angle is a real number",
            "x.real",
        )


for _name, _factor, _words in (
    ("deg2rad", np.pi / 180, "Converts each element from degrees to radians."),
    ("rad2deg", 180 / np.pi, "Converts each element from radians to degrees."),
):
    unary(
        _name, _times(_factor), _words, **_FLOATING, check=_no_complex_angle, stub="mul_cpu", domain=REAL_FRACTIONS,
        via_float32=True,
    )  # fmt: skip


def _positive(input: Tensor) -> Tensor:
    must_be_tensor("positive", input)
    if input._dtype is dtypes.bool_:
        refuse(
            RuntimeError,
            "The `+` operator, on a bool tensor is not supported.",
            "a truth value has no sign",
            rule="positive.bool",
        )
    return input


stations.bind(
    add_row(
        Op(
            "positive",
            "pointwise",
            "pointwise",
            "Returns the tensor itself (+x).",
            signature="(input)",
            kernel=_positive,
        )
    ),
    _positive,
)

# -- with a parameter --------------------------------------------------------------------------------------------


def _power_of_ten(decimals: int) -> float:
    """As C++ has it: too large a power is infinite, and the least number of 64 bits is its own absolute value."""
    if decimals == -(1 << 63):
        return 0.0
    return 10.0 ** abs(decimals) if abs(decimals) <= 308 else float("inf")


def _to_decimals(decimals: int) -> Callable:
    @stepwise
    def rounded(a: np.ndarray, out: Any) -> Any:
        ten = a.dtype.type(_power_of_ten(decimals))
        there, back = (np.multiply, np.divide) if decimals > 0 else (np.divide, np.multiply)
        return back(np.rint(there(a, ten, out), out), ten, out)

    return rounded


_ROUND = Pointwise(kernels.integers_stay(np.rint), stub="round_vml_cpu", domain=REALS | UNSIGNED)
_ROUND_DECIMALS = Pointwise(np.rint, stub="round_cpu", domain=REAL_FRACTIONS)


@prepared(
    "round", "Rounds each element to the nearest integer, ties to even; or to `decimals` places.",
    "(input, *, decimals=0, out=None)", "special.round",
)  # fmt: skip
def _round(name: str, input: Any, *, decimals: int = 0) -> tuple:
    must_be_tensor(name, input)
    if decimals == 0:
        return (input,), _ROUND
    if input._dtype._kind < FLOAT and input._dtype._kind != BOOL:
        refuse_dtype("round_vml_cpu", input._dtype)
    return (input,), _ROUND_DECIMALS._replace(ufunc=_to_decimals(decimals))


def _log_odds(eps: Any) -> Callable:
    @stepwise
    def logit(a: np.ndarray, out: Any) -> Any:
        if eps is not None:
            low, high = a.dtype.type(eps), a.dtype.type(1) - a.dtype.type(eps)
            a = np.minimum(np.maximum(a, low), high) if low <= high else np.where(a < low, low, high)
        return in_double.log(np.divide(a, np.subtract(a.dtype.type(1), a)), out)

    return logit


_LOGIT = Pointwise(np.log, "float", stub="logit_cpu", domain=REAL_FRACTIONS, via_float32=False)


@prepared(
    "logit", "Computes the logit, log(x / (1 - x)), of each element.", "(input, eps=None, *, out=None)", "special.logit"
)
def _logit(name: str, input: Any, eps: float | None = None) -> tuple:
    return (must_be_tensor(name, input),), _LOGIT._replace(ufunc=_log_odds(eps))


def _shrunk(lambd: float) -> Callable:
    def hardshrink(a: np.ndarray, out: Any = None) -> Any:
        edge = a.dtype.type(lambd)
        outcome = np.where((a >= -edge) & (a <= edge), a.dtype.type(0), a)
        if out is None:
            return outcome
        np.copyto(out, outcome, casting="unsafe")
        return out

    return hardshrink


@prepared(
    "hardshrink", "Sets elements between -lambd and lambd to 0.", "(input, lambd=0.5, *, out=None)", inplace=False,
)  # fmt: skip
def _hardshrink(name: str, input: Any, lambd: float = 0.5) -> tuple:
    row = Pointwise(_shrunk(lambd), stub="hardshrink_cpu", domain=REAL_FRACTIONS, via_float32=False)
    return (must_be_tensor(name, input),), row


def _without_nan(d: dtype, nan: Any, posinf: Any, neginf: Any) -> Callable:
    def nan_to_num(a: np.ndarray, out: Any = None) -> Any:
        if d._kind < FLOAT:
            return a if out is None else np.copyto(out, a)
        most = finfo(d.to_real()).max
        high, low = (most if posinf is None else posinf), (-most if neginf is None else neginf)
        with_nan = 0.0 if nan is None else nan
        outcome = np.nan_to_num(a, nan=with_nan, posinf=high, neginf=low)
        if out is None:
            return outcome
        np.copyto(out, outcome, casting="unsafe")
        return out

    return nan_to_num


@prepared(
    "nan_to_num", "Replaces NaN by 0 and infinities by the largest and smallest finite numbers, or by given numbers.",
    "(input, nan=0.0, posinf=None, neginf=None, *, out=None)",
)  # fmt: skip
def _nan_to_num(name: str, input: Any, nan: Any = None, posinf: Any = None, neginf: Any = None) -> tuple:
    must_be_tensor(name, input)
    for place, (called, value) in enumerate((("nan", nan), ("posinf", posinf), ("neginf", neginf)), 2):
        if value is not None and not is_real(value):
            told = f"{name}(): argument '{called}' (position {place}) must be float, not {type_name(value)}"
            refuse(
                TypeError, told, "one number stands for all of them", "torch.where(x.isnan(), y, x)", rule="argument"
            )
    return (input,), Pointwise(_without_nan(input._dtype, nan, posinf, neginf), stub="nan_to_num")


def _frexp(input: Tensor, *, out: Any = None) -> Any:
    must_be_tensor("frexp", input)
    if input._dtype._kind != FLOAT:
        refuse(
            RuntimeError,
            "torch.frexp() only supports floating-point dtypes",
            "a whole number has no mantissa",
            "x.float()",
            rule="frexp.dtype",
        )
    if input._dtype not in REAL_FRACTIONS:
        refuse_dtype("frexp", input._dtype)
    size, stride = size_and_stride(input)
    from ... import geometry

    stride = geometry.pointwise_stride(size, [(size, stride)])
    first, second = (None, None) if out is None else out
    meta = is_meta(input)
    outcome: Any = (None, None)
    if not meta:
        wide = cast(input._array, dtypes.float32) if input._dtype in HALVES else input._array
        outcome = quietly(np.frexp, wide)
    mantissa = finish(size, input._dtype, first, lambda t: np.copyto(t, outcome[0], casting="unsafe"), meta, stride)
    exponent = finish(size, dtypes.int32, second, lambda t: np.copyto(t, outcome[1], casting="unsafe"), meta, stride)
    return result("frexp", ("mantissa", "exponent"), (mantissa, exponent))


stations.bind(
    add_row(
        Op(
            "frexp",
            "pointwise",
            "pointwise",
            "Splits each element into a mantissa, at least 1/2 and below 1, and a power of 2.",
            signature="(input, *, out=None) -> return_types.frexp",
            kernel=_frexp,
        )  # fmt: skip
    ),
    _frexp,
)

# -- two operands ------------------------------------------------------------------------------------------------


def _added(a: np.ndarray, b: np.ndarray, ufunc: np.ufunc, exp: Callable, scale: float, out: Any) -> Any:
    """The logarithm of a sum of powers; of float32 in the steps that PyTorch takes and rounds after."""
    if a.dtype != in_double.SINGLE:
        return ufunc(a, b) if out is None else ufunc(a, b, out)
    less = exp(np.negative(np.abs(np.subtract(a, b))))
    outcome = np.asarray(np.maximum(a, b) + in_double.log1p(less) * a.dtype.type(scale))
    np.copyto(outcome, a, where=(a == b) & np.isinf(a))
    return in_double.to_out(outcome, out)


def _logaddexp2(a: np.ndarray, b: np.ndarray, out: Any = None) -> Any:
    return _added(a, b, np.logaddexp2, in_double.exp2, 1 / np.log(2), out)


def _logaddexp(a: np.ndarray, b: np.ndarray, out: Any = None) -> Any:
    if a.dtype.kind != "c":
        return _added(a, b, np.logaddexp, in_double.exp, 1, out)
    larger, smaller = np.where(a.real >= b.real, a, b), np.where(a.real >= b.real, b, a)
    same = (larger.real == smaller.real) & ~np.isfinite(larger.real)
    apart = np.where(same, 0, smaller - larger)
    outcome = larger + np.log1p(np.exp(apart))
    outcome = np.where(
        same & (larger.real < 0), larger, np.where(same, np.log(np.exp(larger) + np.exp(smaller)), outcome)
    )
    if out is None:
        return outcome.astype(larger.dtype, copy=False)
    np.copyto(out, outcome, casting="unsafe")
    return out


binary(
    "logaddexp", _logaddexp, "Computes log(exp(x) + exp(y)) without overflow.", inplace=False, numbers="none",
    stub="logaddexp_cpu", domain=FRACTIONS,
)  # fmt: skip
binary(
    "logaddexp2", _logaddexp2, "Computes log2(2**x + 2**y) without overflow.", inplace=False, numbers="none",
    stub="logaddexp2_cpu", domain=REAL_FRACTIONS,
)  # fmt: skip
binary(
    "nextafter", np.nextafter, "Returns the next representable number after `input` in the direction of `other`.",
    numbers="none", stub="nextafter_cpu", domain=REAL_FRACTIONS, via_float32=False,
)  # fmt: skip
for _name, _ufunc, _words in (
    ("gcd", np.gcd, "Computes the greatest common divisor of two tensors, element by element."),
    ("lcm", np.lcm, "Computes the least common multiple of two tensors, element by element."),
):
    binary(
        _name, _ufunc, _words, category="other", numbers="none", stub=f"{_name}_cpu",
        domain=frozenset(d for d in REALS if d._kind == INTEGER),
    )  # fmt: skip


def _heaviside_kernel(a: np.ndarray, values: np.ndarray, out: Any = None) -> Any:
    outcome = np.where(a == 0, values, (a > 0).astype(a.dtype))
    if out is None:
        return outcome
    np.copyto(out, outcome, casting="unsafe")
    return out


@prepared(
    "heaviside",
    "Computes the step function: 0 below zero, 1 above, and `values` at zero.",
    "(input, values, *, out=None)",
    category="creation",
)
def _heaviside(name: str, input: Any, values: Any) -> tuple:
    must_be_tensor(name, input)
    must_be_tensor(name, values, "values", 2 - name.endswith("_"))
    name = name.rstrip("_")
    if COMPLEX in (input._dtype._kind, values._dtype._kind):
        refuse(
            RuntimeError, f"{name} is not yet implemented for complex tensors.", "complex numbers have no order",
            rule="heaviside.complex",
        )  # fmt: skip
    if input._dtype is not values._dtype:
        refuse(
            RuntimeError,
            f"{name} is not yet implemented for tensors with different dtypes.",
            f"one is {input._dtype}, the other {values._dtype}",
            f"values.to({input._dtype})",
            rule="heaviside.dtype",
        )
    row = Pointwise(_heaviside_kernel, stub="heaviside_cpu", domain=REALS | BOOLS, via_float32=False)
    return (input, values), row


# -- made of powers ----------------------------------------------------------------------------------------------


def _power_of_two(form: str, position: int, input: Tensor, other: Any, target: Tensor | None) -> Tensor:
    power = OPS["pow"].function(2.0, must_be_tensor(form, other, "other", position))
    if target is not None and not can_cast(common_dtype((input, power)), target._dtype):
        refuse(
            RuntimeError,
            f"ldexp can't be cast to the desired output type {target._dtype._type_name}",
            f"a power of 2 may be a fraction, and {target._dtype} cannot hold one",
            "x.float()",
            rule="write.cast",
        )
    return power


def _ldexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    must_be_tensor("ldexp", input)
    power = _power_of_two("ldexp", 2, input, other, out)
    return OPS["mul"].function(input, power, **({} if out is None else {"out": out}))


def _ldexp_(input: Tensor, other: Tensor) -> Tensor:
    return OPS["mul_"].function(input, _power_of_two("ldexp_", 1, input, other, input))


def _wide_power(name: str, input: Any, exponent: Any) -> tuple[Any, Any, dtype]:
    kinds = [o._dtype._kind if isinstance(o, Tensor) else COMPLEX if type(o) is complex else FLOAT
             for o in (input, exponent)]  # fmt: skip
    d = dtypes.complex128 if COMPLEX in kinds else dtypes.float64
    base, power = (o.to(d) if isinstance(o, Tensor) else o for o in (input, exponent))
    check_numbers(name, input, exponent, either=True)
    return base, power, d


def _float_power(input: Any, exponent: Any, *, out: Tensor | None = None) -> Tensor:
    base, power, d = _wide_power("float_power", input, exponent)
    if out is not None and out._dtype is not d:
        _refuse_power("the output given to float_power", out._dtype, d)
    return OPS["pow"].function(base, power, **({} if out is None else {"out": out}))


def _float_power_(input: Tensor, exponent: Any) -> Tensor:
    _, power, d = _wide_power("float_power_", input, exponent)
    if input._dtype is not d:
        _refuse_power("the base given to float_power_", input._dtype, d)
    return OPS["pow_"].function(input, power)


def _refuse_power(what: str, value: dtype, wanted: dtype) -> None:
    refuse(
        RuntimeError,
        f"{what} has dtype {value._type_name} but the operation's result requires dtype {wanted._type_name}",
        f"float_power computes in {wanted}, and {value} is narrower",
        f"x.to({wanted})",
        rule="float_power.dtype",
    )


for _name, _plain, _over, _words, _signature in (
    ("ldexp", _ldexp, _ldexp_, "Multiplies `input` by 2 to the power of `other`.", "(input, other, *, out=None)"),
    (
        "float_power", _float_power, _float_power_,
        "Raises each element to a power, computed in float64 or complex128.",
        "(input, exponent, *, out=None)",
    ),
):  # fmt: skip
    _op = add_row(Op(_name, "pointwise", "pointwise", _words, kernel=_plain, signature=_signature))
    stations.bind(_op, _plain)
    INPLACE[_name + "_"] = named_inplace(_op, _over)

__all__ = ["prepared", "refuse_dtype", "stepwise"]
