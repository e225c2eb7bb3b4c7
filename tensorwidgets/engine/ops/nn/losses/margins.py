"""Losses of margins between classes: multi_margin_loss and multilabel_margin_loss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ....backends.numpy.without_warnings import silent
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.tensor import Tensor
from ....types import dtypes
from ....types.dtype_refusals import refuse_dtype
from ...pointwise.prepared import REAL_FRACTIONS
from ..declaring import nn_composite, nn_row
from ..ways_back import way_back
from .reduction import MEAN, NONE, chosen_reduction, must_be_pair
from .yes_or_no import reduced


def _refuse(message: str, because: str, *ways: str, error: type[Exception] = RuntimeError) -> None:
    refuse(error, message, because, *ways, rule="loss.margin")


def _check(input: Tensor, target: Tensor, stub: str) -> None:
    """Refuse what neither loss takes: other dtypes, and an input that is not a matrix."""
    if input._dtype not in REAL_FRACTIONS or input._dtype in dtypes.HALVES:
        refuse_dtype(stub, input._dtype)
    if target._dtype is not dtypes.int64:
        _refuse(
            f"expected scalar type Long but found {target._dtype._type_name}",
            "a target is the number of a class, a whole number",
            "target.long()",
        )


def _check_matrix(input: Tensor) -> None:
    size = tuple(input.shape)
    if len(size) > 2 or size and not size[-1]:
        _refuse(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(size)}",
            "each row has a number for each class",
        )


def _of_rows(slope: np.ndarray, grad: np.ndarray, reduction: int) -> Any:
    """Slopes times the gradient of the loss: of each row, or of their sum or mean."""
    share = grad.reshape(-1, 1) if grad.size == len(slope) and reduction == NONE else grad.reshape(1, 1)
    slope = slope * share
    return slope / len(slope) if reduction == MEAN and len(slope) else slope


# -- multi_margin_loss -------------------------------------------------------------------------------------------


@silent
def _margins(x: np.ndarray, classes: np.ndarray, margin: float) -> tuple[Any, Any]:
    """By how much each class comes too near the right one, and where the right ones are."""
    rows, right = np.arange(len(x)), classes.reshape(-1)
    if right.size and (right.min() < 0 or right.max() >= x.shape[1]):
        _refuse("target out of range", f"there are {x.shape[1]} classes")
    near = np.fmax(x.dtype.type(margin) - x[rows, right][:, None] + x, 0)  # what is not a number does not count
    near[rows, right] = 0
    return near, (rows, right)


@silent
def fill_multi_margin(
    target: np.ndarray,
    x: np.ndarray,
    classes: np.ndarray,
    p: int,
    margin: float,
    weight: np.ndarray | None,
    reduction: int,
) -> None:
    x = x.reshape(-1, x.shape[-1] if x.ndim else 1)
    near, (_, right) = _margins(x, classes, margin)
    if p == 2:
        near *= near
    if weight is not None:
        near *= weight[right][:, None]
    if type(near) is np.ndarray and near.size and reduction != NONE:
        # PyTorch adds classes in their own dtype, one after the other, and examples in float64.
        examples = np.add.accumulate(near, 1)[:, -1] / x.dtype.type(x.shape[1])
        total = np.add.accumulate(examples, dtype=np.float64)[-1]
        np.copyto(target, total / len(examples) if reduction == MEAN else total, casting="unsafe")
        return
    values = near.sum(1) / x.dtype.type(x.shape[1])
    if reduction == NONE:
        values = values.reshape(target.shape)
    elif not values.size:
        values, reduction = np.zeros((), x.dtype), NONE
    reduced(target, values, reduction)


def fill_multi_margin_back(
    target: np.ndarray,
    grad: np.ndarray,
    x: np.ndarray,
    classes: np.ndarray,
    p: int,
    margin: float,
    weight: np.ndarray | None,
    reduction: int,
) -> None:
    x = x.reshape(-1, x.shape[-1] if x.ndim else 1)
    near, right = _margins(x, classes, margin)
    slope = 2 * near if p == 2 else (near > 0).astype(x.dtype)
    if weight is not None:
        slope *= weight[right[1]][:, None]
    slope /= x.shape[1]
    slope[right] = 0 - slope.sum(1)
    target[...] = _of_rows(slope, grad, reduction).reshape(target.shape)


@nn_row(
    "_nn.multi_margin_loss",
    "How much closer than a margin the scores of other classes come to that of the right one.",
    fill_multi_margin,
)
def _multi_margin_loss(
    input: Tensor, target: Tensor, p: int = 1, margin: float = 1.0, weight: Tensor | None = None, reduction: int = MEAN
) -> Answer:
    size, wanted = tuple(input.shape), tuple(target.shape)
    _check_matrix(input)
    rows = size[0] if len(size) == 2 else 1
    if len(wanted) > 1 or (wanted[0] if wanted else 1) != rows:
        _refuse(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch "
            f"size). Expected target size [{rows}], but got {list(wanted)}. Input has shape {list(size)}.",
            "there is one class for each example",
        )
    classes = size[-1] if size else 1
    if weight is not None and tuple(weight.shape) != (classes,):
        _refuse(
            f"inconsistent weight size, expected {classes} but got {list(weight.shape)}",
            "there is one weight for each class",
        )
    _check(input, target, "multi_margin_loss_cpu_kernel")
    if weight is not None and weight._dtype is not input._dtype:
        _refuse(
            f"expected scalar type {input._dtype._type_name} but found {weight._dtype._type_name}",
            "weights have the dtype of the input",
            f"weight.to({input._dtype})",
        )
    given = (input._array, target._array, p, margin, None if weight is None else weight._array, reduction)
    return Result(() if reduction or len(size) < 2 and not wanted else wanted, input._dtype), given


@way_back("multi_margin_loss_backward", "The gradient of multi_margin_loss.", fill_multi_margin_back)
def multi_margin_loss_backward(
    grad_output: Tensor, input: Tensor, target: Tensor, p: int, margin: float, weight: Tensor | None, reduction: int
) -> Answer:
    given = (input._array, target._array, p, margin, None if weight is None else weight._array, reduction)
    return Result(tuple(input.shape), input._dtype), (grad_output._array, *given)


@nn_composite(
    "nn.functional.multi_margin_loss",
    "How much closer than a margin the scores of other classes come to that of the right one.",
)
def multi_margin_loss(
    input: Tensor, target: Tensor, p: int = 1, margin: float = 1.0, weight: Tensor | None = None,
    size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    how = chosen_reduction(reduction, size_average, reduce)
    if p not in (1, 2):
        _refuse(
            "only p == 1 and p == 2 supported",
            "p is the power of each margin in the loss: 1 or 2",
            "p=2",
            error=ValueError,
        )
    if weight is not None and weight.dim() != 1:
        _refuse("weight must be one-dimensional", "there is one weight for each class", error=ValueError)
    must_be_pair("multi_margin_loss", input, target)
    result: Tensor = OPS["_nn.multi_margin_loss"].function(input, target, p, margin, weight, how)
    return result


# -- multilabel_margin_loss --------------------------------------------------------------------------------------


def _right_classes(x: np.ndarray, classes: np.ndarray) -> tuple[Any, Any]:
    """Which entries of the target name a class, those before the first -1; and a mask of these classes."""
    classes = classes.reshape(x.shape)
    if classes.size and (classes.min() < -1 or classes.max() >= x.shape[1]):
        _refuse("argument #2 'target' is out of range", f"there are {x.shape[1]} classes, and -1 ends the list")
    named = np.cumsum(classes < 0, axis=1) == 0
    mask = np.zeros(x.shape, x.dtype)
    mask[np.nonzero(named)[0], classes[named]] = 1
    return named, mask


def _too_near(x: np.ndarray, classes: np.ndarray, named: Any, mask: Any) -> Iterator[tuple[Any, Any, Any]]:
    """For each place in the lists: the rows whose list is so long, the classes there, and by how much each other class
    comes too near. One place after the other, as lists are short and pairs of classes are many.
    """
    others = mask == 0
    for place in range(int(named.sum(1).max()) if named.size else 0):
        rows = np.nonzero(named[:, place])[0]
        right = classes[rows, place]
        near = np.fmax(1 - x[rows, right][:, None] + x[rows], 0)  # what is not a number does not count
        near *= others[rows]
        yield rows, right, near


@silent
def fill_multilabel_margin(targets: tuple, x: np.ndarray, classes: np.ndarray, reduction: int) -> None:
    scores = x.reshape(-1, x.shape[-1] if x.ndim else 1)
    named, mask = _right_classes(scores, classes)
    values = np.zeros(len(scores), np.float64, like=scores)
    for rows, _, near in _too_near(scores, classes.reshape(scores.shape), named, mask):
        values[rows] += near.sum(1, dtype=np.float64)
    values /= scores.shape[1]
    if reduction != NONE:  # PyTorch adds examples in float64, too, one after the other
        values = np.add.reduce(values) / (max(len(values), 1) if reduction == MEAN else 1)
    np.copyto(targets[0], np.reshape(values, targets[0].shape), casting="unsafe")
    targets[1][...] = mask.reshape(targets[1].shape)


@silent
def fill_multilabel_margin_back(
    target: np.ndarray, grad: np.ndarray, x: np.ndarray, classes: np.ndarray, reduction: int
) -> None:
    scores = x.reshape(-1, x.shape[-1] if x.ndim else 1)
    named, mask = _right_classes(scores, classes)
    slope = np.zeros_like(scores)
    for rows, right, near in _too_near(scores, classes.reshape(scores.shape), named, mask):
        hits = (near > 0).astype(scores.dtype)
        slope[rows] += hits
        slope[rows, right] -= hits.sum(1)
    slope /= scores.shape[1]
    target[...] = _of_rows(slope, grad, reduction).reshape(target.shape)


@nn_row(
    "_nn.multilabel_margin_loss_forward",
    "How far other classes come within a margin of those that are named, and a mask of these.",
    fill_multilabel_margin, out=None,
)  # fmt: skip
def _multilabel_margin_loss(input: Tensor, target: Tensor, reduction: int = MEAN) -> Answer:
    size = tuple(input.shape)
    _check_matrix(input)
    if tuple(target.shape) != size and (target.numel() != input.numel() or max(len(size), target.dim()) > 1):
        _refuse(
            f"inconsistent target size: {list(target.shape)} for input of size: {list(size)}",
            "each row of the target names classes, and ends with -1",
        )
    _check(input, target, "multilabel_margin_loss_forward_out_frame")
    loss = Result(() if reduction or len(size) < 2 else size[:1], input._dtype)
    return (loss, Result(size, input._dtype)), (input._array, target._array, reduction)


@way_back("multilabel_margin_loss_backward", "The gradient of multilabel_margin_loss.", fill_multilabel_margin_back)
def multilabel_margin_loss_backward(grad_output: Tensor, input: Tensor, target: Tensor, reduction: int) -> Answer:
    given = (grad_output._array, input._array, target._array, reduction)
    return Result(tuple(input.shape), input._dtype), given


@nn_composite(
    "nn.functional.multilabel_margin_loss",
    "How much closer than a margin the scores of other classes come to those of the right ones.",
)
def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    how = chosen_reduction(reduction, size_average, reduce)
    must_be_pair("multilabel_margin_loss", input, target)
    result: Tensor = OPS["_nn.multilabel_margin_loss_forward"].function(input, target, how)[0]
    return result
