"""The distributions that are drawn from, each as a function from a count to numbers.

What PyTorch does with the draws of its stream on the CPU is repeated here step by step, with the same roundings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil, cos, exp, floor, inf, lgamma, log, log1p, pi, sin, sqrt

import numpy as np

from ...backends.numpy.casts import cast
from ...backends.numpy.fma import fma
from ...backends.numpy.without_warnings import quietly
from ...tensor.generator import Generator
from ...types import dtypes
from ...types.dtypes import COMPLEX, dtype
from .normal_blocks import blocks_of_normals

Draw = Callable[[int], np.ndarray]


def in_pieces(draw: Draw) -> Draw:
    """Mark a draw that gives the same numbers when they are drawn piece by piece."""
    draw.in_pieces = True  # type: ignore[attr-defined]
    return draw


# -- continuous --------------------------------------------------------------------------------------------------


def uniform_numbers(g: Generator, d: dtype, low: float, high: float) -> Draw:
    """float64: 53 bits of two draws; anything smaller: 24 bits of one. One fused multiply-add stretches them.

    The bounds and their distance are float32 numbers, or float64 ones. Rounding may reach the bound that is left out;
    PyTorch starts over from the lower one.
    """

    @in_pieces
    def draw(count: int) -> np.ndarray:
        if d._kind == COMPLEX:
            parts = uniform_numbers(g, d.to_real(), low, high)(2 * count)
            return parts.view(d._in_numpy)
        if not count:
            return np.empty(0, np.float32)
        if d is dtypes.float64:
            numbers = g.doubles(count)
            if (low, high) != (0, 1):
                numbers = fma(numbers, np.float64(high - low), np.float64(low))
                numbers[numbers == high] = low
            return numbers
        numbers = g.floats(count)
        start = np.float32(low)
        width = np.float32(high) - start
        if start != 0 or width != 1:
            # The product of two float32 numbers is exact in float64.
            numbers = (numbers.astype(np.float64) * np.float64(width) + np.float64(start)).astype(np.float32)
            if d is dtypes.float32:
                numbers[numbers == np.float32(high)] = start
        if d is not dtypes.float32:
            numbers = cast(numbers, d)
            numbers[numbers == cast(np.asarray(high, np.float32), d)] = low
        return numbers

    return draw


def normal_numbers(g: Generator, d: dtype, mean: float, std: float, serial: bool = False) -> Draw:
    """Fewer than 16, or not contiguous (`serial`): pairs of Box and Muller, the second kept. From 16 on: blocks."""

    @in_pieces
    def draw(count: int) -> np.ndarray:
        if d._kind == COMPLEX:
            real = d.to_real()
            parts = normal_numbers(g, real, mean, std / sqrt(2.0), serial)(2 * count)
            return parts.astype(real._in_numpy).view(d._in_numpy)
        if count < 16 or serial:
            return _stretched(next_normals(g, count), mean, std)
        if d is dtypes.float64:
            return blocks_of_normals(g.doubles, count, mean, std, np.float64)
        return blocks_of_normals(g.floats, count, mean, std, np.float32, thrifty=d is not dtypes.float32)

    return draw


def _stretched(numbers: np.ndarray, mean: float, std: float) -> np.ndarray:
    return numbers if (mean, std) == (0, 1) else fma(numbers, np.array(std), np.array(mean))


def next_normals(g: Generator, count: int) -> np.ndarray:
    """Normal numbers one by one: the cosine half of a pair, then the sine half, which is kept for the next call."""
    kept = [] if g.next_normal is None or not count else [g.next_normal]
    pairs = (count - len(kept) + 1) // 2
    draws = g.doubles(2 * pairs).tolist()
    numbers = kept
    for u1, u2 in zip(draws[::2], draws[1::2], strict=True):
        radius = sqrt(-2.0 * log1p(-u2))
        theta = 2.0 * pi * u1
        numbers += radius * cos(theta), radius * sin(theta)
    if count:
        g.next_normal = numbers[count] if len(numbers) > count else None
    return np.array(numbers[:count])


def log_normal_numbers(g: Generator, mean: float, std: float) -> Draw:
    return lambda count: quietly(np.exp, _stretched(next_normals(g, count), mean, std))


def exponential_numbers(g: Generator, rate: float) -> Draw:
    return lambda count: (-1.0 / rate) * np.log1p(-g.doubles(count))


def cauchy_numbers(g: Generator, median: float, sigma: float) -> Draw:
    return lambda count: median + sigma * np.tan(np.pi * (g.doubles(count) - 0.5))


# -- whole numbers -----------------------------------------------------------------------------------------------


def whole_numbers(g: Generator, low: int, high: int) -> Draw:
    """low + a draw modulo the width; a wide range takes 64-bit draws."""
    width = high - low

    @in_pieces
    def draw(count: int) -> np.ndarray:
        raw = g.draws64(count) if width >= 1 << 28 else g.draws32(count)
        result = raw % np.uint64(width) if width < 1 << 64 else raw
        return result.astype(np.int64) + np.int64(low)

    return draw


def any_number(g: Generator, d: dtype) -> Draw:
    """Any number that the dtype holds exactly, from 0 on."""

    @in_pieces
    def draw(count: int) -> np.ndarray:
        if not count:
            return np.empty(0)
        if d is dtypes.bool_:
            return (g.draws32(count) & np.uint64(1)).astype(bool)
        if d._kind == dtypes.FLOAT:
            raw = g.draws64(count) if d is dtypes.float64 else g.draws32(count)
            return (raw % np.uint64((1 << DIGITS[d]) + 1)).astype(np.int64)
        if d is dtypes.int64:
            return (g.draws64(count) % np.uint64(1 << 63)).astype(np.int64)
        return (g.draws32(count) % np.uint64(int(np.iinfo(d._in_numpy).max) + 1)).astype(np.int64)

    return draw


DIGITS = {dtypes.float64: 53, dtypes.float32: 24, dtypes.float16: 11, dtypes.bfloat16: 8}
"""The number of significant bits of each floating-point dtype."""


def geometric_numbers(g: Generator, p: float) -> Draw:
    """Draw the number of trials up to the first success."""
    return lambda count: np.ceil(quietly(np.log, g.doubles(count)) / np.log1p(-p))


def shuffled(g: Generator, total: int) -> np.ndarray:
    """0 to total - 1: each place exchanges with itself or a later one."""
    order = np.arange(total)
    if total > 1:
        steps = g.draws32(total - 1) % np.arange(total, 1, -1, dtype=np.uint64)
        if total > FEW_EXCHANGES:
            return _exchanged(order, steps.astype(np.int64))
        places = order.tolist()
        for i, step in enumerate(steps.tolist()):
            j = i + step
            places[i], places[j] = places[j], places[i]
        order = np.array(places)
    return order


FEW_EXCHANGES = 1000
"""Up to here it is quicker to exchange one after the other."""


def _exchanged(turns: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """All exchanges at once. In each turn the number at its own place goes to the place that it picks.

    So that place holds the number that the turn before, which picked it too, had at its own; and that number came from
    the last turn that had picked that turn's place, if any.
    """
    picked = turns.copy()
    picked[:-1] += steps
    pairs = np.sort(picked << 32 | turns)
    place, turn = pairs >> 32, pairs & 0xFFFFFFFF
    again = place[1:] == place[:-1]
    before, last = np.full_like(turns, -1), np.full_like(turns, -1)
    before[turn[1:][again]] = turn[:-1][again]  # the turn that picked the same place before
    last[place] = turn  # the last turn that picked a place: of equal places the last one is written
    origin = np.where(last == turns, before, last)
    origin = np.where(origin < 0, turns, origin)
    while not np.array_equal(further := origin[origin], origin):
        origin = further
    return np.where(before < 0, picked, origin[before])


# -- one number at a time ----------------------------------------------------------------------------------------

Take = Callable[[], float]
"""Returns the next uniform number in [0, 1)."""

FEW, AT_ONCE = 32, 8192
"""How many uniform numbers are made without arrays, and how many at most are drawn before they are used."""


def one_by_one(g: Generator, number: Callable[..., float], *parameters: np.ndarray) -> np.ndarray:
    """`number(take, ...)` for each element of the parameters, where every call takes one uniform number or more.

    So as many as there are elements left can be drawn at once, and none is drawn in vain.
    """
    left = len(parameters[0])

    def draws() -> Iterator[float]:
        while True:
            yield from g.few_doubles(left) if left <= FEW else g.doubles(min(left, AT_ONCE)).tolist()

    take, result = draws().__next__, np.empty(left)
    for start in range(0, left, AT_ONCE):
        piece, numbers = slice(start, start + AT_ONCE), []
        for given in zip(*(of[piece].tolist() for of in parameters), strict=True):
            numbers.append(number(take, *given))
            left -= 1
        result[piece] = numbers
    return result


def poisson_number(take: Take, rate: float) -> float:
    """Small rates: multiply uniform numbers. From 10 on: Hörmann's rejection with a transformed table mountain."""
    if rate < 10:
        limit, product, count = exp(-rate), take(), 0
        while product > limit:
            product *= take()
            count += 1
        return count
    slope = 0.931 + 2.53 * sqrt(rate)
    shift = -0.059 + 0.02483 * slope
    ridge = 0.9277 - 3.6224 / (slope - 2)
    while True:
        u = take() - 0.5
        v = take()
        us = 0.5 - abs(u)
        k = _floor((2 * shift / us + slope) * u + rate + 0.43) if us else inf
        if us >= 0.07 and v <= ridge:
            return _as_long(k)
        if k < 0 or (us < 0.013 and v > us):
            continue
        inverse = 1.1239 + 1.1328 / (slope - 3.4)
        bound = -rate + k * log(rate) - lgamma(k + 1)
        if (log(v) if v else -inf) + log(inverse) - log(shift / (us * us) + slope) <= bound:
            return _as_long(k)


def _floor(x: float) -> float:
    return floor(x) if -inf < x < inf else x


def _as_long(whole: float) -> float:
    """A whole number as C converts it to 64 bits: what does not fit becomes the smallest of these."""
    return whole if -(2.0**63) <= whole < 2.0**63 else -(2.0**63)


def binomial_number(take: Take, count: float, p: float, kind: type[np.floating]) -> float:
    """How many of so many tries succeed. The rarer outcome is counted; `kind` is what PyTorch multiplies in."""
    rare = p if p <= 0.5 else float(kind(1.0 - p))
    few = kind(count) * kind(rare) < 10
    result = _few_successes(take, count, rare) if few else _many_successes(take, count, rare, kind)
    return result if p <= 0.5 else count - result


def _few_successes(take: Take, count: float, p: float) -> float:
    """The tries between two successes are geometric; so many such waits fit."""
    tries, successes = 0.0, 0.0
    factor = log1p(-p)
    while True:
        u = take()
        tries += ceil(log(u) / factor) if u else inf
        if tries > count:
            return successes
        successes += 1


def _many_successes(take: Take, count: float, p: float, kind: type[np.floating]) -> float:
    """Hörmann's rejection with a transformed table mountain (BTRS), in PyTorch's variant."""
    spread = sqrt(kind(count) * kind(p) * (1 - kind(p)))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    c = float(kind(count) * kind(p)) + 0.5
    ridge = 0.92 - 4.2 / b
    odds = float(kind(p) / (1 - kind(p)))
    alpha = (2.83 + 5.1 / b) * spread
    peak = floor((count + 1) * p)
    while True:
        u = take() - 0.5
        v = take()
        us = 0.5 - abs(u)
        k = float(kind(floor((2 * a / us + b) * u + c))) if us else -1.0
        if k < 0 or k > count:
            continue
        if us >= 0.07 and v <= ridge:
            return k
        bound = (
            (peak + 0.5) * log((peak + 1) / (odds * (count - peak + 1)))
            + (count + 1) * log((count - peak + 1) / (count - k + 1))
            + (k + 0.5) * log(odds * (count - k + 1) / (k + 1))
            + _stirling_rest(peak) + _stirling_rest(count - peak) - _stirling_rest(k) - _stirling_rest(count - k)
        )  # fmt: skip
        if (log(v * alpha / (a / (us * us) + b)) if v else -inf) <= bound:
            return k


_RESTS = (
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
    0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
)  # fmt: skip


def _stirling_rest(k: float) -> float:
    """By how much Stirling's formula is off for log(k!)."""
    if k <= 9:
        return _RESTS[int(k)]
    square = (k + 1) * (k + 1)
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)
