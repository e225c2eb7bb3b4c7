"""NAdam: Adam with Nesterov's look ahead."""

from __future__ import annotations

from typing import Any, ClassVar

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from .parameters.checks import check_betas, check_not_negative, check_rate
from .parameters.each_parameter import EachParameter
from .parameters.states import check_capturable, counter, scalar


class NAdam(EachParameter):
    """Adam whose momentum looks one step ahead, and grows with the number of steps."""

    pairs: ClassVar[tuple[str, ...]] = ("betas",)
    elementwise: ClassVar[bool] = True
    since: ClassVar[dict[str, Any]] = {
        "maximize": False, "foreach": None, "capturable": False, "differentiable": False,
        "decoupled_weight_decay": False,
    }  # fmt: skip
    counters: ClassVar[tuple[str, ...]] = ("step", "mu_product")
    refuses_sparse: ClassVar[str] = "NAdam does not support sparse gradients"

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
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
        check_not_negative(momentum_decay, "momentum_decay value")
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay, "maximize": maximize, "foreach": foreach,
            "capturable": capturable, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def begin(self, state: dict[str, Any], parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state["step"] = counter(parameter, group)
        state["mu_product"] = counter(parameter, group, 1.0)
        state["exp_avg"] = torch.zeros_like(parameter)
        state["exp_avg_sq"] = torch.zeros_like(parameter)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        lr, (beta1, beta2), decay = scalar(group["lr"]), group["betas"], group["momentum_decay"]
        average, square, product = state["exp_avg"], state["exp_avg_sq"], state["mu_product"]
        if group["capturable"]:
            names = f"params, mu_products{',' if group['foreach'] else ''} and state_steps"
            check_capturable(parameter, product, state["step"], names=names, xla=not group["foreach"])
        if group["maximize"]:
            grad = -grad
        state["step"].add_(1)
        step: Any = state["step"] if group["capturable"] else state["step"].item()
        if group["weight_decay"] != 0:
            if group["decoupled_weight_decay"]:
                parameter.mul_(1 - lr * group["weight_decay"])
            else:
                grad = grad.add(parameter, alpha=group["weight_decay"])
        momentum = beta1 * (1.0 - 0.5 * (0.96 ** (step * decay)))
        following = beta1 * (1.0 - 0.5 * (0.96 ** ((step + 1) * decay)))
        product.mul_(momentum)
        average.lerp_(grad, 1 - beta1)
        square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        root = square.div(1 - beta2**step).sqrt()
        if group["capturable"] or group["differentiable"]:
            root = root.add(group["eps"])
            parameter.addcdiv_(grad * (-lr * (1.0 - momentum) / (1.0 - product)), root)
            parameter.addcdiv_(average * (-lr * following / (1.0 - product * following)), root)
        else:
            root.add_(group["eps"])
            so_far = product.item()
            parameter.addcdiv_(grad, root, value=-lr * (1.0 - momentum) / (1.0 - so_far))
            parameter.addcdiv_(average, root, value=-lr * following / (1.0 - so_far * following))
