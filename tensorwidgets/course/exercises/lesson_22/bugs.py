"""A model that sees the future, and four other patients."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import ValueExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- without the mask --------------------------------------------------------------------------------------

TOO_GOOD = WordPrediction(
    number="22.9",
    question="With the mask the loss is 0.5 after 80 steps. What is it without the mask, to one decimal?",
    subject="the loss without a mask",
    answer=0.1,
    reason="0.1: the letter to guess can be seen one place further on, so the model only learns to copy it",
    otherwise={
        0.5: "without the mask every place sees the letter that it has to guess",
        0.4: "it is far better, since every place sees the letter that it has to guess",
        0.3: "it is better still: every place sees the letter that it has to guess",
        0.2: "it is better still: every place but the last sees the letter that it has to guess",
        0: "nearly. The last place has nothing to its right, and has to guess honestly",
        3.3: "that is what knowing nothing costs. This model sees more than it should",
        1.5: "it is not harder to learn, it is far too easy",
        0.6: "more to look at does not make it harder. The answer itself is there to be seen",
    },
)


def _two_runs(torch: Any) -> list[Case]:
    def case(before: list, after: list, place: int) -> Case:
        text = f"leaks(torch.tensor({before}), torch.tensor({after}), {place})"
        return Case(text, torch.tensor(before), (torch.tensor(after), place))

    rows = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]

    def other(*places: int, numbers: int = 2) -> list:
        return [[v + 1 if k in places and n < numbers else v for n, v in enumerate(row)] for k, row in enumerate(rows)]

    return [
        case([rows], [other(2, 3)], 2),
        case([rows], [other(0, 1, 2, 3)], 2),
        case([rows], [other(0, numbers=1)], 3),
        case([rows], [rows], 1),
        case([rows], [other(3)], 0),
        case([rows], [other(3)], 2),
        case([rows, rows], [other(1, 2, 3), other(1, 2)], 1),
        case([rows, rows], [rows, other(0, 3)], 2),
    ]


def _by_loops(before: Any, after: Any, place: int) -> bool:
    return any(a[:place] != b[:place] for a, b in zip(before.tolist(), after.tolist(), strict=True))


LEAKS = FunctionExercise(
    number="22.10",
    task="catch a model that sees the future",
    function="leaks",
    cases=_two_runs,
    wanted=_by_loops,
    hints=(
        "Which scores may change when the letter at `place` changes, and which may not?",
        "Those before `place` may not change: before[:, :place] and after[:, :place].",
        "torch.equal says whether two tensors hold the same numbers. If they do not, something leaks.",
    ),
    mistakes=(
        Mistake(
            lambda before, after, place: not library_that_made(before).equal(before, after),
            "At `place` and after it the scores may change, in an honest model too. Look only at those before it.",
        ),
        Mistake(
            lambda before, after, place: bool((before != after)[:, : place + 1].any()),
            "The scores at `place` itself may change: the letter there may be seen. Leave them out.",
        ),
        Mistake(
            lambda before, after, place: bool((before != after)[:, place:].any()),
            "You look at `place` and after it. A leak shows before it.",
        ),
        Mistake(
            lambda before, after, place: library_that_made(before).equal(before[:, :place], after[:, :place]),
            "It is the other way round: equal scores mean that nothing leaks.",
        ),
        Mistake(
            lambda before, after, place: bool((before != after)[:place].any()),
            "That slice takes texts of the batch. The places of the letters are dimension 1.",
        ),
        Mistake(
            lambda before, after, place: (before != after)[:, :place],
            "That is a table of True and False. Return a single answer: is any of them True?",
        ),
        Mistake(
            lambda before, after, place: bool((before != after)[:, :place].all()),
            "One score that changed is enough for a leak: any() in place of all().",
        ),
    ),
    right=(
        lambda before, after, place: not library_that_made(before).equal(before[:, :place], after[:, :place]),
        lambda before, after, place: (before[:, :place] != after[:, :place]).any(),
    ),
)

# -- five patients -----------------------------------------------------------------------------------------

DOCTOR = ValueExercise(
    number="22.13",
    task="five models are ill: what is wrong with each?",
    asked="what is wrong with the five",
    right=("ECDAB",),
    hints=(
        "Sort the five causes first. Which one plays no part in training? Which one is over after a few steps?",
        "Three causes change what a letter sees: everything, itself alone, or for the first letter nothing at all. Try "
        "the softmax of a row of nothing but minus infinity.",
        "Look for the losses on this page: which model knew one letter, and what did it cost? Which saw too much?",
    ),
    mistakes=(
        Mistake(
            "CEDAB",
            "Patients 1 and 2: a row in which everything is hidden is what gives nan. Without a mask the loss is fine, "
            "far too fine.",
        ),
        Mistake(
            "DCEAB",
            "Patients 1 and 3: large scores give a high loss, but a number. It becomes nan where the softmax of a row "
            "has nothing left to share.",
        ),
        Mistake(
            "EADCB",
            "Patients 2 and 4: a model that sees everything is too good, and one in which each letter sees only itself "
            "is no better than the table of pairs.",
        ),
        Mistake(
            "EBDAC",
            "Patients 2 and 5: the temperature plays no part in training, so it cannot make the loss too good.",
        ),
        Mistake(
            "ECADB",
            "Patients 3 and 4: where training begins depends on the first weights. Where it ends depends on what the "
            "model can see.",
        ),
        Mistake(
            "ECDBA",
            "Patients 4 and 5: the temperature plays no part in the training. It matters only when the model writes.",
        ),
        Mistake(
            "ACDEB",
            "Patients 1 and 4: a letter that sees itself has something to share, so no nan. Without even itself, the "
            "first letter has nothing.",
        ),
        Mistake(
            "EDCAB",
            "Patients 2 and 3: a model without a mask begins as ignorant as any other. It is good too soon, and not "
            "bad at first.",
        ),
    ),
)
