"""How far along a direction? A search for a step that meets the strong Wolfe conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor

ENOUGH, FLAT = 1e-4, 0.9
"""The loss falls by at least this share of what the slope promises; the slope falls to at most this share."""


class Point(NamedTuple):
    """A step that was tried: its size, and the loss, the gradient and the slope there."""

    size: Any
    loss: Any
    grad: Tensor
    slope: Any


def strong_wolfe(
    evaluated: Callable[[Any, Tensor], tuple[float, Tensor]],
    size: Any,
    direction: Tensor,
    loss: float,
    grad: Tensor,
    slope: Tensor,
    tolerance: float = 1e-9,
    max_ls: int = 25,
    enough: float = ENOUGH,
    flat_enough: float = FLAT,
) -> tuple[float, Tensor, Any, int]:
    """Loss, gradient and size of the step found, and how often the loss was computed."""
    longest = direction.abs().max()
    start = Point(0, loss, grad.clone(memory_format=torch.contiguous_format), slope)

    def tried(size: Any) -> Point:
        new_loss, new_grad = evaluated(size, direction)
        return Point(size, new_loss, new_grad, new_grad.dot(direction))

    def too_high(point: Point) -> bool:
        return bool(point.loss > loss + enough * point.size * slope)

    def flat(point: Point) -> bool:
        return bool(abs(point.slope) <= -flat_enough * slope)

    # Go on in longer and longer steps until a good step is found, or two steps with one between them.
    before, point, count, done = start, tried(size), 0, False
    calls = 1
    bracket: list[Point] = []
    while count < max_ls:
        if too_high(point) or (count > 1 and point.loss >= before.loss):
            bracket = [before, _kept(point)]
            break
        if flat(point):
            bracket, done = [point], True
            break
        if point.slope >= 0:
            bracket = [before, _kept(point)]
            break
        bounds = (point.size + 0.01 * (point.size - before.size), point.size * 10)
        size = _lowest(before, point, bounds)
        before, point = _kept(point), tried(size)
        calls, count = calls + 1, count + 1
    if count == max_ls:
        bracket = [start._replace(grad=grad), point]

    # Narrow the bracket.
    stuck = False
    low, high = (0, 1) if bracket[0].loss <= bracket[-1].loss else (1, 0)
    while not done and count < max_ls:
        if abs(bracket[1].size - bracket[0].size) * longest < tolerance:
            break
        size = _lowest(bracket[0], bracket[1])
        least, most = (pick(each.size for each in bracket) for pick in (min, max))
        margin = 0.1 * (most - least)
        if min(most - size, size - least) < margin:
            if stuck or size >= most or size <= least:
                size = most - margin if abs(size - most) < abs(size - least) else least + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        point = tried(size)
        calls, count = calls + 1, count + 1
        if too_high(point) or point.loss >= bracket[low].loss:
            bracket[high] = _kept(point)
            low, high = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
        else:
            if flat(point):
                done = True
            elif point.slope * (bracket[high].size - bracket[low].size) >= 0:
                bracket[high] = bracket[low]
            bracket[low] = _kept(point)
    best = bracket[low]  # a loss that is NaN is not even the lowest of one: an IndexError, as in PyTorch
    return best.loss, best.grad, best.size, calls


def _strong_wolfe(
    obj_func: Callable[[Any, Any, Tensor], tuple[float, Tensor]],
    x: Any,
    t: Any,
    d: Tensor,
    f: float,
    g: Tensor,
    gtd: Tensor,
    c1: float = ENOUGH,
    c2: float = FLAT,
    tolerance_change: float = 1e-9,
    max_ls: int = 25,
) -> tuple[float, Tensor, Any, int]:
    """`strong_wolfe` under PyTorch's names, with which people write optimizers of their own.

    >>> import tensorwidgets as torch
    >>> def parabola(x, size, direction):
    ...     there = x + size * direction
    ...     return float((there**2).sum()), 2 * there
    >>> x = torch.tensor([3.0])
    >>> _strong_wolfe(parabola, x, 1.0, torch.tensor([-6.0]), 9.0, torch.tensor([6.0]), torch.tensor(-36.0))
    (0.0, tensor([0.]), tensor(0.5000), 2)
    """
    along = lambda size, direction: obj_func(x, size, direction)  # noqa: E731
    return strong_wolfe(along, t, d, f, g, gtd, tolerance_change, max_ls, c1, c2)


def _cubic_interpolate(x1: Any, f1: Any, g1: Any, x2: Any, f2: Any, g2: Any, bounds: Any = None) -> Any:
    """Where the cubic through two points, with values and slopes, is lowest: `_lowest` under PyTorch's name."""
    return _lowest(Point(x1, f1, g1, g1), Point(x2, f2, g2, g2), bounds)


def _kept(point: Point) -> Point:
    """A point with a gradient of its own."""
    return point._replace(grad=point.grad.clone(memory_format=torch.contiguous_format))


def _lowest(one: Point, two: Point, bounds: tuple[Any, Any] | None = None) -> Any:
    """Where the cubic through two points, with their slopes, is lowest."""
    least, most = bounds or ((one.size, two.size) if one.size <= two.size else (two.size, one.size))
    middle = one.slope + two.slope - 3 * (one.loss - two.loss) / (one.size - two.size)
    square = middle**2 - one.slope * two.slope
    if not square >= 0:
        return (least + most) / 2.0
    root = square.sqrt()
    left, right = (one, two) if one.size <= two.size else (two, one)
    found = right.size - (right.size - left.size) * (
        (right.slope + root - middle) / (right.slope - left.slope + 2 * root)
    )
    return min(max(found, least), most)
