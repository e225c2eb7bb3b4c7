"""Lesson 00, start here: one prediction and one exercise, to meet predict, check and hint."""

from __future__ import annotations

from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.tensors_asked import TensorExercise
from tensorwidgets.course.checking.verdict import Mistake

ON_ITS_SIDE = WordPrediction(
    number="00.1",
    question="y is x on its side, and y[0, 1] = 100. At which row and column of x is the 100?",
    subject="the 100",
    answer=(1, 0),
    reason="(1, 0): row 0, column 1 of y is row 1, column 0 of x, and both read one number in memory",
    otherwise={
        (0, 1): "that is where it is in y. On its side, rows are columns: row and column swap",
        "nowhere": "then y would need numbers of its own. It has none: y only reads those of x in another order",
        (1, 1): "that is the second row and the second column. Rows and columns are counted from 0",
        (2, 1): "rows and columns are counted from 0, so the second row is row 1",
        1: "a place in a table needs two numbers, the row and the column",
    },
)

TWO_ROWS = TensorExercise(
    number="00.2",
    task="twelve numbers in two rows",
    made=lambda torch: torch.arange(12.0).reshape(3, 4),
    wanted=lambda rows: [[v for row in rows for v in row][k : k + 6] for k in (0, 6)],
    hints=(
        "The numbers stay where they are; only the rows get longer. Which method gives a tensor another shape?",
        "reshape takes the number of rows and the number of columns.",
    ),
    mistakes=(
        Mistake(lambda x: x, "This is x unchanged: 3 rows of 4."),
        Mistake(lambda x: x.reshape(6, 2), "Rows come first: this has 6 rows of 2. You want 2 rows of 6."),
        Mistake(
            lambda x: x.clone().reshape(2, 6),
            "The right numbers, in new memory: a write into x would not show here. Read those of x, without a copy.",
        ),
        Mistake(
            lambda x: x.t().reshape(2, 6),
            "On its side, x is read column by column, so the numbers come in another order. Start with x itself.",
        ),
        Mistake(lambda x: x.reshape(-1), "This is one row of twelve. You want two rows of six."),
        Mistake(lambda x: x[:2], "These are the first two rows of x, of 4 numbers each. All twelve should be there."),
    ),
    right=(lambda x: x.reshape(2, 6), lambda x: x.view(2, 6), lambda x: x.reshape(2, -1)),
)

ALL = (ON_ITS_SIDE, TWO_ROWS)
