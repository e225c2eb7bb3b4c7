"""Where do optimizers go on a surface? Their steps on two numbers, by PyTorch's rules and usual settings.

`tests/pictures/learning/test_surface_picture.py` holds each path against `torch.optim`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

Point = tuple[float, float]
Rule = Callable[[float, float, dict[str, float]], float]
"""From a gradient, the learning rate and what the optimizer keeps of this number: how far to go."""
FAR = 1e15
"""Beyond this a path has no chance to come back."""


class Way(NamedTuple):
    """The path of one optimizer."""

    name: str
    points: tuple[Point, ...]
    losses: tuple[float, ...]

    @property
    def left(self) -> int | None:
        """The step at which the path has left for good: it ends ten times as high as it began, or without a number."""
        most = self.losses[0] + 9 * abs(self.losses[0])
        if math.isfinite(self.losses[-1]) and self.losses[-1] <= most:
            return None
        return next(k for k, v in enumerate(self.losses) if not math.isfinite(v) or v > most)


def _sgd(g: float, lr: float, kept: dict[str, float]) -> float:
    return lr * g


def _momentum(g: float, lr: float, kept: dict[str, float]) -> float:
    kept["m"] = 0.9 * kept.get("m", 0.0) + g
    return lr * kept["m"]


def _nesterov(g: float, lr: float, kept: dict[str, float]) -> float:
    kept["m"] = 0.9 * kept.get("m", 0.0) + g
    return lr * (g + 0.9 * kept["m"])


def _rmsprop(g: float, lr: float, kept: dict[str, float]) -> float:
    kept["v"] = 0.99 * kept.get("v", 0.0) + 0.01 * g * g
    return lr * g / (math.sqrt(kept["v"]) + 1e-8)


def _adagrad(g: float, lr: float, kept: dict[str, float]) -> float:
    kept["v"] = kept.get("v", 0.0) + g * g
    return lr * g / (math.sqrt(kept["v"]) + 1e-10)


def _adam(g: float, lr: float, kept: dict[str, float]) -> float:
    t = kept["t"] = kept.get("t", 0.0) + 1
    kept["m"] = 0.9 * kept.get("m", 0.0) + 0.1 * g
    kept["v"] = 0.999 * kept.get("v", 0.0) + 0.001 * g * g
    return lr / (1 - 0.9**t) * kept["m"] / (math.sqrt(kept["v"] / (1 - 0.999**t)) + 1e-8)


RULES: dict[str, Rule] = {
    "SGD": _sgd, "momentum": _momentum, "Nesterov": _nesterov, "RMSprop": _rmsprop, "Adagrad": _adagrad, "Adam": _adam,
}  # fmt: skip
"""The optimizers: `momentum` and `Nesterov` are SGD with momentum=0.9."""


def descend(
    loss: Callable[[Point], float], slope: Callable[[Point], Point], name: str, start: Point, lr: float, steps: int
) -> Way:
    """The path of an optimizer from a point. It ends early where the loss is not a number."""
    rule = RULES[name]
    kept: tuple[dict[str, float], dict[str, float]] = {}, {}
    points, losses = [start], [loss(start)]
    at = start
    for _ in range(steps):
        try:
            grads = slope(at)
            x, y = (value - rule(g, lr, one) for value, g, one in zip(at, grads, kept, strict=True))
        except (OverflowError, ZeroDivisionError, ValueError):
            x = y = math.inf
        if not (abs(x) < FAR and abs(y) < FAR):
            if Way(name, tuple(points), tuple(losses)).left is None:
                # It flees in its first step, before any loss says so.
                x, y = (
                    min(max(new, -FAR), FAR) if abs(new) < math.inf else old for new, old in ((x, at[0]), (y, at[1]))
                )
                points.append((x, y))
                losses.append(math.inf)
            break
        at = (x, y)
        points.append(at)
        losses.append(loss(at))
        if not math.isfinite(losses[-1]):
            break
    return Way(name, tuple(points), tuple(losses))
