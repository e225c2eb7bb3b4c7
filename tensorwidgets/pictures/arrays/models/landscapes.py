"""A loss as a function of two numbers, whatever it is written with: its value, its slope, and all of it on a grid.

A function that takes Python's numbers gets them, and its slope is a difference quotient. One that needs tensors gets
those of a library that is imported, and its slope is the gradient.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np

from ..values import with_article
from .descents import Point

LIBRARIES = ("tensorwidgets", "torch")
FINE, COARSE = (141, 101), (49, 35)
"""Places of the grid, across and down: where the function takes whole arrays, and where it is called for each."""


class NoNumber(TypeError):
    """What a function returned is not one number."""


class Landscape:
    """A function of two numbers."""

    def __init__(self, f: Callable[..., Any], near: Point):
        if not callable(f):
            raise TypeError(f"show.surface draws a function of two numbers, not {with_article(type(f).__name__)}")
        _takes_two(f)
        self.f = f
        self.library: Any = None
        try:
            self._number(f(*near))
            return
        except (TypeError, AttributeError, ValueError, OverflowError, ZeroDivisionError) as error:
            refused = error
        for name in LIBRARIES:
            library = sys.modules.get(name)
            if library is None or not hasattr(library, "tensor"):
                continue
            self.library = library
            try:
                self._number(f(*self._tensors(near)))
                return
            except NoNumber:
                raise
            except (TypeError, AttributeError):
                continue
        self.library = None
        raise refused

    def _tensors(self, at: Any, grad: bool = False) -> list[Any]:
        return [self.library.tensor(v, dtype=self.library.float64, requires_grad=grad) for v in at]

    @staticmethod
    def _number(value: Any) -> float:
        try:
            number = float(value.detach().item() if hasattr(value, "detach") else value)
        except (TypeError, ValueError, RuntimeError) as refused:
            size = getattr(value, "shape", None)
            what = type(value).__name__ + (f" of size {tuple(size)}" if size is not None else "")
            raise NoNumber(f"show.surface draws a function that returns one number, and this one returns {what}: "
                           "reduce it, as .sum() does") from refused  # fmt: skip
        return number if math.isfinite(number) else math.inf

    def loss(self, at: Point) -> float:
        """The value at a point; infinity where it has none."""
        try:
            with np.errstate(all="ignore"):
                return self._number(self.f(*(at if self.library is None else self._tensors(at))))
        except (OverflowError, ZeroDivisionError, ValueError):
            return math.inf

    def slope(self, at: Point) -> Point:
        """The gradient at a point."""
        if self.library is not None:
            given = self._tensors(at, grad=True)
            result = self.f(*given)
            if getattr(result, "requires_grad", False):
                grads = self.library.autograd.grad(result, given, allow_unused=True)
                x, y = (0.0 if g is None else float(g) for g in grads)
                return x, y
        steps = [6e-6 * max(abs(v), 1.0) for v in at]
        x = (self.loss((at[0] + steps[0], at[1])) - self.loss((at[0] - steps[0], at[1]))) / (2 * steps[0])
        y = (self.loss((at[0], at[1] + steps[1])) - self.loss((at[0], at[1] - steps[1]))) / (2 * steps[1])
        return x, y

    def grid(self, xs: Point, ys: Point) -> np.ndarray:
        """The values on a grid, the first row at the top (the largest y)."""
        whole = self._at_once(*_places(xs, ys, FINE))
        if whole is not None:
            return whole
        across, down = _places(xs, ys, COARSE)
        return np.array([[self.loss((float(x), float(y))) for x in across] for y in down])

    def _at_once(self, across: np.ndarray, down: np.ndarray) -> np.ndarray | None:
        """All values by one call; None if the function does not work on whole arrays, number by number."""
        x, y = np.meshgrid(across, down)
        try:
            with np.errstate(all="ignore"), getattr(self.library, "no_grad", nullcontext)():
                found = self.f(*((x, y) if self.library is None else self._tensors((x.tolist(), y.tolist()))))
            values = np.array(found.tolist() if hasattr(found, "tolist") else found, float)
        except Exception:  # a function of single numbers may refuse arrays in any way
            return None
        if values.shape != x.shape:
            return None
        values = np.where(np.isfinite(values), values, math.inf)
        for row, column in ((0, 0), (len(down) // 2, len(across) // 3), (len(down) - 1, len(across) - 1)):
            single = self.loss((float(across[column]), float(down[row])))
            if not (single == values[row, column] or math.isclose(single, values[row, column], rel_tol=1e-6)):
                return None
        return values


def _takes_two(f: Callable[..., Any]) -> None:
    """Refuses a function that cannot be called with two numbers; of one that tells nothing, the call will tell."""
    try:
        signature = inspect.signature(f)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(0.0, 0.0)
    except TypeError:
        name = getattr(f, "__name__", type(f).__name__)
        name = f"this {name}" if name == "<lambda>" else name
        raise TypeError(
            f"show.surface draws a function of two numbers, and {name}{signature} cannot be called with two: "
            "give it one parameter for each axis, as in lambda a, b: a * a + b * b"
        ) from None


def _places(xs: Point, ys: Point, count: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    return np.linspace(*xs, count[0]), np.linspace(ys[1], ys[0], count[1])
