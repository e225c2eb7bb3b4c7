"""Lesson 10, the API by category: what is asked and wanted, and the usual mistakes with the hint meant for each."""

from __future__ import annotations

import cmath
from itertools import pairwise
from typing import Any

import numpy as np

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.tensors_asked import TensorExercise
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made
from tensorwidgets.course.photograph import thumbnail

# -- where to look ----------------------------------------------------------------------------------

MIRRORED_BYTES = WordPrediction(
    number="10.1",
    question="The flower takes 36,864 bytes. How many more does flower.flip(1) need?",
    subject="flower.flip(1)",
    answer=36864,
    reason="36864: flip copies, since a stride cannot be negative here",
    otherwise={
        0: "that would be a view with a stride of -3 from pixel to pixel. NumPy has such views, PyTorch does not",
        73728: "that is the flower and its mirror image together",
        12288: "that is the number of pixels, and each of them takes 3 bytes",
        147456: "that would be 4 bytes for each number; a mirror image of uint8 is uint8 too",
    },
)

COUNTS = ValueExercise(
    number="10.2",
    task="the operation that counts how often each whole number occurs",
    asked="the name of that operation",
    hints=(
        'Which word would its description contain? Try catalogue("occurs"), or catalogue("count").',
        "Imagine a bin for each number: it counts what falls into each.",
    ),
    mistakes=(
        Mistake("unique", "unique tells you which numbers there are. With return_counts it counts them too, but "
        "leaves out "
                "those that do not occur."),
        Mistake("histc", "histc counts in intervals of equal width. There is an operation for whole numbers."),
        Mistake("count_nonzero", "This counts everything that is not 0, and returns a single number."),
        Mistake("cumsum", "This is the running sum."),
        Mistake("histogram", "This counts between edges that you choose. There is an operation for whole numbers."),
    ),
    right=("bincount",),
)  # fmt: skip

# -- three spellings, three effects -----------------------------------------------------------------

UNDERSCORE = WordPrediction(
    number="10.3",
    question="After y = x.abs() and x.neg_(), what is x[0], if it was -1?",
    subject="x[0]",
    answer=1,
    reason="1: abs() left x alone, and neg_() changed the sign of -1 in place",
    otherwise={
        -1: "if abs() had written into x, its 1 would have become -1; but abs() makes a new tensor",
        0: "neither of the two makes a zero: neg_ changes the sign",
    },
)


def _tables(torch: Any) -> list[Case]:
    def case(rows: int, columns: int, view: str = "") -> Case:
        w = torch.arange(float(rows * columns)).reshape(rows, columns) % 7 - 3
        x = w.t() if view else w
        return Case(f"cut(w{view})", x, (), w)

    return [case(2, 2), case(2, 5), case(3, 4, ".t()"), case(8, 9)]


def _one_by_one(x: Any) -> None:
    for i in range(x.size(0)):
        for j in range(x.size(1)):
            if x[i, j] < 0:
                x[i, j] = 0


def _by_rows(x: Any) -> None:
    for row in x:
        row.clamp_(min=0)


def _masked(x: Any) -> None:
    x[x < 0] = 0


CUT = FunctionExercise(
    number="10.4",
    task="set what is negative to zero, in place",
    function="cut",
    cases=_tables,
    wanted=_one_by_one,
    writes=True,
    hints=(
        "Which pointwise operation keeps numbers between two bounds? And how do you write it in place?",
        "clamp takes min and max. With an underscore it writes into its own tensor: x.clamp_(min=…).",
    ),
    mistakes=(
        Mistake(
            lambda x: x.clamp(min=0),
            "x is as it was: clamp makes a new tensor. The method that writes in place ends in an underscore.",
        ),
        Mistake(lambda x: x.abs_(), "-3 has become 3. Negative numbers should become 0."),
        Mistake(lambda x: x.clamp_(max=0), "That keeps the negative numbers. The lower bound is min."),
        Mistake(lambda x: x.zero_(), "All numbers are zero now. Keep the positive ones."),
        Mistake(
            _masked, "The numbers are right, but a tensor was made on the way, as the mask x < 0 is. clamp_ makes none."
        ),
        Mistake(_by_rows, "Each round of your loop is a call from Python. One call does the whole table."),
    ),
    right=(lambda x: x.clamp_(min=0), lambda x: x.clamp_(0), lambda x: x.relu_(), lambda x: x.clamp_min_(0)),
)

# -- from many to few -------------------------------------------------------------------------------

WHICH_GOES = WordPrediction(
    number="10.5",
    question="How many elements does readings.sum(0) have, if readings has shape (3, 4)?",
    subject="readings.sum(0)",
    answer=4,
    reason="4: dimension 0, the days, goes, and a sum for each time of day is left",
    otherwise={
        3: "that is sum(1): the dimension that you name is the one that goes",
        1: "that is sum() without a dimension",
        12: "a reduction turns many numbers into few, and dimension 0 goes",
    },
)


def _rows_with_means(torch: Any) -> list[Case]:
    def case(rows: int, columns: int) -> Case:
        text = f"centre(torch.arange({rows * columns}.0).reshape({rows}, {columns}) % 5 * 8)"
        return Case(text, torch.arange(float(rows * columns)).reshape(rows, columns) % 5 * 8)

    return [case(2, 4), case(3, 2), case(2, 2), case(4, 4), case(1, 8), case(8, 8)]


def _row_by_row(x: Any) -> list:
    return [[v - sum(row) / len(row) for v in row] for row in x.tolist()]


CENTRE = FunctionExercise(
    number="10.6",
    task="each number minus the mean of its row",
    function="centre",
    cases=_rows_with_means,
    wanted=_row_by_row,
    hints=(
        "For the mean of each row, which dimension has to go? And what shape is left?",
        "x.mean(1) has one number for each row, and would meet the columns. keepdim=True makes a column of it.",
    ),
    mistakes=(
        Mistake(
            lambda x: x - x.mean(1),
            "The means of the rows meet the columns, since shapes are lined up at the right. keepdim=True helps.",
        ),
        Mistake(
            lambda x: x - x.mean(0, keepdim=True),
            "These are the means of the columns: 0 adds up the rows. For the mean of each row, dimension 1 has to go.",
        ),
        Mistake(lambda x: x - x.mean(), "This is the mean of the whole table. Each row has a mean of its own."),
        Mistake(lambda x: x.mean(1, keepdim=True), "These are the means. Now subtract them from x."),
        Mistake(lambda x: x.mean(1, keepdim=True) - x, "Every sign is the wrong way round: it is x minus its mean."),
        Mistake(lambda x: x / x.sum(1, keepdim=True), "This divides by the sum. Subtract the mean."),
        Mistake(lambda x: x - x.sum(1, keepdim=True), "This subtracts the sum of the row. Subtract its mean."),
    ),
    right=(
        lambda x: x - x.mean(1, keepdim=True),
        lambda x: x - x.mean(-1)[:, None],
        lambda x: (x.t() - x.mean(1)).t(),
    ),
)

# -- who is the largest? ----------------------------------------------------------------------------

WHERE_IT_STANDS = WordPrediction(
    number="10.7",
    question="readings[1] is [25, 4, 9, 0]. What is readings.argmax(1)[1]?",
    subject="readings.argmax(1)[1]",
    answer=0,
    reason="0: the largest number of that row, 25, is in column 0",
    otherwise={
        25: "that is the largest number itself; argmax tells you where it is",
        1: "that is the row; within it, columns are counted from 0",
        4: "that would be its place in the whole table, counted without a dimension; argmax(1) looks at each row by "
        "itself",
        3: "that is the column of the smallest, 0",
    },
)


def _rows_with_peaks(torch: Any) -> list[Case]:
    def case(rows: int, columns: int, step: int) -> Case:
        text = f"peaks(torch.arange({rows * columns}).reshape({rows}, {columns}) * {step} % 101)"
        return Case(text, torch.arange(rows * columns).reshape(rows, columns) * step % 101)

    return [case(2, 3, 37), case(3, 4, 29), case(4, 4, 45), case(1, 5, 60), case(9, 10, 33)]


def _peak_by_peak(x: Any) -> list:
    return [row.index(max(row)) for row in x.tolist()]


PEAKS = FunctionExercise(
    number="10.8",
    task="the column of the largest number of each row",
    function="peaks",
    cases=_rows_with_peaks,
    wanted=_peak_by_peak,
    hints=(
        "Do you want the value or the place? And which dimension goes, if one number for each row is left?",
        "argmax(1), or the indices of max(1).",
    ),
    mistakes=(
        Mistake(
            lambda x: x.argmax(0),
            "This is one number for each column. For one number for each row, dimension 1 has to go.",
        ),
        Mistake(lambda x: x.argmax(), "Without a dimension you get a single number, counted through the whole table."),
        Mistake(lambda x: x.amax(1), "These are the largest numbers themselves. Where are they?"),
        Mistake(lambda x: x.max(1), "This returns both, values and indices. Return the indices alone."),
        Mistake(lambda x: x.argmin(1), "These are the columns of the smallest numbers."),
        Mistake(
            lambda x: x.argmax(1, keepdim=True), "The right columns, but in a table with one column: leave keepdim out."
        ),
        Mistake(lambda x: x.argsort(1), "This is the whole order. The largest comes last: take [:, -1]."),
    ),
    right=(
        lambda x: x.argmax(1),
        lambda x: x.max(1).indices,
        lambda x: x.max(dim=-1)[1],
        lambda x: x.argsort(1)[:, -1],
    ),
)

# -- what oscillates, and how fast ---------------------------------------------------------------

FIVE = WordPrediction(
    number="10.9",
    question="A tone goes through 5 cycles in 64 readings. At which index is rfft the largest?",
    subject="rfft of five cycles",
    answer=5,
    reason="5: index k is for k cycles in the window",
    otherwise={
        4: "index 0 is for no cycle at all, so five cycles are index 5",
        6: "index 0 is for no cycle at all, so five cycles are index 5, and not one more",
        0: "that is the part that does not oscillate: the sum of all readings",
        59: "that is the mirror image in the full fft; rfft leaves it out",
        32: "that is the fastest oscillation that 64 readings can show",
    },
)


def _tones(torch: Any) -> list[Case]:
    def case(count: int, cycles: int, height: float, factor: int = 4) -> Case:
        text = f"cycles(torch.cos(torch.arange({count}.0) * {cycles} * 2 * torch.pi / {count}) * {factor} + {height})"
        return Case(text, torch.cos(torch.arange(float(count)) * cycles * 2 * torch.pi / count) * factor + height)

    return [case(16, 3, 0.0), case(32, 5, 0.0, -4), case(32, 7, 9.0), case(64, 12, -20.0), case(30, 1, 5.0)]


def _by_definition(x: Any) -> int:
    values = x.tolist()
    n, mean = len(values), sum(values) / len(values)
    strength = [
        abs(sum((v - mean) * cmath.exp(-2j * cmath.pi * k * t / n) for t, v in enumerate(values)))
        for k in range(n // 2 + 1)
    ]
    return strength.index(max(strength))


def _cycles(x: Any, taken_off: bool = True) -> Any:
    return library_that_made(x).fft.rfft(x - x.mean() if taken_off else x).abs()


SWINGS = FunctionExercise(
    number="10.10",
    task="how many cycles the strongest tone goes through",
    function="cycles",
    cases=_tones,
    wanted=_by_definition,
    hints=(
        "It is the index of the largest number of the spectrum. But what makes index 0 large, and how do you get rid "
        "of it?",
        "Subtract the mean before the transform. Then abs, then argmax.",
    ),
    mistakes=(
        Mistake(
            lambda x: _cycles(x, False).argmax(),
            "Where x is far above zero, index 0 wins: the part that does not oscillate. Subtract the mean first.",
        ),
        Mistake(lambda x: _cycles(x).amax(), "This is how strong the tone is. What is its index?"),
        Mistake(
            lambda x: library_that_made(x).fft.rfft(x - x.mean()).argmax(),
            "The spectrum is complex, and complex numbers have no order. Take its abs() first.",
        ),
        Mistake(
            lambda x: _cycles(x, False)[1:].argmax(),
            "Cutting off index 0 helps, but then every index is one too small.",
        ),
        Mistake(lambda x: (x - x.mean()).argmax(), "This is when x is largest. The transform is missing."),
        Mistake(lambda x: _cycles(x), "This is the whole spectrum. Where is its largest number?"),
        Mistake(
            lambda x: library_that_made(x).fft.rfft(x - x.mean()).real.argmax(),
            "The real part can be 0 or below, however strong a tone is. abs() says how strong.",
        ),
    ),
    right=(
        lambda x: _cycles(x).argmax(),
        lambda x: _cycles(x, False)[1:].argmax() + 1,
        lambda x: _cycles(x).max(0).indices,
    ),
)

# -- chance, files, threads -------------------------------------------------------------------------

SEEDED = WordPrediction(
    number="10.11",
    question="Seed 3, torch.rand(2) twice; seed 3 again, torch.rand(4). How many of the four numbers have you seen?",
    subject="torch.rand(4)",
    answer=4,
    reason="4: the seed says where the sequence begins, and two steps and two more are the first four",
    otherwise={
        0: "without a new seed they would all be new; the seed takes the generator back to where it began",
        2: "the second rand(2) goes on where the first one stopped, so its numbers are numbers three and four",
        1: "the numbers come in a fixed order, and none is left out",
        3: "the numbers come in a fixed order, and none is left out",
    },
)

TRUE_OR_FALSE = StatementsExercise(
    number="10.12",
    task="true or false, eight times",
    hints=(
        "You can try each of them in a cell of your own before you answer.",
        "For the fourth: rand draws from an interval. Which of its two ends belongs to it?",
    ),
    statements=(
        Statement("x.add(1) changes x.", False, "It makes a new tensor. x.add_(1) changes x."),
        Statement("x.add_(1) makes a new tensor.", False, "It writes into x, and returns x."),
        Statement(
            "x.sum(0) of a table with 3 rows and 4 columns has 4 elements.",
            True,
            "Dimension 0, the rows, goes. What is left is one number for each column.",
        ),
        Statement(
            "torch.rand can draw the number 1.",
            False,
            "It draws from 0 up to 1, and never 1 itself, whatever some notes say.",
        ),
        Statement("With the same seed, the same calls draw the same numbers.", True, "That is what a seed is for."),
        Statement(
            "In PyTorch, a sum of floats can differ in its last digits with more threads.",
            True,
            "Each thread adds up a part, and floats that are added in another order are rounded differently.",
        ),
        Statement("torch.max(x, 1) gives two tensors.", True, "The largest number of each row, and its column."),
        Statement(
            "In today's PyTorch, torch.eig(a) computes eigenvalues.",
            False,
            "It was removed. torch.linalg.eig computes them, and the message of PyTorch says so.",
        ),
    ),
)

# -- three cases ------------------------------------------------------------------------------------


def _flower(torch: Any) -> Any:
    return torch.tensor(thumbnail())


CAROUSEL = TensorExercise(
    number="10.13",
    task="the flower, moved 20 columns to the right and around",
    made=_flower,
    wanted=lambda rows: [row[-20:] + row[:-20] for row in rows],
    shares=None,
    hints=(
        'Every element moves by 20 columns, and what falls off comes back at the other end. Try catalogue("back").',
        "roll takes how far and along which dimension. Rows are dimension 0, columns dimension 1.",
    ),
    mistakes=(
        Mistake(
            lambda x: x.roll(20),
            "Without a dimension, roll shifts the run of all numbers by 20: under 7 pixels, and the colours get "
            "mixed up.",
        ),
        Mistake(lambda x: x.roll(20, 0), "This is 20 rows down. To the right is along dimension 1."),
        Mistake(lambda x: x.roll(-20, 1), "This is 20 columns to the left."),
        Mistake(lambda x: x.roll(60, 1), "Along dimension 1 you count columns, and not bytes: 20 columns are 20."),
        Mistake(lambda x: x.flip(1), "This is the mirror image. The flower was only pushed."),
        Mistake(lambda x: x.roll(20, 2), "Dimension 2 has the colours. Push along the columns."),
        Mistake(lambda x: x[:, -20:], "This is the part that came back on the left. The rest is missing."),
    ),
    right=(lambda x: x.roll(20, 1), lambda x: x.roll(-44, 1), lambda x: x.roll(20, dims=-2)),
)

MELTED = TensorExercise(
    number="10.14",
    task="the flower melted: each column from dark to bright, each colour by itself",
    made=_flower,
    wanted=lambda rows: _columns_sorted(rows),
    shares=None,
    hints=(
        "Numbers in order, from small to large: which word would you search for? And which dimension runs down a "
        "column?",
        "sort(0) returns two tensors, with names. You want the values.",
    ),
    mistakes=(
        Mistake(lambda x: x.sort(1).values, "This sorts each row, so the bright values ran to the right. Down is 0."),
        Mistake(
            lambda x: x.sort().values,
            "Without a dimension, sort takes the last one: here the three colours of each pixel.",
        ),
        Mistake(lambda x: x.sort(0, descending=True).values, "The bright values are at the top. Dark comes first."),
        Mistake(lambda x: x.sort(0).indices, "These are the rows that the values came from. Take the values."),
        Mistake(lambda x: x.flip(0), "This is upside down. Put the numbers of each column in order."),
        Mistake(lambda x: x.cummax(0).values, "This is the largest so far, going down. Put the numbers in order."),
    ),
    right=(
        lambda x: x.sort(0).values,
        lambda x: x.sort(dim=0)[0],
        lambda x: library_that_made(x).msort(x),
    ),
)


def _columns_sorted(rows: list) -> list:
    down = [[sorted(row[j][c] for row in rows) for c in range(3)] for j in range(len(rows[0]))]
    return [[[column[c][i] for c in range(3)] for column in down] for i in range(len(rows))]


SPOTS = ((2, 3, 0), (14, 4, 255), (8, 13, 0), (3, 22, 255), (15, 23, 0))
"""Row, column and brightness of what covers a square of each frame."""


def _frames(torch: Any) -> Any:
    frames = np.stack([thumbnail()[::2, ::2]] * len(SPOTS))
    for frame, (row, column, light) in zip(frames, SPOTS, strict=True):
        frame[row : row + 5, column : column + 5] = light
    return torch.tensor(frames)


def _without_spots(frames: list) -> list:
    rows, columns = range(len(frames[0])), range(len(frames[0][0]))
    return [[[sorted(f[i][j][c] for f in frames)[len(frames) // 2] for c in range(3)] for j in columns] for i in rows]


CLEAN = TensorExercise(
    number="10.15",
    task="five photographs, each with a fly or a flash: the flower without them",
    made=_frames,
    wanted=_without_spots,
    shares=None,
    dtype="uint8",
    hints=(
        "For each pixel you have five values, and four of them agree. Which reduction returns one of the five, and "
        "is not "
        "moved by one that is far off?",
        "The median is the value in the middle. Like max, it returns values and indices.",
    ),
    mistakes=(
        Mistake(
            lambda x: x.float().mean(0).byte(),
            "That is the picture with the bug: in a mean, a fly counts for a fifth.",
        ),
        Mistake(lambda x: x.amax(0), "The dark flies are gone. The flashes are brighter than any flower."),
        Mistake(lambda x: x.amin(0), "The flashes are gone. The flies are darker than any flower."),
        Mistake(lambda x: x.median(0).indices, "These are the numbers of the photographs. Take the values."),
        Mistake(
            lambda x: x.median(1).values, "Dimension 0 counts the photographs, and has to go. Dimension 1 is rows."
        ),
        Mistake(lambda x: x[0], "This is the first photograph, and it has a fly."),
        Mistake(
            lambda x: x.float().median(0).values,
            "The flower is clean. But the median is one of the five values, so you do not need float: it is uint8.",
        ),
        Mistake(lambda x: x.sum(0), "A sum of five is brighter than any of them. You want one of the five."),
    ),
    right=(
        lambda x: x.median(0).values,
        lambda x: x.mode(0).values,
        lambda x: x.sort(0).values[2],
        lambda x: x.kthvalue(3, 0).values,
    ),
)

# -- your tool --------------------------------------------------------------------------------------


def _pictures(torch: Any) -> list[Case]:
    small = torch.tensor([[[9, 9, 9], [9, 20, 9], [200, 20, 9]], [[5, 5, 5], [0, 0, 0], [100, 90, 80]]])
    return [
        Case("pencil(w)", small.byte()),
        Case("pencil(w)", torch.tensor(thumbnail()[::2, ::2])),
    ]


def _by_pencil(x: Any) -> list:
    return [
        row[1:] + [[max(0, 255 - 4 * abs(b - a)) for a, b in zip(*pair, strict=True)] for pair in pairwise(row)]
        for row in x.tolist()
    ]


def _joined(x: Any, drawing: Any, dim: int = 1) -> Any:
    return library_that_made(x).cat([x[:, 1:], drawing], dim)


def _edges(x: Any, dim: int = 1) -> Any:
    return x.float().diff(dim=dim).abs()


PENCIL = FunctionExercise(
    number="10.16",
    task="a picture, and beside it a drawing of its edges",
    function="pencil",
    cases=_pictures,
    wanted=_by_pencil,
    dtype="uint8",
    hints=(
        'Search for "differences", "absolute", "clamp" and "concatenates". Before you subtract, leave uint8: in it, '
        "3 - 5 "
        "is 254.",
        "x.float().diff(dim=1).abs() are the edges. Then 255 minus four times as much, clamp(min=0), byte(), and "
        "torch.cat "
        "with x[:, 1:] along dimension 1.",
    ),
    mistakes=(
        Mistake(
            lambda x: _joined(x, (255 - 4 * x.diff(dim=1).float().abs()).clamp(min=0).byte()),
            "The differences were taken in uint8, where 3 - 5 wraps around to 254. Call float() first.",
        ),
        Mistake(
            lambda x: _joined(x, (255 - 4 * x.float().diff(dim=1)).clamp(0, 255).byte()),
            "Steps from bright to dark are missing: take the difference without its sign, with abs().",
        ),
        Mistake(
            lambda x: _joined(x, (255 - 4 * _edges(x)).clamp(min=0)),
            "The picture is right, but its numbers are floats: byte() at the end of the drawing.",
        ),
        Mistake(
            lambda x: _joined(x, (4 * _edges(x)).clamp(max=255).byte()),
            "White lines on black: these are the edges themselves. Subtract them from 255.",
        ),
        Mistake(
            lambda x: _joined(x, (255 - _edges(x)).byte()),
            "The lines are too faint: make the difference four times as strong.",
        ),
        Mistake(
            lambda x: _joined(x, (255 - 4 * _edges(x)).long().byte()),
            "Where an edge is strong, 255 - 4 * edge is negative, and uint8 wraps around. clamp(min=0) comes before "
            "byte().",
        ),
        Mistake(
            lambda x: (255 - 4 * _edges(x)).clamp(min=0).byte(),
            "This is the drawing alone. Put the picture, without its first column, to its left.",
        ),
        Mistake(
            lambda x: _joined(x, (255 - 4 * _edges(x)).clamp(min=0).byte(), 0),
            "The drawing is below the picture. Side by side is along dimension 1.",
        ),
        Mistake(
            lambda x: _joined(x, (255 - 4 * _edges(x, -1)).clamp(min=0).byte()),
            "Without a dimension, diff goes along the last one: from red to green. Neighbours lie along dimension 1.",
        ),
    ),
    right=(
        lambda x: _joined(x, (255 - 4 * _edges(x)).clamp(min=0).byte()),
        lambda x: _joined(x, (255 - 4 * (x[:, 1:].int() - x[:, :-1].int()).abs()).clamp(0, 255).byte()),
    ),
)

ALL = (
    MIRRORED_BYTES, COUNTS, UNDERSCORE, CUT, WHICH_GOES, CENTRE, WHERE_IT_STANDS, PEAKS, FIVE, SWINGS, SEEDED,
    TRUE_OR_FALSE, CAROUSEL, MELTED, CLEAN, PENCIL,
)  # fmt: skip
