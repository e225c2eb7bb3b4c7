"""Lesson 18, what differs in training, and how scores become a loss."""

from __future__ import annotations

from math import exp, log
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- training and evaluation ----------------------------------------------------------------------

DROPPED = WordPrediction(
    number="18.9",
    question="What is the largest number in nn.Dropout(0.5)(torch.ones(1000))?",
    subject="the largest number",
    answer=2,
    reason="2: half of the numbers become 0, and the others are doubled to make up for them",
    otherwise={
        1: "then the sum would be half as large as without dropout. What is kept makes up for what is dropped",
        0.5: "0.5 is how likely a number is to be dropped, not a factor",
        0: "about half of the numbers are kept",
        1.5: "what is kept is divided by the share that is kept",
    },
)


def _masks(torch: Any) -> list[Case]:
    def case(x: list[float], keep: list[bool], p: float) -> Case:
        return Case(f"drop(torch.tensor({x}), torch.tensor({keep}), {p})", torch.tensor(x), (torch.tensor(keep), p))

    return [
        case([1.0, 2.0, 3.0], [True, False, True], 0.5),
        case([4.0, -8.0], [True, True], 0.75),
        case([3.0, 6.0, 9.0, 12.0], [False, True, False, True], 0.25),
        case([5.5, 7.25], [False, True], 0.0),
        case([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [True, False, True, True, True, True, True], 0.5),
    ]


def _number_by_number(x: Any, keep: Any, p: float) -> list:
    return [a / (1 - p) if kept else 0.0 for a, kept in zip(x.tolist(), keep.tolist(), strict=True)]


DROP = FunctionExercise(
    number="18.10",
    task="what dropout does, with a given mask",
    function="drop",
    cases=_masks,
    wanted=_number_by_number,
    at_once=True,
    decimals=4,
    hints=(
        "x * keep puts a 0 wherever keep is False. What happens to the others, so that the sum stays about the same?",
        "A share of 1 - p is kept. Divide by it.",
    ),
    mistakes=(
        Mistake(
            lambda x, keep, p: x * keep,
            "What is kept has to make up for what is dropped: a share of 1 - p is left, so divide by it.",
        ),
        Mistake(
            lambda x, keep, p: x * keep * (1 - p),
            "That makes the numbers smaller still. Divide by the share that is kept.",
        ),
        Mistake(
            lambda x, keep, p: x * keep / p,
            "p is the share that is dropped. The share that is kept is 1 - p.",
        ),
        Mistake(
            lambda x, keep, p: x * ~keep / (1 - p),
            "keep is True where a number stays. You dropped the others.",
        ),
        Mistake(
            lambda x, keep, p: x[keep] / (1 - p),
            "The dropped numbers are gone. They become 0, so that the size stays the same.",
        ),
        Mistake(
            lambda x, keep, p: x * keep / 1 - p,
            "Without brackets, p is subtracted at the end. Divide by (1 - p).",
        ),
        Mistake(
            lambda x, keep, p: x * keep * 2,
            "That is right where half is dropped. In general, a share of 1 - p is kept.",
        ),
    ),
    right=(lambda x, keep, p: x * keep / (1 - p), lambda x, keep, p: (x / (1 - p)).masked_fill(~keep, 0)),
)


# -- from scores to a loss ------------------------------------------------------------------------

TWO_SIZES = WordPrediction(
    number="18.11",
    question="guess of size (3, 1) and truth of size (3,) hold 0, 3, 6. What is ((guess - truth) ** 2).mean()?",
    subject="the loss",
    answer=12,
    reason="12: broadcasting makes nine differences, each number against each",
    otherwise={
        0: "that is what it should be. But (3, 1) against (3,) is stretched to (3, 3): each number meets all of them",
        108: "that is the sum of the nine squares, and the loss is their mean",
        36: "nine numbers go into the mean, not three",
        18: "the squares add up to 108, and there are nine of them",
        4: "the squares add up to 108, and there are nine of them, not 27",
        2.67: "that is the mean of the differences without their signs",
    },
)


def _scored(torch: Any) -> list[Case]:
    def case(scores: list[list[float]], target: list[int]) -> Case:
        text = f"cross_entropy(torch.tensor({scores}), torch.tensor({target}))"
        return Case(text, torch.tensor(scores), (torch.tensor(target),))

    return [
        case([[2.0, 0.0, 1.0], [0.0, 3.0, 1.0]], [0, 2]),
        case([[0.0, 0.0]], [1]),
        case([[5.0, 0.0, 0.0]], [0]),
        case([[1.0, -1.0], [4.0, 0.5], [0.0, 2.0]], [1, 0, 1]),
        case([[k * 0.5 - j for k in range(7)] for j in range(6)], [0, 1, 2, 3, 4, 5]),
    ]


def _example_by_example(scores: Any, target: Any) -> float:
    losses = [log(sum(map(exp, row))) - row[t] for row, t in zip(scores.tolist(), target.tolist(), strict=True)]
    return sum(losses) / len(losses)


def _chosen(table: Any, target: Any) -> Any:
    return table[range(len(target)), target]


CROSS_ENTROPY = FunctionExercise(
    number="18.12",
    task="the loss of scores",
    function="cross_entropy",
    cases=_scored,
    wanted=_example_by_example,
    at_once=True,
    decimals=4,
    hints=(
        "log_softmax turns a row of scores into logarithms of probabilities. Which one of each row do you need?",
        "Two lists as an index go in step, as in lesson 05: row 0 with target[0], row 1 with target[1].",
        "range(len(target)) counts the rows. A loss is small where the chosen probability is large: mind the sign.",
    ),
    mistakes=(
        Mistake(
            lambda scores, target: -_chosen(scores.softmax(-1).log_softmax(-1), target).mean(),
            "Softmax twice: log_softmax already turns the scores into probabilities. Give it the scores themselves.",
        ),
        Mistake(
            lambda scores, target: -_chosen(scores.softmax(-1), target).mean(),
            "The logarithm is missing. A probability of 0.01 should cost a lot, and -0.01 is next to nothing.",
        ),
        Mistake(
            lambda scores, target: -_chosen(scores.log_softmax(-1), target).sum(),
            "That is the sum over the examples. Take the mean, so that a larger batch does not mean a larger loss.",
        ),
        Mistake(
            lambda scores, target: _chosen(scores.log_softmax(-1), target).mean(),
            "The sign is missing: logarithms of probabilities are negative, and a loss should become small.",
        ),
        Mistake(
            lambda scores, target: -_chosen(scores.log_softmax(0), target).mean(),
            "softmax along dimension 0 compares the examples with each other. Each row is one example: use -1.",
        ),
        Mistake(
            lambda scores, target: -scores.log_softmax(-1).mean(),
            "You averaged over all the classes. Only the one that is right counts: pick it with target.",
        ),
        Mistake(
            lambda scores, target: -scores.log_softmax(-1)[:, target].mean(),
            "[:, target] picks whole columns, for every row. Pair each row with its own class: [range(len(target)), "
            "target].",
        ),
        Mistake(
            lambda scores, target: -_chosen(scores, target).mean(),
            "A score says nothing by itself. How large is it beside the other scores of its row?",
        ),
        Mistake(
            lambda scores, target: -_chosen(scores.log_softmax(-1), target),
            "These are the losses of the examples. Take their mean.",
        ),
    ),
    right=(
        lambda scores, target: -_chosen(scores.log_softmax(-1), target).mean(),
        lambda scores, target: (scores.logsumexp(-1) - _chosen(scores, target)).mean(),
        lambda scores, target: library_that_made(scores).nn.functional.cross_entropy(scores, target),
    ),
)
