"""The loss of classes with one exponential: what cross_entropy computes, without the logarithms of all shares.

The loss needs the logarithm of the right class alone, and its gradient needs the shares themselves. So the exponentials
are kept in place of the logarithms, which take as much memory, and are computed if somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import chunks
from ..float_sum import of_rows
from ..in_double import DOUBLE, SINGLE
from ..softmax import EXACT_LOGARITHM, PIECE

HIGHEST, LOWEST = 16.0, -60.0
"""Between these, exponentials are taken as they are: their sum is finite, and none loses a digit."""

SPAN = 32.0
"""How far below the largest number of a piece the smallest may be, where that is subtracted first."""

SHORT = 2048
"""Up to this length the sum of a row is one product of BLAS."""


class Exponentials:
    """The exponentials of rows of numbers, less what was subtracted from a row first, and their sums."""

    __slots__ = ("shape", "dtype", "powers", "sums", "sent", "_logarithms")

    _logarithms: np.ndarray | None
    powers: np.ndarray | None
    """None once the logarithms were asked for: only one of the two takes memory."""
    sent: tuple[np.ndarray, np.ndarray, np.ndarray] | None
    """The gradient that the loss has sent last: whole, of the right classes alone, and these classes."""

    def __init__(self, powers: np.ndarray, sums: np.ndarray):
        self.shape, self.dtype, self.powers, self.sums = powers.shape, powers.dtype, powers, sums
        self.sent = self._logarithms = None

    def logarithms(self) -> np.ndarray:
        """The logarithms of the shares: of softmax."""
        powers, found = self.powers, self._logarithms
        if found is None:
            assert powers is not None
            found = np.log(powers)
            found -= np.log(self.sums)[:, None]
            self._logarithms, self.powers = found, None
        return found


def loss_of_classes(x: np.ndarray, classes: np.ndarray) -> tuple[np.ndarray, Exponentials] | None:
    """The mean loss; None where the logarithms have to be computed row by row.

    >>> x = np.zeros((2, 4096), "f4")
    >>> loss, kept = loss_of_classes(x, np.array([1, 2]))
    >>> print(loss, kept.logarithms()[0, :2])
    8.317766 [-8.317766 -8.317766]
    """
    if x.size <= EXACT_LOGARITHM or x.dtype != SINGLE or type(x) is not np.ndarray:
        return None
    powers, sums, shifts = np.empty_like(x), np.empty(len(x), x.dtype), np.zeros(len(x))
    failed: list[bool] = []

    def compute(rows: slice) -> None:
        if not _exponentials(x[rows], powers[rows], sums[rows], shifts[rows]):
            failed.append(True)

    if x.size < 2 * PIECE:
        compute(slice(None))
    else:
        pieces = chunks.spans(len(x), max(1, PIECE * len(x) // x.size))
        (chunks.run_parallel if x.size >= chunks.FROM else _one_by_one)(compute, pieces)
    if failed:
        return None
    picked = np.log(sums.astype(DOUBLE))
    picked += shifts
    picked -= x[np.arange(len(x)), classes]
    return np.asarray(np.divide(np.add.reduce(picked), len(picked)).astype(x.dtype)), Exponentials(powers, sums)


def _one_by_one(function: Callable[[slice], None], pieces: list[slice]) -> None:
    for piece in pieces:
        function(piece)


def _exponentials(x: np.ndarray, powers: np.ndarray, sums: np.ndarray, shifts: np.ndarray) -> bool:
    """Write the exponentials of some rows, their sums, and what was subtracted first; whether that loses no digit."""
    most, least = np.maximum.reduce(x, None), np.minimum.reduce(x, None)
    if most < HIGHEST and least > LOWEST:
        np.exp(x, powers)
    elif most - least < SPAN:
        np.subtract(x, most, powers)
        np.exp(powers, powers)
        shifts[...] = most
    else:  # also where a number is not finite
        return False
    if x.shape[1] <= SHORT:
        np.matmul(powers, np.ones(x.shape[1], x.dtype), sums)
    else:
        sums[...] = of_rows(powers)
    return True


def slope_of_loss(kept: Exponentials, classes: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """The gradient of the logarithms: not zero for the right classes alone. It is noted as the one that was sent."""
    whole = np.zeros(kept.shape, kept.dtype)
    whole[np.arange(len(whole)), classes] = slope
    kept.sent = whole, slope, classes
    return whole


def slope_of_logarithms(kept: Exponentials, powers: np.ndarray, grad: np.ndarray, last: bool) -> np.ndarray:
    """The gradient of the numbers from that of the logarithms of their shares; in the memory of the exponentials if
    this is their `last` use.
    """
    sent, kept.sent = kept.sent, None
    target = None
    if last:
        kept.powers, target = None, powers
    if sent is not None and sent[0] is grad:  # nobody has added to it: not while it was noted
        _, slope, classes = sent
        result = np.multiply(powers, np.divide(-slope, kept.sums)[:, None], target)
        result[np.arange(len(result)), classes] += slope
        return result
    total = np.matmul(grad, np.ones(grad.shape[1], grad.dtype))
    result = np.multiply(powers, np.divide(total, kept.sums)[:, None], target)
    return np.subtract(grad, result, result)
