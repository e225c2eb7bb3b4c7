"""How likely is a sequence of labels, if it may be stretched and broken by blanks? Sums over all ways, in logarithms.

State 2 i + 1 is label i, and the states between labels are blanks. `alpha` has the logarithm of the probability of
every way to a state up to a time, `beta` of every way from a state to the end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Labels(NamedTuple):
    """The labels of a batch, and what follows from them."""

    states: Any
    """The class of each state, for each example."""
    jumps: Any
    """Where a state may be reached from two states before: the two are of different classes."""
    inputs: Any
    """How many times each example has."""
    lengths: Any
    """How many labels each example has."""


def labels_of(targets: np.ndarray, inputs: tuple[int, ...], lengths: tuple[int, ...], blank: int) -> Labels:
    """Labels that lie in rows, or all in one vector, with blanks between them.

    >>> labels_of(np.array([4, 7, 7]), (5, 5), (1, 2), 0).states
    array([[0, 4, 0, 0, 0],
           [0, 7, 0, 7, 0]])
    """
    states = np.full((len(lengths), 2 * max(lengths, default=0) + 1), blank, np.int64)
    start = 0
    for i, n in enumerate(lengths):
        states[i, 1 : 2 * n : 2] = targets[i, :n] if targets.ndim == 2 else targets[start : start + n]
        start += n
    jumps = np.zeros(states.shape, bool)
    jumps[:, 2:] = states[:, 2:] != states[:, :-2]
    return Labels(states, jumps, np.asarray(inputs, np.int64), np.asarray(lengths, np.int64))


def alphas(log_probs: np.ndarray, labels: Labels, alpha: np.ndarray) -> Any:
    """Fill `alpha`, of size (batch, times, states), and return minus the logarithm of each example's probability."""
    every, n = np.arange(len(labels.lengths)), labels.lengths
    alpha[...] = -np.inf
    for t in range(alpha.shape[1]):
        now = log_probs[t][every[:, None], labels.states]
        if not t:
            alpha[:, 0, 0] = now[:, 0]
            if alpha.shape[2] > 1:
                alpha[:, 0, 1] = np.where(n > 0, now[:, 1], -np.inf)
            continue
        before = alpha[:, t - 1]
        total = before.copy()
        total[:, 1:] = np.logaddexp(total[:, 1:], before[:, :-1])
        total[:, 2:] = np.logaddexp(total[:, 2:], np.where(labels.jumps[:, 2:], before[:, :-2], -np.inf))
        alpha[:, t] = total + now
    last = labels.inputs - 1
    empty = np.where(n == 0, 0.0, -np.inf)
    if not alpha.shape[1]:
        return -empty.astype(log_probs.dtype)
    end, label = alpha[every, last, 2 * n], np.where(n > 0, alpha[every, last, np.maximum(2 * n - 1, 0)], -np.inf)
    return -np.where(labels.inputs == 0, empty, np.logaddexp(end, label))


def betas(log_probs: np.ndarray, labels: Labels, times: int) -> Any:
    """The same from the end."""
    every, n = np.arange(len(labels.lengths)), labels.lengths
    beta = np.full_like(log_probs, -np.inf, shape=(len(every), times, labels.states.shape[1]))
    after = np.full_like(log_probs, -np.inf, shape=(len(every), labels.states.shape[1]))
    state = np.arange(labels.states.shape[1])
    final = (state == 2 * n[:, None]) | (state == 2 * n[:, None] - 1)
    for t in range(times - 1, -1, -1):
        total = after.copy()
        total[:, :-1] = np.logaddexp(total[:, :-1], after[:, 1:])
        total[:, :-2] = np.logaddexp(total[:, :-2], np.where(labels.jumps[:, 2:], after[:, 2:], -np.inf))
        begun = np.where(final, 0.0, -np.inf)
        total = np.where((labels.inputs == t + 1)[:, None], begun, total)
        after = total + log_probs[t][every[:, None], labels.states]
        beta[:, t] = after
    return beta


def slopes(log_probs: np.ndarray, labels: Labels, alpha: np.ndarray, loss: np.ndarray) -> Any:
    """The derivative of each example's loss by the logarithm of each probability."""
    times, batch, _ = log_probs.shape
    together = alpha[:, :times] + betas(log_probs, labels, alpha.shape[1])
    by_class = np.full_like(log_probs, -np.inf)
    every = np.arange(batch)
    within = by_class[: alpha.shape[1]]
    for state in range(labels.states.shape[1]):
        key = (slice(None), every, labels.states[:, state])
        within[key] = np.logaddexp(within[key], together[:, :, state].T)
    slope = np.exp(log_probs) - np.exp(by_class + loss[None, :, None] - log_probs)
    slope[np.arange(times)[:, None] >= labels.inputs] = 0
    return slope
