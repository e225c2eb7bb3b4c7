"""Which curve does each activation follow, and how steep is it? Functions of arrays and numbers.

`NAME(x, …)` is the curve, and `NAME_slope(grad, x, …)` a gradient times its slope.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import numpy as np
from numpy import ndarray

from ....backends.numpy.branchless_where import chosen, kept
from ....backends.numpy.in_double import SINGLE
from ....backends.numpy.layers import few_activations as few
from ....backends.numpy.layers.few_activations import TANH_CUBE, TANH_SCALE
from ....backends.numpy.limits import BLOCK, at_least, at_most
from ....backends.numpy.rounded_steps import rounding


def _sigmoid(x: ndarray) -> Any:
    return 1 / (1 + np.exp(-x))


def _log1p_exp(x: ndarray) -> Any:
    """log(1 + exp(x)) without overflow."""
    return np.maximum(x, 0) + _log1p(np.exp(-np.abs(x)))


def _log1p(x: ndarray) -> Any:
    """log(1 + x) of numbers that are not negative. NumPy's own for float32 has no vector instructions."""
    if x.dtype != SINGLE:
        return np.log1p(x)
    whole = x + 1
    part = whole - 1  # what the sum has kept of x
    return chosen(~((part > 0) & (part < np.inf)), x.copy(), np.log(whole) * (x / part))


def _expm1(x: ndarray) -> Any:
    """exp(x) - 1 of numbers that are not positive; for float32 by a function that has vector instructions."""
    if x.dtype != SINGLE:
        return np.expm1(x)
    t = np.tanh(x * np.float32(0.5))
    return 2 * t / (1 - t)


def leaky_relu(x: ndarray, slope: float) -> Any:
    if 0 <= slope <= 1:
        return np.maximum(x, x * x.dtype.type(slope))
    return chosen(~(x > 0), x * x.dtype.type(slope), x)


def leaky_relu_slope(grad: np.ndarray, x: np.ndarray, slope: float) -> Any:
    return chosen(~(x > 0), grad * x.dtype.type(slope), grad)


def elu(x: ndarray, alpha: float, scale: float, input_scale: float) -> Any:
    if few.are_few(x):
        return few.elu(x, alpha, scale, input_scale)
    below = at_most(x, 0) * input_scale
    return chosen(x < 0, (_expm1 if input_scale > 0 else np.expm1)(below) * (alpha * scale), x * scale)


def elu_slope(grad: np.ndarray, x: np.ndarray, alpha: float, scale: float, input_scale: float, is_result: bool) -> Any:
    if few.are_few(x):
        return few.elu_slope(grad, x, alpha, scale, input_scale, is_result)
    if is_result:
        below = (x + alpha * scale) * input_scale
    else:
        below = np.exp(np.minimum(x, 0) * input_scale) * (alpha * scale * input_scale)
    return grad * chosen(x <= 0, below, np.full_like(x, scale))


SIGN = np.uint32(0x80000000)
"""The bit of a float32 that is its sign."""
ROOT_OF_HALF, DENSITY = sqrt(0.5), 1 / sqrt(2 * pi)
"""Facts of the normal distribution: 1/√2, and its density at 0."""


def _share(x: ndarray) -> Any:
    """The share of a normal distribution that lies below x."""
    if x.dtype != SINGLE:
        from scipy.special import erf

        return (1 + erf(x * ROOT_OF_HALF)) * 0.5
    # Abramowitz and Stegun, 7.1.26, whose error is below 1.5e-7.
    power = np.multiply(x, x)
    power *= np.float32(-0.5)
    t = np.abs(x)
    t *= np.float32(ROOT_OF_HALF) * P
    t += 1
    np.reciprocal(t, t)
    series = t * A[0]
    for a in A[1:]:
        series += a
        series *= t
    series *= np.exp(power, power)
    series += np.float32(0.5)
    # The sign of x, by its bit: NumPy's copysign has no vector instructions.
    whole, sign = series.view(np.uint32), t.view(np.uint32)
    np.bitwise_and(x.view(np.uint32), SIGN, sign)
    np.bitwise_or(whole, sign, whole)
    series += np.float32(0.5)
    return series


P, *A = [np.float32(v) for v in (0.3275911, 1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)]
A = [a * np.float32(-0.5) for a in A]
"""The constants of that formula, from the highest power; half of the series is taken off one half."""


def _bend(x: np.ndarray) -> Any:
    """What gelu's approximation takes the tanh of."""
    inner = x * x
    inner *= TANH_CUBE
    inner += 1
    inner *= x
    inner *= TANH_SCALE
    return inner


def gelu(x: ndarray, approximate: str) -> Any:
    if approximate == "tanh" and few.are_few(x):
        return few.gelu_by_tanh(x)
    if approximate == "none":
        result = _share(x)
    else:
        inner = _bend(x)
        result = np.tanh(inner, out=inner)
        result += 1
        result *= 0.5
    result *= x
    return result


def gelu_slope(grad: ndarray, x: ndarray, approximate: str) -> Any:
    if approximate == "tanh" and few.are_few(x):
        return few.gelu_by_tanh_slope(grad, x)
    if approximate == "none":
        density = x * x
        density *= -0.5
        slope = np.exp(density, out=density)
        slope *= DENSITY
        slope *= x
        slope += _share(x)
    else:
        inner = _bend(x)
        t = np.tanh(inner, out=inner)
        steep = x * x
        steep *= 3 * TANH_CUBE * TANH_SCALE
        steep += TANH_SCALE
        steep *= 1 - t * t
        steep *= x
        slope = t
        slope += steep
        slope += 1
        slope *= 0.5
    slope *= grad
    return slope


def silu(x: ndarray) -> Any:
    if few.are_few(x):
        return few.silu(x)
    return x * _sigmoid(x)


def silu_slope(grad: ndarray, x: ndarray) -> Any:
    if few.are_few(x):
        return few.silu_slope(grad, x)
    s = _sigmoid(x)
    return grad * np.conj(s * (1 + x * (1 - s)))


def mish(x: ndarray) -> Any:
    if few.are_few(x):
        return few.mish(x)
    return x * np.tanh(_log1p_exp(x))


def mish_slope(grad: ndarray, x: ndarray) -> Any:
    if few.are_few(x):
        return few.mish_slope(grad, x)
    t = np.tanh(_log1p_exp(x))
    return grad * (t + x * _sigmoid(x) * (1 - t * t))


def softplus(x: ndarray, beta: float, threshold: float) -> Any:
    if few.are_few(x):
        return few.softplus(x, beta, threshold)
    return chosen(x * beta > threshold, x.copy(), _log1p(np.exp(x * beta)) / beta)


def softplus_slope(grad: np.ndarray, x: np.ndarray, beta: float, threshold: float) -> Any:
    if few.are_few(x):
        return few.softplus_slope(grad, x, beta, threshold)
    return chosen(~(x * beta > threshold), grad * _sigmoid(x * beta), grad)


def softshrink(x: ndarray, lambd: float) -> Any:
    edge = x.dtype.type(lambd)
    rest = x - np.clip(x, -edge, edge)
    if x.dtype != SINGLE or type(x) is not ndarray:
        rest = np.copysign(rest, x)
    else:
        bits = rest.view(np.uint32)  # of 0, too, the sign is that of x
        np.bitwise_or(bits, np.bitwise_and(x.view(np.uint32), SIGN), bits)
    if type(rest) is ndarray:
        outermost_first = sorted(range(x.ndim), key=lambda d: -rest.strides[d])
        in_order = rest.transpose(outermost_first)
        length = _neighbors(x.transpose(outermost_first))
        if in_order.flags.c_contiguous and length:
            # in PyTorch's registers, 0 has no sign
            in_order.reshape(-1, length)[:, : length - length % (BLOCK // rest.itemsize)] += 0
    return rest


def _neighbors(x: ndarray) -> int:
    """How many elements lie side by side in a row, before the next row begins elsewhere.

    >>> _neighbors(np.ones((2, 3))), _neighbors(np.ones((2, 3))[:, :2]), _neighbors(np.ones((2, 3)).T)
    (6, 2, 1)
    """
    length = 1
    for size, stride in zip(x.shape[::-1], x.strides[::-1], strict=True):
        if size != 1:
            if stride != length * x.itemsize:
                break
            length *= size
    return length


def softshrink_slope(grad: np.ndarray, x: np.ndarray, lambd: float) -> Any:
    edge = x.dtype.type(lambd)
    return kept(~((x >= -edge) & (x <= edge)), grad)


def hardtanh(x: ndarray, low: float, high: float) -> Any:
    kind = x.dtype.type
    return at_most(at_least(x, kind(low)), kind(high))


def hardtanh_slope(grad: np.ndarray, x: np.ndarray, low: float, high: float) -> Any:
    kind = x.dtype.type
    return kept(~((x <= kind(low)) | (x >= kind(high))), grad)


def hardsigmoid(x: ndarray) -> Any:
    return np.clip(x + 3, 0, 6) / 6


ONE_SIXTH = np.float32(1) / np.float32(6)
"""The slope in the middle of hardsigmoid: PyTorch rounds it to float32 for all dtypes."""


def hardsigmoid_slope(grad: ndarray, x: ndarray) -> Any:
    return kept((x > -3) & (x < 3), grad * x.dtype.type(ONE_SIXTH))


def hardswish(x: ndarray) -> Any:
    return x * np.clip(x + 3, 0, 6) / 6


def hardswish_slope(grad: ndarray, x: ndarray) -> Any:
    return np.where(x <= -3, x.dtype.type(0), np.where(x < 3, grad * (x / 3 + x.dtype.type(0.5)), grad))


def log_sigmoid(x: ndarray) -> Any:
    if few.are_few(x):
        return few.log_sigmoid(x)
    return np.minimum(x, 0) - _log1p(np.exp(-np.abs(x)))


def log_sigmoid_slope(grad: ndarray, x: ndarray, small: np.dtype | None = None) -> Any:
    """The gradient of log_sigmoid; PyTorch keeps exp(-|x|) of 16-bit floats in their own dtype."""
    if small is None and few.are_few(x):
        return few.log_sigmoid_slope(grad, x)
    if small is None:
        return grad * _sigmoid(-x)
    power = rounding(small, x.dtype)(np.exp(-np.abs(x)))
    share = power / (1 + power)
    return grad * np.where(x < 0, 1 - share, share)


def threshold(x: np.ndarray, threshold: float, value: Any) -> Any:
    return chosen(x <= x.dtype.type(threshold), np.full_like(x, x.dtype.type(value)), x)


def threshold_slope(grad: np.ndarray, x: np.ndarray, threshold: float) -> Any:
    return kept(~(x <= x.dtype.type(threshold)), grad)
