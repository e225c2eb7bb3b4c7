"""Losses of distributions: how unlikely is what was observed?"""

from __future__ import annotations

from ....engine.tensor.tensor import Tensor
from ... import functional as F
from .base import _Loss


class KLDivLoss(_Loss):
    """How far a distribution of log-probabilities is from a target.

    >>> KLDivLoss()
    KLDivLoss()
    """

    __constants__ = ["reduction"]

    def __init__(
        self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
        log_target: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class PoissonNLLLoss(_Loss):
    """How unlikely counts are if the input is their rate, or its logarithm.

    >>> PoissonNLLLoss()
    PoissonNLLLoss()
    """

    __constants__ = ["log_input", "full", "eps", "reduction"]

    def __init__(
        self, log_input: bool = True, full: bool = False, size_average: bool | None = None, eps: float = 1e-8,
        reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.poisson_nll_loss(
            input, target, log_input=self.log_input, full=self.full, eps=self.eps, reduction=self.reduction
        )


class GaussianNLLLoss(_Loss):
    """How unlikely targets are if the input is their mean, and var their variance.

    >>> GaussianNLLLoss()
    GaussianNLLLoss()
    """

    __constants__ = ["full", "eps", "reduction"]

    def __init__(
        self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(None, None, reduction)
        self.full, self.eps = full, eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor) -> Tensor:
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)
