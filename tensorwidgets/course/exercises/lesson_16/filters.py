"""Lesson 16, the filter that a photograph went through."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made


def _filters(torch: Any) -> list[Case]:
    def case(before: list, after: list, steps: int) -> Case:
        text = f"find_filter(torch.tensor({before}), torch.tensor({after}), {steps})"
        return Case(text, torch.tensor(before), (torch.tensor(after), steps))

    flat = [[[0.5, 1.0, 0.5]]]
    return [
        case(flat, [[[0.25, 1.0, 0.0]]], 1),
        case(flat, [[[0.25, 0.5, 0.0]]], 2),
        case([[[0.5, 1.0, 0.0], [1.0, 0.5, 0.5]]], [[[0.25, 1.0, 0.0], [0.5, 0.5, 1.0]]], 2),
        case([[[0.5, 0.5, 0.0]], [[0.5, 0.0, 1.0]]], [[[0.25, 0.5, 0.0]], [[0.25, 0.0, 0.5]]], 3),
    ]


def _colour_by_colour(before: Any, after: Any, steps: int) -> list:
    """Gradient descent without gradients: each pixel says how far its product is off."""
    pairs = list(zip(before.reshape(-1, 3).tolist(), after.reshape(-1, 3).tolist(), strict=True))
    found = [1.0, 1.0, 1.0]
    for _ in range(steps):
        for c in range(3):
            found[c] -= sum(2 * (x[c] * found[c] - y[c]) * x[c] for x, y in pairs) / len(pairs)
    return found


def _filtered(
    before: Any, after: Any, steps: int, rate: float = 1.0, reset: bool = True, start: float = 1.0, how: str = "means"
) -> Any:
    library = library_that_made(before)
    found = library.full((3,), start, requires_grad=True)
    for _ in range(steps):
        squares = (before * found - after) ** 2
        loss = {"means": squares.mean((0, 1)).sum(), "mean": squares.mean(), "sum": squares.sum()}[how]
        loss.backward()
        with library.no_grad():
            found -= rate * found.grad
        if reset:
            found.grad = None
    return found.detach()


FIND_FILTER = FunctionExercise(
    number="16.13",
    task="the filter that turned one picture into another",
    function="find_filter",
    cases=_filters,
    wanted=_colour_by_colour,
    hints=(
        "It is the loop of sharpen. The knobs are the three numbers of found, and before * found takes the place of "
        "shake(guess).",
        "The two dimensions of the pixels come first, so .mean((0, 1)) leaves one number for each colour. .sum() adds "
        "up the three.",
        "After backward(), write found -= found.grad under torch.no_grad(), and then found.grad = None.",
    ),
    mistakes=(
        Mistake(
            lambda before, after, steps: _filtered(before, after, steps, reset=False),
            "The first step is right, and from then on the old gradients are added in: found.grad = None is missing.",
        ),
        Mistake(
            lambda before, after, steps: _filtered(before, after, steps, rate=-1.0),
            "You go uphill: the gradient says where the loss grows. Subtract it from found.",
        ),
        Mistake(
            lambda before, after, steps: _filtered(before, after, 1),
            "Only one step was made. Everything from the loss to the step belongs in the loop.",
        ),
        Mistake(
            lambda before, after, steps: _filtered(before, after, steps, how="mean"),
            "That is one mean over all three colours, so its gradients are a third of those asked for. Take a mean for "
            "each colour, and add them up.",
        ),
        Mistake(
            lambda before, after, steps: _filtered(before, after, steps, how="sum"),
            "You added up all pixels, so a larger picture makes larger steps. Take the mean over the pixels first.",
        ),
        Mistake(
            lambda before, after, steps: _filtered(before, after, steps, start=0.0),
            "You began with zeros. Begin with ones, the filter that changes nothing.",
        ),
        Mistake(
            lambda before, after, steps: _filtered(after, before, steps),
            "Your filter goes the other way, from after to before. Multiply before, and compare with after.",
        ),
        Mistake(
            lambda before, after, steps: before * _filtered(before, after, steps),
            "That is the picture with the filter on it. Return the three numbers of the filter.",
        ),
    ),
    right=(_filtered,),
)
