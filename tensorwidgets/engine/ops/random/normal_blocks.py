"""Normal numbers in blocks of 16, as PyTorch draws 16 or more of them.

Box and Muller: of two uniform numbers u1 and u2, `sqrt(-2 log u1)` is a radius and `2 pi u2` an angle. For float32
PyTorch computes the logarithm, the sine and the cosine by the polynomials of the Cephes library, with a fused
multiply-add wherever a product is added to something. Here the same polynomials are evaluated with float64 between the
roundings, so that the numbers are PyTorch's to the bit. For float64 PyTorch calls the C library.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Any

import numpy as np

from ...backends.numpy.chunks import spans
from ...backends.numpy.fma import fma
from ...memory.places import empty

_PIECE = 1 << 12
"""How many pairs are computed at once: what is made on the way stays in the cache, and is too short for threads."""


def _in_float32(*numbers: float) -> tuple[float, ...]:
    return tuple(np.array(numbers, np.float32).tolist())


_LOG = _in_float32(
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
    2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
_COS = _in_float32(2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
_SIN = _in_float32(-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_LN2 = _in_float32(-2.12194440e-4, 0.693359375)
"""log 2 in two parts, the small one first."""
_QUARTER_PI = _in_float32(0.78515625, 2.4187564849853515625e-4, 3.77489497744594108e-8)
"""pi / 4 in three parts, so that multiples of it are subtracted without a loss."""
_HALF_ROOT = int(np.float32(0.5**0.5).view(np.int32))
"""The bits of the square root of 1/2; positive floats are in the order of their bits."""
_OCTANTS = np.float32(4 / np.pi)


def blocks_of_normals(
    uniform: Callable[[int], np.ndarray], count: int, mean: float, std: float, kind: Any, thrifty: bool = False
) -> np.ndarray:
    """Whole blocks of 16 in place; a ragged tail is drawn again, as the last 16 numbers.

    PyTorch draws the tail's numbers twice, but for 16-bit floats (`thrifty`) only once.
    """
    whole = count - count % 16
    drawn = uniform(whole if thrifty else count)
    x = empty((count,), np.dtype(kind), drawn)
    if whole == count or count > 2 * _PIECE:
        _pairs(drawn[:whole], mean, std, x[:whole])
        if whole != count:
            _pairs(uniform(16), mean, std, x[count - 16 :])
    else:  # a few blocks and the tail take hardly longer than the tail alone
        drawn = np.concatenate((drawn[:whole], uniform(16)))
        both = empty((whole + 16,), x.dtype, drawn)
        _pairs(drawn, mean, std, both)
        x[:whole] = both[:whole]
        x[count - 16 :] = both[whole:]
    return x


def _pairs(drawn: np.ndarray, mean: float, std: float, out: np.ndarray) -> None:
    """Of each block the first 8 numbers give the radius, the last 8 the angle."""
    blocks, targets = drawn.reshape(-1, 2, 8), out.reshape(-1, 2, 8)
    compute = _float32_pairs if out.dtype == np.float32 else _float64_pairs
    for piece in spans(len(blocks), _PIECE // 8):
        compute(blocks[piece], mean, std, targets[piece])


def _float64_pairs(blocks: np.ndarray, mean: float, std: float, out: np.ndarray) -> None:
    radius = np.sqrt(-2.0 * _log_float64(1.0 - blocks[:, 0]))
    theta = 2.0 * np.pi * blocks[:, 1]
    for half, wave in ((0, np.cos(theta)), (1, np.sin(theta))):
        numbers = radius * wave
        out[:, half] = numbers if mean == 0 and std == 1 else fma(numbers, np.float64(std), np.float64(mean))


def _log_float64(x: np.ndarray) -> np.ndarray:
    """The natural logarithm by the C library, as in PyTorch: NumPy's own differs in the last bit here and there."""
    return np.fromiter(map(log, x.ravel().tolist()), np.float64, x.size).reshape(x.shape)


def _float32_pairs(blocks: np.ndarray, mean: float, std: float, out: np.ndarray) -> None:
    radius = np.sqrt(np.float32(-2) * log_float32(np.float32(1) - blocks[:, 0]))
    sine, cosine = sine_and_cosine_float32(np.float32(2 * np.pi) * blocks[:, 1])
    if mean == 0 and std == 1:
        np.multiply(radius, cosine, out=out[:, 0])
        np.multiply(radius, sine, out=out[:, 1])
        return
    std, mean = float(np.float32(std)), float(np.float32(mean))
    out[:, 0] = (radius * cosine).astype(np.float64) * std + mean
    out[:, 1] = (radius * sine).astype(np.float64) * std + mean


def log_float32(x: np.ndarray) -> np.ndarray:
    """The natural logarithm of positive float32 numbers, with the last bits of PyTorch's `randn`.

    >>> log_float32(np.array([1.0, 0.5], np.float32)).tolist()
    [0.0, -0.6931471824645996]
    """
    bits = x.view(np.int32)
    power = (bits >> 23) - 126
    bits = bits & 0x007FFFFF
    bits |= 0x3F000000  # from 0.5 up to, and without, 1
    low = (bits < _HALF_ROOT).astype(np.int32)
    power -= low
    low <<= 23
    bits += low  # twice as much where it was small
    x = bits.view(np.float32)
    x -= 1
    wide, exponent = x.astype(np.float64), power.astype(np.float64)
    y = _polynomial(_LOG, wide)
    y *= wide
    _round(y)
    wide *= wide
    square = _round(wide)
    y *= square
    y += _round(exponent * _LN2[0])
    _round(y)
    square *= -0.5
    y += square
    y = _round(y) + x
    _round(y)
    exponent *= _LN2[1]
    exponent += y
    return exponent.astype(np.float32)


def sine_and_cosine_float32(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sine and cosine of float32 numbers from 0 to 2 pi, with the last bits of PyTorch's `randn`.

    >>> sine, cosine = sine_and_cosine_float32(np.array([0.0, 1.0], np.float32))
    >>> sine.tolist(), cosine.tolist()
    ([0.0, 0.8414709568023682], [1.0, 0.5403022766113281])
    """
    octant = (x * _OCTANTS).astype(np.int32)
    octant += 1
    octant &= ~1
    turns = octant.astype(np.float64)
    wide = x.astype(np.float64)
    for part in _QUARTER_PI:
        wide -= turns * part
        _round(wide)
    square = _round(wide * wide)
    cosine = _polynomial(_COS, square)
    cosine *= square
    _round(cosine)
    cosine *= square
    sine = _polynomial(_SIN, square)
    sine *= square
    _round(sine)
    sine *= wide
    sine += wide
    square *= 0.5
    cosine -= square
    _round(cosine)
    cosine += 1
    swapped = (octant & 2) != 0
    result = np.where(swapped, cosine, sine).astype(np.float32), np.where(swapped, sine, cosine).astype(np.float32)
    signs = result[0].view(np.int32), result[1].view(np.int32)
    np.bitwise_xor(signs[0], (octant & 4) << 29, out=signs[0])
    np.bitwise_xor(signs[1], ((octant + 2) & 4) << 29, out=signs[1])
    return result


def _polynomial(factors: tuple[float, ...], x: np.ndarray) -> np.ndarray:
    """Horner's way, each step rounded once."""
    y = x * factors[0]
    y += factors[1]
    _round(y)
    for factor in factors[2:]:
        y *= x
        y += factor
        _round(y)
    return y


def _round(x: np.ndarray) -> np.ndarray:
    """float64 numbers rounded to float32 where they are: a product and a sum before it count as one step."""
    x[...] = x.astype(np.float32)
    return x
