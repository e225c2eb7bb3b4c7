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
        "First the probabilities. What does the temperature divide, and along which dimension does softmax go?",
        "Pieces of 0.5, 0.3 and 0.2 end at 0.5, 0.8 and 1. Which method adds up along a row, and keeps each sum on the "
        "way?",
        "One of these pieces ends before the point 0.6, so letter 1 is drawn. In each row, how do you count the pieces "
        "that end before the point?",
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
            "These are scores. softmax(-1) turns them into probabilities, which fill the line from 0 to 1.",
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

# -- the best few ------------------------------------------------------------------------------------------


def _rows(torch: Any) -> list[Case]:
    def case(scores: list[list[float]], k: int) -> Case:
        return Case(f"keep(torch.tensor({scores}), {k})", torch.tensor(scores), (k,))

    return [
        case([[2.0, -1.0, 3.0]], 1),
        case([[0.5, 4.0, -2.0], [3.0, 1.0, 2.0]], 2),
        case([[1.0, 5.0, 2.0, 4.0], [-1.0, -5.0, -2.0, -4.0]], 3),
        case([[0.0, 1.0]], 2),
        case([[float((3 * k + 5 * j) % 11) for j in range(7)] for k in range(5)], 3),
    ]


def _few(scores: Any, k: int) -> list:
    return [[s if s in sorted(row)[-k:] else float("-inf") for s in row] for row in scores.tolist()]


def _hidden(scores: Any, k: int, number: float = float("-inf")) -> Any:
    return scores.masked_fill(scores < scores.topk(k, -1).values[:, -1:], number)


KEEP = FunctionExercise(
    number="22.14",
    task="the best few scores, and nothing else to draw",
    function="keep",
    cases=_rows,
    wanted=_few,
    at_once=True,
    hints=(
        "topk(k, -1) gives the k largest of each row, the largest first. Which of them says where the border is?",
        "Keep the border as a column, of size (batch, 1). Then broadcasting compares each score with the border of its "
        "own row.",
        "The section about the mask says which score softmax turns into a weight of 0. It is not the score 0.",
    ),
    mistakes=(
        Mistake(
            lambda scores, k: _hidden(scores, k, 0.0),
            "A score of 0 can still be drawn: e to the power of 0 is 1. What hides a letter is minus infinity.",
        ),
        Mistake(
            lambda scores, k: scores.topk(k, -1).values,
            "These are the k best, but nobody knows any more which letters they belong to. Keep all places, and hide "
            "the others.",
        ),
        Mistake(
            lambda scores, k: scores.topk(k, -1).indices,
            "These are the numbers of the best letters. Return the scores, with the other letters hidden.",
        ),
        Mistake(
            lambda scores, k: scores.masked_fill(scores <= scores.topk(k, -1).values[:, -1:], float("-inf")),
            "You hide the last of the k best, too: only scores below the border go.",
        ),
        Mistake(
            lambda scores, k: scores.masked_fill(scores >= scores.topk(k, -1).values[:, -1:], float("-inf")),
            "It is the other way round: you hide the best ones.",
        ),
        Mistake(
            lambda scores, k: scores.masked_fill(scores < scores.topk(k, -1).values[:, :1], float("-inf")),
            "Your border is the largest score, so one letter is left. The border is the last of the k best.",
        ),
        Mistake(
            lambda scores, k: scores.masked_fill(scores < scores.flatten().topk(k).values[-1], float("-inf")),
            "You look for the best of the whole table. Each row is a text of its own: topk(k, -1).",
        ),
        Mistake(
            lambda scores, k: scores.softmax(-1).masked_fill(scores < scores.topk(k, -1).values[:, -1:], 0),
            "These are probabilities that no longer add up to 1. Hide scores, and leave the softmax to choose.",
        ),
    ),
    right=(
        _hidden,
        lambda scores, k: library_that_made(scores).where(
            scores < scores.sort(-1).values[:, -k:][:, :1], float("-inf"), scores
        ),
    ),
)
