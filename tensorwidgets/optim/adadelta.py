"""Adadelta: finds the size of its steps from the steps before."""

from __future__ import annotations

from typing import Any, ClassVar

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from .parameters.checks import check_not_negative, check_rate
from .parameters.each_parameter import EachParameter
from .parameters.states import check_capturable, counter, scalar


class Adadelta(EachParameter):
    """Gradients scaled by the mean square of earlier steps over the mean square of gradients; `lr` is usually 1."""

    elementwise: ClassVar[bool] = True
    since: ClassVar[dict[str, Any]] = {
        "foreach": None, "maximize": False, "differentiable": False, "capturable": False,
    }  # fmt: skip
    refuses_sparse: ClassVar[str] = "Adadelta does not support sparse gradients"

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rate(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check_not_negative(eps, "epsilon value")
        check_not_negative(weight_decay, "weight_decay value")
        defaults = {
            "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
            "capturable": capturable, "foreach": foreach, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def begin(self, state: dict[str, Any], parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state["step"] = counter(parameter, group)
        state["square_avg"] = torch.zeros_like(parameter)
        state["acc_delta"] = torch.zeros_like(parameter)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        rho, eps, square, moved = group["rho"], group["eps"], state["square_avg"], state["acc_delta"]
        if group["capturable"]:
            check_capturable(parameter, state["step"], xla=False)
        state["step"].add_(1)
        if group["maximize"]:
            grad = -grad
        if group["weight_decay"] != 0:
            grad = grad.add(parameter, alpha=group["weight_decay"])
        square.mul_(rho).addcmul_(grad, grad, value=1 - rho)
        root = square.add(eps).sqrt_()
        delta = moved.add(eps).sqrt_()
        if group["differentiable"]:
            delta = delta.clone()
        delta.div_(root).mul_(grad)
        moved.mul_(rho).addcmul_(delta, delta, value=1 - rho)
        parameter.add_(delta, alpha=-scalar(group["lr"]))
