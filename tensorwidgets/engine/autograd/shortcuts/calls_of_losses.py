"""How are the most frequent losses recorded with few steps in between? Losses of classes, and mean squares.

As in `calls_of_rows`, None leaves a call to the general way. The nodes are those of the ops that the function is
made of.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.numpy.layers.class_loss import Shares, loss_of_classes
from ...backends.numpy.softmax import softmax
from ...backends.numpy.sums.ordered_sum import sum_of_losses
from ...backends.numpy.without_warnings import quietly
from ...declare.fast_calls import NO_GRAD, PLAIN
from ...derivatives.declaring import TABLE
from ...dispatch.registry import OPS
from ...ops.nn.losses.mean_square import fill_mse
from ...ops.nn.losses.reduction import MEAN, REDUCTIONS
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ...tensor.wrapping import wrap
from ...types.dtypes import dtype, int64
from ..formulas import new_node
from ..origin import edge_of
from ..saved import KeptResult, kept_result
from .calls_of_rows import are_below, edge_if_any, is_simple, record_call, version_of

LOG_SOFTMAX = next(one for one in TABLE["log_softmax"] if one.formulas)
NLL_LOSS = next(one for one in TABLE["_nn.nll_loss"] if one.node == "NllLossBackward0")
MSE_LOSS = TABLE["_nn.mse_loss"][0]


def install() -> None:
    """Give the rows their quick way; runs once, when the first tensor requires a gradient."""
    assert LOG_SOFTMAX.keeps == ("result", "dim") and MSE_LOSS.keeps == ("input", "target", "reduction")
    assert NLL_LOSS.keeps == ("input", "target", "weight", "reduction", "ignore_index")
    for name, function in (("cross_entropy", cross_entropy), ("nll_loss", nll_loss), ("mse_loss", mse_loss)):
        op = OPS[f"nn.functional.{name}"]
        op.quick = op.quick_plain = function


def mse_loss(*args: Any, **more: Any) -> Tensor | None:
    """The mean of the squared differences of two tensors of one size, or their sum."""
    unusual = state.__dict__
    if len(args) != 2 or unusual and unusual != NO_GRAD or more and not more.keys() <= _OF_SQUARES:
        return None
    reduction = more.get("reduction", "mean")
    how = REDUCTIONS.get(reduction) if type(reduction) is str else None
    if not how or more.get("weight") is not None or not (is_simple(args[0]) and is_simple(args[1])):
        return None
    input, target = args
    x, wanted, d = input._array, target._array, input._dtype
    if target._dtype is not d or x.shape != wanted.shape or not x.size:
        return None
    if not x.flags.c_contiguous or not wanted.flags.c_contiguous:
        return None  # the sum depends on how they lie
    edges = tuple([edge_if_any(t) if not unusual else None for t in args])
    if not unusual and (edges[0] is None and input._keys or edges[1] is None and target._keys):
        return None  # a view that was made under no_grad: its node leads nowhere
    loss = np.empty((), x.dtype)
    fill_mse(loss, x, wanted, how, x.dtype)
    result = wrap(loss, d)
    if edges == (None, None):
        return result
    versions = (version_of(input), version_of(target), None)
    return record_call(MSE_LOSS, result, edges, (input, target, how), versions)


_OF_SQUARES = frozenset(("reduction", "weight"))


def cross_entropy(*args: Any, **more: Any) -> Tensor | None:
    """The mean loss of a batch of classes: the nodes of `log_softmax` and `nll_loss`."""
    unusual = state.__dict__
    if len(args) != 2 or unusual and unusual != NO_GRAD or more and not _usual(more):
        return None
    input, target = args
    if not is_simple(input) or type(target) not in PLAIN or target._keys or target._dtype is not int64:
        return None
    x, classes = input._array, target._array
    if x.ndim != 2 or classes.shape != x.shape[:1] or not x.size or not x.flags.c_contiguous or x.shape[1] == 1:
        return None
    d, ignored = input._dtype, more.get("ignore_index", -100)
    if not are_classes(classes, x.shape[1], ignored):
        return None
    edge = edge_of(input) if not unusual and input._keys else None
    if edge is None and input._keys and not unusual:
        return None  # a view that was made under no_grad: its node leads nowhere
    found = quietly(loss_of_classes, x, classes)
    if found is not None:
        loss, shares = found
        result = wrap(loss, d)
        if edge is None:
            return result
        logarithms = new_node(LOG_SOFTMAX, (edge,), x.shape, d)
        logarithms.values, logarithms.versions = (KeptLogarithms(shares, d), 1), (0, None)
        _recorded(result, logarithms, KeptLogarithms(shares, d, logarithms), target, ignored)
        logarithms.code, logarithms.at = result._origin.code, result._origin.at
        return result
    logs = np.empty(x.shape, x.dtype)
    softmax(x, 1, True, logs)
    picked = logs[np.arange(len(classes)), classes]
    result = wrap(np.asarray(quietly(_mean, picked)), d)
    if edge is None:
        return result
    log_shares = wrap(logs, d)
    record_call(LOG_SOFTMAX, log_shares, (edge,), (kept_result(log_shares), 1), (0, None))
    return _recorded(result, log_shares._origin, log_shares, target, ignored)


def nll_loss(*args: Any, **more: Any) -> Tensor | None:
    """Minus the mean of what the right classes have, of a batch."""
    unusual = state.__dict__
    if len(args) != 2 or unusual and unusual != NO_GRAD or more and not _usual(more) or "label_smoothing" in more:
        return None
    input, target = args
    if not is_simple(input) or type(target) not in PLAIN or target._keys or target._dtype is not int64:
        return None
    x, classes = input._array, target._array
    if x.ndim != 2 or classes.shape != x.shape[:1] or not x.size:
        return None
    ignored = more.get("ignore_index", -100)
    if not are_classes(classes, x.shape[1], ignored):
        return None
    edge = edge_if_any(input) if not unusual else None
    if edge is None and input._keys and not unusual:
        return None  # a view that was made under no_grad: its node leads nowhere
    result = wrap(np.asarray(quietly(_mean, x[np.arange(len(classes)), classes])), input._dtype)
    if edge is None:
        return result
    values = (input, target, None, MEAN, ignored)
    return record_call(NLL_LOSS, result, (edge,), values, (version_of(input), version_of(target), None, None, None))


def _recorded(result: Tensor, logarithms: Any, kept: Any, target: Tensor, ignored: int) -> Tensor:
    """A mean loss with its node, which gets the logarithms from another one."""
    values = (kept, target, None, MEAN, ignored)
    return record_call(NLL_LOSS, result, (logarithms,), values, (0, version_of(target), None, None, None))


class KeptLogarithms(KeptResult):
    """The logarithms of shares, as a node keeps them: computed if somebody asks for them."""

    __slots__ = ("shares",)
    shares: Shares

    def __new__(cls, shares: Shares, d: dtype, maker: Any = None) -> KeptLogarithms:
        kept = super().__new__(cls, shares)
        kept.shares, kept.dtype, kept.keys = shares, d, 0
        kept.again = (lambda: maker) if maker is not None else None
        return kept

    def __init__(self, *given: Any):
        """All is done."""

    def owner(self) -> None:
        """No tensor has these logarithms, so nothing writes to them."""

    @property
    def array(self) -> np.ndarray:  # type: ignore[override]
        return self.shares.logarithms()


def _mean(picked: np.ndarray) -> Any:
    return np.divide(0 - sum_of_losses(picked), picked.dtype.type(picked.size))


def are_classes(classes: np.ndarray, count: int, ignored: int) -> bool:
    """Whether every element is the number of a class, and counts."""
    return not 0 <= ignored < count and are_below(classes, count)


def _usual(more: dict[str, Any]) -> bool:
    """Whether the settings of a loss are the defaults, except for the class that does not count."""
    return (
        more.get("weight") is None
        and more.get("reduction", "mean") == "mean"
        and type(smoothing := more.get("label_smoothing", 0.0)) is float
        and smoothing == 0.0
        and type(more.get("ignore_index", 0)) is int
        and more.keys() <= _SETTINGS
    )


_SETTINGS = frozenset(("weight", "ignore_index", "reduction", "label_smoothing"))
