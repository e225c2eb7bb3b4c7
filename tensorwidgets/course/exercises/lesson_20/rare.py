"""Rare samples, drawn more often."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

TWO_OF_A_HUNDRED = WordPrediction(
    number="20.9",
    question="WeightedRandomSampler([0.1, 0.9], 1000) for 100 samples. How many different samples does it draw?",
    subject="the different samples",
    answer=2,
    reason="2: each weight belongs to a sample, so samples 0 and 1 are drawn and no other",
    otherwise={
        100: "that would be right if these weights belonged to classes. They belong to samples, and there are "
        "two weights",
        1000: "a thousand numbers are drawn, and each of them is 0 or 1",
        1: "sample 0 has a weight of 0.1, so it comes about a hundred times",
        10: "the sampler knows nothing of the classes. It reads one weight for each sample",
        90: "the sampler knows nothing of the classes. It reads one weight for each sample",
        50: "the sampler knows nothing of the classes. It reads one weight for each sample",
    },
)


def _labels(torch: Any) -> list[Case]:
    def case(*labels: int) -> Case:
        return Case(f"weights(torch.tensor({list(labels)}))", torch.tensor(list(labels)))

    return [case(0, 0, 0, 1), case(2, 2, 0, 1, 2), case(1, 0, 1, 1, 0, 1), case(0)]


def _weights(labels: Any) -> list[float]:
    given = labels.tolist()
    return [1 / given.count(label) for label in given]


def _weighted(how: Callable[[list[int], int], float]) -> Callable[[Any], Any]:
    """Weights by a rule for one label among all."""

    def weights(labels: Any) -> Any:
        given = labels.tolist()
        return library_that_made(labels).tensor([float(how(given, label)) for label in given])

    return weights


WEIGHTS = FunctionExercise(
    number="20.10",
    task="weights that make classes equal",
    function="weights",
    cases=_labels,
    wanted=_weights,
    decimals=5,
    hints=(
        "Try the function on torch.tensor([0, 0, 0, 1]). There are four samples. How many weights does it give?",
        "counts[0] is how often a 0 occurs. The first sample is a 0, so its weight is 1 / counts[0]. And the last one?",
        "You need that count for each sample at once. A tensor of whole numbers can be an index, as in lesson 05.",
    ),
    mistakes=(
        Mistake(
            lambda labels: 1 / library_that_made(labels).bincount(labels),
            "That is still one weight for each class. You need one for each sample.",
        ),
        Mistake(
            _weighted(lambda given, label: given.count(label)),
            "What is frequent gets more, and the rare ones become rarer still. Divide 1 by the count.",
        ),
        Mistake(
            _weighted(lambda given, label: given.count(label) / len(given)),
            "These are the shares of the classes. The rare ones need larger weights, not smaller ones.",
        ),
        Mistake(
            _weighted(lambda given, label: len(given) / given.count(label)),
            "This would draw the same samples, since only the ratios matter. But the exercise asks for 1 divided by "
            "the count.",
        ),
        Mistake(
            _weighted(lambda given, label: 1 // given.count(label)),
            "Everything after the point is cut off, as // does it. Divide with /, and keep the floats.",
        ),
        Mistake(
            _weighted(lambda given, label: 1 / len(given)),
            "All weights are equal, so nothing changes.",
        ),
        Mistake(
            _weighted(lambda given, label: 1 / len(set(given)) / given.count(label)),
            "This would draw the same samples, since only the ratios matter. But leave the number of classes out.",
        ),
        Mistake(
            _weighted(lambda given, label: 1 - given.count(label) / len(given)),
            "Rare ones get more, but not enough: three zeros and a one need 1/3 and 1.",
        ),
        Mistake(
            lambda labels: 1 / labels,
            "You divide by the label itself. How often does it occur?",
        ),
        Mistake(
            lambda labels: _weights(labels),
            "The numbers are right, in a list. Make a tensor of them.",
        ),
    ),
    right=(lambda labels: (1 / library_that_made(labels).bincount(labels))[labels],),
)
