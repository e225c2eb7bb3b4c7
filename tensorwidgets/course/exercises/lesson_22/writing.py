"""From scores to letters: temperature, and a draw by hand."""

from __future__ import annotations

from itertools import accumulate
from math import exp
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- it writes ---------------------------------------------------------------------------------------------

COLDER = WordPrediction(
    number="22.11",
    question="At temperature 1, e is 10 times as probable as a. How many times as probable is it at temperature 0.5?",
    subject="e against a",
    answer=100,
    reason="100: dividing the scores by 0.5 doubles them, and e to the power of a doubled number is a square",
    otherwise={
        20: "the scores are doubled, not the probabilities. Softmax takes e to their power, and that makes a square",
        5: "a low temperature makes the more probable letter even more probable",
        10: "the temperature divides the scores before the softmax, so the ratio changes",
        3.16: "that is at temperature 2. A low temperature makes the difference larger",
        40: "dividing by 0.5 doubles the difference of the scores, and the ratio becomes 10 times 10",
        1000: "that is at a third of the temperature: 10 times 10 times 10",
    },
)


def _draws(torch: Any) -> list[Case]:
    def case(scores: list[list[float]], temperature: float, chance: list[list[float]]) -> Case:
        text = f"choose(torch.tensor({scores}), {temperature}, torch.tensor({chance}))"
        return Case(text, torch.tensor(scores), (temperature, torch.tensor(chance)))

    return [
        case([[0.0, 0.0]], 1.0, [[0.7]]),
        case([[0.0, 0.0, 0.0, 0.0]], 1.0, [[0.3]]),
        case([[2.0, 1.0, 0.0], [0.0, 1.0, 2.0]], 0.5, [[0.8], [0.1]]),
        case([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], 4.0, [[0.3], [0.99]]),
        case(
            [[float((3 * k + j) % 7) for j in range(7)] for k in range(5)], 2.0, [[0.05], [0.3], [0.5], [0.7], [0.95]]
        ),
    ]


def _drawn(scores: Any, temperature: float, chance: Any) -> list:
    result = []
    for row, (mark,) in zip(scores.tolist(), chance.tolist(), strict=True):
        shares = [exp(score / temperature) for score in row]
        ends = [end / sum(shares) for end in accumulate(shares)]
        result.append(next(k for k, end in enumerate(ends) if end > mark))
    return result


def _chosen(scores: Any, temperature: float, chance: Any) -> Any:
    return ((scores / temperature).softmax(-1).cumsum(-1) < chance).sum(-1)


CHOOSE = FunctionExercise(
    number="22.12",
    task="draw a letter by its probability",
    function="choose",
    cases=_draws,
    wanted=_drawn,
    at_once=True,
    hints=(
        "First the probabilities: divide the scores by the temperature, then softmax over the last dimension.",
        "Lay the probabilities end to end on a line from 0 to 1: cumsum(-1) says where each of them ends. chance is a "
        "point on this line. In which piece does it lie?",
        "As many pieces end before chance as the number of the letter. Compare with <, and count with sum(-1).",
    ),
    mistakes=(
        Mistake(
            lambda scores, temperature, chance: _chosen(scores, 1 / temperature, chance),
            "You multiply by the temperature. Divide by it: a low temperature makes the differences larger.",
        ),
        Mistake(
            lambda scores, temperature, chance: _chosen(scores, 1.0, chance),
            "The temperature is not used. Divide the scores by it, before the softmax.",
        ),
        Mistake(
            lambda scores, temperature, chance: ((scores.softmax(-1) / temperature).cumsum(-1) < chance).sum(-1),
            "You divide the probabilities, and then they no longer add up to 1. Divide the scores, before the softmax.",
        ),
        Mistake(
            lambda scores, temperature, chance: scores.argmax(-1),
            "That is always the most probable letter. Here chance decides: each letter gets its share of the line.",
        ),
        Mistake(
            lambda scores, temperature, chance: ((scores / temperature).softmax(-1) < chance).sum(-1),
            "You compare chance with the length of each piece. cumsum(-1) says where the pieces end.",
        ),
        Mistake(
            lambda scores, temperature, chance: ((scores / temperature).cumsum(-1) < chance).sum(-1),
            "These are scores. softmax(-1) makes probabilities of them, which fill the line from 0 to 1.",
        ),
        Mistake(
            lambda scores, temperature, chance: ((scores / temperature).softmax(-1).cumsum(-1) > chance).sum(-1),
            "You count the pieces that end after chance. Count those that end before it.",
        ),
        Mistake(
            lambda scores, temperature, chance: _chosen(scores, temperature, chance).sum(),
            "That is one number for all texts. Count along the last dimension: sum(-1).",
        ),
        Mistake(
            lambda scores, temperature, chance: _chosen(scores, temperature, chance) + 1,
            "One too far: letters are counted from 0, so none before it means letter 0.",
        ),
        Mistake(
            lambda scores, temperature, chance: _chosen(scores, temperature, chance)[:, None],
            "The letters are right. Give one number for each row, without a dimension of size 1.",
        ),
        Mistake(
            lambda scores, temperature, chance: ((scores / temperature).softmax(0).cumsum(-1) < chance).sum(-1),
            "Softmax goes over the letters, which are the last dimension. Dimension 0 holds the texts of the batch.",
        ),
    ),
    right=(
        _chosen,
        lambda scores, temperature, chance: (
            library_that_made(scores).searchsorted((scores / temperature).softmax(-1).cumsum(-1), chance).squeeze(-1)
        ),
    ),
)
