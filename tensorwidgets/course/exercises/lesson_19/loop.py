"""Lesson 19, the loop of training, and how far a step goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

from .turns import Turn, never_zeroed, right_turn, step_first, zeroed_too_late

# -- the loop -------------------------------------------------------------------------------------------

UNTRAINED = WordPrediction(
    number="19.1",
    question="A network that has learned nothing chooses among ten classes. What is its cross entropy, to one decimal?",
    subject="the first loss",
    answer=2.3,
    reason="2.3: each class gets a probability of about 1/10, and minus the logarithm of that is 2.30",
    otherwise={
        2.303: "right, but the question asks for one decimal",
        0.1: "that is the probability of each class. The loss is minus its logarithm",
        1: "with log10 it would be 1. The natural logarithm is used",
        0: "a loss of 0 means sure and right. This network knows nothing",
        10: "the loss grows with the logarithm of the number of classes",
        0.9: "that is the share of wrong guesses. Cross entropy looks at the probability of the right class",
        -2.3: "the logarithm of 1/10 is negative, and the loss is minus that",
    },
)


def _lines(torch: Any) -> list[Case]:
    def case(x: list[list[float]], y: list[float], steps: int) -> Case:
        return Case(f"fit(torch.tensor({x}), torch.tensor({y}), {steps})", torch.tensor(x), (torch.tensor(y), steps))

    return [
        case([[1.0], [2.0]], [2.0, 4.0], 1),
        case([[1.0], [2.0]], [2.0, 4.0], 3),
        case([[1.0, 0.0], [1.0, 1.0], [1.0, 3.0]], [1.0, 3.0, 2.0], 4),
        case([[2.0], [0.5], [1.0]], [1.0, 1.0, -2.0], 6),
    ]


def _without_a_library(x: Any, y: Any, steps: int) -> list:
    rows, wanted = x.tolist(), y.tolist()
    w = [0.0] * len(rows[0])
    for _ in range(steps):
        errors = [sum(a * b for a, b in zip(row, w, strict=True)) - t for row, t in zip(rows, wanted, strict=True)]
        slope = [2 * sum(e * row[j] for e, row in zip(errors, rows, strict=True)) / len(rows) for j in range(len(w))]
        w = [a - 0.1 * s for a, s in zip(w, slope, strict=True)]
    return w


def _fitted(turn: Turn, total: bool = False, once: bool = False, lopsided: bool = False) -> Callable[..., Any]:
    """The loop of the lesson, with another order in each turn."""

    def fit(x: Any, y: Any, steps: int) -> Any:
        library = library_that_made(x)
        w = library.zeros(x.shape[1], requires_grad=True)
        optimizer = library.optim.SGD([w], lr=0.1)

        def loss() -> Any:
            errors = ((x @ w)[:, None] - y if lopsided else x @ w - y) ** 2
            return errors.sum() if total else errors.mean()

        for _ in range(1 if once else steps):
            turn(optimizer, loss)
        return w.detach()

    return fit


FIT = FunctionExercise(
    number="19.2",
    task="the loop",
    function="fit",
    cases=_lines,
    wanted=_without_a_library,
    decimals=4,
    hints=(
        "Four things happen in each turn, and one of them can come first or last: zero_grad, the loss, backward, step.",
        "The loss is the mean of the squares of x @ w - y. It is computed again in each turn, since w has moved.",
        "In the cell above, the same four lines train a network. What is the model here, and what is the loss?",
    ),
    mistakes=(
        Mistake(
            _fitted(never_zeroed),
            "The first step is right, and the later ones go too far: gradients of earlier turns are still in .grad. "
            "Call optimizer.zero_grad() in each turn.",
        ),
        Mistake(
            _fitted(step_first),
            "You step before you go backward, so each step uses the gradient of the turn before, and the first one "
            "does nothing.",
        ),
        Mistake(
            _fitted(zeroed_too_late),
            "w never moved. Each turn needs backward() and after it step(), with no zero_grad() between the two, which "
            "would throw the gradient away.",
        ),
        Mistake(_fitted(right_turn, total=True), "The loss is the mean of the squares. A sum makes the steps longer."),
        Mistake(_fitted(right_turn, once=True), "Only one step was made. All four lines belong in the loop."),
        Mistake(
            _fitted(right_turn, lopsided=True),
            "The sizes differ, so each guess met every truth: (n, 1) against (n,), as in lesson 18.",
        ),
    ),
    right=(_fitted(right_turn),),
)

# -- how far to go ----------------------------------------------------------------------------------

BOUNCES = WordPrediction(
    number="19.3",
    question="The loss is w * w, w begins at 1, the learning rate is 1. Where is w after 100 steps?",
    subject="w after 100 steps",
    answer=1,
    reason="1: each step takes away 2 * w, so w jumps from 1 to -1 and back, for ever",
    otherwise={
        0: "that is the lowest point. But each step takes away 1 * 2 * w, which is twice the way there",
        -1: "that is where w is after an odd number of steps",
        -99: "the gradient is 2 * w, so it changes sign with w",
        -199: "the gradient is 2 * w, so it changes with w. Write down the first three steps",
    },
)


def _slopes(torch: Any) -> list[Case]:
    def case(w: float, grads: list[float], rate: float, beta: float) -> Case:
        text = f"momentum(torch.tensor({w}), torch.tensor({grads}), {rate}, {beta})"
        return Case(text, torch.tensor(w), (torch.tensor(grads), rate, beta))

    return [
        case(1.0, [1.0, 1.0, 1.0], 0.5, 0.5),
        case(0.0, [2.0], 0.25, 0.5),
        case(0.0, [1.0, -1.0, 2.0, 0.0], 1.0, 0.5),
        case(3.0, [4.0, 2.0, 1.0], 0.5, 0.0),
        case(-2.0, [1.0, 0.0, 0.0, 0.0], 1.0, 0.25),
    ]


def _rolling(
    w: Any, grads: Any, rate: float, beta: float, share: float | None = None, reset: bool = False, look: bool = False
) -> float:
    """Momentum, and three ways to get it wrong."""
    at, speed = w.item(), 0.0
    for g in grads.tolist():
        speed = (0.0 if reset else beta * speed) + (1 if share is None else 1 - beta) * g
        at -= rate * (g + beta * speed if look else speed)
    return float(at)


def _slowed_too_late(w: Any, grads: Any, rate: float, beta: float) -> float:
    at, speed = w.item(), 0.0
    for g in grads.tolist():
        speed = beta * (speed + g)
        at -= rate * speed
    return float(at)


def _rated_speed(w: Any, grads: Any, rate: float, beta: float) -> float:
    at, speed = w.item(), 0.0
    for g in grads.tolist():
        speed = beta * speed + rate * g
        at -= rate * speed
    return float(at)


def _moved_too_early(w: Any, grads: Any, rate: float, beta: float) -> float:
    at, speed = w.item(), 0.0
    for g in grads.tolist():
        at -= rate * speed
        speed = beta * speed + g
    return float(at)


MOMENTUM = FunctionExercise(
    number="19.4",
    task="momentum by hand",
    function="momentum",
    cases=_slopes,
    wanted=_rolling,
    decimals=4,
    hints=(
        "Keep a speed, which begins at 0. In each turn, slow it down, add the gradient, and move by rate times the "
        "speed.",
        "Two numbers change in each turn: the speed, by beta and the gradient, then w, by rate and the speed.",
    ),
    mistakes=(
        Mistake(
            lambda w, grads, rate, beta: _rolling(w, grads, rate, beta, reset=True),
            "That is plain gradient descent. The speed of the turn before, times beta, has to be added.",
        ),
        Mistake(
            lambda w, grads, rate, beta: _rolling(w, grads, rate, beta, share=1.0),
            "A factor of 1 - beta makes the speed a mean. Here the gradient is added as it is.",
        ),
        Mistake(
            lambda w, grads, rate, beta: _rolling(w, grads, rate, beta, look=True),
            "That looks one step ahead, which is Nesterov's momentum. Move by the speed itself.",
        ),
        Mistake(
            _slowed_too_late,
            "The new gradient is slowed down too. beta is for the old speed alone: multiply first, then add the "
            "gradient.",
        ),
        Mistake(
            lambda w, grads, rate, beta: _rolling(w, grads[:1], rate, beta),
            "Only one step was made. return belongs after the loop.",
        ),
        Mistake(
            _rated_speed,
            "The learning rate is used twice: in the speed, and in the move. Use it once, in the move.",
        ),
        Mistake(
            _moved_too_early,
            "You move before the speed is renewed. First the speed, then the move.",
        ),
        Mistake(
            lambda w, grads, rate, beta: _rolling(w, grads, -rate, beta),
            "You go uphill. Subtract rate times the speed.",
        ),
        Mistake(
            lambda w, grads, rate, beta: _rolling(w, grads, rate, 1.0),
            "The speed never slows down. Multiply it by beta before you add the gradient.",
        ),
    ),
    right=(
        _rolling,
        lambda w, grads, rate, beta: (
            w - rate * sum(grads[k] * sum(beta**j for j in range(len(grads) - k)) for k in range(len(grads)))
        ),
    ),
)
