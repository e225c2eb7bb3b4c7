"""How do the formulas of activations run on arrays? The slopes of few elements; see `formulas`."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np

from ...derivatives.families.nn.activations.kernels import inverse
from ...ops.nn.activations import curves
from ...ops.nn.activations.elementwise import PIECE
from ...ops.nn.activations.kernels import SELU_ALPHA, SELU_SCALE
from ..formulas import FormulaNode
from ..saved import ABSENT
from .formulas import Gradients, saved_array, shortcut

Slope = Callable[..., Any]


def _declare(row: str, node: str, slope: Slope) -> None:
    """The shortcut of a row: its slope is a function of the gradient, the input, and what the call has named."""
    usual = [p.default for p in signature(slope).parameters.values()][2:]

    @shortcut(row, node)
    def gradient(node: FormulaNode, grad: np.ndarray) -> Gradients:
        kept, *numbers = node.values  # type: ignore[misc]
        x = saved_array(kept, grad) if grad.dtype.kind == "f" and grad.ndim and grad.size <= PIECE else None
        if type(x) is not np.ndarray or not x.size:
            return None
        if ABSENT in numbers:
            numbers = [u if n is ABSENT else n for n, u in zip(numbers, usual, strict=True)]
        found = slope(grad, x, *numbers)
        return [found if found is not grad and found.base is None else found.copy()]  # what a leaf may keep


def _of_elu(
    grad: np.ndarray, x: np.ndarray, alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0
) -> Any:  # fmt: skip
    return curves.elu_slope(grad, x, alpha, scale, input_scale, False)


def _of_selu(
    grad: np.ndarray, x: np.ndarray, alpha: float = SELU_ALPHA, scale: float = SELU_SCALE, input_scale: float = 1.0
) -> Any:
    return _of_elu(grad, x, alpha, scale, input_scale)


def _of_leaky_relu(grad: np.ndarray, x: np.ndarray, negative_slope: float = 0.01) -> Any:
    return curves.leaky_relu_slope(grad, x, negative_slope)


def _of_softplus(grad: np.ndarray, x: np.ndarray, beta: float = 1, threshold: float = 20) -> Any:
    return curves.softplus_slope(grad, x, beta, threshold)


def _of_softshrink(grad: np.ndarray, x: np.ndarray, lambd: float = 0.5) -> Any:
    return curves.softshrink_slope(grad, x, lambd)


def _of_hardtanh(grad: np.ndarray, x: np.ndarray, min_val: float = -1, max_val: float = 1) -> Any:
    return curves.hardtanh_slope(grad, x, min_val, max_val)


def _of_gelu(grad: np.ndarray, x: np.ndarray, approximate: str = "none") -> Any:
    return curves.gelu_slope(grad, x, approximate)


_declare("_nn.leaky_relu", "LeakyReluBackward0", _of_leaky_relu)
_declare("selu", "EluBackward0", _of_selu)
_declare("_nn.elu", "EluBackward0", _of_elu)
_declare("celu", "CeluBackward0", lambda grad, x, alpha=1.0: _of_elu(grad, x, alpha, 1.0, inverse(alpha)))
_declare("nn.functional.gelu", "GeluBackward0", _of_gelu)
_declare("_nn.silu", "SiluBackward0", curves.silu_slope)
_declare("_nn.mish", "MishBackward0", curves.mish_slope)
_declare("nn.functional.softplus", "SoftplusBackward0", _of_softplus)
_declare("nn.functional.softshrink", "SoftshrinkBackward0", _of_softshrink)
_declare("_nn.hardtanh", "HardtanhBackward0", _of_hardtanh)
_declare("_nn.hardsigmoid", "HardsigmoidBackward0", curves.hardsigmoid_slope)
_declare("_nn.hardswish", "HardswishBackward0", curves.hardswish_slope)
_declare("nn.functional.logsigmoid", "LogSigmoidBackward0", lambda grad, x: curves.log_sigmoid_slope(grad, x))
_declare("threshold", "ThresholdBackward0", lambda grad, x, threshold: curves.threshold_slope(grad, x, threshold))
