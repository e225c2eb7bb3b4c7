"""From samples to a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

COLUMNS_FIRST = WordPrediction(
    number="20.1",
    question="A sample is a list of three numbers. Four samples go into a batch. What is len(batch)?",
    subject="len(batch)",
    answer=3,
    reason="3: a list of samples that are lists becomes a list of columns, each a tensor of four numbers",
    otherwise={
        4: "that is how many samples there are. But the loader goes into a list, and puts first with first, second "
        "with second",
        12: "the numbers are not put into one row. They become a tensor for each place in the list",
        (4, 3): "that is what you would get if each sample were a tensor. A list is taken apart",
        (3, 4): "close: it is a list of 3 tensors, each of size (4,), and the question is its len",
        1: "the batch is a list, with a tensor for each place in a sample",
    },
)

WORDS = {
    "one": (15, 14, 5),
    "two": (20, 23, 15),
    "three": (20, 8, 18, 5, 5),
    "six": (19, 9, 24),
    "seven": (19, 5, 22, 5, 14),
}
"""Names of digits, a number for each letter."""


def _names(torch: Any) -> list[Case]:
    def case(*rows: Sequence[int]) -> Case:
        text = ", ".join(f"torch.tensor({list(row)})" for row in rows)
        return Case(f"padded([{text}])", [torch.tensor(list(row)) for row in rows])

    return [
        case(WORDS["one"], WORDS["three"]),
        case(WORDS["two"]),
        case(WORDS["seven"], WORDS["six"], WORDS["three"]),
        case((7,), (1, 2, 3), (4, 5)),
    ]


def _padded(
    samples: Any, front: bool = False, width: int | None = None, turned: bool = False, fill: int = 0,
) -> tuple[Any, Any]:  # fmt: skip
    """A row for each sample, and some ways to get it wrong."""
    torch = library_that_made(samples[0])
    rows = [sample.tolist() for sample in samples]
    longest = max(map(len, rows)) if width is None else width
    filled = [([fill] * (longest - len(r)) + r if front else r + [fill] * (longest - len(r)))[:longest] for r in rows]
    batch = torch.tensor(filled)
    return (batch.t() if turned else batch), torch.tensor([len(row) for row in rows])


def _all_longest(samples: Any) -> tuple[Any, Any]:
    batch, lengths = _padded(samples)
    return batch, lengths * 0 + batch.size(1)


PADDED = FunctionExercise(
    number="20.2",
    task="a batch of words that differ in length",
    function="padded",
    cases=_names,
    wanted=_padded,
    hints=(
        "First the lengths, and the longest of them. Then start from a table of zeros, with a row for each sample.",
        "The table is as wide as the longest word.",
        "Then write each word into its row, from the left. How far does it reach?",
    ),
    mistakes=(
        Mistake(
            lambda samples: _padded(samples, front=True),
            "The zeros are in front of the words. Put them behind, so that the first letters are below each other.",
        ),
        Mistake(
            lambda samples: _padded(samples, turned=True),
            "Each word is a column. That is what pad_sequence does by default. Here, each word is a row.",
        ),
        Mistake(
            lambda samples: _padded(samples, width=min(map(len, samples))),
            "You cut all words to the length of the shortest. No letter may be lost.",
        ),
        Mistake(
            lambda samples: _padded(samples, width=5),
            "You always pad to 5 letters. The longest word of this batch decides.",
        ),
        Mistake(
            lambda samples: _padded(samples, fill=-1),
            "The empty places must hold 0.",
        ),
        Mistake(
            _all_longest,
            "All the lengths are the same: you measured the words after you padded them.",
        ),
        Mistake(
            lambda samples: _padded(samples)[0],
            "The lengths are missing. Return two things: return batch, lengths.",
        ),
        Mistake(
            lambda samples: (_padded(samples)[0], [len(sample) for sample in samples]),
            "The numbers are right, but the lengths are a list: make a tensor of them.",
        ),
        Mistake(
            lambda samples: (_padded(samples)[0], max(map(len, samples))),
            "The batch is right. Then comes the length of each word, in a tensor, not only the largest length.",
        ),
        Mistake(
            lambda samples: (_padded(samples)[1], _padded(samples)[0]),
            "First the batch, then the lengths.",
        ),
        Mistake(
            lambda samples: library_that_made(samples[0]).stack(samples),
            "stack wants tensors of one size, so pad the words first.",
        ),
    ),
    right=(
        _padded,
        lambda samples: (
            library_that_made(samples[0]).nn.utils.rnn.pad_sequence(samples, batch_first=True),
            library_that_made(samples[0]).tensor([len(sample) for sample in samples]),
        ),
    ),
)
