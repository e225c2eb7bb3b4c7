"""RMSprop: divides the gradient by the root of a running average of its square."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..engine.backends.numpy.sums.scaled_sum import add_scaled
from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from ..engine.tensor.versions import bump_versions
from .parameters.blocks import Steps, flat_arrays, run_in_blocks
from .parameters.checks import check_not_negative, check_rate
from .parameters.each_parameter import EachParameter
from .parameters.states import check_capturable, counter, scalar


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

    elementwise: ClassVar[bool] = True
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
        elif _update_arrays(parameter, grad, state, group):
            return
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


def _update_arrays(parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> bool:
    """The update of plain tensors, on their arrays; False if anything is unusual."""
    lr, alpha, momentum, decay = group["lr"], group["alpha"], group["momentum"], group["weight_decay"]
    if group["centered"] or group["differentiable"] or type(lr) is not float:
        return False
    square = state["square_avg"]
    states = [square] if momentum <= 0 else [square, state["momentum_buffer"]]
    rows = flat_arrays(parameter, grad, *states)
    if rows is None:
        return False
    state["step"].add_(1)
    do = Steps(rows[0].dtype, rows[0].size)
    keep, eps, back, maximize = do.number(alpha), do.number(group["eps"]), do.number(-lr), group["maximize"]

    def squared(parameter: Any, grad: Any, square: Any, root: Any, room: Any) -> Any:
        grad = do.prepared(grad, parameter, maximize, decay, room)
        np.multiply(square, keep, square)
        do.add_square(square, grad, 1 - alpha, root)
        np.sqrt(square, root)
        np.add(root, eps, root)
        return grad

    def simple(parameter: Any, grad: Any, square: Any, root: Any, room: Any) -> None:
        do.add_quotient(parameter, squared(parameter, grad, square, root, room), root, -lr, room)

    def with_momentum(parameter: Any, grad: Any, square: Any, velocity: Any, root: Any, room: Any) -> None:
        grad = squared(parameter, grad, square, root, room)
        np.multiply(velocity, do.number(momentum), velocity)
        np.divide(grad, root, root)
        np.add(velocity, root, velocity)
        add_scaled(parameter, velocity, back)

    run_in_blocks(simple if momentum <= 0 else with_momentum, rows, 2)
    bump_versions([parameter])
    for t in states:
        bump_versions([t], 2)
    return True
