"""RAdam: Adam that begins with plain momentum, until the mean square can be trusted."""

from __future__ import annotations

from typing import Any, ClassVar

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from .parameters.checks import check_betas, check_not_negative, check_rate
from .parameters.each_parameter import EachParameter
from .parameters.states import check_capturable, counter, scalar


class RAdam(EachParameter):
    """Adam with rectified steps: the first ones do not divide by the mean square, since it knows too few gradients."""

    pairs: ClassVar[tuple[str, ...]] = ("betas",)
    elementwise: ClassVar[bool] = True
    since: ClassVar[dict[str, Any]] = {
        "foreach": None, "maximize": False, "differentiable": False, "decoupled_weight_decay": False,
        "capturable": False,
    }  # fmt: skip
    refuses_sparse: ClassVar[str] = "RAdam does not support sparse gradients"

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rate(lr)
        check_not_negative(eps, "epsilon value")
        check_betas(betas)
        check_not_negative(weight_decay, "weight_decay value")
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
            "foreach": foreach, "capturable": capturable, "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def begin(self, state: dict[str, Any], parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state["step"] = counter(parameter, group)
        state["exp_avg"] = torch.zeros_like(parameter)
        state["exp_avg_sq"] = torch.zeros_like(parameter)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        lr, (beta1, beta2) = scalar(group["lr"]), group["betas"]
        average, square = state["exp_avg"], state["exp_avg_sq"]
        if group["capturable"]:
            check_capturable(parameter, state["step"], xla=not group["foreach"])
        if group["maximize"]:
            grad = -grad
        state["step"].add_(1)
        step: Any = state["step"] if group["capturable"] else state["step"].item()
        if group["weight_decay"] != 0:
            if group["decoupled_weight_decay"]:
                parameter.mul_(1 - lr * group["weight_decay"])
            else:
                grad = grad.add(parameter, alpha=group["weight_decay"])
        average.lerp_(grad, 1 - beta1)
        square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        correction = 1 - beta2**step
        move = average / (1 - beta1**step) * lr
        # How many gradients the mean square is worth: rectified steps need more than five.
        most = 2 / (1 - beta2) - 1
        worth = most - 2 * step * (beta2**step) / correction

        def rectified() -> Any:
            return ((worth - 4) * (worth - 2) * most / ((most - 4) * (most - 2) * worth)) ** 0.5

        def adapted() -> Tensor:
            root = square.sqrt()
            root = root.add(group["eps"]) if group["differentiable"] else root.add_(group["eps"])
            return (correction**0.5) / root

        if group["capturable"]:
            move = move * torch.where(worth > 5.0, rectified() * adapted(), 1.0)
        elif worth > 5.0:
            move = move * adapted() * rectified()
        parameter.add_(move, alpha=-1.0)
