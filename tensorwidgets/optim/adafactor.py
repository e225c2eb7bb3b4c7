"""Adafactor: Adam's mean square of a matrix, kept as one row and one column."""

from __future__ import annotations

from typing import Any, ClassVar

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from .parameters.checks import check_one_element
from .parameters.each_parameter import EachParameter
from .parameters.states import counter, scalar


class Adafactor(EachParameter):
    """Steps relative to the size of the parameter, with a state of m + n numbers for a matrix of m * n."""

    pairs: ClassVar[tuple[str, ...]] = ("eps",)
    since: ClassVar[dict[str, Any]] = {"foreach": None}
    refuses_lists: ClassVar[bool] = False
    refuses_sparse: ClassVar[str] = "Adafactor does not support sparse gradients"

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        check_one_element(lr)
        if not 0.0 <= lr:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not 0.0 >= beta2_decay:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None and not 0.0 <= eps[0]:
            raise ValueError(f"epsilon1 should be >= 0 but is: {eps[0]}")
        if not 0.0 <= eps[1]:
            raise ValueError(f"epsilon2 should be >= 0 but is: {eps[1]}")
        if not 1.0 <= d:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"weight_decay should be >= 0 but is: {weight_decay}")
        defaults = {
            "lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d, "weight_decay": weight_decay,
            "foreach": foreach, "maximize": maximize,
        }  # fmt: skip
        super().__init__(params, defaults)

    def check(self, parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        if parameter.is_complex():
            raise RuntimeError("Adafactor does not support complex parameters")
        super().check(parameter, grad, group)

    def begin(self, state: dict[str, Any], parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state["step"] = counter(parameter, group)
        if grad.dim() > 1:
            state["row_var"] = grad.new_zeros((*grad.shape[:-1], 1))
            state["col_var"] = grad.new_zeros((*grad.shape[:-2], 1, grad.shape[-1]))
        else:
            state["variance"] = torch.zeros_like(grad)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        lr, (least, least_size) = scalar(group["lr"]), group["eps"]
        if least is None:
            least = torch.finfo(parameter.dtype).eps
        if group["maximize"]:
            grad = -grad
        state["step"].add_(1)
        step = state["step"].item()
        share = step ** group["beta2_decay"]
        size = max(least_size, parameter.norm(2).item() / (parameter.numel() ** 0.5))
        rate = size * min(lr, 1 / (step**0.5))
        if group["weight_decay"] != 0:
            parameter.mul_(1 - lr * group["weight_decay"])
        if grad.dim() > 1:
            rows, columns = state["row_var"], state["col_var"]
            rows.lerp_(torch.norm(grad, dim=-1, keepdim=True).square_().div_(grad.size(-1)), share)
            columns.lerp_(torch.norm(grad, dim=-2, keepdim=True).square_().div_(grad.size(-2)), share)
            square = (rows @ columns).div_(rows.mean(dim=-2, keepdim=True).clamp_(min=least))
        else:
            square = state["variance"].lerp_(grad * grad, share).clone()
        move = square.clamp_(min=least * least).rsqrt_().mul_(grad)
        clipped = max(1.0, move.norm(2).item() / ((move.numel() ** 0.5) * group["d"]))
        parameter.add_(move, alpha=-rate / clipped)
