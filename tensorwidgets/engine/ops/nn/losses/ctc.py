"""ctc_loss: how unlikely a sequence of labels is, if nobody says which label belongs to which time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....backends.numpy.layers.ctc import alphas, labels_of, slopes
from ....backends.numpy.without_warnings import quietly
from ....declare.rules import Answer, Result
from ....dispatch.call_errors import refuse_named
from ....dispatch.meta import refuse_values
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.keys import KEY_META
from ....tensor.tensor import Tensor
from ....types import dtypes
from ....types.dtype_refusals import refuse_dtype
from ...pointwise.prepared import REAL_FRACTIONS
from ..declaring import nn_composite, nn_row
from ..ways_back import way_back
from .reduction import MEAN, NONE, SUM, chosen_reduction

if TYPE_CHECKING:
    from collections.abc import Sequence


CHECKING = "(while checking arguments for ctc_loss_allocate_outputs)"


def _refuse(message: str, because: str, *ways: str) -> None:
    refuse(RuntimeError, message, because, *ways, rule="ctc.argument")


def fill_ctc(
    targets: tuple, log_probs: np.ndarray, classes: np.ndarray, inputs: tuple, lengths: tuple, blank: int
) -> None:
    _check_labels(classes, lengths, log_probs.shape[2])
    labels = labels_of(classes.astype(np.int64), inputs, lengths, blank)
    targets[0][...] = quietly(alphas, log_probs, labels, targets[1])


def fill_ctc_back(
    target: np.ndarray,
    grad: np.ndarray,
    log_probs: np.ndarray,
    classes: np.ndarray,
    inputs: tuple,
    lengths: tuple,
    loss: np.ndarray,
    alpha: np.ndarray,
    blank: int,
    zero_infinity: bool,
) -> None:
    labels = labels_of(classes.astype(np.int64), inputs, lengths, blank)
    slope = quietly(slopes, log_probs, labels, alpha, loss)
    np.multiply(slope, grad[None, :, None], out=target)
    if zero_infinity:
        target[:, np.isinf(loss)] = 0


@nn_row("_ctc_loss", "How unlikely each sequence of labels is; and the logarithms of sums over ways to it.",
           fill_ctc, out=None)  # fmt: skip
def _ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | Sequence[int],
    target_lengths: Tensor | Sequence[int],
    blank: int = 0,
    zero_infinity: bool = False,
) -> Answer:
    inputs, lengths = tuple(map(int, input_lengths)), tuple(map(int, target_lengths))
    d = log_probs._dtype
    if not log_probs._array.size:
        _refuse("log_probs tensor must not be empty", "there is nothing to choose from")
    if d not in REAL_FRACTIONS or d in dtypes.HALVES:
        refuse_dtype("ctc_loss_cpu", d)
    if log_probs.dim() != 3:
        _refuse(
            f"Expected 3-dimensional tensor, but got {log_probs.dim()}-dimensional tensor for argument #1 'log_probs' "
            f"{CHECKING}",
            "log_probs has times, examples and classes",
        )
    times, batch, classes = log_probs.shape
    if not 0 <= blank < classes:
        _refuse("blank must be in label range", f"there are {classes} classes", "blank=0")
    for name, counted in (("input_lengths", inputs), ("target_lengths", lengths)):
        if len(counted) != batch:
            _refuse(f"{name} must be of size batch_size", f"there are {batch} examples")
    _check_lengths("target_lengths", lengths, None)
    _check_targets(targets, lengths, batch)
    _check_lengths("input_lengths", inputs, times)
    states = 2 * max(lengths, default=0) + 1
    given = (log_probs._array, targets._array, inputs, lengths, blank)
    return (Result((batch,), d), Result((batch, times, states), d)), given


def _check_lengths(name: str, lengths: tuple[int, ...], most: int | None) -> None:
    for n in lengths:
        if n < 0:
            _refuse(f"Expected {name} to have value at least 0, but got value {n} {CHECKING}", "a length is counted")
        if most is not None and n > most:
            _refuse(
                f"Expected {name} to have value at most {most}, but got value {n} {CHECKING}",
                f"log_probs has {most} times",
            )


def _check_targets(targets: Tensor, lengths: tuple[int, ...], batch: int) -> None:
    size = tuple(targets.shape)
    if len(size) not in (1, 2):
        _refuse(
            f"Expected 1 to 2 dimensions, but got {len(size)}-dimensional tensor for argument #2 'targets' {CHECKING}",
            "labels are in rows, or all in one vector",
        )
    wanted = sum(lengths) if len(size) == 1 else batch
    if size[0] != wanted:
        _refuse(
            f"Expected tensor to have size {wanted} at dimension 0, but got size {size[0]} for argument #2 'targets' "
            f"{CHECKING}",
            "target_lengths says how many labels there are",
        )
    if len(size) == 2 and size[1] < max(lengths, default=0):
        _refuse(
            f"Expected tensor to have size at least {max(lengths)} at dimension 1, but got size {size[1]} for argument "
            f"#2 'targets' {CHECKING}",
            "target_lengths says how many labels there are",
        )


def _check_labels(labels: np.ndarray, lengths: tuple[int, ...], classes: int) -> None:
    """Refuse a label that is no class, which PyTorch reads outside its memory; what pads a row is not looked at."""
    rows = labels.tolist()
    used = rows if labels.ndim == 1 else [label for row, n in zip(rows, lengths, strict=True) for label in row[:n]]
    wrong = next((label for label in used if not 0 <= label < classes), None)
    if wrong is not None:
        refuse(
            IndexError,
            f"Target {wrong} is out of bounds.",
            f"log_probs has {classes} classes, so that labels are 0 to {classes - 1}; PyTorch reads outside its memory",
            "(targets >= 0) & (targets < log_probs.size(-1)), to see which are outside",
            rule="ctc.argument",
        )


@way_back("_ctc_loss_backward", "The gradient of ctc_loss.", fill_ctc_back)
def _ctc_loss_backward(
    grad: Tensor,
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | Sequence[int],
    target_lengths: Tensor | Sequence[int],
    loss: Tensor,
    log_alpha: Tensor,
    blank: int,
    zero_infinity: bool,
) -> Answer:
    inputs, lengths = tuple(map(int, input_lengths)), tuple(map(int, target_lengths))
    given = (log_probs._array, targets._array, inputs, lengths, loss._array, log_alpha._array, blank, zero_infinity)
    return Result(tuple(log_probs.shape), log_probs._dtype), (grad._array, *given)


def _lengths(name: str, given: Any) -> list[int]:
    """How long each example is, as a list: from a tensor, or from numbers."""
    if not isinstance(given, Tensor):
        return list(given)
    if given._dtype._kind != dtypes.INTEGER:
        _refuse(f"{name} must be integral", "a length is counted", f"{name}.long()")
    found: list[int] = given.reshape(-1).tolist()
    return found


@nn_composite("ctc_loss", "How unlikely sequences of labels are, over all ways to align them with the steps.")
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | Sequence[int],
    target_lengths: Tensor | Sequence[int],
    blank: int = 0,
    reduction: int = NONE,
    zero_infinity: bool = False,
) -> Tensor:
    if isinstance(input_lengths, Tensor) != isinstance(target_lengths, Tensor):
        given = log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity
        refuse_named("ctc_loss", False, given, {})
    if isinstance(input_lengths, Tensor) and log_probs._keys & KEY_META:
        refuse_values("_ctc_loss.Tensor")  # before the lengths are read
    inputs, lengths = _lengths("input_lengths", input_lengths), _lengths("target_lengths", target_lengths)
    is_batch = log_probs.dim() == 3
    batch = log_probs if is_batch else log_probs.unsqueeze(1)
    labels = targets if is_batch or targets.dim() > 1 else targets.unsqueeze(0)
    loss: Tensor = OPS["_ctc_loss"].function(batch, labels, inputs, lengths, blank, zero_infinity)[0]
    if zero_infinity:
        loss = OPS["where"].function(
            loss == np.inf, OPS["zeros"].function((), dtype=loss._dtype, device=loss.device), loss
        )
    if reduction == MEAN:
        counts = OPS["tensor"].function(lengths, dtype=loss._dtype, device=loss.device).clamp_min(1)
        return (loss / counts).mean()
    if reduction == SUM:
        return loss.sum()
    return loss if is_batch else loss.squeeze(0)


@nn_composite(
    "nn.functional.ctc_loss", "How unlikely sequences of labels are, over all ways to align them with the steps."
)
def function(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | Sequence[int],
    target_lengths: Tensor | Sequence[int],
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    how = chosen_reduction(reduction)
    return ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, how, zero_infinity)
