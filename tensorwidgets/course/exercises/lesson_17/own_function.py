"""Lesson 17, a Function of your own."""

from __future__ import annotations

from collections.abc import Callable
from math import floor
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

FLAT = WordPrediction(
    number="17.9",
    question="x is 2.3, and y = x.round() * x. Which number does x.grad hold after y.backward()?",
    subject="x.grad",
    answer=2,
    reason="2: x.round() is 2 and stays 2 when x moves a little, so only the other factor counts",
    otherwise={
        4.3: "that would be 2 + 2.3. But a rounded number stays the same when x moves a little: its gradient is 0",
        4.6: "that is the gradient of x * x. One factor is rounded",
        2.3: "that would be the way through round(), and nothing comes through: its gradient is 0",
        0: "the factor that was not rounded still counts",
    },
)


def _rounded(torch: Any) -> list[Case]:
    def case(x: list[float], count: int, grad: list[float]) -> Case:
        text = f"through(torch.tensor({x}), {count}, torch.tensor({grad}))"
        return Case(text, torch.tensor(x), (count, torch.tensor(grad)))

    return [
        case([0.25, 0.75], 1, [1.0, 1.0]),
        case([0.2, 0.9], 4, [1.0, 1.0]),
        case([0.1, 0.45, 0.8], 2, [1.0, 10.0, 100.0]),
        case([0.95], 8, [-3.0]),
    ]


def _as_if_straight(x: Any, count: int, grad: Any) -> list:
    return [
        [float(floor(v * count + 0.5)) for v in x.tolist()],
        [g * count for g in grad.tolist()],
    ]


def _to_levels(x: Any, count: int) -> Any:
    return (x * count).round()


def _by(
    back: Callable[[Any, int], Any], there: Callable[[Any, int], Any] = _to_levels
) -> Callable[[Any, int, Any], Any]:
    """What `through` of the lesson returns with a Function whose backward is `back` and whose forward is `there`."""

    def through(x: Any, count: int, grad: Any) -> Any:
        library = library_that_made(x)

        def forward(ctx: Any, x: Any, count: int) -> Any:
            ctx.count = count
            return there(x, count)

        made = {"forward": staticmethod(forward), "backward": staticmethod(lambda ctx, grad: back(grad, ctx.count))}
        function: Any = type("Levels", (library.autograd.Function,), made)
        x = x.detach().requires_grad_()
        y = function.apply(x, count)
        y.backward(grad)
        return library.stack([y.detach(), x.grad])

    return through


LEVELS = FunctionExercise(
    number="17.10",
    task="a Function that rounds forwards and not backwards",
    function="through",
    cases=_rounded,
    wanted=_as_if_straight,
    hints=(
        "forward returns (x * count).round(), and leaves count in ctx for later. Without the rounding it would be "
        "x * count: what is the gradient of that?",
        "backward returns one thing for each input of forward: grad * ctx.count for x, and None for count.",
    ),
    mistakes=(
        Mistake(
            _by(lambda grad, count: (grad, None)),
            "backward forgets the factor: x * count grows count times as fast as x.",
        ),
        Mistake(
            _by(lambda grad, count: grad * count),
            "backward has to return one thing for each input of forward, in their order: the gradient for x, and None "
            "for count.",
        ),
        Mistake(
            _by(lambda grad, count: (grad * 0, None)),
            "That is the true gradient of rounding, and nothing can be learned from it. Go back as if nothing had been "
            "rounded.",
        ),
        Mistake(
            _by(lambda grad, count: (grad / count, None)),
            "You divide by count. forward multiplies by it, and so does backward.",
        ),
        Mistake(
            _by(lambda grad, count: (grad * count, None), lambda x, count: x * count),
            "forward does not round. Only backward behaves as if nothing had been rounded.",
        ),
        Mistake(
            _by(lambda grad, count: (None, grad * count)),
            "backward answers in the order of the inputs of forward: first the gradient for x, then None for count, "
            "which is no tensor.",
        ),
        Mistake(
            _by(lambda grad, count: (grad * count, None), lambda x, count: (x * count).round() / count),
            "forward divides at the end. It should return whole steps, from 0 to count.",
        ),
        Mistake(
            _by(lambda grad, count: (grad * count, None), lambda x, count: x.round() * count),
            "forward rounds too early. Multiply first: between 0 and 1 there are count steps.",
        ),
        Mistake(
            _by(lambda grad, count: (grad * count, None), lambda x, count: (x * count).floor()),
            "forward always goes down to the step below. round() goes to the nearest one.",
        ),
        Mistake(
            _by(lambda grad, count: (grad * 0 + count, None)),
            "backward loses the gradient that arrives. Multiply it by the factor.",
        ),
    ),
    right=(_by(lambda grad, count: (grad * count, None)), _by(lambda grad, count: (count * grad, None))),
)
