"""How are the steps of a rule run on arrays, piece by piece, so that all of them find their numbers in the cache?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.backends.numpy.sums.scaled_sum import add_scaled
from ...engine.backends.numpy.without_warnings import quietly
from ...engine.declare.fast_calls import PLAIN
from ...engine.dispatch.registry import watching
from ...engine.tensor.keys import KEY_AUTOGRAD
from ...engine.tensor.tensor import Tensor
from ...engine.types.dtypes import float32, float64

BLOCK = 1 << 15
"""Elements of a piece: those of all arrays of a rule fit into the second cache."""

EXACT = 1 << 14
"""Up to this many squares are added with one rounding, as in PyTorch. That needs float64, a fifth of a step's time."""


def flat_arrays(*tensors: Tensor) -> list[np.ndarray] | None:
    """The elements of plain tensors of one size and dtype, each as one row; None if any of them is not plain."""
    first = tensors[0]
    d, shape = first._dtype, first._array.shape
    if d is not float32 and d is not float64 or watching:
        return None
    rows = []
    for t in tensors:
        array = t._array
        if type(t) not in PLAIN or t._keys & ~KEY_AUTOGRAD or t._dtype is not d or type(array) is not np.ndarray:
            return None
        if array.shape != shape or not array.flags.c_contiguous or not array.flags.writeable:
            return None
        rows.append(array.reshape(-1))
    return rows


def run_in_blocks(rule: Callable[..., None], arrays: list[np.ndarray], scratch: int) -> None:
    """Call a rule with pieces of these arrays, and with `scratch` pieces of scratch memory of the same dtype."""
    size = arrays[0].size
    rooms = [np.empty(min(size, BLOCK), arrays[0].dtype) for _ in range(scratch)]

    def run() -> None:
        for start in range(0, size, BLOCK):
            pieces = [a[start : start + BLOCK] for a in arrays]
            rule(*pieces, *[room[: pieces[0].size] for room in rooms])

    quietly(run)


class Steps:
    """The ops of rules on arrays of one dtype and size, for pieces of up to BLOCK elements.

    They are rounded as PyTorch rounds them, but for the squares of more than `EXACT` elements of float32.
    """

    def __init__(self, dtype: np.dtype, size: int):
        self.number = dtype.type
        self._exact = dtype == np.float32 and size <= EXACT
        count = size if self._exact else 0
        self._first, self._second = np.empty(count), np.empty(count)

    def move_towards(self, a: Any, end: Any, weight: float, room: Any) -> None:
        """``a.lerp_(end, weight)``"""
        np.subtract(end, a, room)
        if abs(weight) < 0.5:
            add_scaled(a, room, self.number(weight))
        else:
            np.copyto(a, end)
            add_scaled(a, room, self.number(weight) - self.number(1))

    def add_square(self, a: Any, b: Any, factor: float, room: Any) -> None:
        """``a.addcmul_(b, b, value=factor)``"""
        np.multiply(b, self.number(factor), room)
        if not self._exact:
            np.multiply(room, b, room)
            np.add(a, room, a)
            return
        first, second = self._first[: a.size], self._second[: a.size]
        first[...] = room  # in float64, because the product is not rounded
        second[...] = b
        np.multiply(first, second, first)
        second[...] = a
        np.add(first, second, first)
        a[...] = first

    def add_quotient(self, a: Any, b: Any, c: Any, factor: float, room: Any) -> None:
        """``a.addcdiv_(b, c, value=factor)``"""
        np.multiply(b, self.number(factor), room)
        np.divide(room, c, room)
        np.add(a, room, a)

    def prepared(self, grad: Any, parameter: Any, maximize: bool, decay: float, room: Any) -> Any:
        """The gradient of a step: turned around, and with weight decay; itself if neither is wanted."""
        if maximize:
            grad = np.negative(grad, room)
        if decay:
            if not maximize:
                room[...] = grad
            add_scaled(room, parameter, self.number(decay))
            grad = room
        return grad
