"""Activations of few float32, and their gradients, with every rounding of PyTorch's kernels.

The names are those of `curves`. Only the exponential differs from PyTorch's, in the last bit of one number in a
hundred: ours is the exact one, rounded. Where a kernel multiplies and adds in one step, so does this.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import numpy as np
from numpy import ndarray

from ..fma import fused
from ..in_double import SINGLE, exp, expm1, in_double, log1p

FEW = 1 << 11
"""Up to this many numbers, all of which may be printed, exact steps take about as long as the call itself."""

tanh = in_double(np.tanh)
ONE, HALF = np.ones((), SINGLE), np.array(0.5, SINGLE)
TANH_SCALE, TANH_CUBE = sqrt(2 / pi), 0.044715
"""The constants of gelu's approximation by tanh."""
SCALE, CUBE = np.array(TANH_SCALE, SINGLE), np.array(TANH_CUBE, SINGLE)


def are_few(x: ndarray) -> bool:
    """Whether each step is rounded as in PyTorch."""
    return x.size <= FEW and x.dtype == SINGLE and type(x) is ndarray


def sigmoid(x: ndarray) -> Any:
    return ONE / (ONE + exp(-x))


def tanh_slope(grad: ndarray, result: ndarray) -> Any:
    return grad * fused(-result, result, ONE)


def silu(x: ndarray) -> Any:
    return x / (ONE + exp(-x))


def silu_slope(grad: ndarray, x: ndarray) -> Any:
    s = sigmoid(x)
    return grad * s * fused(x, ONE - s, ONE)


def softplus(x: ndarray, beta: float, threshold: float) -> Any:
    scaled = x * SINGLE.type(beta)
    return np.where(scaled > SINGLE.type(threshold), x, log1p(exp(scaled)) / SINGLE.type(beta))


def softplus_slope(grad: ndarray, x: ndarray, beta: float, threshold: float) -> Any:
    scaled = x * SINGLE.type(beta)
    power = exp(scaled)
    return np.where(scaled > SINGLE.type(threshold), grad, grad * power / (power + ONE))


def mish(x: ndarray) -> Any:
    return x * tanh(log1p(exp(x)))


def mish_slope(grad: ndarray, x: ndarray) -> Any:
    t = tanh(log1p(exp(x)))
    return grad * fused(x * sigmoid(x), fused(-t, t, ONE), t)


def elu(x: ndarray, alpha: float, scale: float, input_scale: float) -> Any:
    outer = SINGLE.type(alpha) * SINGLE.type(scale)
    below = expm1(np.minimum(x, 0) * SINGLE.type(input_scale)) * outer
    return np.where(x < 0, below, x * SINGLE.type(scale))


def elu_slope(grad: ndarray, x: ndarray, alpha: float, scale: float, input_scale: float, is_result: bool) -> Any:
    inner, outer = SINGLE.type(input_scale), SINGLE.type(alpha) * SINGLE.type(scale)
    if is_result:
        below = grad * inner * (x + outer)
    else:
        below = grad * inner * outer * exp(np.minimum(x, 0) * inner)
    return np.where(x <= 0, below, grad * SINGLE.type(scale))


def log_sigmoid(x: ndarray) -> Any:
    return np.minimum(x, 0) - log1p(exp(-np.abs(x)))


def log_sigmoid_slope(grad: ndarray, x: ndarray) -> Any:
    power = exp(-np.abs(x))
    share = power / (ONE + power)
    return np.where(x < 0, ONE - share, share) * grad


def _bend(x: ndarray, square: ndarray) -> Any:
    return SCALE * fused(CUBE, square * x, x)


def gelu_by_tanh(x: ndarray) -> Any:
    return HALF * x * (ONE + tanh(_bend(x, x * x)))


def gelu_by_tanh_slope(grad: ndarray, x: ndarray) -> Any:
    square = x * x
    t = tanh(_bend(x, square))
    steep = SCALE * fused(SINGLE.type(3) * CUBE, square, ONE)
    return grad * (HALF * (ONE + t) + HALF * x * fused(-t, t, ONE) * steep)
