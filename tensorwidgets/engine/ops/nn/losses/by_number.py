"""Losses under `torch.` itself, whose reduction is a number: 0 for none, 1 for the mean, 2 for the sum.

Programs that PyTorch's compiler has written call them so. Without a number there is no reduction, although PyTorch's
own notation says that the mean is the default.
"""

from __future__ import annotations

from typing import Any

from ....dispatch.registry import OPS
from ....tensor.tensor import Tensor
from ...pointwise.number_rows import add_number
from ..declaring import nn_calls
from .composed import applied
from .reduction import MEAN, NONE, SUM


def _loss(name: str, reduction: int, *args: Any, **kwargs: Any) -> Tensor:
    """The loss of the same name in `nn.functional`, reduced by a number. Numbers without a meaning reduce nothing."""
    return _reduced(OPS[f"nn.functional.{name}"].function(*args, **kwargs, reduction="none"), reduction)


def _reduced(loss: Tensor, reduction: int) -> Tensor:
    return applied(loss, reduction if reduction in (MEAN, SUM) else NONE)


@nn_calls("kl_div", "How far a distribution of log-probabilities is from a target.")
def kl_div(input: Tensor, target: Tensor, reduction: int = NONE, *, log_target: bool = False) -> Tensor:
    return _loss("kl_div", reduction, input, target, log_target=log_target)


@nn_calls("poisson_nll_loss", "How unlikely counts are where the input is their rate, or its logarithm.")
def poisson_nll_loss(input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: int) -> Tensor:
    return _loss("poisson_nll_loss", reduction, input, target, log_input, full, eps=eps)


@nn_calls("hinge_embedding_loss", "Distances of pairs (1), and how far those of others (-1) are below a margin.")
def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, reduction: int = NONE) -> Tensor:
    return _loss("hinge_embedding_loss", reduction, input, target, margin)


@nn_calls("margin_ranking_loss", "How much is missing until a number is larger than the other by a margin.")
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = NONE
) -> Tensor:
    lead = input1 - input2
    return _reduced(add_number(-target * lead, float(margin)).clamp_min_(0), reduction)


@nn_calls("cosine_embedding_loss", "1 - the cosine of pairs (1), and the cosine of others (-1) above a margin.")
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = NONE
) -> Tensor:
    return _loss("cosine_embedding_loss", reduction, input1, input2, target, margin)


@nn_calls("triplet_margin_loss", "How much nearer the positives are than the negatives, below a margin.")
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6,
    swap: bool = False, reduction: int = NONE,
) -> Tensor:  # fmt: skip
    return _loss("triplet_margin_loss", reduction, anchor, positive, negative, margin, p, eps, swap)
