"""Rprop: each element has a step of its own, which grows while its gradient keeps its sign."""

from __future__ import annotations

from typing import Any, ClassVar

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from .parameters.checks import check_rate
from .parameters.each_parameter import EachParameter
from .parameters.states import check_capturable, counter, scalar


class Rprop(EachParameter):
    """Steps by the sign of the gradient alone: longer while it stays the same, shorter when it changes."""

    unread: ClassVar[tuple[str, ...]] = ("differentiable", "lr")
    pairs: ClassVar[tuple[str, ...]] = ("etas", "step_sizes")
    elementwise: ClassVar[bool] = True
    since: ClassVar[dict[str, Any]] = {
        "foreach": None, "maximize": False, "differentiable": False, "capturable": False,
    }  # fmt: skip
    refuses_sparse: ClassVar[str] = "Rprop does not support sparse gradients"

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rate(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def begin(self, state: dict[str, Any], parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        lr = group["lr"]
        state["step"] = counter(parameter, group)
        state["prev"] = torch.zeros_like(parameter)
        state["step_size"] = torch.full_like(grad, complex(lr, lr) if parameter.is_complex() else scalar(lr))

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        (shorter, longer), (least, most) = group["etas"], group["step_sizes"]
        before, size = state["prev"], state["step_size"]
        if group["capturable"]:
            check_capturable(parameter, state["step"])
        if group["maximize"]:
            grad = -grad
        state["step"].add_(1)
        factor = grad.mul(before.clone() if group["differentiable"] else before).sign()
        factor = factor.masked_fill(factor.gt(0), longer).masked_fill(factor.lt(0), shorter)
        factor = factor.masked_fill(factor.eq(0), 1)
        size.mul_(factor).clamp_(least, most)
        grad = grad.masked_fill(factor.eq(shorter), 0)
        parameter.addcmul_(grad.sign(), size, value=-1)
        before.copy_(grad)
