"""Losses of yes or no: binary_cross_entropy, with and without logits, soft_margin_loss and their kin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....backends.numpy.branchless_where import chosen
from ....backends.numpy.chunks import spans
from ....backends.numpy.in_double import exp, log, log1p
from ....backends.numpy.rounded_steps import rounding
from ....backends.numpy.sums.ordered_sum import MOST, ordered_sum
from ....backends.numpy.without_warnings import quietly, silent
from ....declare.pointwise import common_dtype
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.reasons import refuse, sure
from ....geometry import broadcast, preserve_stride
from ....tensor.lookups import size_and_stride
from ....tensor.tensor import Tensor
from ....tensor.write_checks import check_cast, check_same_size
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import FLOAT, bool_, dtype, get_default_dtype, opmath
from ...pointwise.checks import check_neg, check_sub
from ...pointwise.prepared import REAL_FRACTIONS
from ...views.reshaping import broadcast_shapes
from ..declaring import nn_composite, nn_row
from .reduction import MEAN, NONE, SUM, chosen_reduction, in_order, stride_of_pairs

if TYPE_CHECKING:
    from collections.abc import Callable


def reduced(target: np.ndarray, values: np.ndarray, reduction: int) -> None:
    """Write the elements of a loss, their mean or their sum; elements of 16 bits are rounded first."""
    if reduction:
        values = rounding(target.dtype, values.dtype)(values)
        np.copyto(target, added_up(values, reduction, target.dtype), casting="unsafe")
        return
    np.copyto(target, values, casting="unsafe")


def added_up(values: np.ndarray, reduction: int, d: np.dtype) -> Any:
    """The sum of the elements of a loss, or their mean; of few floats in the order and the dtype of PyTorch's sums."""
    if not values.size:
        return d.type(0 if reduction == SUM else np.nan)
    if type(values) is np.ndarray and values.size <= MOST and d in (np.float32, np.float64):
        total = ordered_sum(values.astype(d, copy=False), tuple(range(values.ndim)))
    else:
        total = np.sum(values)
    return total if reduction == SUM else total / total.dtype.type(values.size)


def fill_bce(
    target: np.ndarray, x: np.ndarray, wanted: np.ndarray, weight: np.ndarray | None, reduction: int, wide: np.dtype
) -> None:
    inside, answered = (x >= 0) & (x <= 1), (wanted >= 0) & (wanted <= 1)
    if not (fits := inside & answered).all() and not inside.flat[fits.argmin()]:  # the first pair that does not fit
        refuse(
            RuntimeError,
            "all elements of input should be between 0 and 1",
            "the input is a probability",
            "nn.BCEWithLogitsLoss(), which takes scores of any size",
            "torch.nn.functional.binary_cross_entropy_with_logits(x, target)",
            rule="loss.probability",
        )
    if not answered.all():
        refuse(
            RuntimeError,
            "all elements of target should be between 0 and 1",
            "the target is a probability",
            rule="loss.probability",
        )
    quietly(_fill_bce, target, x.astype(wide), wanted.astype(wide), weight, reduction)


def _fill_bce(target: np.ndarray, x: np.ndarray, wanted: np.ndarray, weight: np.ndarray | None, reduction: int) -> None:
    r = rounding(target.dtype, x.dtype)
    yes, no = np.maximum(r(log(x)), -100), np.maximum(r(log1p(-x)), -100)
    loss = r(r(wanted - 1) * no) - r(wanted * yes)
    reduced(target, loss if weight is None else r(loss) * weight, reduction)


@nn_row("_nn.binary_cross_entropy", "How far probabilities are from yes and no, as a logarithm.", fill_bce)
def _binary_cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: int = MEAN) -> Answer:
    d = input._dtype
    if target._dtype is not d:
        refuse(
            RuntimeError,
            f"Found dtype {target._dtype._type_name} but expected {d._type_name}",
            "input and target have one dtype",
            f"target.to({d})",
            rule="loss.dtype",
        )
    if d not in REAL_FRACTIONS:
        refuse_dtype("binary_cross_entropy", d)
    if weight is not None:
        check_same_size(input._array.shape, weight._array.shape)
    by_pairs = reduction and weight is None
    pair = in_order(input, target) if by_pairs else (input._array, target._array)
    given = (*pair, None if weight is None else weight._array, reduction)
    size, stride = size_and_stride(input)
    result = Result((), d) if reduction else Result(size, d, preserve_stride(size, stride))
    return result, (*given, opmath(d)._in_numpy)


@nn_composite(
    "nn.functional.binary_cross_entropy",
    "The mean of minus the log-probability of the right answer, which is yes (1) or no (0).",
)
def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    how = chosen_reduction(reduction, size_average, reduce)
    if target.size() != input.size():
        refuse(
            ValueError,
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is "
            "deprecated. Please ensure they have the same size.",
            "each probability needs a target of its own",
            "target.view_as(input)",
            rule="loss.size",
        )
    if weight is not None:
        size = broadcast_shapes(target.size(), weight.size())
        weight = weight.expand(size)
    return OPS["_nn.binary_cross_entropy"].function(input, target, weight, how)


def fill_with_logits(
    target: np.ndarray,
    x: np.ndarray,
    wanted: np.ndarray,
    weight: np.ndarray | None,
    positive: np.ndarray | None,
    reduction: int,
    wide: np.dtype,
) -> None:
    quietly(_fill_with_logits, target, x.astype(wide), wanted.astype(wide), weight, positive, reduction)


def _fill_with_logits(
    target: np.ndarray,
    x: np.ndarray,
    wanted: np.ndarray,
    weight: np.ndarray | None,
    positive: np.ndarray | None,
    reduction: int,
) -> None:
    r = rounding(target.dtype, x.dtype)
    tail = r(log1p(exp(-np.abs(x))) + np.maximum(-x, 0))
    if positive is not None:
        tail = r(r(r(r(positive.astype(x.dtype) - 1) * wanted) + 1) * tail)
    loss = r(r(1 - wanted) * x) + tail
    reduced(target, loss if weight is None else r(loss) * weight, reduction)


def _together(one: tuple[int, ...], two: tuple[int, ...]) -> tuple[int, ...]:
    """The size to which two broadcast, or PyTorch's refusal."""
    both = sure(broadcast(one, two))
    return both


@nn_row(
    "binary_cross_entropy_with_logits", "binary_cross_entropy of the sigmoid of the input, without overflow.",
    fill_with_logits, out=None,
)  # fmt: skip
def _with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: int = NONE
) -> Answer:
    size, d = input._array.shape, input._dtype
    if d not in REAL_FRACTIONS:
        refuse_dtype("log_sigmoid_cpu", d)
    wanted = target._array.shape
    if pos_weight is not None:  # PyTorch multiplies in place by what is made of it, and by the weight
        check_same_size(size, _together(size, _together(pos_weight._array.shape, wanted)))
    check_same_size(wanted, _together(wanted, size))
    if weight is not None:
        check_same_size(size, _together(size, weight._array.shape))
    if target._dtype is bool_:
        check_sub("rsub", (True, target))
    check_cast(d, target._dtype)  # PyTorch multiplies 1 - target by the input in place
    wide = opmath(common_dtype((input, target)))._in_numpy
    given = [None if t is None else t._array for t in (input, target, weight, pos_weight)]
    if reduction and weight is None is pos_weight:
        given[1], given[0] = in_order(target, input)
    if reduction:
        result = Result((), target._dtype)
    else:  # laid out as 1 - target, which PyTorch begins with
        result = Result(size, target._dtype, preserve_stride(*size_and_stride(target)) if wanted == size else None)
    return result, (*given, reduction, wide)


@nn_composite(
    "nn.functional.binary_cross_entropy_with_logits",
    "binary_cross_entropy of the sigmoid of the input, without overflow.",
)
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean", pos_weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    how = chosen_reduction(reduction, size_average, reduce)
    if target.size() != input.size():
        refuse(
            ValueError,
            f"Target size ({target.size()}) must be the same as input size ({input.size()})",
            f"each logit needs a target of its own: {list(input.shape)} logits, and {list(target.shape)} targets",
            "target.view_as(input)",
            rule="loss.size",
        )
    loss = OPS["binary_cross_entropy_with_logits"].function
    if not target.is_floating_point() and input.is_floating_point():
        try:
            return loss(input, target, weight, pos_weight, how)
        except RuntimeError as error:
            if getattr(getattr(error, "reason", None), "rule", "") != "write.cast":
                raise
            because = f"each target is a probability, a fraction, and this one is of {target.dtype}"
            refuse(RuntimeError, str(error), because, f"target.to({input.dtype})", rule="loss.dtype")
    return loss(input, target, weight, pos_weight, how)


# -- losses of differences ---------------------------------------------------------------------------------------


@silent
def fill_of_two(
    target: np.ndarray,
    curve: Callable[..., Any],
    x: np.ndarray,
    y: np.ndarray,
    reduction: int,
    wide: np.dtype,
    *numbers: Any,
) -> None:
    if x.size <= _AT_ONCE or not (x.shape == y.shape and x.flags.c_contiguous and y.flags.c_contiguous):
        reduced(
            target, curve(target.dtype, x.astype(wide, copy=False), y.astype(wide, copy=False), *numbers), reduction
        )
        return
    in_place = not reduction and target.dtype == wide and target.flags.c_contiguous
    values = target if in_place else np.empty(x.shape, wide, like=x)
    flat, one, two = values.reshape(-1), x.reshape(-1), y.reshape(-1)
    for piece in spans(x.size, _AT_ONCE):  # the steps need several arrays, which stay in the cache
        flat[piece] = curve(target.dtype, *[t[piece].astype(wide, copy=False) for t in (one, two)], *numbers)
    if not in_place:
        reduced(target, values, reduction)


_AT_ONCE = 1 << 15


def _smooth(small: np.dtype, x: np.ndarray, y: np.ndarray, beta: float) -> Any:
    apart = np.abs(x - y)
    if small == np.float16:  # PyTorch has another kernel for bfloat16
        apart = rounding(small, x.dtype)(apart)
    return chosen(apart < beta, apart * apart * (0.5 / beta), apart - 0.5 * beta)


def _huber(small: np.dtype, x: np.ndarray, y: np.ndarray, delta: float) -> Any:
    apart = np.abs(x - y)
    if small != np.float16:  # PyTorch has another kernel for float16
        apart = rounding(small, x.dtype)(apart)
    return chosen(apart <= delta, apart * apart * 0.5, (apart - 0.5 * delta) * delta)


def _soft_margin(small: np.dtype, x: np.ndarray, y: np.ndarray) -> Any:
    r = rounding(small, x.dtype)
    return log1p(r(exp(r(-y * x))))


def _of_two(
    input: Tensor, target: Tensor, reduction: int, d: dtype, curve: Callable[..., Any], *numbers: float
) -> Answer:
    size = np.broadcast_shapes(input._array.shape, target._array.shape)
    wide = opmath(common_dtype((input, target)))._in_numpy
    pair = in_order(input, target) if reduction else (input._array, target._array)
    given = (curve, *pair, reduction, wide, *numbers)
    return Result((), d) if reduction else Result(size, d, stride_of_pairs(size, input, target)), given


@nn_row("_nn.smooth_l1_loss", "Squares of small differences, absolute values of large ones.", fill_of_two)
def _smooth_l1_loss(input: Tensor, target: Tensor, reduction: int = MEAN, beta: float = 1.0) -> Answer:
    d = common_dtype((input, target))
    if d not in REAL_FRACTIONS:
        refuse_dtype("smooth_l1_cpu", d)
    return _of_two(input, target, reduction, d, _smooth, beta)


@nn_row("_nn.huber_loss", "Squares of small differences, multiples of large ones.", fill_of_two)
def _huber_loss(input: Tensor, target: Tensor, reduction: int = MEAN, delta: float = 1.0) -> Answer:
    if not delta > 0:
        refuse(
            RuntimeError,
            "huber_loss does not support non-positive values for delta.",
            "delta is the size of an error at which the loss changes from a square to a straight line",
            "delta=1.0",
            rule="loss.delta",
        )
    d = common_dtype((input, target))
    check_cast(d, input._dtype)
    if d not in REAL_FRACTIONS:
        refuse_dtype("huber_cpu", d)
    return _of_two(input, target, reduction, input._dtype, _huber, delta)


@nn_row("_nn.soft_margin_loss", "The logarithm of 1 + exp(-target * input).", fill_of_two)
def _soft_margin_loss(input: Tensor, target: Tensor, reduction: int = MEAN) -> Answer:
    check_neg("neg", (input,))  # PyTorch multiplies -input by the target
    d = common_dtype((input, target))
    if input._dtype is bool_:
        OPS["neg"].function(input)  # which is refused
    size = input._array.shape  # and does so in place
    check_same_size(size, _together(size, target._array.shape))
    check_cast(d if d._kind >= FLOAT else get_default_dtype(), input._dtype)
    return _of_two(input, target, reduction, input._dtype, _soft_margin)
