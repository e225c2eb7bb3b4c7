"""The text and its loss: windows of letters, and what knowing nothing costs."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- letters become numbers --------------------------------------------------------------------------------


def _texts(torch: Any) -> list[Case]:
    whole = torch.arange(11)
    return [
        Case("windows(torch.arange(3), 2)", torch.arange(3), (2,)),
        Case("windows(torch.tensor([5, 1, 4, 2]), 4)", torch.tensor([5, 1, 4, 2]), (4,)),
        Case("windows(w[1::2], 3)", whole[1::2], (3,), whole),
        Case("windows(torch.arange(12), 4)", torch.arange(12), (4,)),
    ]


def _strided(missing: int, own: bool = False) -> Any:
    """`as_strided` by hand: with a window too few, or with a stride of 1 whatever the tensor has."""

    def windows(tokens: Any, length: int) -> Any:
        step = tokens.stride(0) if own else 1
        return tokens.as_strided((len(tokens) - length + 1 - missing, length), (step, step), tokens.storage_offset())

    return windows


WINDOWS = FunctionExercise(
    number="22.1",
    task="all windows of a text, without a copy",
    function="windows",
    cases=_texts,
    wanted=lambda tokens, length: [tokens.tolist()[k : k + length] for k in range(len(tokens) - length + 1)],
    views=True,
    hints=(
        "The second window begins one letter after the first, so one step down is the same step in the storage as "
        "one step to the right.",
        "Lesson 18 slid a window over a photograph. The same method works for text.",
        "unfold(dimension, size, step) gives the windows. How far is it from one window to the next?",
    ),
    mistakes=(
        Mistake(
            lambda tokens, length: tokens.unfold(0, length, length),
            "Your windows lie side by side. Each has to begin one letter after the one before: a step of 1.",
        ),
        Mistake(
            lambda tokens, length: library_that_made(tokens).stack(
                [tokens[k : k + length] for k in range(len(tokens) - length + 1)]
            ),
            "The numbers are right, but each letter is stored again for every window that it is in: stack copies, and "
            "so does an index with a table of places. A view reads one storage several times.",
        ),
        Mistake(
            lambda tokens, length: tokens.unfold(0, length, 1).t(),
            "Your windows are the columns. They belong in the rows.",
        ),
        Mistake(
            _strided(1, own=True),
            "The last window is missing: n letters have n - length + 1 windows.",
        ),
        Mistake(
            lambda tokens, length: [tokens[k : k + length] for k in range(len(tokens) - length + 1)],
            "These are the windows, in a list. Return one tensor, with a window in each row.",
        ),
        Mistake(
            _strided(0),
            "A tensor can have a stride of its own, such as every second letter of a text. Use tokens.stride(0) in "
            "place of 1.",
        ),
        Mistake(
            lambda tokens, length: tokens.view(-1, length),
            "view cuts the text into pieces, so most windows are missing. Windows overlap.",
        ),
    ),
    right=(lambda tokens, length: tokens.unfold(0, length, 1), _strided(0, own=True)),
)

# -- what a guess costs ------------------------------------------------------------------------------------

FIRST_LOSS = WordPrediction(
    number="22.2",
    question="26 letters, some of them rare. A model gives every letter the score 0. What is its loss, to one decimal?",
    subject="the first loss",
    answer=3.3,
    reason="3.3: with equal scores every letter gets 1/26, and minus the logarithm of 1/26 is 3.26",
    otherwise={
        3.2: "nearly: that is the logarithm of 25. For 26 it is 3.26",
        2.7: "that is the loss of a model that knows how often each letter occurs. This one knows nothing",
        0: "a score of 0 does not mean a loss of 0. Equal scores mean equal probabilities",
        26: "the loss grows with the logarithm of the number of letters",
        4.7: "that is the logarithm to base 2. Cross entropy takes the natural one",
        1.4: "that is the logarithm to base 10. Cross entropy takes the natural one",
        -3.3: "the logarithm of 1/26 is negative, and the loss is minus that",
    },
)
