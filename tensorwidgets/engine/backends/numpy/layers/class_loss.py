"""The loss of classes with one exponential: what cross_entropy computes, without the logarithms of all shares.

The loss needs the logarithm of the right class alone, and its gradient needs the shares themselves. So of many numbers
the exponentials are kept in place of the logarithms, which take as much memory, and are computed if somebody asks for
them. Of few numbers the logarithms are kept: each step is rounded as in PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from .. import chunks
from ..in_double import DOUBLE, SINGLE, exp, log
from ..softmax import FEW_LOGARITHMS, PIECE, less, sums_of_rows
from ..sums.float_sum import of_rows
from ..sums.ordered_sum import sum_of_losses
from ..sums.scaled_rows import are_scalable, scale_rows

LOWEST, HIGHEST = -60.0, 1e30
"""Exponentials of numbers above the one are taken as they are where their sums are below the other: none loses a digit.
"""

SPAN = 32.0
"""How far below the largest number of a piece the smallest may be, where that is subtracted first."""

SHORT = 2048
"""Up to this length the sum of a row is one product of BLAS."""


class Shares:
    """What is kept of rows of numbers: exponentials, less what was subtracted from a row first, and their sums.

    Or the logarithms of the shares, for which exponentials and sums are None: only one of the two takes memory.
    """

    __slots__ = ("shape", "dtype", "starts", "places", "powers", "sums", "sent", "_logarithms", "__weakref__")

    places: np.ndarray | None
    """Where the right classes are, of few numbers."""
    powers: np.ndarray | None
    sums: np.ndarray | None
    _logarithms: np.ndarray | None
    sent: tuple[np.ndarray, np.ndarray, np.ndarray] | None
    """The gradient that the loss has sent last: whole, of the right classes alone, and their places."""

    def __init__(
        self,
        starts: np.ndarray,
        kept: np.ndarray,
        sums: np.ndarray | None = None,
        places: np.ndarray | None = None,
    ):
        self.shape, self.dtype, self.starts, self.sums, self.places = kept.shape, kept.dtype, starts, sums, places
        self.powers, self._logarithms = (None, kept) if sums is None else (kept, None)
        self.sent = None

    def logarithms(self) -> np.ndarray:
        """The logarithms of the shares: of softmax."""
        powers, found = self.powers, self._logarithms
        if found is None:
            assert powers is not None and self.sums is not None
            found = np.log(powers)
            found -= np.log(self.sums)[:, None]
            self._logarithms, self.powers = found, None
        return found


def loss_of_classes(x: np.ndarray, classes: np.ndarray) -> tuple[np.ndarray, Shares] | None:
    """The mean loss; None where the logarithms have to be computed row by row.

    >>> x = np.zeros((2, 4096), "f4")
    >>> loss, kept = loss_of_classes(x, np.array([1, 2]))
    >>> print(loss, kept.logarithms()[0, :2])
    8.317766 [-8.317766 -8.317766]
    """
    if x.dtype is not SINGLE or type(x) is not np.ndarray:
        return None
    few = x.size <= FEW_LOGARITHMS
    starts = _starts(*x.shape) if few else np.arange(0, x.size, x.shape[1])
    places = starts + classes
    if few:
        shares = _logarithms(x)
        picked = shares.reshape(-1).take(places)
        loss = (0 - sum_of_losses(picked)) / x.dtype.type(len(picked))
        return np.asarray(loss), Shares(starts, shares, None, places)
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
    picked -= x.reshape(-1).take(places)
    return np.asarray(np.divide(np.add.reduce(picked), len(picked)).astype(x.dtype)), Shares(starts, powers, sums)


def _logarithms(x: np.ndarray) -> np.ndarray:
    """The logarithms of the shares of each row, every step rounded as in `softmax`."""
    rest = np.subtract(x, np.maximum.reduce(x, 1, keepdims=True))
    rest -= log(sums_of_rows(exp(rest)))[:, None]
    return rest


@lru_cache(32)
def _starts(count: int, length: int) -> np.ndarray:
    """Where the rows of a small matrix begin."""
    return np.arange(0, count * length, length)


def _one_by_one(function: Callable[[slice], None], pieces: list[slice]) -> None:
    for piece in pieces:
        function(piece)


def _exponentials(x: np.ndarray, powers: np.ndarray, sums: np.ndarray, shifts: np.ndarray) -> bool:
    """Write the exponentials of some rows, their sums, and what was subtracted first; whether that loses no digit."""
    if np.minimum.reduce(x, None) > LOWEST:
        np.exp(x, powers)
        _sum_rows(powers, sums)
        if np.maximum.reduce(sums) < HIGHEST:
            return True
    most, least = np.maximum.reduce(x, None), np.minimum.reduce(x, None)
    if not most - least < SPAN:  # also where a number is not finite
        return False
    np.subtract(x, most, powers)
    np.exp(powers, powers)
    _sum_rows(powers, sums)
    shifts[...] = most
    return True


def _sum_rows(powers: np.ndarray, sums: np.ndarray) -> None:
    if powers.shape[1] <= SHORT:
        np.matmul(powers, np.ones(powers.shape[1], powers.dtype), sums)
    else:
        sums[...] = of_rows(powers)


def slope_of_loss(kept: Shares, classes: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """The gradient of the logarithms: not zero for the right classes alone. It is noted as the one that was sent."""
    places = kept.starts + classes if kept.places is None else kept.places
    whole = np.zeros(kept.shape, kept.dtype)
    whole.reshape(-1)[places] = slope
    kept.sent = whole, slope, places
    return whole


def slope_of_logarithms(kept: Shares, grad: np.ndarray, last: bool) -> np.ndarray:
    """The gradient of the numbers from that of the logarithms of their shares; in the memory of the exponentials if
    this is their `last` use.
    """
    powers, sent, kept.sent = kept.powers, kept.sent, None
    sums = target = None
    if powers is None:
        powers = exp(kept.logarithms())
    else:
        assert kept.sums is not None
        sums = kept.sums[:, None]
        if last:
            kept.powers, target = None, powers
    noted = sent if sent is not None and sent[0] is grad else None  # nobody has added to it: not while it was noted
    if sums is None:
        return less(grad, powers, noted[1] if noted is not None else sums_of_rows(grad)[:, None])
    if noted is not None:
        _, slope, places = noted
        result = _scaled(powers, np.divide(-slope, sums), target)
        result.reshape(-1)[places] += slope
        return result
    total = np.matmul(grad, np.ones(grad.shape[1], grad.dtype))[:, None]
    result = _scaled(powers, np.divide(total, sums), target)
    return np.subtract(grad, result, result)


def _scaled(rows: np.ndarray, factors: np.ndarray, target: np.ndarray | None) -> np.ndarray:
    """Rows times their factors; in place if they are the target."""
    if target is rows and are_scalable(rows):
        scale_rows(rows, factors.reshape(-1))
        return rows
    return np.multiply(rows, factors, target)
