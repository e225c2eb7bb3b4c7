"""Losses of classes: how much of the probability did the right class get? cross_entropy and nll_loss."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import nan
from typing import Any

import numpy as np

from ....backends.numpy.rounded_steps import cascade_sum, rounding, unchanged
from ....backends.numpy.sums.ordered_sum import sum_of_losses
from ....backends.numpy.without_warnings import quietly
from ....declare.rules import Answer, Result
from ....dispatch.call_errors import refuse_named
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....geometry import contiguous_stride, is_contiguous, preserve_stride
from ....tensor.lookups import size_and_stride
from ....tensor.tensor import Tensor
from ....types import dtypes
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import opmath
from ...pointwise.number_rows import div_number, mul_number
from ...pointwise.prepared import REAL_FRACTIONS
from ..declaring import nn_composite, nn_row
from .reduction import MEAN, NONE, SUM, chosen_reduction, must_be_pair


def _wrong(message: str, because: str, *ways: str, error: type[Exception] = RuntimeError) -> None:
    refuse(error, message, because, *ways, rule="loss.classes")


# -- nll_loss ----------------------------------------------------------------------------------------------------


def places_and_weights(x: np.ndarray, target: np.ndarray, weight: np.ndarray | None, ignored: int) -> tuple[Any, Any]:
    """Where the element of the right class is, along dimension 1 (of one example: 0), and the weight of each element.

    The weight is None if every element counts once.
    """
    axis = min(1, x.ndim - 1)
    index = target.astype(np.int64)
    skipped = index == ignored
    any_skipped = bool(skipped.any())
    if any_skipped:
        index = np.where(skipped, 0, index)
    classes = x.shape[axis]
    if index.size:
        low, high = int(index.min()), int(index.max())
        if low < 0 or high >= classes:
            outside = (index < 0) | (index >= classes)
            if any_skipped:
                outside &= ~skipped
            wrong = int(index[outside][0]) if outside.any() else 0  # the first, as in PyTorch
            _wrong(f"Target {wrong} is out of bounds.", *_outside(wrong, classes, low, high), error=IndexError)
    weights = None
    if weight is not None:
        weights = weight[index]
    if any_skipped:
        weights = np.where(skipped, x.dtype.type(0), x.dtype.type(1) if weights is None else weights)
    return np.expand_dims(index, axis), weights


def _outside(wrong: int, classes: int, low: int, high: int) -> list[str]:
    """Why a target is not the number of a class, and what to do about it."""
    if classes == 1:
        because = f"the input has one score for each example, so 0 is the only class, and {wrong} is not"
        return [because, "nn.BCEWithLogitsLoss(), for yes or no by one score", f"a last layer with {high + 1} outputs"]
    because = f"the input has {classes} scores for each example, so the classes are 0 to {classes - 1}"
    if wrong < 0:
        return [because, f"ignore_index={wrong}, if {wrong} marks what has no class"]
    from_one = ["target - 1, if the targets are counted from 1"] if low == 1 and high == classes else []
    return [because, *from_one, f"a last layer with {high + 1} outputs"]


def fill_nll(
    target: np.ndarray,
    x: np.ndarray,
    classes: np.ndarray,
    weight: np.ndarray | None,
    reduction: int,
    ignored: int,
    wide: np.dtype,
) -> None:
    axis = min(1, x.ndim - 1)
    index, weights = places_and_weights(x, classes, weight, ignored)
    picked = np.take_along_axis(x, index, axis).squeeze(axis).astype(wide)
    if weights is not None:
        weights = weights.astype(wide)
    if reduction == NONE:
        losses = -picked if weights is None else quietly(np.multiply, -picked, weights)
        np.copyto(target, np.where(classes == ignored, wide.type(0), losses), casting="unsafe")
        return
    if weights is not None:
        picked = np.where(classes == ignored, wide.type(0), quietly(np.multiply, picked, weights))
    r = rounding(target.dtype, wide)
    on_cpu = type(picked) is np.ndarray
    summed: Callable[..., Any] = np.sum
    if on_cpu:
        in_order = partial(sum_of_losses, skipped=classes == ignored)
        summed = in_order if r is unchanged else partial(cascade_sum, rounded=r)
    total = 0 - quietly(summed, r(picked))
    if reduction == MEAN:
        count = wide.type(picked.size) if weights is None else quietly(summed, weights)
        total = quietly(np.divide, total, count)
    np.copyto(target, total, casting="unsafe")


@nn_row("_nn.nll_loss", "Minus the elements of the right classes, their mean or their sum.", fill_nll)
def _nll_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: int = MEAN, ignore_index: int = -100
) -> Answer:
    _check_nll(input, target, weight)
    d = input._dtype
    size = target._array.shape if reduction == NONE else ()
    given = (input._array, target._array, None if weight is None else weight._array, reduction, ignore_index)
    return Result(size, d), (*given, opmath(d)._in_numpy)


def _check_nll(input: Tensor, target: Tensor, weight: Tensor | None) -> None:
    d, size, wanted = input._dtype, input._array.shape, target._array.shape
    classes = size[min(1, len(size) - 1)]
    if len(size) > 2 and len(wanted) != 3:
        _wrong(
            f"only batches of spatial targets supported (3D tensors) but got targets of dimension: {len(wanted)}",
            f"there is one class for each place: the target of an input {list(size)} has size {[size[0], *size[2:]]}, "
            f"and this one is {list(wanted)}",
            *(["target.squeeze(1)"] if wanted == (size[0], 1, *size[2:]) else []),
            *(["target.argmax(1), of a target with a 1 for the right class"] if wanted == size else []),
        )
    if len(size) <= 2 and len(wanted) > 1:
        _wrong(
            "0D or 1D target tensor expected, multi-target not supported",
            f"a target has the number of one class for each example: size {list(size[:1])}, not {list(wanted)}",
            "target.squeeze(1)" if wanted[1] == 1 else "target.argmax(1), of a target with a 1 for the right class",
        )
    _check_target(target, classes)
    if len(size) > 2 and (size[0], *size[2:]) != wanted:
        _wrong(
            f"size mismatch (got input: {list(size)} , target: {list(wanted)}",
            f"there is one class for each place: the target of an input {list(size)} has size {[size[0], *size[2:]]}",
            *([f"nn.functional.interpolate(input, size={wanted[1:]})"] if wanted[0] == size[0] else []),
        )
    if weight is not None and weight._array.shape != (classes,):
        of_all = f"either for all {classes} classes or no classes but got weight tensor of shape: "
        _wrong(
            "weight tensor should be defined "
            + (f"{of_all}{list(weight._array.shape)}" if len(size) <= 2 else "either for all or no classes"),
            f"there is one weight for each class: {classes} are needed",
            f"a weight of size [{classes}]",
        )
    if d not in REAL_FRACTIONS:
        refuse_dtype("nll_loss_out_frame" if len(size) <= 2 else "nll_loss2d_forward_out_frame", d)
    if weight is not None and weight._dtype is not d:
        _wrong(
            f"expected scalar type {d._type_name} but found {weight._dtype._type_name}",
            "weights have the dtype of the input",
            f"weight.to({d})",
        )
    if len(size) == 2 and not wanted:
        target.size(0)  # an empty batch, too, needs a dimension: the refusal is that of size


def _check_target(target: Tensor, classes: int) -> None:
    if target._dtype not in (dtypes.int64, dtypes.uint8):
        name = target._dtype._type_name
        because = (
            f"a target holds the numbers of classes, 0 to {classes - 1}, and {target._dtype} is not a dtype for that"
        )
        _wrong(f"expected target dtype to be Long or Byte, but got {name}", because, "target.long()")


def fill_nll_backward(
    target: np.ndarray,
    grad: np.ndarray,
    x: np.ndarray,
    classes: np.ndarray,
    weight: np.ndarray | None,
    reduction: int,
    ignored: int,
    wide: np.dtype,
) -> None:
    axis = min(1, x.ndim - 1)
    index, weights = places_and_weights(x, classes, weight, ignored)
    slope = np.negative(grad.astype(wide))
    if reduction == MEAN:
        count = wide.type(index.size) if weights is None else np.sum(weights.astype(wide))
        with np.errstate(all="ignore"):
            slope = np.divide(slope, count)
    if weights is not None:
        with np.errstate(all="ignore"):
            slope = np.where(classes == ignored, wide.type(0), slope * weights)
    target[...] = 0
    values = np.broadcast_to(np.expand_dims(slope, axis) if slope.ndim else slope, index.shape)
    np.put_along_axis(target, index, values.astype(target.dtype), axis)


@nn_row("_nn.nll_loss_backward", "The gradient of nll_loss.", fill_nll_backward)
def _nll_loss_backward(
    grad_output: Tensor, input: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignore_index: int
) -> Answer:
    d, (size, stride) = input._dtype, size_and_stride(input)
    stride = preserve_stride(size, stride) if len(size) == 4 else contiguous_stride(size)
    if not is_contiguous(size, stride):
        _wrong("grad_input must be contiguous", "PyTorch lays this gradient as the input", "input.contiguous()")
    given = (grad_output._array, input._array, target._array, None if weight is None else weight._array)
    return Result(size, d, stride), (*given, reduction, ignore_index, opmath(d)._in_numpy)


def nll_of_any_size(input: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignore_index: int) -> Tensor:
    """nll_loss of one example, of a batch, or of a batch with further dimensions."""
    dims = input.dim()
    if dims < 1:
        refuse(
            ValueError, f"Expected 1 or more dimensions (got {dims})", "the classes need a dimension",
            rule="loss.classes",
        )  # fmt: skip
    batch = target.size(0) if target.dim() else 0
    if dims != 1 and input.size(0) != batch:
        refuse(
            ValueError,
            f"Expected input batch_size ({input.size(0)}) to match target batch_size ({batch}).",
            f"each example has one target: input {list(input.shape)} has {input.size(0)} examples, target "
            f"{list(target.shape)} has {batch}",
            *_ways_to_pair(input, target),
            rule="loss.classes",
        )
    if dims == 1 and target.dim() == 1:
        _check_target(target, input.size(0))
    if dims == 1 and target.dim() == 1 and target.size(0) != 1:
        refuse(
            ValueError,
            f"For 1D input, 1D target must have size 1, but got target size: {target.size(0)}",
            "there is one class for one example",
            rule="loss.classes",
        )
    loss = OPS["_nn.nll_loss"].function
    if dims > 2 and weight is not None and weight.dim() != 1 and weight.numel() == input.size(1):
        weight = weight.reshape(-1)  # of images, PyTorch counts the weights alone
    if dims == 1 and target.dim() == 1:
        target = target.reshape(())
    if dims in (1, 2, 4):
        return loss(input, target, weight, reduction, ignore_index)
    n, c, *rest = input.shape
    if target.shape[1:] != (*rest,):
        last = ["input.movedim(-1, 1), as its classes are last"] if target.shape == (n, c, *rest[:-1]) else []
        _wrong(
            f"Expected target size {[n, *rest]}, got {list(target.shape)}",
            f"dimension 1 of the input {list(input.shape)} has the scores of the classes, so {c} classes; each of the "
            f"places that are left, {[n, *rest]}, has one target",
            *last,
        )
    input = input.contiguous()
    flat = loss(
        input.reshape(n, c, 1, -1) if input.numel() else input.reshape(n, c, 0, 0),
        target.reshape(n, 1, -1) if target.numel() else target.reshape(n, 0, 0),
        weight, reduction, ignore_index,
    )  # fmt: skip
    return flat.view((n, *rest)) if reduction == NONE else flat


def _ways_to_pair(input: Tensor, target: Tensor) -> list[str]:
    """What makes examples and targets as many as each other."""
    classes = input.shape[-1]
    if input.dim() > 2 and target.numel() == input.numel() // max(classes, 1):
        return [f"input.reshape(-1, {classes}) and target.reshape(-1)"]
    if input.dim() == 2 and target.numel() == input.size(0):
        return ["target.reshape(-1)"]
    return ["input.shape and target.shape, to see which of the two has lost or gained examples"]


@nn_composite("nn.functional.nll_loss", "The mean of minus the log-probabilities of the right classes.")
def nll_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    how = chosen_reduction(reduction, size_average, reduce)
    must_be_pair("nll_loss_nd", input, target)
    return nll_of_any_size(input, target, weight, how, ignore_index)


# -- cross_entropy -----------------------------------------------------------------------------------------------


@nn_composite(
    "nn.functional.cross_entropy",
    "The mean of minus the log-probability of the right class: log_softmax, then nll_loss.",
)
def cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean", label_smoothing: float = 0.0,
) -> Tensor:  # fmt: skip
    how = chosen_reduction(reduction, size_average, reduce)
    if isinstance(label_smoothing, Tensor) and label_smoothing.dim():
        refuse_named("nn.functional.cross_entropy", False, (input, target), {"label_smoothing": label_smoothing})
    try:
        alike = input.shape == target.shape
    except AttributeError:
        must_be_pair("cross_entropy_loss", input, target)
        raise
    if alike:
        return _of_probabilities(input, target, weight, how, ignore_index, label_smoothing)
    axis = 0 if input.dim() == 1 else 1
    if not label_smoothing > 0:
        return nll_of_any_size(input.log_softmax(axis), target, weight, how, ignore_index)
    _check_smoothing(label_smoothing)
    log_shares = input.log_softmax(axis)
    classes = input.size(axis)
    right = nll_of_any_size(log_shares, target, weight, how, ignore_index)
    every = -(log_shares if weight is None else log_shares * _beside(weight, log_shares, axis)).sum(axis)
    skipped = target == ignore_index
    every = every.masked_fill_(skipped, 0)
    if how == SUM:
        every = every.sum()
    elif how == MEAN:
        kept = target[~skipped]
        count = (~skipped).sum() if weight is None else weight.gather(0, kept.long().flatten()).sum()
        every = every.sum() / count
    return mul_number(right, 1 - label_smoothing) + mul_number(every, label_smoothing / classes)


def _beside(weight: Tensor, x: Tensor, axis: int) -> Tensor:
    """One number for each class, with as many dimensions as what it is multiplied by."""
    return weight.view([weight.size(0) if d == axis else 1 for d in range(x.dim())])


def _check_smoothing(share: float) -> None:
    if share > 1:
        _wrong(f"label_smoothing must be between 0.0 and 1.0. Got: {share:g}", "it is the share of all classes")


def _of_probabilities(
    input: Tensor, target: Tensor, weight: Tensor | None, how: int, ignore_index: int, smoothing: float
) -> Tensor:
    """Cross entropy where the target has a probability for each class."""
    if not target.is_floating_point():
        name = target._dtype._type_name
        _wrong(
            f"Expected floating point type for target with class probabilities, got {name}",
            "a target of the size of the input has a probability for each class",
            "target.float()",
        )
    if ignore_index >= 0:
        _wrong("ignore_index is not supported for floating point target", "no class is named that could be ignored")
    axis = 0 if input.dim() == 1 else 1
    classes = input.size(axis)
    if weight is not None and tuple(weight.shape) != (classes,):
        _wrong(
            f"cross_entropy: weight tensor should be defined either for all {classes} classes or no classes but got "
            f"weight tensor of shape: {list(weight.shape)}",
            f"there is one weight for each class: {classes} are needed",
            f"a weight of size [{classes}]",
        )
    log_shares = input.log_softmax(axis)
    if smoothing > 0:
        _check_smoothing(smoothing)
        target = target * (1 - smoothing) + smoothing / classes
    product = log_shares * target
    if weight is not None:
        product = product * _beside(weight, input, axis)
    if how == NONE:
        return -product.sum(axis)
    total = product.sum()
    if how == MEAN and not input.numel():
        return -total.fill_(nan)  # no example has a mean
    return div_number(-total, input.numel() / classes) if how == MEAN else -total
