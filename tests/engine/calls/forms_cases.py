"""Pointwise ops, special functions and added products as function, method, in-place form and with `out=`, at the edges:
NaN, infinities, both zeros, nothing at all."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

EDGES = [math.nan, math.inf, -math.inf, 0.0, -0.0, 0.5, -2.5, 1.5, 3.0, -1.0, 1e-3, 40.0]
VALUES = {
    "float32": EDGES,
    "float64": EDGES[::-1],
    "float16": EDGES,
    "int64": [0, 1, -1, 2, -7, 5, 12, -12, 3, 100, -3, 8],
    "bool": [True, False, False, True] * 3,
    "complex64": [complex(x, y) for x, y in zip([0.0, 1.5, -2.0] * 4, [0.5, -1.0, 0.0, 2.0] * 3, strict=True)],
}
ONE = (
    "rsqrt sigmoid sinc frac sgn deg2rad rad2deg round logit nan_to_num erf erfc erfinv lgamma digamma i0 angle isreal "
    "isposinf isneginf positive hardshrink frexp"
).split()
TWO = (
    "nextafter gcd lcm heaviside ldexp float_power copysign igamma igammac xlogy logaddexp logaddexp2 isclose "
    "clamp_min clamp_max"
).split()
SPECIAL = (
    "entr erfcx expit ndtr log_ndtr ndtri i0e i1 i1e bessel_j0 bessel_y1 modified_bessel_k0 scaled_modified_bessel_k1 "
    "spherical_bessel_j0 airy_ai"
).split()
PAIRS = (
    "xlog1py zeta chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w "
    "shifted_chebyshev_polynomial_t hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l "
    "legendre_polynomial_p"
).split()
FORMS = ("function", "method", "inplace", "out")


class Asked(NamedTuple):
    """A tensor of a case, still to be made."""

    dtype: str
    size: tuple[int, ...]
    shift: int

    def make(self, torch: Any) -> Any:
        values = VALUES[self.dtype]
        data = [values[(i + self.shift) % len(values)] for i in range(math.prod(self.size))]
        return torch.tensor(data, dtype=getattr(torch, self.dtype)).reshape(self.size)


def calls(dtype: str) -> Iterator[tuple[str, tuple]]:
    """Names and arguments; the first argument is the tensor that an in-place form writes to."""

    def t(*size: int, shift: int = 0) -> Asked:
        return Asked(dtype, size or (3, 4), shift)

    for name in ONE:
        yield name, (t(),)
        yield name, (t(0),)
    for name in TWO:
        yield name, (t(), t(shift=5))
        yield name, (t(), t(4, shift=3))
        yield name, (t(3, 1), t(4, shift=2))
    for name in SPECIAL:
        yield f"special.{name}", (t(),)
    for name in PAIRS:
        for n in (-1, 0, 1, 3, 9):
            yield f"special.{name}", (t(), n)
        yield f"special.{name}", (t(), t(shift=4))
    yield "clamp", (t(), -1, 2)
    yield "clamp", (t(), t(4, shift=3), None)
    yield "clamp", (t(), 2, -1)
    yield "clamp", (t(), 0.5)
    yield "lerp", (t(), t(shift=2), 0.25)
    yield "lerp", (t(), t(shift=2), t(4, shift=6))
    yield "addcmul", (t(), t(shift=1), t(4, shift=2))
    yield "addcdiv", (t(), t(shift=1), t(4, shift=2))
    yield "mvlgamma", (t(), 2)
    for name, sizes in (
        ("addmm", ((2, 3), (2, 4), (4, 3))), ("addmv", ((2,), (2, 3), (3,))), ("addr", ((2, 3), (2,), (3,))),
        ("addbmm", ((2, 3), (2, 2, 4), (2, 4, 3))), ("baddbmm", ((2, 2, 3), (2, 2, 4), (2, 4, 3))),
        ("addmm", ((3,), (0, 4), (4, 3))), ("addmm", ((2, 3), (2, 3), (2, 3))),
    ):  # fmt: skip
        yield name, tuple(t(*size, shift=6) for size in sizes)


def cases() -> Iterator[tuple[str, str, tuple]]:
    """(name, form, arguments) in an order that stays."""
    for dtype in VALUES:
        for name, args in calls(dtype):
            forms = ("function", "out") if "." in name else FORMS
            for form in forms[:3] if name in ("isclose", "frexp") else forms:
                yield name, form, args


def answer(torch: Any, name: str, form: str, asked: tuple) -> list[Any]:
    """What an engine says: dtype, size and numbers, or its refusal."""
    args = tuple(a.make(torch) if isinstance(a, Asked) else a for a in asked)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _told(_asked(torch, name, form, args))
    except Exception as error:  # any refusal is an answer
        words = str(error).partition("\n")[0]
        return ["error", type(error).__name__, "" if "argument" in words or "has no attribute" in words else words]


def _asked(torch: Any, name: str, form: str, args: tuple) -> Any:
    function = torch
    for part in name.split("."):
        function = getattr(function, part)
    if form == "function":
        return function(*args)
    if form == "method":
        return getattr(args[0], name)(*args[1:])
    if form == "inplace":
        found = getattr(args[0], name + "_")(*args[1:])
        return found if found is args[0] else "another tensor"
    target = torch.empty(function(*args).shape, dtype=args[0].dtype)
    found = function(*args, out=target)
    return target if found is target else "another tensor"


def _told(found: Any) -> list[Any]:
    if isinstance(found, tuple):
        return [_told(part) for part in found]
    if isinstance(found, str):
        return [found]
    numbers = found.flatten().tolist()
    if found.dtype.is_complex:
        numbers = [part for z in numbers for part in (z.real, z.imag)]
    return [str(found.dtype), list(found.shape), [x if isinstance(x, int) else float(f"{x:.9g}") for x in numbers]]


def agree(ours: Any, theirs: Any, near: float = 2e-5) -> bool:
    """Equal, with numbers as near as float32 allows; 16-bit floats may be one rounding apart."""
    if isinstance(ours, list):
        near = 3e-3 if theirs[:1] == ["torch.float16"] else near
        return isinstance(theirs, list) and len(ours) == len(theirs) and all(
            agree(a, b, near) for a, b in zip(ours, theirs, strict=True)
        )  # fmt: skip
    if isinstance(ours, float) and isinstance(theirs, float):
        close = abs(ours - theirs) <= 1e-5 + near * abs(theirs) if math.isfinite(theirs) else ours == theirs
        return close or math.isnan(ours) and math.isnan(theirs)
    return bool(ours == theirs)


def known_difference(name: str, form: str, asked: tuple) -> str:
    """Why a case may differ, or nothing."""
    dtype = asked[0].dtype
    if "polynomial" in name and dtype.startswith("float"):
        return "at nan PyTorch answers with whatever lies in a variable that it has not set yet"
    if form == "out" and name in ("isposinf", "isneginf"):
        return "PyTorch takes only out= of bool; here the answer is converted"
    if name in ("igamma", "igammac") and dtype != "float64":
        return "of nothing (0) and nan PyTorch asks for 0 first in float32, and for nan in float64"
    if dtype == "complex64" and name in ("rsqrt", "float_power"):
        return "NumPy and C have different parts of nan and infinity for complex zeros"
    return ""
