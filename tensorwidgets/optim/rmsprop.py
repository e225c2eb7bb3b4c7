"""RMSprop: divides the gradient by the root of a running average of its square."""

from __future__ import annotations

from typing import Any, ClassVar

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from .checks import check_not_negative, check_rate
from .each_parameter import EachParameter
from .states import check_capturable, counter, scalar


class RMSprop(EachParameter):
    """Gradients divided by the root of their mean square, with momentum if wanted; `centered` divides by the deviation.

    >>> import tensorwidgets as torch
    >>> w = torch.tensor([1.0, 1.0], requires_grad=True)
    >>> optimizer = RMSprop([w], lr=0.01)
    >>> (torch.tensor([3.0, 300.0]) * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000, 0.9000], requires_grad=True)
    """

    since: ClassVar[dict[str, Any]] = {
        "momentum": 0, "centered": False, "foreach": None, "maximize": False, "differentiable": False,
        "capturable": False,
    }  # fmt: skip
    refuses_sparse: ClassVar[str] = "RMSprop does not support sparse gradients"

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rate(lr)
        check_not_negative(eps, "epsilon value")
        check_not_negative(momentum, "momentum value")
        check_not_negative(weight_decay, "weight_decay value")
        check_not_negative(alpha, "alpha value")
        defaults = {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
            "weight_decay": weight_decay, "capturable": capturable, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def begin(self, state: dict[str, Any], parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state["step"] = counter(parameter, group)
        state["square_avg"] = torch.zeros_like(parameter)
        if group["momentum"] > 0:
            state["momentum_buffer"] = torch.zeros_like(parameter)
        if group["centered"]:
            state["grad_avg"] = torch.zeros_like(parameter)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        alpha, square = group["alpha"], state["square_avg"]
        if group["capturable"]:
            check_capturable(parameter, state["step"])
        if group["maximize"]:
            grad = -grad
        state["step"].add_(1)
        if group["weight_decay"] != 0:
            grad = grad.add(parameter, alpha=group["weight_decay"])
        square.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        if group["centered"]:
            average = state["grad_avg"].lerp_(grad, 1 - alpha)
            root = square.addcmul(average, average, value=-1).sqrt_()
        else:
            root = square.sqrt()
        root = root.add(group["eps"]) if group["differentiable"] else root.add_(group["eps"])
        lr = scalar(group["lr"])
        if group["momentum"] > 0:
            velocity = state["momentum_buffer"].mul_(group["momentum"]).addcdiv_(grad, root)
            parameter.add_(velocity, alpha=-lr)
        else:
            parameter.addcdiv_(grad, root, value=-lr)
