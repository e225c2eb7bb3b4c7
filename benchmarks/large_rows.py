"""The rows of `large_ops`: what is computed, in PyTorch's spelling and in NumPy's, on which operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Row(NamedTuple):
    label: str
    torch: str
    """The expression for this package and for PyTorch."""
    numpy: str
    operands: str
    """Which of the sets of operands below it uses."""


ROWS = [
    Row("add, 1e7", "a + b", "a + b", "vectors"),
    Row("mul_, 1e7", "c.mul_(d)", "np.multiply(c, d, c)", "vectors"),
    Row("exp, 1e7", "a.exp()", "np.exp(a)", "vectors"),
    Row("clamp, 1e7", "a.clamp(-0.5, 0.5)", "np.clip(a, -0.5, 0.5)", "vectors"),
    Row("sum, 1e7", "a.sum()", "a.sum()", "vectors"),
    Row("a > b, 1e7", "a > b", "a > b", "vectors"),
    Row("to float64, 1e7", "a.double()", "a.astype(np.float64)", "vectors"),
    Row("to int32, 1e7", "a.int()", "a.astype(np.int32)", "vectors"),
    Row("mean over dim 0, 2048^2", "m.mean(0)", "m.mean(0)", "matrices"),
    Row("mean over dim 1, 2048^2", "m.mean(1)", "m.mean(1)", "matrices"),
    Row("max over dim 0, 2048^2", "m.amax(0)", "m.max(0)", "matrices"),
    Row("max over dim 1, 2048^2", "m.amax(1)", "m.max(1)", "matrices"),
    Row("max and places over dim 1, 2048^2", "m.max(1)", "m.max(1), m.argmax(1)", "matrices"),
    Row("transposed contiguous, 2048^2", "m.t().contiguous()", "np.ascontiguousarray(m.T)", "matrices"),
    Row("a + b.t(), 2048^2", "m + n.t()", "m + n.T", "matrices"),
    Row("broadcast add, 2048^2", "m + row", "m + row", "matrices"),
    Row("cumsum over dim 1, 2048^2", "m.cumsum(1)", "m.cumsum(1)", "matrices"),
    Row("cumsum over dim 0, 2048^2", "m.cumsum(0)", "m.cumsum(0)", "matrices"),
    Row("softmax over dim 1, 2048^2", "m.softmax(1)", "softmax(m)", "matrices"),
    Row("matmul, 1024^2", "p @ q", "p @ q", "squares"),
    Row("einsum bchw,c->bhw", "torch.einsum('bchw,c->bhw', x, w)", "np.einsum('bchw,c->bhw', x, w)", "images"),
    Row("the same by broadcasting", "(x * w4).sum(1)", "(x * w4).sum(1)", "images"),
    Row("sort with places, 1e6", "s.sort()", "(i := np.argsort(s), s[i])", "shuffled"),
    Row("stable argsort, 1e6", "torch.argsort(s, stable=True)", "np.argsort(s, kind='stable')", "shuffled"),
    Row("gather by index, 1e6", "g.gather(0, i)", "g[i]", "shuffled"),
    Row("gather along rows, 2048^2", "m.gather(1, k)", "np.take_along_axis(m, k, 1)", "matrices"),
    Row("bincount, 1e6", "torch.bincount(i)", "np.bincount(i)", "shuffled"),
    Row("rfft, 2^20", "torch.fft.rfft(f)", "np.fft.rfft(f)", "shuffled"),
    Row("cat, 2 x 1e7", "torch.cat([a, b])", "np.concatenate([a, b])", "vectors"),
]


def softmax(x: np.ndarray) -> np.ndarray:
    """Softmax along rows as it is written with NumPy."""
    found = np.exp(x - x.max(1, keepdims=True))
    found /= found.sum(1, keepdims=True)
    return found


def numbers(kind: str) -> dict[str, np.ndarray]:
    """A set of operands as NumPy arrays, the same in every run."""
    rng = np.random.default_rng(0)

    def normal(*size: int) -> np.ndarray:
        return rng.standard_normal(size, np.float32)

    n = 10_000_000
    if kind == "vectors":
        return {"a": normal(n), "b": normal(n), "c": normal(n), "d": np.ones(n, np.float32)}
    if kind == "matrices":
        return {
            "m": normal(2048, 2048),
            "n": normal(2048, 2048),
            "row": normal(2048),
            "k": rng.integers(0, 2048, (2048, 2048)),
        }
    if kind == "squares":
        return {"p": normal(1024, 1024), "q": normal(1024, 1024)}
    if kind == "images":
        x, w = normal(16, 64, 96, 96), normal(64)
        return {"x": x, "w": w, "w4": w.reshape(1, 64, 1, 1)}
    size = 1_000_000
    return {"s": normal(size), "g": normal(size), "i": rng.integers(0, size, size), "f": normal(1 << 20)}


def names_for(engine: Any, kind: str) -> dict[str, Any]:
    """What an expression may name: the operands as one engine holds them, in memory of its own."""
    arrays = numbers(kind)
    if engine is np:
        return {**arrays, "np": np, "softmax": softmax}
    make: Callable = engine.tensor
    return {**{name: make(array) for name, array in arrays.items()}, "torch": engine}
