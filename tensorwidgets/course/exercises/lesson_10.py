"""Lesson 10, the API by category: what is asked and wanted, and the usual mistakes with the hint meant for each."""

from __future__ import annotations

import cmath
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- a dozen families -------------------------------------------------------------------------------

FAMILY_OF_MAX = WordPrediction(
    number="10.1",
    question="In which family is torch.max: pointwise, reduction or comparison?",
    subject="torch.max",
    answer="reduction",
    reason="reduction: many elements become one, and PyTorch lists it with amax, argmax, sum and mean",
    otherwise={
        "comparison": "it does compare, and some notes have it there. PyTorch lists sort, topk and maximum with the "
        "comparisons, and max with the reductions",
        "pointwise": "it does not look at each element alone: it compares them",
    },
)

COUNTS = ValueExercise(
    number="10.2",
    task="the operation that counts how often each whole number occurs",
    asked="the name of that operation",
    hints=(
        'Which word would its line hold? Try catalogue("occurs"), or catalogue("count").',
        "It is called after the bins into which the numbers are sorted.",
    ),
    mistakes=(
        Mistake("unique", "unique tells which numbers there are; with return_counts also how often, but not for those "
                "that do not occur."),
        Mistake("histc", "histc sorts into intervals of equal width. There is one for whole numbers."),
        Mistake("count_nonzero", "This counts all that are not 0, whatever they are: a single number."),
        Mistake("cumsum", "This is the running sum."),
        Mistake("histogram", "This sorts into intervals between edges. There is one for whole numbers."),
    ),
    right=("bincount",),
)  # fmt: skip

# -- three spellings, three effects -----------------------------------------------------------------

UNDERSCORE = WordPrediction(
    number="10.3",
    question="After y = x.abs() and x.neg_(), what is x[0], if it was -1?",
    subject="x[0]",
    answer=1,
    reason="1: abs() left x alone, and neg_() turned the sign of -1 in place",
    otherwise={
        -1: "if abs() had written into x, its 1 would have become -1; but abs() makes a new tensor",
        0: "neither of the two makes a zero: neg_ turns the sign",
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
        "Which pointwise operation keeps numbers between bounds? And what is its name when it writes in place?",
        "clamp takes min and max. With an underscore it writes into its own tensor.",
    ),
    mistakes=(
        Mistake(
            lambda x: x.clamp(min=0),
            "x is as it was: clamp makes a new tensor. The one that writes in place ends in an underscore.",
        ),
        Mistake(lambda x: x.abs_(), "-3 has become 3. What is negative is to become 0."),
        Mistake(lambda x: x.clamp_(max=0), "That keeps what is negative. The bound below is min."),
        Mistake(lambda x: x.zero_(), "All numbers are zero now. Those that are positive were to stay."),
        Mistake(_masked, "The right numbers, by way of a mask, which is a tensor of its own. clamp_ needs none."),
        Mistake(_by_rows, "Each round of the loop is a call from Python. One call does the whole table."),
    ),
    right=(lambda x: x.clamp_(min=0), lambda x: x.clamp_(0), lambda x: x.relu_(), lambda x: x.clamp_min_(0)),
)

# -- from many to few -------------------------------------------------------------------------------

WHICH_GOES = WordPrediction(
    number="10.5",
    question="How many elements does readings.sum(0) have, if readings has shape (3, 4)?",
    subject="readings.sum(0)",
    answer=4,
    reason="4: dimension 0, the days, goes; a sum for each time of day stays",
    otherwise={
        3: "that is sum(1): the dimension that is named is the one that goes",
        1: "that is sum() without a dimension",
        12: "a reduction makes many into few; dimension 0 goes",
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
        "The mean of each row: which dimension goes? And which shape has what is left?",
        "x.mean(1) has one number a row, and would meet the columns. keepdim=True makes a column of it.",
    ),
    mistakes=(
        Mistake(
            lambda x: x - x.mean(1),
            "The means of the rows meet the columns, since shapes are lined up at the right. keepdim=True helps.",
        ),
        Mistake(
            lambda x: x - x.mean(0, keepdim=True),
            "These are the means of the columns: dimension 0 goes down. The mean of a row goes along dimension 1.",
        ),
        Mistake(lambda x: x - x.mean(), "This is the mean of the whole table. Each row has a mean of its own."),
        Mistake(lambda x: x.mean(1, keepdim=True), "These are the means. They are still to be taken off x."),
        Mistake(lambda x: x.mean(1, keepdim=True) - x, "Every sign is turned: it is x minus its mean."),
        Mistake(lambda x: x / x.sum(1, keepdim=True), "This divides by the sum. Subtract the mean."),
        Mistake(lambda x: x - x.sum(1, keepdim=True), "This takes off the sum of the row; the mean was asked for."),
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
    reason="0: the largest of that row, 25, stands in column 0",
    otherwise={
        25: "that is the largest itself; argmax tells where it stands",
        1: "that is the row; within it, columns are counted from 0",
        4: "without a dimension the whole table is counted through; here each row by itself",
        3: "there stands the smallest, 0",
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
        "Is it the value or the place that is asked for? And which dimension goes, if one number a row is to stay?",
        "argmax(1), or the indices of max(1).",
    ),
    mistakes=(
        Mistake(lambda x: x.argmax(0), "One number for each column: dimension 0 goes down. Along the rows it is 1."),
        Mistake(lambda x: x.argmax(), "Without a dimension the whole table is counted through: a single number."),
        Mistake(lambda x: x.amax(1), "These are the largest numbers themselves. Asked is where they stand."),
        Mistake(lambda x: x.max(1), "That gives both, values and indices. Only the indices were asked for."),
        Mistake(lambda x: x.argmin(1), "There stand the smallest numbers."),
        Mistake(lambda x: x.argmax(1, keepdim=True), "The right columns, in a table of one column: leave keepdim out."),
        Mistake(lambda x: x.argsort(1), "This is the whole order. The largest stands last: its column is [:, -1]."),
    ),
    right=(
        lambda x: x.argmax(1),
        lambda x: x.max(1).indices,
        lambda x: x.max(dim=-1)[1],
        lambda x: x.argsort(1)[:, -1],
    ),
)

# -- what swings, and how fast ----------------------------------------------------------------------

FIVE = WordPrediction(
    number="10.9",
    question="A tone swings 5 times in 64 readings. At which index is rfft the largest?",
    subject="rfft of five swings",
    answer=5,
    reason="5: index k stands for k swings in the window",
    otherwise={
        4: "index 0 stands for no swing at all, so five swings are index 5",
        6: "index 0 stands for no swing at all, so five swings are index 5, and not one more",
        0: "there stands what does not swing: the sum of all readings",
        59: "that is where the full fft has the mirror image; rfft leaves it away",
        32: "that is the fastest swing that 64 readings can tell",
    },
)


def _tones(torch: Any) -> list[Case]:
    def case(count: int, swings: int, height: float) -> Case:
        text = f"swings(torch.cos(torch.arange({count}.0) * {swings} * 2 * torch.pi / {count}) * 4 + {height})"
        return Case(text, torch.cos(torch.arange(float(count)) * swings * 2 * torch.pi / count) * 4 + height)

    return [case(16, 3, 0.0), case(32, 5, 0.0), case(32, 7, 9.0), case(64, 12, -20.0), case(30, 1, 5.0)]


def _by_definition(x: Any) -> int:
    values = x.tolist()
    n, mean = len(values), sum(values) / len(values)
    strength = [
        abs(sum((v - mean) * cmath.exp(-2j * cmath.pi * k * t / n) for t, v in enumerate(values)))
        for k in range(n // 2 + 1)
    ]
    return strength.index(max(strength))


def _swings(x: Any, taken_off: bool = True) -> Any:
    return library_that_made(x).fft.rfft(x - x.mean() if taken_off else x).abs()


SWINGS = FunctionExercise(
    number="10.10",
    task="how often the strongest tone swings",
    function="swings",
    cases=_tones,
    wanted=_by_definition,
    hints=(
        "The index of the largest number of the spectrum. What makes index 0 large, and how is that taken away?",
        "Take the mean off before the transform. Then abs, then argmax.",
    ),
    mistakes=(
        Mistake(
            lambda x: _swings(x, False).argmax(),
            "Where x lies high above zero, index 0 is the largest: what does not swing. Take the mean off first.",
        ),
        Mistake(lambda x: _swings(x).amax(), "This is how strong it is. Asked is which index it has."),
        Mistake(
            lambda x: library_that_made(x).fft.rfft(x - x.mean()).argmax(),
            "The spectrum is complex, and complex numbers have no largest. Take abs() of it.",
        ),
        Mistake(
            lambda x: _swings(x, False)[1:].argmax(),
            "Cutting off index 0 helps, but then all indices are one too small.",
        ),
        Mistake(lambda x: (x - x.mean()).argmax(), "This is when x is largest. The transform is missing."),
        Mistake(lambda x: _swings(x), "This is the whole spectrum. Where is its largest number?"),
    ),
    right=(
        lambda x: _swings(x).argmax(),
        lambda x: _swings(x, False)[1:].argmax() + 1,
        lambda x: _swings(x).max(0).indices,
    ),
)

# -- chance, files, threads -------------------------------------------------------------------------

SEEDED = WordPrediction(
    number="10.11",
    question="Seed 3, draw a; seed 3 again, draw b. Is a equal to b?",
    subject="a and b",
    answer=True,
    reason="True: the seed says where the sequence begins, and it is the same sequence",
    otherwise={False: "without a new seed they would differ; with it, the sequence begins anew"},
)

TRUE_OR_FALSE = StatementsExercise(
    number="10.12",
    task="true or false, seven times",
    hints=(
        "Each of them can be tried in a cell of its own before you answer.",
        "For the fourth: rand draws from an interval. Which of its ends belongs to it?",
    ),
    statements=(
        Statement("x.add(1) changes x.", False, "It makes a new tensor. x.add_(1) changes x."),
        Statement("x.add_(1) makes a new tensor.", False, "It writes into x, and gives x back."),
        Statement(
            "x.sum(0) of a table with 3 rows and 4 columns has 4 elements.",
            True,
            "Dimension 0, the rows, goes. What is left is one number a column.",
        ),
        Statement(
            "torch.rand can draw the number 1.", False, "It draws from 0 up to and without 1, whatever some notes say."
        ),
        Statement("With the same seed, the same calls draw the same numbers.", True, "That is what a seed is for."),
        Statement(
            "With more threads, a sum of floats can differ in its last digits.",
            True,
            "Each thread sums a part. Floats added in another order are rounded in other places.",
        ),
        Statement(
            "torch.max(x, 1) gives two tensors.", True, "The largest of each row, and the column in which it stands."
        ),
    ),
)

ALL = (
    FAMILY_OF_MAX, COUNTS, UNDERSCORE, CUT, WHICH_GOES, CENTRE, WHERE_IT_STANDS, PEAKS, FIVE, SWINGS, SEEDED,
    TRUE_OR_FALSE,
)  # fmt: skip
