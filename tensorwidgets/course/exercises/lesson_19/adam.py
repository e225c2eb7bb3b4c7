"""Lesson 19, steps that fit, and what they cost."""

from __future__ import annotations

from math import nan, sqrt
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake

# -- steps that fit --------------------------------------------------------------------------------------

FIRST_STEP = WordPrediction(
    number="19.5",
    question="Adam with a learning rate of 0.1, and a first gradient of 1000. How far does w move in the first step?",
    subject="the first step",
    answer=0.1,
    reason="0.1: the first step of Adam is the learning rate, however large the gradient",
    otherwise={
        100: "that is what SGD would do. Adam divides the gradient by its own size",
        1000: "the learning rate counts, and the size of the gradient does not",
        10: "Adam divides by how large the gradients have been so far, and so far there was this one",
        -0.1: "right, but the question is how far, without a sign",
        0.01: "the mean of the gradients is a tenth of the first one, but Adam corrects for that at the beginning",
        0: "it moves, by the learning rate",
    },
)


def _series(torch: Any) -> list[Case]:
    def case(w: float, grads: list[float], rate: float) -> Case:
        text = f"adam(torch.tensor({w}), torch.tensor({grads}), {rate})"
        return Case(text, torch.tensor(w), (torch.tensor(grads), rate))

    return [
        case(1.0, [1000.0], 0.1),
        case(0.0, [4.0, 4.0, 4.0], 0.5),
        case(0.0, [1.0, -1.0, 3.0], 0.1),
        case(2.0, [0.01, 5.0, 0.5, 0.0], 1.0),
    ]


def _adam(
    w: Any, grads: Any, rate: float, corrected: bool = True, root: bool = True, first: bool = True, kept: bool = False
) -> float:
    at, m, v = w.item(), 0.0, 0.0
    for t, g in enumerate(grads.tolist(), 1):
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        if kept:
            m, v = m / (1 - 0.9**t), v / (1 - 0.999**t)
        a, b = (m / (1 - 0.9**t), v / (1 - 0.999**t)) if corrected and not kept else (m, v)
        at -= rate * (a if first else g) / ((sqrt(b) if root else b) + 1e-8)
    return float(at)


ADAM = FunctionExercise(
    number="19.6",
    task="Adam by hand",
    function="adam",
    cases=_series,
    wanted=_adam,
    decimals=3,
    hints=(
        "Keep two running means, which begin at 0: m of the gradients, and v of their squares. Count the steps from 1.",
        "enumerate(grads, 1) counts from 1. Keep m and v as they are for the next step, and correct copies of them.",
        "Take the square root of the corrected v. You divide by that root plus 1e-8.",
    ),
    mistakes=(
        Mistake(
            lambda w, grads, rate: _adam(w, grads, rate, corrected=False),
            "The means begin at 0, and so they are too small at first. Divide m by 1 - 0.9**t and v by 1 - 0.999**t.",
        ),
        Mistake(
            lambda w, grads, rate: _adam(w, grads, rate, kept=True),
            "You corrected m and v themselves, and the next step goes on with the corrected ones. Give the corrected "
            "numbers names of their own.",
        ),
        Mistake(
            lambda w, grads, rate: w * nan,
            "t counts from 1. With t = 0 you divide by 1 - 0.9**0, which is 0.",
        ),
        Mistake(
            lambda w, grads, rate: w.item() / (1 - 0.9**0),
            "t counts from 1. With t = 0 the correction divides by 1 - 0.9**0, which is 0.",
        ),
        Mistake(
            lambda w, grads, rate: _adam(w, grads[:1], rate),
            "Only one step was made. return belongs after the loop.",
        ),
        Mistake(
            lambda w, grads, rate: _adam(w, grads, rate, root=False),
            "v is a mean of squares. Take its square root before you divide.",
        ),
        Mistake(
            lambda w, grads, rate: _adam(w, grads, rate, first=False),
            "You divide the last gradient alone. Use m, the mean of the gradients.",
        ),
        Mistake(
            lambda w, grads, rate: w - rate * grads.sum(),
            "That is plain gradient descent. Adam divides by the size of the gradients.",
        ),
        Mistake(
            lambda w, grads, rate: w - rate * grads.sign().sum(),
            "That looks only at the signs. It is right for the first step, and then the means count.",
        ),
        Mistake(
            lambda w, grads, rate: _adam(w, grads, -rate),
            "You go uphill. Subtract the step from w.",
        ),
    ),
    right=(_adam,),
)

# -- what it costs --------------------------------------------------------------------------------------

FOUR_TIMES = WordPrediction(
    number="19.7",
    question="A model has 4 MB of parameters and learns with Adam. How many MB with gradients and Adam's state?",
    subject="the megabytes",
    answer=16,
    reason="16: the parameters, their gradients, and two running means, 4 MB each",
    otherwise={
        4: "those are the parameters. Each also has a gradient, and Adam keeps numbers of its own",
        8: "those are the parameters and their gradients. Adam keeps two running means as well",
        12: "Adam keeps two running means: of the gradients, and of their squares",
        20: "the parameters, the gradients and two means make four",
    },
)
