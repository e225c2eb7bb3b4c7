"""Attention and its gradients, some heads at a time, without keeping the weights of all pairs.

Scores are computed for some heads, turned into weights while they are in the cache, and dropped. The backward pass
computes them again from the logarithm of each row's sum, which is all that is kept.

Arrays have the dimensions batch, heads, steps, numbers. Several heads of the queries may share one of the keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy import ndarray

from ..rounded_steps import rounding, unchanged

SCORES = 1 << 16
"""How many scores are computed at a time, unless one row of them is longer."""


class Settings(NamedTuple):
    """What scales and hides scores. `mask` is added to them."""

    scale: float
    is_causal: bool
    mask: np.ndarray | None
    small: np.dtype | None = None
    """A dtype of 16 bits that weights are rounded to before values are multiplied by them, as in PyTorch."""


def attend(out: ndarray, sums: ndarray, query: ndarray, key: ndarray, value: ndarray, how: Settings) -> None:
    """Write the weighted means of the values, and the logarithm of the sum of each row's exponentials.

    >>> x = np.array([[[[0.0, 1.0], [2.0, 3.0]]]])
    >>> out, sums = np.empty_like(x), np.empty((1, 1, 2))
    >>> attend(out, sums, x, x, x, Settings(1.0, True, None))
    >>> out[0, 0, 0].tolist(), sums[0, 0, 0].item()
    ([0.0, 1.0], 1.0)
    """
    for at, of_keys in _pieces(query.shape, key.shape):
        scores = _products(query[at], key[of_keys], how)
        most = _largest_of_all(scores) if how.mask is None and how.small is None else None
        if most is None:
            _hide(scores, how, at)
            _attend_by_rows(out, sums, scores, value[of_keys], at, how.small)
            continue
        if most:
            scores -= most
        np.exp(scores, scores)
        if how.is_causal:
            np.copyto(scores, 0, where=_later(scores, at))
        total = np.einsum("...ij->...i", scores)
        means = np.matmul(scores, value[of_keys], out=out[at])
        means /= total[..., None]
        np.log(total, total)
        np.add(total, most, sums[at])


CLOSE = 16
"""Scores that differ by less may all be lessened by the same number, for no exponential is then too small."""


def _largest_of_all(scores: np.ndarray) -> np.number | int | None:
    """The largest score, if all are close to it, or 0 if all are close to that; None for the way that looks at each
    row.
    """
    most, least = np.maximum.reduce(scores, None), np.minimum.reduce(scores, None)
    if most < CLOSE / 2 and least > -CLOSE / 2:
        return 0
    return most if most - least < CLOSE else None  # type: ignore[no-any-return]


def _attend_by_rows(
    out: ndarray, sums: ndarray, scores: ndarray, value: ndarray, at: tuple, small: np.dtype | None
) -> None:
    """The same with the largest score of each row, of which some may be hidden or not finite."""
    most = np.max(scores, -1, keepdims=True)
    usual = np.isfinite(most)
    if not usual.all():
        if np.isnan(most).any():  # PyTorch looks for the largest score among those that are numbers
            most = np.max(np.where(np.isnan(scores), -np.inf, scores), -1, keepdims=True)
        hidden = np.isneginf(most)
        scores[hidden[..., 0]] = -np.inf
        most[hidden] = 0
    scores -= most
    np.exp(scores, scores)
    total = np.einsum("...ij->...i", scores)[..., None]
    means = np.matmul(scores if small is None else rounding(small, scores.dtype)(scores), value)
    if usual.all():
        means /= total
        logarithm = np.log(total, total)
    else:
        means *= np.where(total == 0, 0, 1 / total)
        logarithm = np.where(total == 0, 0, np.log(total))
    out[at] = means
    sums[at] = (logarithm + most)[..., 0]


def gradients(
    grad: ndarray, query: ndarray, key: ndarray, value: ndarray, out: ndarray, sums: ndarray, how: Settings,
    into: tuple[ndarray, ndarray, ndarray],
) -> None:  # fmt: skip
    """Write the gradients of queries, keys and values."""
    of_query, of_key, of_value = into
    scale = before = query.dtype.type(how.scale)
    rounded = unchanged if how.small is None else rounding(how.small, query.dtype)
    if how.small is not None:  # what is rounded is not scaled before
        before = query.dtype.type(1)
    after = scale / before
    shared = query.shape[1] != key.shape[1]
    if shared or query.shape[2] * key.shape[2] > SCORES:  # sums of several products
        of_key.fill(0)
        of_value.fill(0)
    for at, of_keys in _pieces(query.shape, key.shape):
        alone = not shared and at[2].stop - at[2].start == query.shape[2]
        rows, q, k, v = grad[at], query[at], key[of_keys], value[of_keys]
        weights = _scores(q, k, how, at)
        weights -= sums[at][..., None]
        np.exp(weights, weights)
        _add_product(of_value, of_keys, rounded(weights).swapaxes(-1, -2), rows, shared, alone)
        scaled = np.multiply(rows, before)
        slopes = np.matmul(scaled, _turned(v))
        slopes -= np.einsum("...ij,...ij->...i", scaled, out[at])[..., None]
        slopes *= weights
        slopes = rounded(slopes)
        if how.small is not None:
            q, k = q * after, k * after
        np.matmul(slopes, k, out=of_query[at])
        _add_product(of_key, of_keys, slopes.swapaxes(-1, -2), q, shared, alone)


def _add_product(whole: ndarray, of_keys: tuple, a: ndarray, b: ndarray, shared: bool, alone: bool) -> None:
    """Add a product to the gradients of some keys: shared by several heads, or of this piece alone."""
    if alone:
        np.matmul(a, b, out=whole[of_keys])
    elif shared:
        np.add.at(whole, of_keys, np.matmul(a, b))
    else:
        whole[of_keys] += np.matmul(a, b)


def _scores(query: np.ndarray, key: np.ndarray, how: Settings, at: tuple) -> np.ndarray:
    """The scaled products of queries and keys, minus infinity where a key is hidden."""
    scores = _products(query, key, how)
    _hide(scores, how, at)
    return scores


def _products(query: np.ndarray, key: np.ndarray, how: Settings) -> np.ndarray:
    scores = np.matmul(query, _turned(key))
    scores *= scores.dtype.type(how.scale)
    return scores


def _turned(rows: np.ndarray) -> np.ndarray:
    """The transposed matrices in order: BLAS takes longer to read them column by column than this copy takes."""
    return np.ascontiguousarray(rows.swapaxes(-1, -2))


def _hide(scores: np.ndarray, how: Settings, at: tuple) -> None:
    if how.is_causal:
        np.copyto(scores, -np.inf, where=_later(scores, at))
    if how.mask is not None:
        scores += how.mask[at]


def _later(scores: np.ndarray, at: tuple) -> np.ndarray:
    """Which keys come after each query."""
    first = at[2].start
    count, keys = scores.shape[-2:]
    return np.arange(keys) > np.arange(first, first + count)[:, None]


def _pieces(queries: tuple[int, ...], keys: tuple[int, ...]) -> Iterator[tuple[tuple, tuple]]:
    """Which heads, or which rows of one head, are computed together: their places among queries and among keys."""
    batch, heads, steps, _ = queries
    per_head = steps * keys[2]
    group = heads // keys[1]
    if per_head > SCORES:
        rows = max(1, SCORES // keys[2])
        for b in range(batch):
            for h in range(heads):
                for first in range(0, steps, rows):
                    some = slice(first, min(first + rows, steps))
                    yield (b, slice(h, h + 1), some), (b, slice(h // group, h // group + 1))
        return
    many = max(1, SCORES // per_head)
    whole = slice(0, steps)
    if group > 1:
        numbers = np.arange(heads) // group
        for b in range(batch):
            for first in range(0, heads, many):
                yield (b, slice(first, first + many), whole), (b, numbers[first : first + many])
    elif many >= heads:
        for first in range(0, batch, many // heads):
            some = slice(first, first + many // heads)
            yield (some, slice(None), whole), (some,)
    else:
        for b in range(batch):
            for first in range(0, heads, many):
                yield (b, slice(first, first + many), whole), (b, slice(first, first + many))
