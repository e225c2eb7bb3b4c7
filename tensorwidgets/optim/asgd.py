"""ASGD: gradient descent that also keeps the average of its parameters."""

from __future__ import annotations

from typing import Any, ClassVar

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from .parameters.checks import check_not_negative, check_rate
from .parameters.each_parameter import EachParameter
from .parameters.states import check_capturable, counter_dtype, scalar


class ASGD(EachParameter):
    """Averaged gradient descent: the average of parameters from step `t0` on is kept as the state `ax`."""

    elementwise: ClassVar[bool] = True
    since: ClassVar[dict[str, Any]] = {
        "foreach": None, "maximize": False, "differentiable": False, "capturable": False,
    }  # fmt: skip
    counters: ClassVar[tuple[str, ...]] = ("step", "eta", "mu")
    refuses_sparse: ClassVar[str] = "ASGD does not support sparse gradients"

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_rate(lr)
        check_not_negative(weight_decay, "weight_decay value")
        defaults = {
            "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def begin(self, state: dict[str, Any], parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        like = {"dtype": counter_dtype(), "device": parameter.device}
        state["step"] = torch.zeros((), **like)
        state["eta"] = torch.as_tensor(scalar(group["lr"]), **like).clone().detach()
        state["mu"] = torch.ones((), **like)
        state["ax"] = torch.zeros_like(parameter)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        lr, decay, alpha, start = scalar(group["lr"]), group["lambd"], group["alpha"], group["t0"]
        step, eta, share, average = state["step"], state["eta"], state["mu"], state["ax"]
        if group["capturable"]:
            names, xla = "params, mus, etas, and state_steps", not group["foreach"]
            check_capturable(parameter, share, eta, step, names=names, xla=xla)
        if group["maximize"]:
            grad = -grad
        step.add_(1)
        if group["weight_decay"] != 0:
            grad = grad.add(parameter, alpha=group["weight_decay"])
        if group["foreach"]:
            parameter.addcmul_(grad.add(parameter, alpha=decay), eta, value=-1)
        elif group["capturable"]:
            parameter.mul_(1 - decay * eta)
            parameter.addcmul_(grad, eta, value=-1)
        else:
            rate = eta.item()
            parameter.mul_(1 - decay * rate)
            parameter.add_(grad, alpha=-rate)
        if group["foreach"]:
            average.addcmul_(parameter.sub(average), share)
        elif group["capturable"] or share.item() != 1:
            average.add_(parameter.sub(average).mul_(share))
        else:
            average.copy_(parameter)
        if group["capturable"]:
            eta.copy_(lr / ((1 + decay * lr * step) ** alpha))
            share.copy_(1 / torch.maximum(step - start, torch.ones_like(step)))
        else:
            count = step if group["foreach"] else step.item()
            eta.copy_(torch.as_tensor(lr / ((1 + decay * lr * count) ** alpha)))
            share.copy_(torch.as_tensor(1 / max(1, step.item() - start)))
