"""Generated arrays whose values are their own offsets: the oracle is the array itself.

Each comes from a run of numbers 0, 1, 2 .. by the views that a library has, so whatever its strides are, the number in
a cell says where in storage the cell must point.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np


def shapes(dice: random.Random) -> tuple[int, ...]:
    dims = dice.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 5])
    most = {0: 1, 1: 14, 2: 6, 3: 4, 4: 3, 5: 3}[dims]
    return tuple(dice.randint(1, most) for _ in range(dims))


def numpy_view(dice: random.Random, base: np.ndarray) -> np.ndarray:
    """A chain of NumPy's views: slices with any step, transposes, broadcasts, windows, new axes, zero sizes."""
    x = base
    for _ in range(dice.randint(0, 4)):
        x = _numpy_step(dice, x)
    return x


def _numpy_step(dice: random.Random, x: np.ndarray) -> np.ndarray:
    kind = dice.choice(["slice", "slice", "transpose", "expand", "window", "index", "new", "flip", "empty"])
    if kind == "slice" and x.ndim:
        return x[tuple(_slice(dice, n) for n in x.shape)]
    if kind == "transpose":
        return x.transpose(dice.sample(range(x.ndim), x.ndim))
    if kind == "expand" and x.ndim < 5 and 0 < x.size < 60:
        return np.broadcast_to(x, (dice.randint(1, 3), *x.shape)).swapaxes(0, dice.randrange(x.ndim + 1))
    if kind == "window" and x.ndim and x.ndim < 5 and x.shape[0] >= 2 and 0 < x.size < 60:
        return np.lib.stride_tricks.sliding_window_view(x, 2, axis=0)
    if kind == "index" and x.ndim and x.shape[0]:
        return x[dice.randrange(x.shape[0])] if x.ndim > 1 else x[dice.randrange(x.shape[0]) :][:1].reshape(())
    if kind == "new" and x.ndim < 5:
        return np.expand_dims(x, dice.randrange(x.ndim + 1))
    if kind == "flip" and x.ndim:
        return np.flip(x, dice.randrange(x.ndim))
    if kind == "empty" and x.ndim and dice.random() < 0.2:
        return x[:0]
    return x


def torch_view(dice: random.Random, base: Any) -> Any:
    """The same in PyTorch's spelling, for its tensors and ours."""
    x = base
    for _ in range(dice.randint(0, 4)):
        x = _torch_step(dice, x)
    return x


def _torch_step(dice: random.Random, x: Any) -> Any:
    dims, numel = x.dim(), x.numel()
    kind = dice.choice(["slice", "slice", "permute", "expand", "unfold", "select", "unsqueeze", "diagonal", "empty"])
    if kind == "slice" and dims:
        d = dice.randrange(dims)
        n = x.size(d)
        first = dice.randint(0, n)
        return x[(slice(None),) * d + (slice(first, dice.randint(first, n), dice.randint(1, 3)),)]
    if kind == "permute":
        return x.permute(dice.sample(range(dims), dims))
    if kind == "expand" and dims < 5 and numel < 60:
        return x.expand(dice.randint(1, 3), *x.size()).transpose(0, dice.randrange(dims + 1))
    if kind == "unfold" and dims and dims < 5 and x.size(0) >= 2 and numel < 60:
        return x.unfold(0, 2, dice.randint(1, 2))
    if kind == "select" and dims and x.size(0):
        return x.select(0, dice.randrange(x.size(0)))
    if kind == "unsqueeze" and dims < 5:
        return x.unsqueeze(dice.randrange(dims + 1))
    if kind == "diagonal" and dims >= 2:
        return x.diagonal()
    if kind == "empty" and dims and dice.random() < 0.2:
        return x[:0]
    return x


def _slice(dice: random.Random, n: int) -> slice:
    step = dice.choice([1, 1, 2, 3, -1, -2])
    a, b = sorted((dice.randint(0, n), dice.randint(0, n)))
    if step > 0:
        return slice(a, b, step)
    return slice(b - 1 if b else 0, a - 1 if a else None, step)
