"""Means and variances of rows, as PyTorch's layer and group normalization take them: so their noise prints the same.

The mean of a normalized row is 0 but for rounding, and it is what people print first. PyTorch's kernel moves a mean and
a sum of squares from number to number: in eight lanes, 16 registers at a time, whose moments are then joined.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from ..in_double import DOUBLE, SINGLE
from ..sums.lane_sums import LANES
from ..sums.ordered_sum import in_sequence

FEW = 2048
"""Up to this many float32 in all rows take PyTorch's steps: these are many calls for a small array, and slow for large
ones."""

CHUNK = 16
"""How many registers are read before their moments are joined with those before."""


class Moments(NamedTuple):
    """How many numbers there are, their mean, and the sum of the squares of their distances to it."""

    size: int
    mean: np.ndarray
    squares: np.ndarray


def are_few(rows: np.ndarray) -> bool:
    """Whether these rows take PyTorch's steps."""
    return 0 < rows.size <= FEW and rows.dtype == SINGLE and type(rows) is np.ndarray


def moments(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean and the variance of each row of float32, with every rounding of PyTorch's kernel.

    In rows of more than two chunks, one variance in 300 has another last bit.

    >>> moments(np.array([[1, 3], [2, 2]], "f4"))
    (array([2., 2.], dtype=float32), array([1., 0.], dtype=float32))
    """
    count, length = rows.shape
    registers = length // LANES
    rest = np.ascontiguousarray(rows[:, registers * LANES :].T)
    found = _one_by_one(rest, count)
    if registers:
        lanes = np.ascontiguousarray(rows[:, : registers * LANES].reshape(count, registers, LANES).transpose(1, 0, 2))
        found = _join_lanes(found, _of_registers(lanes))
    return found.mean, found.squares / length


def _one_by_one(numbers: np.ndarray, width: int) -> Moments:
    """The moments of a few numbers, where products are rounded before they are added."""
    mean = squares = np.zeros(width, SINGLE)
    for i, x in enumerate(numbers, 1):
        distance = x - mean
        mean = mean + distance / i
        squares = squares + distance * (x - mean)
    return Moments(len(numbers), mean, squares)


def _of_registers(registers: np.ndarray) -> Moments:
    """The moments of each lane of registers, which lie in the first dimension."""
    whole = len(registers) - len(registers) % CHUNK
    chunks = []
    if whole:
        split = registers[:whole].reshape(-1, CHUNK, *registers.shape[1:])
        every = _of_chunk(split.swapaxes(0, 1))  # all of them at once
        chunks = [Moments(CHUNK, *each) for each in zip(every.mean, every.squares, strict=True)]
    if whole < len(registers):
        chunks.append(_of_chunk(registers[whole:]))
    nothing = np.zeros(registers.shape[1:], SINGLE)
    empty = Moments(0, nothing, nothing)
    levels = [empty] * max(1, (len(chunks) - 1).bit_length())
    for number, chunk in enumerate(chunks, 1):
        levels[0] = _join_registers(levels[0], chunk)
        for level in range(1, len(levels)):
            if number % (1 << level):
                break
            levels[level] = _join_registers(levels[level], levels[level - 1])
            levels[level - 1] = empty
    joined = levels[0]
    for added in levels[1:]:
        joined = _join_registers(joined, added)
    return joined


def _of_chunk(registers: np.ndarray) -> Moments:
    """The moments of each lane of some registers, one after the other; a product and its sum are rounded once."""
    mean = registers[0]
    squares = mean * (mean - mean)  # 0, or NaN of an infinite number
    if len(registers) == 1:
        return Moments(1, mean, squares)
    rest = registers[1:]
    distances, centers = np.empty((2, *rest.shape), SINGLE)
    wide = mean.astype(DOUBLE)
    for x, share, distance, center in zip(rest, _shares(), distances, centers, strict=False):
        mean = _moved(wide, np.subtract(x, mean, distance), share, center)
    products = distances.astype(DOUBLE)
    products *= rest - centers
    for product in products:
        squares = (product + squares.astype(DOUBLE)).astype(SINGLE)
    return Moments(len(registers), mean, squares)


def _moved(wide: np.ndarray, distance: np.ndarray, share: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Move a mean, which is given as float64, by a share of the distance to a number, in place and into `mean`."""
    wide += distance.astype(DOUBLE) * share
    mean[...] = wide
    wide[...] = mean
    return mean


def _join_registers(kept: Moments, added: Moments) -> Moments:
    """The moments of the numbers of both."""
    share, _, before, size = _together(kept.size, added.size)
    distance = added.mean - kept.mean
    mean = kept.mean + distance * share
    spread = distance.astype(DOUBLE) * (distance * share * before.astype(SINGLE)).astype(DOUBLE)
    return Moments(size, mean, (spread + (kept.squares + added.squares).astype(DOUBLE)).astype(SINGLE))


def _join_lanes(kept: Moments, added: Moments) -> Moments:
    """The moments of the numbers of both, of which the added ones are those of eight lanes, one after the other.

    A mean and its change are rounded once here.
    """
    lanes = added.mean.T
    shares, wide_shares, before = _of_lanes(kept.size, added.size)
    distances, wide, mean = np.empty(lanes.shape, SINGLE), kept.mean.astype(DOUBLE), kept.mean.copy()
    for x, share, distance in zip(lanes, wide_shares, distances, strict=True):
        _moved(wide, np.subtract(x, mean, distance), share, mean)
    spread = np.square(distances)
    spread *= shares
    steps = spread.astype(DOUBLE) * before + added.squares.T
    squares = in_sequence(np.concatenate([kept.squares[None], steps.astype(SINGLE)])[None])[0]
    return Moments(kept.size + LANES * added.size, mean, squares)


# Numbers are kept as arrays, by which NumPy multiplies in half of the time.


@lru_cache(256)
def _together(kept: int, added: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """The share of the added numbers in both, in float32 and as float64; how many were kept, and how many there are."""
    count = kept + added
    share = np.array(np.float32(added) / np.float32(count) if count else 0, SINGLE)
    return share, share.astype(DOUBLE), np.array(kept, DOUBLE), count


@lru_cache(256)
def _of_lanes(kept: int, added: int) -> tuple[np.ndarray, tuple[np.ndarray, ...], np.ndarray]:
    """The shares of lanes that are added one after the other, as a column of float32 and as float64, and how many
    numbers there were before each.
    """
    found = [_together(kept + lane * added, added) for lane in range(LANES)]
    shares, before = (np.array([each[part] for each in found])[:, None] for part in (0, 2))
    return shares, tuple([each[1] for each in found]), before


@cache
def _shares() -> tuple[np.ndarray, ...]:
    """The share of one number among 2, 3, ... of a chunk."""
    return tuple(np.array(np.float32(1) / np.float32(i), DOUBLE) for i in range(2, CHUNK + 1))
