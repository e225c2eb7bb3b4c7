"""Adam and AdamW: how far does each element go? By the averages of its gradient and of its square."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from ..engine.tensor.versions import bump_versions
from .parameters.blocks import Steps, flat_arrays, run_in_blocks
from .parameters.checks import check_betas, check_not_negative, check_rate
from .parameters.each_parameter import EachParameter
from .parameters.fused import allow_fused
from .parameters.states import check_capturable, counter, has_derivative, scalar, with_decay
from .parameters.together import Entry

RATE_ON_LISTS = "lr as a Tensor is not supported for capturable=False and foreach=True"


class Adam(EachParameter):
    """Steps of about the size `lr` in every element, by running averages of the gradient and of its square.

    >>> import tensorwidgets as torch
    >>> w = torch.tensor([1.0, 1.0], requires_grad=True)
    >>> optimizer = Adam([w], lr=0.1)
    >>> (torch.tensor([3.0, 300.0]) * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000, 0.9000], requires_grad=True)
    """

    pairs: ClassVar[tuple[str, ...]] = ("betas",)
    elementwise: ClassVar[bool] = True
    since: ClassVar[dict[str, Any]] = {
        "amsgrad": False, "maximize": False, "foreach": None, "capturable": False, "differentiable": False,
        "decoupled_weight_decay": False, "fused": None,
    }  # fmt: skip
    refuses_sparse: ClassVar[str] = "Adam does not support sparse gradients, please consider SparseAdam instead"
    refuses_derivatives_fused: ClassVar[str] = "Adam with fused=True does not support differentiable=True"

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        if isinstance(lr, Tensor) and foreach and not capturable:
            raise ValueError(RATE_ON_LISTS)
        check_rate(lr)
        check_not_negative(eps, "epsilon value")
        check_betas(betas)
        check_not_negative(weight_decay, "weight_decay value")
        _check_kinds(betas, bool(foreach and not capturable))
        defaults = {
            "lr": lr, "betas": tuple(scalar(beta) for beta in betas), "eps": eps, "weight_decay": weight_decay,
            "amsgrad": amsgrad, "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "differentiable": differentiable, "fused": fused, "decoupled_weight_decay": decoupled_weight_decay,
        }  # fmt: skip
        super().__init__(params, defaults)
        allow_fused(self, fused, foreach, differentiable)

    def begin(self, state: dict[str, Any], parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state["step"] = counter(parameter, group)
        state["exp_avg"] = torch.zeros_like(parameter)
        state["exp_avg_sq"] = torch.zeros_like(parameter)
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = torch.zeros_like(parameter)

    def update_quickly(self, entries: list[Entry], group: dict[str, Any]) -> list[Entry]:
        if entries and group["foreach"] and isinstance(group["lr"], Tensor) and not group["capturable"]:
            raise RuntimeError(RATE_ON_LISTS)  # a scheduler or a user has put it there
        return entries

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        lr, (beta1, beta2) = scalar(group["lr"]), group["betas"]
        average, square = state["exp_avg"], state["exp_avg_sq"]
        captured = group["capturable"] and not group["fused"]  # a fused step can run on a CPU all the same
        if captured:
            check_capturable(parameter, state["step"], xla=not group["foreach"])
        plain = isinstance(lr, float) and isinstance(beta1, float) and not (group["amsgrad"] or group["differentiable"])
        if plain and (rows := flat_arrays(parameter, grad, average, square)):
            state["step"].add_(1)
            _update_arrays(rows, state["step"].item(), group)
            bump_versions([parameter], 1 + bool(group["weight_decay"] and group["decoupled_weight_decay"]))
            bump_versions([average])
            bump_versions([square], 2)
            return
        if group["maximize"]:
            grad = -grad
        state["step"].add_(1)
        if group["weight_decay"] != 0:
            if group["decoupled_weight_decay"]:
                parameter.mul_(1 - lr * group["weight_decay"])
            else:
                grad = with_decay(grad, parameter, group["weight_decay"])
        if isinstance(beta1, Tensor):
            average.lerp_(grad, 1 - beta1.to(device=parameter.device, dtype=parameter.dtype))
        else:
            average.lerp_(grad, 1 - beta1)
        if group["differentiable"] and has_derivative(beta2):
            square.lerp_(torch.square(grad), weight=1 - beta2)  # the same, with a derivative for beta2
        else:
            square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]
            square = largest.copy_(torch.maximum(largest.clone() if group["differentiable"] else largest, square))
        if captured or group["differentiable"]:
            self._go_as_tensors(parameter, average, square, state["step"], group)
            return
        step = state["step"].item()
        size = lr / (1 - beta1**step)
        root = square.sqrt().div_((1 - beta2**step) ** 0.5).add_(group["eps"])
        parameter.addcdiv_(average, root, value=-size)

    def _go_as_tensors(
        self, parameter: Tensor, average: Tensor, square: Tensor, step: Tensor, group: dict[str, Any]
    ) -> None:
        """The last part of an update, with a step that stays a tensor: it can be captured, and has a derivative."""
        first, second = (1 - beta ** (step.clone() if has_derivative(beta) else step) for beta in group["betas"])
        backward = -(scalar(group["lr"]) / first)
        root = square.sqrt().div(second.sqrt() * backward).add_(group["eps"] / backward)
        parameter.addcdiv_(average.clone() if group["differentiable"] else average, root)


def _update_arrays(rows: list[Any], step: float, group: dict[str, Any]) -> None:
    """The update of plain tensors, on their arrays."""
    lr, (beta1, beta2), decay, maximize = group["lr"], group["betas"], group["weight_decay"], group["maximize"]
    decoupled = bool(group["decoupled_weight_decay"])
    do = Steps(rows[0].dtype, rows[0].size)
    shrink, keep, eps = do.number(1 - lr * decay), do.number(beta2), do.number(group["eps"])
    correction, size = do.number((1 - beta2**step) ** 0.5), lr / (1 - beta1**step)

    def rule(parameter: Any, grad: Any, average: Any, square: Any, root: Any, room: Any) -> None:
        if decay and decoupled:
            np.multiply(parameter, shrink, parameter)
        grad = do.prepared(grad, parameter, maximize, 0 if decoupled else decay, room)
        do.move_towards(average, grad, 1 - beta1, root)
        np.multiply(square, keep, square)
        do.add_square(square, grad, 1 - beta2, root)
        np.sqrt(square, root)
        np.divide(root, correction, root)
        np.add(root, eps, root)
        do.add_quotient(parameter, average, root, -size, room)

    run_in_blocks(rule, rows, 2)


class AdamW(Adam):
    """Adam whose weight decay shrinks the parameter itself, instead of joining its gradient."""

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize, capturable=capturable,
            differentiable=differentiable, fused=fused, decoupled_weight_decay=True,
        )  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True


def _check_kinds(betas: tuple[Any, Any], as_lists: bool) -> None:
    """Both betas are floats, or both are tensors of one element."""
    if not all(isinstance(beta, float) for beta in betas) and not all(isinstance(beta, Tensor) for beta in betas):
        raise ValueError("betas must be either both floats or both Tensors")
    for index, beta in enumerate(betas):
        if isinstance(beta, Tensor):
            if as_lists:
                raise ValueError(f"betas[{index}] as a Tensor is not supported for capturable=False and foreach=True")
            if beta.numel() != 1:
                raise ValueError(f"Tensor betas[{index}] must be 1-element")
