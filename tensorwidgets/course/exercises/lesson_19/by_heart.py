"""Lesson 19, what is learned by heart."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake

BY_HEART = WordPrediction(
    number="19.8",
    question="200 digits got random labels. What percentage of these labels does the network give after training?",
    subject="the labels learned",
    answer=100,
    reason="100: with 4,810 numbers to turn, it can learn 200 random labels by heart",
    otherwise={
        10: "that is what guessing gives. It is what you get for pictures that the network has never seen",
        50: "it goes on until the loss is small, and it has plenty of numbers to turn",
        90: "it goes all the way",
        1: "the question asks for per cent, not for a share",
        95: "it goes all the way",
        99: "it goes all the way",
        0: "it sees these labels hundreds of times",
    },
)


def _guesses(torch: Any) -> list[Case]:
    def case(scores: list[list[float]], labels: list[int]) -> Case:
        text = f"accuracy(torch.tensor({scores}), torch.tensor({labels}))"
        return Case(text, torch.tensor(scores), (torch.tensor(labels),))

    return [
        case([[2.0, 1.0], [0.0, 1.0], [3.0, 4.0]], [0, 1, 0]),
        case([[-1.0, -2.0, -3.0]], [0]),
        case([[0.5, 0.1, 0.2], [0.1, 0.2, 0.9], [0.3, 0.4, 0.1], [0.2, 0.1, 0.7]], [1, 2, 0, 2]),
        case([[float((3 * k + j) % 7) for j in range(6)] for k in range(7)], [6 - k if k else 5 for k in range(7)]),
    ]


def _one_by_one(scores: Any, labels: Any) -> float:
    rows = scores.tolist()
    right = [row.index(max(row)) == label for row, label in zip(rows, labels.tolist(), strict=True)]
    return sum(right) / len(right)


ACCURACY = FunctionExercise(
    number="19.9",
    task="the share of right guesses",
    function="accuracy",
    cases=_guesses,
    wanted=_one_by_one,
    at_once=True,
    decimals=4,
    hints=(
        "The guess of a row is the class with the largest score. Which method gives the place of the largest number?",
        "Compared with labels, the guesses give True and False. What has to happen to them before a mean?",
    ),
    mistakes=(
        Mistake(
            lambda scores, labels: (scores.argmax(1) == labels).sum(),
            "That counts the right ones. Divide by how many there are, or take the mean.",
        ),
        Mistake(
            lambda scores, labels: (scores.argmax(1) != labels).float().mean(),
            "That is the share of wrong guesses.",
        ),
        Mistake(
            lambda scores, labels: 100 * (scores.argmax(1) == labels).float().mean(),
            "That is per cent. Return a share between 0 and 1.",
        ),
        Mistake(
            lambda scores, labels: (scores.argmax(1) == labels).mean(),
            "The mean of True and False is refused. Turn them into floats first: .float().mean().",
        ),
        Mistake(
            lambda scores, labels: (scores.amax(1) == labels).float().mean(),
            "amax gives the largest score. You want its place: argmax.",
        ),
        Mistake(
            lambda scores, labels: (scores.argmax() == labels).float().mean(),
            "argmax() alone looks for the largest score of all rows together. You want one place for each row.",
        ),
        Mistake(
            lambda scores, labels: (scores.argmax(1, keepdim=True) == labels).float().mean(),
            "The sizes differ, so each guess met every label: (n, 1) against (n,), as in lesson 18.",
        ),
        Mistake(
            lambda scores, labels: (scores.max(1) == labels).float().mean(),
            "max(1) returns two things, the largest scores and their places. You want the places: argmax(1).",
        ),
        Mistake(
            lambda scores, labels: (scores.argmax(0)[0] == labels).float().mean(),
            "Each row is one example, so look for the largest number along dimension 1.",
        ),
        Mistake(
            lambda scores, labels: (scores.argmin(1) == labels).float().mean(),
            "That is the class with the smallest score.",
        ),
        Mistake(
            lambda scores, labels: scores.softmax(1)[range(len(labels)), labels].mean(),
            "That is the mean probability of the right class. Count only whether it has the largest one.",
        ),
    ),
    right=(
        lambda scores, labels: (scores.argmax(1) == labels).float().mean(),
        lambda scores, labels: (scores.argmax(1) == labels).sum() / len(labels),
    ),
)
