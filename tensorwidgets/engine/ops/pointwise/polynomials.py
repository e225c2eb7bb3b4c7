"""Orthogonal polynomials of torch.special, each by its recurrence, for all elements at once.

The degree is an operand of its own, with one degree for each element if need be: the recurrence runs to the largest,
and an element keeps what it finds at its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import ndarray

from ...backends.numpy.fma import fma
from ...errors.reasons import refuse
from .prepared import stepwise
from .special import special_of_two

Step = Callable[[int, np.ndarray], tuple[Any, int, int]]
"""From the degree k and x: (a, b, c), so that the next polynomial is (a * last - b * the one before) / c."""


def climb(x: np.ndarray, n: np.ndarray, first: np.ndarray, step: Step) -> np.ndarray:
    """The polynomials of degree n at x, from that of degree 1 and a step from the last two to the next.

    >>> x = np.array([2.0, 2.0, 2.0])
    >>> climb(x, np.array([0, 1, 3]), x, lambda k, x: (2 * x, 1, 1))
    array([ 1.,  2., 26.])
    """
    of = x.dtype.type
    one = np.ones_like(x)
    result = np.where(n < 0, of(0), np.where(n == 0, one, first))
    before, last = one, first
    highest = max(int(n.max()), 0) if n.size else 0
    for k in range(2, highest + 1):
        if k % 1024 == 0:
            if np.isnan(last[n >= k]).all():  # and keeps this value
                return np.where(n >= k, of(np.nan), result)
            if k > MOST_STEPS:
                _refuse_degree(highest)
        a, b, c = step(k, x)
        before, last = last, _multiply_and_take(a, last, before * of(b)) / of(c)
        np.copyto(result, last, where=n == k)
    return result


MOST_STEPS = 1 << 17
"""The number of recurrence steps that take a second or two."""


def _refuse_degree(n: int) -> None:
    refuse(
        RuntimeError,
        f"a polynomial of degree {n} takes as many steps",
        f"each step needs the two before it, and more than {MOST_STEPS} are not taken here",
        rule="polynomial.degree",
        degree=n,
    )


def _multiply_and_take(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a * b - c with one rounding, as the processors that PyTorch is built for do it."""
    if a.dtype.itemsize == 4:
        return (np.multiply(a, b, dtype=np.float64) - c).astype(a.dtype)
    return fma(a, b, -c)


def _degrees(n: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(n), n, -1).astype(np.int64)


def _family(evaluate: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable:
    """A kernel (x, n) from a function of elements and whole degrees of one shape."""

    @stepwise
    def kernel(x: np.ndarray, n: np.ndarray, out: ndarray) -> Any:
        x, n = np.broadcast_arrays(x, n)
        result = evaluate(np.ascontiguousarray(x, like=x), _degrees(n)).reshape(x.shape)
        return result if out is None else np.positive(result, out)

    return kernel


# -- Chebyshev ---------------------------------------------------------------------------------------------------


def _chebyshev(
    first: Callable, far: int, ends: Callable[[np.ndarray, np.ndarray], np.ndarray], inside: Callable
) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Between -1 and 1 by angles, where the degree is high; at -1 and 1 by what is known; else by recurrence."""

    def evaluate(x: np.ndarray, n: np.ndarray) -> np.ndarray:
        end = (np.abs(x) == 1) & (n >= 0)
        by_angle = (n > far) & (np.abs(x) < 1)
        result = climb(x, np.where(end | by_angle, -1, n), first(x), lambda k, x: (x + x, 1, 1))
        degree = n.astype(x.dtype)
        result = np.where(end, ends(np.where(x > 0, 1, np.where(n % 2 == 0, 0, -1)), degree), result)
        if by_angle.any():
            angle = np.arccos(np.where(by_angle, x, x.dtype.type(0)))
            result = np.where(by_angle, inside(degree, angle), result)
        return result.astype(x.dtype, copy=False)

    return evaluate


def _ends_t(place: np.ndarray, n: np.ndarray) -> np.ndarray:
    return np.where(place >= 0, 1.0, -1.0)


def _ends_u(place: np.ndarray, n: np.ndarray) -> np.ndarray:
    return np.where(place >= 0, n + 1, -(n + 1))


def _ends_v(place: np.ndarray, n: np.ndarray) -> np.ndarray:
    return np.where(place > 0, 1, np.where(place == 0, n + n + 1, -(n + n + 1)))


def _ends_w(place: np.ndarray, n: np.ndarray) -> np.ndarray:
    return np.where(place > 0, n + n + 1, np.where(place == 0, 1.0, -1.0))


def _half(n: np.ndarray) -> np.ndarray:
    return n + n.dtype.type(0.5)


_KINDS = {
    "t": _chebyshev(lambda x: x, 6, _ends_t, lambda n, a: np.cos(n * a)),
    "u": _chebyshev(lambda x: x + x, 8, _ends_u, lambda n, a: np.sin((n + 1) * a) / np.sin(a)),
    "v": _chebyshev(lambda x: x + x - 1, 8, _ends_v, lambda n, a: np.cos(_half(n) * a) / np.cos(a / 2)),
    "w": _chebyshev(lambda x: x + x + 1, 8, _ends_w, lambda n, a: np.sin(_half(n) * a) / np.sin(a / 2)),
}


def _shifted(evaluate: Callable) -> Callable:
    """Shift a polynomial from the interval -1 to 1 to the interval 0 to 1."""
    return lambda x, n: evaluate(x + x - 1, n)


for _letter, _order in (("t", "first"), ("u", "second"), ("v", "third"), ("w", "fourth")):
    _words = f"Computes the Chebyshev polynomial of the {_order} kind of degree n"
    special_of_two(f"chebyshev_polynomial_{_letter}", _family(_KINDS[_letter]), f"{_words}.")
    special_of_two(
        f"shifted_chebyshev_polynomial_{_letter}",
        _family(_shifted(_KINDS[_letter])),
        f"{_words} at 2x - 1.",
    )

# -- Hermite, Laguerre, Legendre ---------------------------------------------------------------------------------


def _most(x: np.ndarray) -> int:
    """Returns the degree beyond which PyTorch returns nan."""
    return 128 if x.dtype.itemsize == 4 else 512


def _hermite(first: Callable, step: Step) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    def evaluate(x: np.ndarray, n: np.ndarray) -> np.ndarray:
        high = n > _most(x)
        return np.where(high, x.dtype.type(np.nan), climb(x, np.where(high, 0, n), first(x), step))

    return evaluate


def _laguerre(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    at_zero = (x == 0) & (n >= 0)
    return climb(x, np.where(at_zero, 0, n), 1 - x, lambda k, x: (2 * k - 2 + (1 - x), k - 1, k))


def _legendre(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    end = (np.abs(x) == 1) & (n >= 0)
    result = climb(x, np.where(end, -1, n), x, lambda k, x: ((2 * k - 1) * x, k - 1, k))
    return np.where(end, np.where((x > 0) | (n % 2 == 0), x.dtype.type(1), x.dtype.type(-1)), result)


special_of_two(
    "hermite_polynomial_h",
    _family(_hermite(lambda x: x + x, lambda k, x: (x + x, 2 * k - 2, 1))),
    "Computes the physicists' Hermite polynomial of degree n.",
)
special_of_two(
    "hermite_polynomial_he",
    _family(_hermite(lambda x: x, lambda k, x: (x, k - 1, 1))),
    "Computes the probabilists' Hermite polynomial of degree n.",
)
special_of_two("laguerre_polynomial_l", _family(_laguerre), "Computes the Laguerre polynomial of degree n.")
special_of_two("legendre_polynomial_p", _family(_legendre), "Computes the Legendre polynomial of degree n.")
