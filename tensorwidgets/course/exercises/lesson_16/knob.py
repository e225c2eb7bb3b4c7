"""Lesson 16, a loss that a knob turns, and the week after."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- a knob and a loss ------------------------------------------------------------------------------

BY_HAND = WordPrediction(
    number="16.1",
    question="((w * hours - litres) ** 2).sum() at w = 2: which number does w.grad hold after backward()?",
    subject="w.grad",
    answer=10,
    reason="10: 2 * error * hours of each day, added up: -2 - 4 + 16",
    otherwise={
        0: "that is twice the sum of the errors. Each error also changes with w, at the rate of its hours",
        5: "the square brings a factor of 2",
        6: "that is the loss itself; the gradient says how it changes",
        -10: "an error is the guess minus the litres. On the day of 4 hours that is 2, and it counts most",
        20: "the factor of 2 is counted twice",
        22: "the errors of the first two days are negative: w * hours is less than litres",
    },
)


def _days(torch: Any) -> list[Case]:
    def case(w: float, x: list[float], t: list[float]) -> Case:
        text = f"slope(torch.tensor({w}), torch.tensor({x}), torch.tensor({t}))"
        return Case(text, torch.tensor(w), (torch.tensor(x), torch.tensor(t)))

    return [
        case(2.0, [1.0, 2.0, 4.0], [3.0, 5.0, 6.0]),
        case(0.0, [3.0], [1.0]),
        case(1.0, [2.0, -1.0], [5.0, 2.0]),
        case(3.0, [1.0, 2.0, 3.0, 4.0], [3.0, 6.0, 9.0, 12.0]),
        case(-1.0, [0.5, 4.0, 2.0], [1.0, 1.0, 0.0]),
    ]


def _day_by_day(w: Any, x: Any, t: Any) -> float:
    return float(sum(2 * (w.item() * a - b) * a for a, b in zip(x.tolist(), t.tolist(), strict=True)))


SLOPE = FunctionExercise(
    number="16.2",
    task="the gradient of the loss, without backward",
    function="slope",
    cases=_days,
    wanted=_day_by_day,
    by_hand=True,
    hints=(
        "Take one day. Its loss is the square of an error e = w*x - t. How fast does e change with w, and e**2 with e?",
        "e**2 changes by 2*e for each unit of e, and e by x for each unit of w. Multiply, then add up the days.",
    ),
    mistakes=(
        Mistake(
            lambda w, x, t: ((w * x - t) * x).sum(),
            "The factor of 2 is missing: the square of e changes by 2*e for each unit of e.",
        ),
        Mistake(
            lambda w, x, t: (2 * (w * x - t)).sum(),
            "The factor x is missing: on a day of 4 hours the error moves 4 times as fast as w.",
        ),
        Mistake(
            lambda w, x, t: 2 * (w * x - t) * x,
            "These are the parts of the days. They all belong to one w, so they are added up.",
        ),
        Mistake(
            lambda w, x, t: (2 * (w * x - t) * x).mean(),
            "The loss is a sum over the days, so its gradient is a sum too, not a mean.",
        ),
        Mistake(lambda w, x, t: ((w * x - t) ** 2).sum(), "That is the loss. How fast does it change with w?"),
        Mistake(
            lambda w, x, t: (2 * (t - w * x) * x).sum(),
            "The sign is the other way round: the error is w*x - t. Uphill is where the loss grows.",
        ),
        Mistake(
            lambda w, x, t: 2 * (w * x - t).sum() * x.sum(),
            "The sum comes too early: each error belongs with the hours of its own day. Multiply first, then add up.",
        ),
    ),
    right=(lambda w, x, t: (2 * (w * x - t) * x).sum(), lambda w, x, t: 2 * (w * (x @ x) - x @ t)),
)

# -- once more --------------------------------------------------------------------------------------

THREE_TIMES = WordPrediction(
    number="16.3",
    question="w is 2, and (w * w).backward() runs three times. What does w.grad hold?",
    subject="w.grad after three times",
    answer=12,
    reason="12: each backward() adds its 4 to what is there",
    otherwise={
        4: "that is one of them. backward() does not replace what .grad holds",
        8: "that would be two of them, and it ran three times",
        64: "the gradients are added, not multiplied",
        0: "nothing empties .grad but you",
    },
)


def _weeks(torch: Any) -> list[Case]:
    def case(x: list[float], t: list[float]) -> Case:
        return Case(f"days(torch.tensor({x}), torch.tensor({t}))", torch.tensor(x), (torch.tensor(t),))

    return [
        case([1.0, 2.0, 4.0], [3.0, 5.0, 6.0]),
        case([2.0, 1.0], [1.0, 4.0]),
        case([1.0, 3.0, 0.0, 2.0], [2.0, 5.0, 7.0, 0.0]),
        case([5.0], [9.0]),
    ]


def _each_day(x: Any, t: Any) -> list:
    return [float(2 * (2 * a - b) * a) for a, b in zip(x.tolist(), t.tolist(), strict=True)]


def _collected(x: Any, t: Any, reset: str, copied: bool) -> Any:
    """The function of the lesson, with or without its two repairs."""
    library = library_that_made(x)
    w, found = library.tensor(2.0, requires_grad=True), []
    for a, b in zip(x, t, strict=True):
        if reset == "zero_" and w.grad is not None:
            w.grad.zero_()
        ((w * a - b) ** 2).backward()
        if reset == "too early":
            w.grad = None
        found.append(w.grad.clone() if copied else w.grad)
        if reset == "none":
            w.grad = None
        if reset == "zero_ after":
            w.grad.zero_()
    return library.stack(found)


DAYS = FunctionExercise(
    number="16.4",
    task="the gradient of each day alone",
    function="days",
    cases=_weeks,
    wanted=_each_day,
    hints=(
        "Print found at the end of each turn. Why does an entry from an earlier turn change?",
        "All entries are one tensor, w.grad itself, and backward() adds to it. Give w a new .grad in each turn: "
        "w.grad = None, after you have appended it.",
    ),
    mistakes=(
        Mistake(
            lambda x, t: _collected(x, t, "", False),
            "All entries are the same tensor, and backward() went on adding to it. Let each turn begin with w.grad = "
            "None.",
        ),
        Mistake(
            lambda x, t: _collected(x, t, "", True),
            "Each entry holds its day and all days before it. You copied .grad, but you did not empty it.",
        ),
        Mistake(
            lambda x, t: _collected(x, t, "zero_", False),
            "All entries are one tensor, and zero_() empties it, so all of them show the last day. Use w.grad = None, "
            "or append a clone.",
        ),
        Mistake(
            lambda x, t: _collected(x, t, "zero_ after", False),
            "All entries are one tensor, and zero_() empties it at the end. Use w.grad = None, or append a clone.",
        ),
        Mistake(
            lambda x, t: _collected(x, t, "too early", False),
            "w.grad is None when you append it. Append first, then start afresh.",
        ),
        Mistake(
            lambda x, t: _collected(x, t, "none", False).sum(),
            "That is the gradient of all days together. The task asks for one number for each day.",
        ),
        Mistake(lambda x, t: (2 * x - t) ** 2, "Those are the losses of the days. The task asks for their gradients."),
    ),
    right=(
        lambda x, t: _collected(x, t, "none", False),
        lambda x, t: _collected(x, t, "zero_", True),
        lambda x, t: 2 * (2 * x - t) * x,
    ),
)
