"""Error functions, gamma functions and Bessel functions: torch's own and those of torch.special, computed by SciPy.

SciPy is imported when the first of them is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial, log, pi, sqrt
from typing import Any

import numpy as np
from numpy import ndarray

from ...backends.numpy import bessel, chunks, in_double
from ...backends.numpy.in_double import DOUBLE, SINGLE, to_out
from ...backends.numpy.rounded_steps import rounding
from ...calling.arguments import is_int
from ...calling.reading import Notations
from ...declare.pointwise import Pointwise
from ...dispatch.called_as import called_method
from ...dispatch.registry import OPS, Op, add_row
from ...dispatch.stations import bind
from ...errors.reasons import refuse
from ...memory.places import as_array
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...tensor.versions import as_one_write
from ...types import dtypes
from ...types.dtypes import FLOAT
from ...types.size_limits import refuse_memory
from .prepared import REAL_FRACTIONS, prepared, stepwise
from .rows import FLOATS, binary, unary


def by_scipy(name: str) -> Callable:
    """Returns a kernel that calls the scipy.special function of this name."""

    def kernel(*arrays: np.ndarray, out: ndarray | None = None) -> Any:
        from scipy import special

        return getattr(special, name)(*arrays, out=out)

    kernel.__name__ = name
    return kernel


_PIECE = 1 << 14
"""How many numbers a series is summed for at once."""


def first_kind(name: str) -> Callable:
    """A modified Bessel function of the first kind, in float32 as PyTorch computes it."""
    kernel = by_scipy(name)
    order = bessel.of_order_0 if name.startswith("i0") else bessel.of_order_1
    scaled = name.endswith("e")

    def function(a: np.ndarray, out: np.ndarray | None = None) -> Any:
        if a.dtype != SINGLE:
            return kernel(a, out=out)
        if not a.ndim or a.size <= _PIECE or type(a) is not np.ndarray:
            result = as_array(order(a, scaled))
            return result if out is None else to_out(result, out)
        target = np.empty_like(a) if out is None else out
        rows = max(1, _PIECE * len(a) // a.size)
        for piece in chunks.spans(len(a), rows):
            target[piece] = order(a[piece], scaled)
        return target

    function.__name__ = name
    return function


def by_scipy_in_double(name: str) -> Callable:
    """The same where SciPy's function of float32 loses digits on its way: computed in float64 and rounded."""
    kernel = by_scipy(name)

    def wide(*arrays: np.ndarray, out: np.ndarray | None = None) -> Any:
        if arrays[0].dtype != SINGLE:
            return kernel(*arrays, out=out)
        return to_out(as_array(kernel(*[a.astype(DOUBLE) for a in arrays])).astype(SINGLE), out)

    wide.__name__ = name
    return wide


def times_logarithm(name: str, log: Callable) -> Callable:
    """x times a logarithm; in 16 bits the logarithm is rounded before it is multiplied, as PyTorch does."""
    kernel = by_scipy(name)

    def product(x: np.ndarray, y: np.ndarray, out: np.ndarray | None = None) -> Any:
        if x.dtype.itemsize > 2:
            return kernel(x, y, out=out)
        result = np.multiply(x, log(y.astype(np.float32)).astype(x.dtype))
        return to_out(np.where(np.isnan(y), y, np.where(x == 0, x.dtype.type(0), result)), out)

    product.__name__ = name
    return product


def _of_module(op: Op) -> Op:
    op.forms = frozenset(("function",))
    return op


def special(name: str, ufunc: Callable, words: str, **rule: Any) -> None:
    """Declare a function of torch.special that has no alias."""
    facts = {"promotion": "float", "stub": f"{name}_cpu", "domain": FLOATS} | rule
    _of_module(unary(f"special.{name}", ufunc, words, inplace=False, category="special", **facts))


def needs_tensor(name: str) -> Callable[[str, tuple], None]:
    """A check that refuses two numbers."""
    notations = Notations(name)

    def check(form: str, operands: tuple) -> None:
        if not any(isinstance(o, Tensor) for o in operands):
            notations.read(operands, {})

    return check


def special_of_two(name: str, ufunc: Callable, words: str, **rule: Any) -> None:
    """Declare a function of torch.special of two operands, of which one may be a number."""
    facts = {"promotion": "float", "stub": f"{name}_cpu", "domain": FLOATS} | rule
    name = f"special.{name}"
    _of_module(binary(name, ufunc, words, inplace=False, category="special", check=needs_tensor(name), **facts))


@stepwise
def _lgamma(a: np.ndarray, out: ndarray | None) -> Any:
    from scipy.special import gammaln

    result = as_array(gammaln(a, out))
    np.copyto(result, np.inf, where=np.isinf(result))  # SciPy has -inf at -inf
    return result


_in_double = by_scipy_in_double("erfinv")


def erfinv(a: np.ndarray, out: np.ndarray | None = None) -> Any:
    """SciPy's function, with the sign of a zero."""
    result = as_array(_in_double(a, out=out))
    np.copyto(result, a, where=result == 0)
    return result


# -- in torch itself ---------------------------------------------------------------------------------------------

for _name, _function, _stub, _words, *_aliases in (
    ("erf", "erf", "erf_vml_cpu", "Computes the error function of each element."),
    ("erfc", "erfc", "erfc_vml_cpu", "Computes 1 - erf(x), accurately for large x."),
    ("erfinv", "erfinv", "erfinv_vml_cpu", "Computes the inverse of the error function."),
    ("i0", "i0", "i0_vml_cpu", "Computes the modified Bessel function of the first kind of order 0."),
    (
        "lgamma",
        "gammaln",
        "lgamma_vml_cpu",
        "Computes the natural logarithm of the absolute value of the gamma function.",
        "special.gammaln",
    ),
    ("digamma", "psi", "digamma", "Computes the logarithmic derivative of the gamma function.", "special.psi"),
):
    if _name != "lgamma":
        _aliases = [*_aliases, f"special.{_name}"]
    _ufunc = {"lgamma": _lgamma, "erfinv": erfinv, "i0": first_kind("i0")}.get(_name) or by_scipy(_function)
    unary(_name, _ufunc, _words, *_aliases, promotion="float", stub=_stub, domain=REAL_FRACTIONS)


def _incomplete_gamma(name: str, nothing: float) -> Callable[..., Any]:
    """SciPy's function; PyTorch looks for 0 and infinity before it looks for NaN. `nothing` is the value at 0."""
    computed = by_scipy(name)

    def function(a: Any, x: Any, out: np.ndarray | None = None) -> Any:
        unknown, inf = np.isnan(a), np.inf  # before `out`, which may be `a`, is written to
        none, all_ = (unknown & (x == 0)) | ((a == inf) & np.isnan(x)), unknown & (x == inf)
        result = as_array(computed(a, x, out=out))
        np.copyto(result, nothing, where=none)
        np.copyto(result, 1 - nothing, where=all_)
        return result

    return function


for _name, _function, _nothing, _words in (
    ("igamma", "gammainc", 0.0, "Computes the regularized lower incomplete gamma function."),
    ("igammac", "gammaincc", 1.0, "Computes the regularized upper incomplete gamma function."),
):
    binary(
        _name, _incomplete_gamma(_function, _nothing), _words, f"special.{_function}", numbers="none",
        stub=f"{_name}_cpu", domain=REAL_FRACTIONS,
    )  # fmt: skip

binary(
    "xlogy", times_logarithm("xlogy", in_double.log), "Computes x * log(y); 0 where x is 0.", "special.xlogy",
    promotion="float", stub="xlogy_cpu", domain=REAL_FRACTIONS, check=needs_tensor("xlogy"), via_float32=False,
)  # fmt: skip


def zeta(x: Any, q: np.ndarray, out: np.ndarray | None = None) -> Any:
    """Hurwitz zeta; NaN at infinity, as PyTorch's sum gives, where SciPy's has the limit 0."""
    from scipy import special

    endless = (np.isposinf(q)) & (x != 1)
    result = special.zeta(x, q, out=out)
    if endless.any():
        result = np.where(endless, result.dtype.type(np.nan), result)
    return result if out is None else to_out(result, out)


@stepwise
def _trigamma(a: np.ndarray, out: np.ndarray) -> Any:
    """trigamma, the derivative of digamma; below 1/2 by reflection."""
    from scipy import special as scipy_special

    one = a.dtype.type(1)
    left = a < 0.5
    right = scipy_special.zeta(a.dtype.type(2), np.where(left, one - a, a))
    mirrored = a.dtype.type(pi) ** 2 / in_double.sin(a.dtype.type(pi) * a) ** 2 - right
    result = np.where(left, mirrored, right)
    return result if out is None else np.positive(result, out)


def _slope(n: int) -> Callable:
    @stepwise
    def polygamma(a: np.ndarray, out: ndarray) -> Any:
        factor = (-1.0) ** (n + 1) * (float(factorial(n)) if n < 171 else np.inf)
        return np.multiply(zeta(a.dtype.type(n + 1), a), a.dtype.type(factor), out)

    return polygamma


@prepared(
    "polygamma",
    "Computes the n-th derivative of the digamma function.",
    "special.polygamma",
)
def _polygamma(name: str, n: Any, input: Tensor | complex) -> tuple:
    if isinstance(n, Tensor):
        if not (is_int(input) and (name.endswith("_") or called_method())):
            raise TypeError("n is a number")  # the caller says so in PyTorch's words
        n, input = input, n  # as a method: x.polygamma(n)
    must_be_tensor(name, input, "input", 2)
    if n < 0:
        refuse(RuntimeError, "polygamma(n, x) does not support negative n.", "n counts derivatives", rule="polygamma.n")
    ufunc, stub = (by_scipy("psi"), "digamma") if n == 0 else (_trigamma, "trigamma") if n == 1 else (
        _slope(n), "polygamma"
    )  # fmt: skip
    return (input,), Pointwise(ufunc, "float", stub=stub, domain=REAL_FRACTIONS)


MOST_GAMMAS = 1 << 29
"""PyTorch keeps a number for each element and variable. When these take more bytes than this, they are refused here."""


def _several(p: int) -> Callable:
    @stepwise
    def mvlgamma(a: np.ndarray, out: ndarray | None) -> Any:
        if a.dtype.itemsize == 2 and p <= max(256, a.size):
            result = _in_16_bits(a, p)
        elif p <= max(256, a.size):
            result = np.zeros(a.shape, a.dtype, like=a)
            for j in reversed(range(p)):
                result += _lgamma(a - a.dtype.type(j / 2))
            result += a.dtype.type(p * (p - 1) / 4 * log(pi))
        else:
            result = (_sum_of_lgamma(a.astype(np.float64), p) + p * (p - 1) / 4 * log(pi)).astype(a.dtype)
        return result if out is None else np.positive(result, out)

    return mvlgamma


def _in_16_bits(a: np.ndarray, p: int) -> Any:
    """mvlgamma of 16-bit floats: the terms are rounded before they are added, as in PyTorch."""
    wide = np.dtype(np.float32)
    r, x = rounding(a.dtype, wide), a.astype(wide)
    total = sum((r(_lgamma(r(x - wide.type(j / 2)))) for j in reversed(range(p))), np.zeros(a.shape, wide))
    return (r(total) + r(wide.type(p * (p - 1) / 4 * log(pi)))).astype(a.dtype)


def _sum_of_lgamma(a: np.ndarray, count: int) -> np.ndarray:
    """lgamma(a) + lgamma(a - 1/2) + lgamma(a - 1) + … of so many terms: by gamma(a) = (a - 1) gamma(a - 1), a logarithm
    for every two of them.
    """
    pairs = count // 2
    result = pairs * (_lgamma(a) + _lgamma(a - 0.5)) + (_lgamma(a - pairs) if count % 2 else 0)
    for place in np.ndindex(a.shape):
        for start in range(1, pairs, chunks.PIECE):
            steps = np.arange(start, min(pairs, start + chunks.PIECE), dtype=np.float64, like=a)
            product = (a[place] - steps) * (a[place] - 0.5 - steps)
            result[place] -= np.dot(pairs - steps, np.log(np.abs(product)))
    return result


def _check_room_for_gammas(p: int, input: Tensor) -> None:
    if p >= 1 << 60:
        message = f"Storage size calculation overflowed with sizes=[{p}]"
        refuse(RuntimeError, message, f"{p} numbers need more bytes than 64 bits can count", rule="size.bytes")
    nbytes = p * max(1, input._array.size) * (input._dtype.itemsize if input._dtype._kind >= FLOAT else 4)
    if nbytes > MOST_GAMMAS:
        refuse_memory(nbytes, f"a gamma function of {p} variables has {p} terms for each element")


@prepared(
    "mvlgamma", "Computes the logarithm of the multivariate gamma function of dimension p.", "special.multigammaln"
)  # fmt: skip
def _mvlgamma(name: str, input: Tensor, p: int) -> tuple:
    must_be_tensor(name, input)
    if input._dtype is dtypes.bool_:
        refuse(
            RuntimeError, "The input tensor may not be a boolean tensor.", "gamma is a function of numbers", "x.float()"
        )
    if p < 1:
        refuse(RuntimeError, "p has to be greater than or equal to 1", f"p counts variables, and is {p}", "p=1")
    _check_room_for_gammas(p, input)
    if name.endswith("_") and input._dtype._kind < dtypes.FLOAT:
        refuse(
            RuntimeError,
            f"mvlgamma: result type {input._dtype._type_name} can't be cast to the desired output type Float",
            f"the result is seldom a whole number, and {input._dtype} holds no other",
            "x.float()",
            rule="write.cast",
        )
    return (input,), Pointwise(
        _several(p), "float", stub="arange_cpu", domain=REAL_FRACTIONS, via_float32=False, row_major=True
    )


# -- in torch.special alone --------------------------------------------------------------------------------------


def _ndtr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    # By way of erf, as PyTorch does: the small parts far to the left are lost to rounding, there as here.
    must_be_tensor("special_ndtr", input)
    if out is None:
        result = _half_of_erf(input, None)
        result._writes = 0  # it is new
        return result
    with as_one_write(out):
        return _half_of_erf(input, out)


def _half_of_erf(input: Tensor, out: Tensor | None) -> Tensor:
    """(1 + erf(x / sqrt(2))) / 2"""
    kept = input._dtype if input._dtype._kind >= FLOAT else dtypes.get_default_dtype()
    room = {"out": out} if out is not None and out._dtype is kept and kept in REAL_FRACTIONS else {}
    result = OPS["erf_" if room else "erf"].function(OPS["mul"].function(input, sqrt(0.5), **room))
    for step, *more in (("add_", 1), ("mul_", 0.5)):
        OPS[step].function(result, *more)
    return result if out is None or result is out else OPS["mul"].function(result, 1, out=out)


bind(
    add_row(
        Op(
            "special.ndtr",
            "pointwise",
            "special",
            "Computes the cumulative distribution function of the standard normal distribution.",
            kernel=_ndtr,
            forms=frozenset(("function",)),
        )  # fmt: skip
    ),
    _ndtr,
)


@stepwise
def _airy_ai(a: np.ndarray, out: np.ndarray) -> Any:
    from scipy.special import airy

    result = np.where((a > 104) & np.isfinite(a), a.dtype.type(0), airy(a)[0])  # SciPy ends earlier than float32
    return result if out is None else np.positive(result, out)


@stepwise
def _spherical_bessel_j0(a: np.ndarray, out: np.ndarray) -> Any:
    result = np.where(np.isinf(a), a.dtype.type(0), np.where(a == 0, a.dtype.type(1), np.sin(a) / a))
    return result if out is None else np.positive(result, out)


@stepwise
def _log_ndtr(a: np.ndarray, out: np.ndarray) -> Any:
    """Two formulas, as PyTorch has them: far to the left the tail is scaled, else it is what is missing to 1."""
    from scipy.special import erfc, erfcx

    t, half = a * a.dtype.type(sqrt(0.5)), a.dtype.type(0.5)
    result = np.where(a < -1, np.log(erfcx(-t) * half) - t * t, np.log1p(-erfc(t) * half))
    return result if out is None else np.positive(result, out)


_WITH_HALVES: dict[str, Any] = {"domain": REAL_FRACTIONS}

special("entr", by_scipy("entr"), "Computes the entropy term -x * log(x).", **_WITH_HALVES)
special("erfcx", by_scipy("erfcx"), "Computes the scaled complementary error function, exp(x*x) * erfc(x).")
special("log_ndtr", _log_ndtr, "Computes the logarithm of ndtr(x), accurately for large negative x.")
special(
    "ndtri",
    by_scipy("ndtri"),
    "Computes the inverse of ndtr: the quantile function of the standard normal distribution.",
)
special("airy_ai", _airy_ai, "Computes the Airy function Ai.")
special(
    "spherical_bessel_j0",
    _spherical_bessel_j0,
    "Computes the spherical Bessel function of the first kind of order 0, sin(x) / x.",
)
for _name, _function, _words in (
    ("bessel_j0", "j0", "Computes the Bessel function of the first kind of order 0."),
    ("bessel_j1", "j1", "Computes the Bessel function of the first kind of order 1."),
    ("bessel_y0", "y0", "Computes the Bessel function of the second kind of order 0."),
    ("bessel_y1", "y1", "Computes the Bessel function of the second kind of order 1."),
    ("modified_bessel_i0", "i0", "Computes the modified Bessel function of the first kind of order 0."),
    ("modified_bessel_i1", "i1", "Computes the modified Bessel function of the first kind of order 1."),
    ("modified_bessel_k0", "k0", "Computes the modified Bessel function of the second kind of order 0."),
    ("modified_bessel_k1", "k1", "Computes the modified Bessel function of the second kind of order 1."),
    ("scaled_modified_bessel_k0", "k0e", "Computes exp(x) * modified_bessel_k0(x)."),
    ("scaled_modified_bessel_k1", "k1e", "Computes exp(x) * modified_bessel_k1(x)."),
):
    special(_name, first_kind(_function) if _function in ("i0", "i1") else by_scipy(_function), _words)
for _name, _words in (
    ("i0e", "Computes exp(-|x|) * i0(x)."),
    ("i1", "Computes the modified Bessel function of the first kind of order 1."),
    ("i1e", "Computes exp(-|x|) * i1(x)."),
):
    special(_name, first_kind(_name), _words, **_WITH_HALVES)

special_of_two(
    "xlog1py", times_logarithm("xlog1py", in_double.log1p), "Computes x * log1p(y); 0 where x is 0.", **_WITH_HALVES,
    via_float32=False,
)  # fmt: skip
special_of_two("zeta", zeta, "Computes the Hurwitz zeta function: the sum of 1 / (k + other)**x over k = 0, 1, 2, …")
