"""Losses that PyTorch makes of other ops: l1, smooth_l1, huber, kl_div, poisson_nll, margins and more."""

from __future__ import annotations

from math import log, pi
from typing import Any

from ....calling.arguments import as_number
from ....dispatch.call_errors import refuse_named
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....errors.warnings import warn
from ....tensor.tensor import Tensor
from ....types.dtypes import FLOAT
from ...creation.ranges import as_double
from ...pointwise.number_rows import add_number, mul_number
from ..declaring import nn_composite
from .reduction import MEAN, NONE, check_weights, chosen_reduction, must_be_pair, reduction_by_name


def applied(loss: Tensor, how: int) -> Tensor:
    """The elements of a loss, their mean or their sum."""
    return loss if how == NONE else loss.mean() if how == MEAN else loss.sum()


def _refuse(error: type[Exception], message: str, because: str, *ways: str) -> None:
    refuse(error, message, because, *ways, rule="loss.argument")


def _distance(given: float | Tensor) -> float:
    """A distance as a number; a tensor without dimensions and without a gradient counts as its number."""
    if not isinstance(given, Tensor) or given._array.ndim or given.requires_grad:
        return given  # type: ignore[return-value]
    return as_double(as_number(given))


def _stretched(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Both of one size, with PyTorch's warning if they were not."""
    if target.size() != input.size():
        warn(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). This will "
            "likely lead to incorrect results due to broadcasting. Please ensure they have the same size."
        )
    return OPS["broadcast_tensors"].function(input, target)


@nn_composite("nn.functional.l1_loss", "The mean of the absolute differences.")
def l1_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean", weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    reduction = reduction_by_name(reduction, size_average, reduce)
    stretched, wanted = _stretched(input, target)
    check_weights(input, weight)
    how = chosen_reduction(reduction)
    if weight is None:
        return applied((stretched - wanted).abs(), how)
    weighted = (stretched - wanted).abs() * weight
    return weighted.sum() / weight.sum() if how == MEAN else applied(weighted, how)


@nn_composite(
    "nn.functional.smooth_l1_loss",
    "Grows like the square of differences below beta, and like the absolute value above.",
)
def smooth_l1_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean", beta: float = 1.0,
) -> Tensor:  # fmt: skip
    reduction = reduction_by_name(reduction, size_average, reduce)
    stretched, wanted = _stretched(input, target)
    how = chosen_reduction(reduction)
    beta = _distance(beta)
    if not beta >= 0:
        _refuse(RuntimeError, "smooth_l1_loss does not support negative values for beta.", "beta is a distance")
    if beta == 0:  # the other loss, which a block of autocast computes in float32 as well
        result: Tensor = OPS["nn.functional.l1_loss"].function(stretched, wanted, reduction=reduction)
        return result
    return OPS["_nn.smooth_l1_loss"].function(stretched, wanted, how, beta)


@nn_composite(
    "nn.functional.huber_loss", "Grows like the square of differences below delta, and in a straight line above."
)
def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Tensor:
    stretched, wanted = _stretched(input, target)
    check_weights(input, weight)
    how = chosen_reduction(reduction)
    delta = _distance(delta)
    if weight is None:
        return OPS["_nn.huber_loss"].function(stretched, wanted, how, delta)
    return applied(OPS["_nn.huber_loss"].function(stretched, wanted, NONE, delta) * weight, how)


@nn_composite("nn.functional.soft_margin_loss", "The logarithm of 1 + exp(-target * input), for targets 1 and -1.")
def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    how = chosen_reduction(reduction, size_average, reduce)
    must_be_pair("soft_margin_loss", input, target)
    return OPS["_nn.soft_margin_loss"].function(input, target, how)


@nn_composite("nn.functional.kl_div", "How far a distribution of log-probabilities is from a target.")
def kl_div(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean", log_target: bool = False,
) -> Tensor:  # fmt: skip
    if reduction == "mean" and size_average is None and reduce is None:
        warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides "
            "only by the batch size, and aligns with the KL div math definition.'mean' will be changed to behave the "
            "same as 'batchmean' in the next major release."
        )
    by_batch = reduction == "batchmean"
    how = chosen_reduction("sum" if by_batch else reduction, size_average, reduce)
    must_be_pair("kl_div", input, target)
    if input.is_complex() or target.is_complex():
        _refuse(RuntimeError, "kl_div: Complex inputs not supported.", "probabilities are real")
    if input._dtype._kind < FLOAT or target._dtype._kind < FLOAT:
        _refuse(RuntimeError, "kl_div: Integral inputs not supported.", "probabilities are fractions")
    if log_target:
        difference = target - input  # first, as everywhere here: PyTorch computes the right operand before the left
        loss = target.exp() * difference
    else:
        product = target * input
        loss = target.xlogy(target) - product
    loss = applied(loss, how)
    return loss / input.size(0) if by_batch and input.dim() else loss


@nn_composite(
    "nn.functional.poisson_nll_loss", "How unlikely counts are where the input is their rate, or its logarithm."
)
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, size_average: bool | None = None,
    eps: float = 1e-8, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    how = chosen_reduction(reduction, size_average, reduce, old=False)
    must_be_pair("poisson_nll_loss", input, target)
    product = target * input if log_input else target * add_number(input, eps).log()
    loss = input.exp() - product if log_input else input - product
    if full:
        half = mul_number(mul_number(target, 2 * pi).log(), 0.5)
        many = target * target.log() - target + half
        loss = loss + many.masked_fill(target <= 1, 0)
    return applied(loss, how)


def _spread(input: Tensor, var: Tensor | float) -> Tensor:
    """The variances of the elements: one number, or one for each element or each row."""
    negative: Any = var < 0
    if not isinstance(var, (float, Tensor)):
        refuse_named("any", False, (negative,), {})
    if negative if isinstance(var, float) else bool(negative.any()):
        _refuse(ValueError, "var has negative entry/entries", "a variance is a mean of squares, and never negative")
    if isinstance(var, float):
        return OPS["full_like"].function(input, var)
    own, wanted = tuple(var.size()), tuple(input.size())
    if own == wanted[:-1] != wanted:
        return var.unsqueeze(-1)
    different = [a for a, b in zip(own, wanted, strict=False) if a != b]
    if len(own) != len(wanted) or different not in ([], [1]):
        _refuse(ValueError, "var is of incorrect size", "there is a variance for each element or each row")
    return var


@nn_composite(
    "nn.functional.gaussian_nll_loss", "How unlikely targets are if the input is their mean, and var their variance."
)
def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Tensor | float, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    spread = _spread(input, var)
    how = chosen_reduction(reduction, wrong="valid", old=False)
    spread = spread.clone()
    spread.detach().clamp_(min=eps)
    loss = 0.5 * (spread.log() + (input - target) ** 2 / spread)
    if full:
        loss += 0.5 * log(2 * pi)
    return applied(loss, how)


@nn_composite(
    "nn.functional.hinge_embedding_loss",
    "Distances of pairs that belong together (1), and how far those of others (-1) are below a margin.",
)
def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    how = chosen_reduction(reduction, size_average, reduce)
    must_be_pair("hinge_embedding_loss", input, target)
    zeros = OPS["zeros_like"].function(input.detach())
    apart = (zeros.new_full((), margin) - input).clamp_min(0)
    where = OPS["where"].function
    return applied(where(target != 1, apart, zeros) + where(target != -1, input, zeros), how)


@nn_composite(
    "nn.functional.margin_ranking_loss",
    "How much is missing until one of two numbers is larger than the other by a margin.",
)
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    how = chosen_reduction(reduction, size_average, reduce)
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        _refuse(
            RuntimeError,
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
            f"{input1.size()}, input2: {input2.size()}, target: {target.size()} ",
            "each pair needs a target of its own",
        )
    lead = input1 - input2
    return applied(add_number(-target * lead, float(margin)).clamp_min_(0), how)


@nn_composite("nn.functional.multilabel_soft_margin_loss", "Binary cross entropy of logits, averaged over the classes.")
def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    reduction = reduction_by_name(reduction, size_average, reduce)
    log_sigmoid = OPS["nn.functional.logsigmoid"].function
    loss = -(target * log_sigmoid(input) + (1 - target) * log_sigmoid(-input))
    if weight is not None:
        loss = loss * weight
    last = input.dim() - 1
    loss = loss.sum(dim=last) / input.size(last)
    return applied(loss, chosen_reduction(reduction, wrong="valid", old=False))
