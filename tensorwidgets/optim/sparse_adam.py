"""SparseAdam: Adam for gradients that have only some rows, such as those of embeddings."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from .parameters.checks import check_betas, check_one_element
from .parameters.each_parameter import EachParameter
from .parameters.states import scalar


class SparseAdam(EachParameter):
    """Adam that changes only the rows of a sparse gradient, and only their averages."""

    unread: ClassVar[tuple[str, ...]] = ("differentiable", "maximize")
    pairs: ClassVar[tuple[str, ...]] = ("betas",)
    counters: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        check_one_element(lr)
        if not 0.0 < lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 < eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        check_betas(betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        places = [
            ([number, place], parameter)
            for number, group in enumerate(self.param_groups)
            for place, parameter in enumerate(group["params"])
        ]
        if sparse := [place for place, parameter in places if parameter.is_sparse]:
            raise ValueError(f"Sparse params at indices {sparse}: SparseAdam requires dense parameter tensors")
        if complexes := [place for place, parameter in places if parameter.is_complex()]:
            raise ValueError(f"Complex params at indices {complexes}: SparseAdam does not support complex parameters")

    def check(self, parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        if not grad.is_sparse:
            raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")

    def begin(self, state: dict[str, Any], parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state["step"] = 0
        state["exp_avg"] = torch.zeros_like(parameter)
        state["exp_avg_sq"] = torch.zeros_like(parameter)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        beta1, beta2 = group["betas"]
        state["step"] += 1
        if group.get("maximize"):
            grad = -grad
        grad = grad.coalesce()
        places, values, size = grad._indices(), grad._values(), grad.size()
        if values.numel() == 0:
            return
        average, square = state["exp_avg"], state["exp_avg_sq"]
        before, before_square = average.sparse_mask(grad)._values(), square.sparse_mask(grad)._values()
        change = values.sub(before).mul_(1 - beta1)
        change_square = values.pow(2).sub_(before_square).mul_(1 - beta2)
        average.add_(torch.sparse_coo_tensor(places, change, size))
        square.add_(torch.sparse_coo_tensor(places, change_square, size))
        root = change_square.add(before_square).sqrt_().add_(group["eps"])
        rate = scalar(group["lr"]) * math.sqrt(1 - beta2 ** state["step"]) / (1 - beta1 ** state["step"])
        move = -rate * change.add(before).div_(root)
        parameter.add_(torch.sparse_coo_tensor(places, move, size))
