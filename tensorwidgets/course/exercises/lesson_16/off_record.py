"""Lesson 16, what is not recorded."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

DETACHED = WordPrediction(
    number="16.11",
    question="x is 3, y = x.detach() * x. Which number does x.grad hold after y.backward()?",
    subject="x.grad",
    answer=3,
    reason="3: the detached factor counts as a fixed number, and 3 * x has the gradient 3",
    otherwise={
        6: "that would be x * x. x.detach() holds the same number, but nothing is recorded through it",
        9: "that is y itself",
        0: "one of the two factors is still on record",
        1: "x is multiplied by the 3 that the detached factor holds",
    },
)

WIDTH = 8


def _shake(picture: Any) -> Any:
    columns = picture.shape[1] - WIDTH + 1
    return sum(picture[:, k : k + columns] for k in range(WIDTH)) / WIDTH


def _pictures(torch: Any) -> list[Case]:
    def case(rows: list[list[float]], steps: int) -> Case:
        return Case(f"sharpen(torch.tensor({rows}), {steps})", torch.tensor(rows), (steps,))

    return [
        case([[64.0]], 1),
        case([[64.0, 128.0]], 1),
        case([[64.0, 128.0]], 2),
        case([[0.0, 64.0, 256.0], [64.0, 0.0, 0.0]], 2),
    ]


def _pixel_by_pixel(seen: Any, steps: int) -> list:
    """Gradient descent without gradients: each error is handed to the eight pixels that it was made from."""
    rows = seen.tolist()
    columns = len(rows[0])
    guess = [[0.0] * (columns + WIDTH - 1) for _ in rows]
    for _ in range(steps):
        for row, wanted in zip(guess, rows, strict=True):
            errors = [sum(row[j : j + WIDTH]) / WIDTH - wanted[j] for j in range(columns)]
            for j, error in enumerate(errors):
                for k in range(WIDTH):
                    row[j + k] -= error / WIDTH
    return guess


def _descended(
    seen: Any, steps: int, rate: float = 0.5, reset: bool = True, returned: str = "guess", mean: bool = False
) -> Any:
    library = library_that_made(seen)
    guess = library.zeros(seen.shape[0], seen.shape[1] + WIDTH - 1, *seen.shape[2:], requires_grad=True)
    for _ in range(steps):
        squares = (_shake(guess) - seen) ** 2
        (squares.mean() if mean else squares.sum()).backward()
        last = guess.grad.clone()
        with library.no_grad():
            guess -= rate * guess.grad
        if reset:
            guess.grad = None
    return {"guess": guess.detach(), "gradient": last, "shaken": _shake(guess).detach()}[returned]


def _on_record(seen: Any, steps: int) -> Any:
    guess = library_that_made(seen).zeros(seen.shape[0], seen.shape[1] + WIDTH - 1, requires_grad=True)
    for _ in range(steps):
        ((_shake(guess) - seen) ** 2).sum().backward()
        guess -= 0.5 * guess.grad
    return guess


def _new_tensor(seen: Any, steps: int) -> Any:
    library = library_that_made(seen)
    guess = library.zeros(seen.shape[0], seen.shape[1] + WIDTH - 1, requires_grad=True)
    for _ in range(steps):
        ((_shake(guess) - seen) ** 2).sum().backward()
        with library.no_grad():
            guess = guess - 0.5 * guess.grad
    return guess


SHARPEN = FunctionExercise(
    number="16.12",
    task="bring a shaken photograph back into focus",
    function="sharpen",
    cases=_pictures,
    wanted=_pixel_by_pixel,
    hints=(
        "It is the lemonade loop with another knob: guess in place of w, and shake(guess) in place of w * hours.",
        "In each turn: loss = ((shake(guess) - seen) ** 2).sum(), loss.backward(), the step under torch.no_grad(), and "
        "guess.grad = None. At the end, return guess.detach().",
    ),
    mistakes=(
        Mistake(
            lambda seen, steps: _descended(seen, steps, reset=False),
            "The first step is right, and from then on the old gradients are added in: guess.grad = None is missing.",
        ),
        Mistake(
            lambda seen, steps: _descended(seen, steps, rate=-0.5),
            "You go uphill: the gradient says where the loss grows. Subtract it from guess.",
        ),
        Mistake(
            lambda seen, steps: _descended(seen, 1),
            "Only one step was made. Everything from the loss to the step belongs in the loop.",
        ),
        Mistake(
            lambda seen, steps: _descended(seen, steps, rate=1.0),
            "Your steps are twice as long as asked: subtract 0.5 * guess.grad.",
        ),
        Mistake(
            lambda seen, steps: _descended(seen, steps, mean=True),
            "Your loss is a mean, so its gradients are smaller than those of a sum. Use .sum().",
        ),
        Mistake(
            lambda seen, steps: _descended(seen, steps, returned="gradient"),
            "That is the last gradient. Return the guess.",
        ),
        Mistake(
            lambda seen, steps: _descended(seen, steps, returned="shaken"),
            "That is the guess, shaken once more. Return the guess itself.",
        ),
        Mistake(
            _on_record,
            "The step writes into a leaf while operations are recorded. Put it under with torch.no_grad():",
        ),
        Mistake(
            _new_tensor,
            "guess = guess - ... makes a new tensor, which requires no gradient, so the second turn has nothing to go "
            "back to. Write in place: guess -= ...",
        ),
    ),
    right=(_descended,),
)
