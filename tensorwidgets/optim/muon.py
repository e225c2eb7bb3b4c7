"""Muon: momentum, made orthogonal before each step, for the matrices of hidden layers."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from .parameters.checks import check_one_element
from .parameters.each_parameter import EachParameter
from .parameters.states import scalar


class Muon(EachParameter):
    """Momentum whose matrix is replaced by a nearly orthogonal one: every direction moves by about the same amount."""

    counters: ClassVar[tuple[str, ...]] = ()
    refuses_lists: ClassVar[bool] = False
    refuses_sparse: ClassVar[str] = "Muon does not support sparse gradients"

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.7750, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        check_one_element(lr)
        if not 0.0 <= lr:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not 0.0 <= momentum:
            raise ValueError(f"momentum should be >= 0 but is: {momentum}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"weight decay should be >= 0 but is: {weight_decay}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        defaults = {
            "lr": lr, "weight_decay": weight_decay, "momentum": momentum, "nesterov": nesterov,
            "ns_coefficients": ns_coefficients, "eps": eps, "ns_steps": ns_steps, "adjust_lr_fn": adjust_lr_fn,
        }  # fmt: skip
        super().__init__(params, defaults)
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.ndim != 2:
                    raise ValueError(
                        f"Muon only supports 2D parameters whereas we found a parameter with size: {parameter.size()}"
                    )

    def check(self, parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        if parameter.is_complex():
            raise RuntimeError("Muon does not support complex parameters")
        super().check(parameter, grad, group)

    def begin(self, state: dict[str, Any], parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state["momentum_buffer"] = torch.zeros_like(grad)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        lr, momentum, velocity = scalar(group["lr"]), group["momentum"], state["momentum_buffer"]
        if grad.ndim != 2:
            raise ValueError("Param gradient must be a 2D matrix")
        velocity.lerp_(grad, 1 - momentum)
        move = grad.lerp(velocity, momentum) if group["nesterov"] else velocity
        move = _orthogonal(move, group["ns_coefficients"], group["ns_steps"], group["eps"])
        parameter.mul_(1 - lr * group["weight_decay"])
        parameter.add_(move, alpha=-lr * _factor(group["adjust_lr_fn"], *parameter.shape))


def _orthogonal(matrix: Tensor, coefficients: tuple[float, float, float], steps: int, eps: float) -> Tensor:
    """A nearly orthogonal matrix with the same singular vectors, by Newton and Schulz's iteration in bfloat16."""
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    tall = matrix.size(0) > matrix.size(1)
    result = matrix.bfloat16()
    if tall:
        result = result.T
    # As in PyTorch, a matrix that is bfloat16 already is divided in place.
    result.div_(result.norm().clamp(min=eps))
    for _ in range(steps):
        gram = result @ result.T
        result = torch.addmm(result, torch.addmm(gram, gram, gram, beta=b, alpha=c), result, beta=a)
    return result.T if tall else result


def _factor(rule: str | None, rows: int, columns: int) -> float:
    """How much longer steps are for a matrix of this size."""
    if rule == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    return math.sqrt(max(1, rows / columns))
