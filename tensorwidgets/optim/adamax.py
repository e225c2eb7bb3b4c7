"""Adamax: Adam that divides by the largest gradient so far instead of a mean square."""

from __future__ import annotations

from typing import Any, ClassVar

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from .parameters.checks import check_betas, check_not_negative, check_rate
from .parameters.each_parameter import EachParameter
from .parameters.states import check_capturable, counter, scalar


class Adamax(EachParameter):
    """Adam with the largest absolute gradient, which fades, in place of the mean square."""

    pairs: ClassVar[tuple[str, ...]] = ("betas",)
    elementwise: ClassVar[bool] = True
    since: ClassVar[dict[str, Any]] = {
        "foreach": None, "maximize": False, "differentiable": False, "capturable": False,
    }  # fmt: skip
    refuses_sparse: ClassVar[str] = "Adamax does not support sparse gradients"

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_rate(lr)
        check_not_negative(eps, "epsilon value")
        check_betas(betas)
        check_not_negative(weight_decay, "weight_decay value")
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def begin(self, state: dict[str, Any], parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state["step"] = counter(parameter, group)
        state["exp_avg"] = torch.zeros_like(parameter)
        state["exp_inf"] = torch.zeros_like(parameter)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        lr, (beta1, beta2), step = scalar(group["lr"]), group["betas"], state["step"]
        average, largest = state["exp_avg"], state["exp_inf"]
        if group["capturable"]:
            check_capturable(parameter, step, xla=not group["foreach"])
        if group["maximize"]:
            grad = -grad
        step.add_(1)
        if group["weight_decay"] != 0:
            grad = grad.add(parameter, alpha=group["weight_decay"])
        average.lerp_(grad, 1 - beta1)
        size = grad.abs().add_(group["eps"])
        if group["differentiable"]:
            both = torch.cat([largest.mul_(beta2).unsqueeze(0), size.unsqueeze_(0)], 0)
            largest.copy_(torch.amax(both, 0))
        else:
            largest.copy_(torch.maximum(largest.mul_(beta2), size))
        if group["capturable"]:
            parameter.addcdiv_(average, largest * ((beta1**step - 1) / lr))
        else:
            rate = lr / (1 - beta1 ** step.item())
            parameter.addcdiv_(average, largest, value=-rate)
