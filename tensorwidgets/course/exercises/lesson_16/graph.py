"""Lesson 16, which tensors get a gradient, and what comes where branches meet."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise
from tensorwidgets.course.checking.verdict import Mistake

# -- who gets a gradient ----------------------------------------------------------------------------

HOW_MANY = WordPrediction(
    number="16.5",
    question="After (c * d).sum().backward(): how many of a, b, c and d have a .grad?",
    subject="those with a .grad",
    answer=1,
    reason="only a: b was never asked for, and c and d are results",
    otherwise={
        2: "a and d? d is what double() returned, so it is a result. The leaf behind it got the gradient",
        3: "a, c and d require a gradient, but only leaves keep theirs",
        4: "b does not require a gradient, and results do not keep theirs",
        0: "a is a leaf that requires a gradient, and the loss was made from it",
    },
)

WHICH = StatementsExercise(
    number="16.6",
    task="which of six tensors have a .grad",
    hints=(
        "Two questions for each tensor: was the loss made from it, with nothing detached in between? And is it a leaf?",
        "retain_grad() lets a result keep its gradient. A slice is a result, like any other.",
    ),
    statements=(
        Statement(
            "w has a .grad.", True, "It is a leaf that requires a gradient, and the loss is made from it, in two ways."
        ),
        Statement(
            "shift has a .grad.", False, "It was made without requires_grad=True, so nothing is computed for it."
        ),
        Statement("total has a .grad.", True, "It is a result, but retain_grad() asked it to keep its gradient."),
        Statement(
            "fixed has a .grad.",
            False,
            "It was detached: to the graph it is a number like any other, and requires no gradient.",
        ),
        Statement(
            "unused has a .grad.",
            False,
            "It requires a gradient, but the loss was not made from it, so backward() never reaches it.",
        ),
        Statement(
            "first has a .grad.", False, "A slice is a result. Its gradient travels on to w, the leaf that it reads."
        ),
    ),
)

# -- where branches meet ----------------------------------------------------------------------------

TWO_WAYS = WordPrediction(
    number="16.7",
    question="x is 3, a = x * x, y = a * x + a. Which number does x.grad hold after y.backward()?",
    subject="x.grad",
    answer=33,
    reason="33: 9 directly, and 4 * 6 through a",
    otherwise={
        24: "that is what comes through a. x is also a factor of a * x itself, which brings 9 more",
        27: "that is the gradient of a * x alone. y reads a twice: + a brings 6 more",
        6: "that is the gradient of a. How does y change with a, and where else does y read x?",
        9: "that is what x brings as a factor of a * x. It is in a as well",
        36: "that is y itself",
        21: "a = x * x reads x twice, so it changes by 2 * x",
    },
)


def _changes(torch: Any) -> list[Case]:
    def case(grad: list[float]) -> Case:
        return Case(f"give_back(torch.tensor({grad}))", torch.tensor(grad))

    return [
        case([1.0, 1.0]),
        case([5.0]),
        case([1.0, 10.0, 100.0]),
        case([0.0, 2.0, -3.0, 4.0]),
        case([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]),
    ]


def _one_change_at_a_time(grad: Any) -> list:
    found = [0.0] * (len(grad) + 1)
    for k, g in enumerate(grad.tolist()):
        found[k + 1] += g
        found[k] -= g
    return found


def _placed(grad: Any, *how: str) -> Any:
    found = grad.new_zeros(len(grad) + 1)
    for one in how:
        if one == "over":
            found[1:], found[:-1] = grad, -grad
        elif one == "plus":
            found[1:] += grad
        else:
            found[:-1] -= grad
    return found


GIVE_BACK = FunctionExercise(
    number="16.8",
    task="the gradient of x from the gradient of its changes",
    function="give_back",
    cases=_changes,
    wanted=_one_change_at_a_time,
    at_once=True,
    by_hand=True,
    hints=(
        "Take x[1]. Which two of the changes read it, and with which sign?",
        "Begin with grad.new_zeros(len(grad) + 1). x[1:] is read with a plus and x[:-1] with a minus. Add to what is "
        "there already.",
    ),
    mistakes=(
        Mistake(
            lambda grad: _placed(grad, "over"),
            "The second line wrote over what the first had put there. Two branches meet in the middle, so add: += "
            "and -=.",
        ),
        Mistake(
            lambda grad: _placed(grad, "plus"),
            "One branch is missing: x[:-1] is read as well, with a minus.",
        ),
        Mistake(
            lambda grad: _placed(grad, "minus"),
            "One branch is missing: x[1:] is read as well, with a plus.",
        ),
        Mistake(
            lambda grad: -_placed(grad, "plus", "minus"),
            "The signs are the wrong way round: x[1:] is what is counted with a plus.",
        ),
        Mistake(
            lambda grad: grad[1:] - grad[:-1],
            "That is the way forwards: it turns n numbers into n - 1. Backwards, n - 1 become n.",
        ),
        Mistake(
            lambda grad: grad,
            "That is the gradient of the changes. x has one number more, and most of them are read twice.",
        ),
    ),
    right=(lambda grad: _placed(grad, "plus", "minus"), lambda grad: _placed(grad, "minus", "plus")),
)
