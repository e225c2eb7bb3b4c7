"""Adagrad: divides the gradient by the root of the sum of all its squares so far."""

from __future__ import annotations

from typing import Any, ClassVar

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from .parameters.checks import check_not_negative, check_rate
from .parameters.each_parameter import EachParameter
from .parameters.fused import allow_fused
from .parameters.states import counter, scalar


class Adagrad(EachParameter):
    """Steps that become shorter where gradients have been large; sparse gradients change only their own rows.

    >>> import tensorwidgets as torch
    >>> w = torch.tensor([1.0, 1.0], requires_grad=True)
    >>> optimizer = Adagrad([w], lr=0.1)
    >>> (torch.tensor([3.0, 300.0]) * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000, 0.9000], requires_grad=True)
    """

    unread: ClassVar[tuple[str, ...]] = ("differentiable", "initial_accumulator_value")
    elementwise: ClassVar[bool] = True
    since: ClassVar[dict[str, Any]] = {"foreach": None, "maximize": False, "differentiable": False, "fused": None}
    refuses_sparse_fused: ClassVar[str] = "`fused` does not support sparse grad or complex param"
    refuses_derivatives_fused: ClassVar[str] = "adagrad with fused=True does not support differentiable=True"

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_rate(lr)
        check_not_negative(lr_decay, "lr_decay value")
        check_not_negative(weight_decay, "weight_decay value")
        check_not_negative(initial_accumulator_value, "initial_accumulator_value value")
        check_not_negative(eps, "epsilon value")
        defaults = {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)
        allow_fused(self, fused, foreach, differentiable)
        for group in self.param_groups:
            for parameter in group["params"]:
                self.begin(self.state[parameter], parameter, parameter, group)

    def share_memory(self) -> None:
        """Move the sums into memory that other processes can share."""
        for group in self.param_groups:
            for parameter in group["params"]:
                self.state[parameter]["sum"].share_memory_()

    def begin(self, state: dict[str, Any], parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        start = self.defaults["initial_accumulator_value"]
        state["step"] = counter(parameter, group)
        state["sum"] = torch.full_like(parameter, complex(start, start) if parameter.is_complex() else start)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        state["step"].add_(1)
        if group["maximize"]:
            grad = -grad
        if group["weight_decay"] != 0:
            if grad.is_sparse:
                raise RuntimeError("weight_decay option is not compatible with sparse gradients")
            grad = grad.add(parameter, alpha=group["weight_decay"])
        rate = scalar(group["lr"]) / (1 + (state["step"].item() - 1) * group["lr_decay"])
        total = state["sum"]
        if grad.is_sparse:
            _update_rows(parameter, grad.coalesce(), total, rate, group["eps"])
            return
        total.addcmul_(grad, grad, value=1)
        root = total.sqrt()
        root = root + group["eps"] if group["differentiable"] else root.add_(group["eps"])
        parameter.addcdiv_(grad, root, value=-rate)


def _update_rows(parameter: Tensor, grad: Tensor, total: Tensor, rate: float | Tensor, eps: float) -> None:
    """Change only the rows that a sparse gradient has."""
    places, values, size = grad._indices(), grad._values(), grad.size()
    total.add_(torch.sparse_coo_tensor(places, values.pow(2), size))
    root = total.sparse_mask(grad)._values().sqrt_().add_(eps)
    parameter.add_(torch.sparse_coo_tensor(places, values / root, size) * -rate)
