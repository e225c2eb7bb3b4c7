"""Lesson 03, storage: what is asked, what is wanted, and the usual mistakes with the hint meant for each."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.drawn import Mark, Marks, yours_and_wanted
from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.plainly import Table
from tensorwidgets.course.checking.prediction import PlacePrediction, WordPrediction
from tensorwidgets.course.checking.tensors_asked import TensorExercise
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.photograph import thumbnail
from tensorwidgets.pictures.drawing.scene import Block


def temperatures(torch: Any) -> Any:
    """The tensor that the lesson is about."""
    return torch.tensor([[14.0, 19.0, 23.0, 17.0], [12.0, 18.0, 22.0, 16.0], [15.0, 21.0, 25.0, 20.0]])


# -- one run of numbers ---------------------------------------------------------------------------

ROW_AFTER_ROW = PlacePrediction(
    number="03.1",
    question="w has 2 rows of 6. At which place is w[1, 2]?",
    name="w",
    made=lambda torch: torch.arange(100, 112).reshape(2, 6),
    index=(1, 2),
)

FIRST_BYTE = ValueExercise(
    number="03.2",
    task="the byte at which m[2, 1] begins",
    made=lambda torch: torch.arange(40, 55, dtype=torch.int16).reshape(3, 5),
    asked="the byte at which m[2, 1] begins",
    hints=(
        "First the place: how many elements lie before m[2, 1]? Then the byte: how many bytes does each of them take?",
        "Two whole rows of 5 lie before row 2, and one element before column 1. m.element_size() says how many bytes "
        "an int16 takes.",
    ),
    mistakes=(
        Mistake(11, "11 is its place, counted in elements. Each element of m takes 2 bytes."),
        Mistake(44, "Each element of m takes 2 bytes, not 4: m holds int16, and float32 would take 4."),
        Mistake(88, "Each element of m takes 2 bytes, not 8: m holds int16, and int64 would take 8."),
        Mistake(10, "This counts down the columns, 1*3 + 2 elements. A storage goes row after row."),
        Mistake(24, "The place is 2*5 + 1 = 11, not 12: rows and columns are counted from 0."),
        Mistake(51, "51 is the value of m[2, 1]. The question is where it lies."),
        Mistake(
            23, "Byte 23 is the last byte of m[2, 1]. It takes two bytes, and the question is where the first one is."
        ),
    ),
    right=(22,),
)

# -- size, stride, offset ---------------------------------------------------------------------------

ODD_COLUMNS = PlacePrediction(
    number="03.3",
    question="v = temps[1:, 1::2]. Which place does v[1, 1] read?",
    name="v",
    made=lambda torch: temperatures(torch)[1:, 1::2],
    index=(1, 1),
)


def _asked_for(torch: Any) -> list[Case]:
    def case(view: str, rows: int, columns: int, i: int, j: int) -> Case:
        w = torch.arange(10, 10 + rows * columns).reshape(rows, columns)
        x = {"w": w, "w[1:]": w[1:], "w.t()": w.t(), "w[:, 1:]": w[:, 1:], "w[1:, ::2]": w[1:, ::2],
             "w.t()[2:]": w.t()[2:]}[view]  # fmt: skip
        return Case(f"place({view}, {i}, {j})", x, (i, j), w)

    return [
        case("w", 2, 3, 1, 2),
        case("w[1:]", 3, 4, 1, 2),
        case("w.t()", 3, 4, 2, 1),
        case("w[:, 1:]", 3, 4, 2, 1),
        case("w[1:, ::2]", 3, 5, 1, 2),
        case("w.t()[2:]", 8, 9, 5, 6),
    ]


def _walk(x: Any, i: int, j: int) -> int:
    """One step after the other."""
    at = x.storage_offset()
    for _ in range(i):
        at += x.stride(0)
    for _ in range(j):
        at += x.stride(1)
    return int(at)


def _marked(case: Case, yours: Any, wanted: Any) -> tuple[Block, ...]:
    if case.whole.numel() > 15:
        return ()
    marks = [Mark(wanted, "wanted", True)]
    if isinstance(yours, int) and 0 <= yours < case.whole.numel() and yours != wanted:
        marks.append(Mark(yours, "yours", False))
    return (Marks(case.whole.reshape(-1).tolist(), marks),)


PLACE = FunctionExercise(
    number="03.4",
    task="the place of x[i, j] in its storage",
    function="place",
    cases=_asked_for,
    wanted=_walk,
    drawn=_marked,
    hints=(
        "Where does x[0, 0] lie, and how far does each of the i + j steps go? x has methods that tell you.",
        "x.storage_offset() is the place of x[0, 0]. One step down moves by x.stride(0), one to the right by "
        "x.stride(1).",
    ),
    mistakes=(
        Mistake(
            lambda x, i, j: i * x.stride(0) + j * x.stride(1),
            "The offset is left out: a view need not begin at place 0.",
        ),
        Mistake(
            lambda x, i, j: i * x.size(1) + j,
            "This counts whole rows of x.size(1). That only works for a tensor that reads its storage without a gap. "
            "Take the steps from x.stride(), and the beginning from x.storage_offset().",
        ),
        Mistake(
            lambda x, i, j: x.storage_offset() + i * x.size(1) + j,
            "There can be gaps between the rows of a view: one step down is x.stride(0), not x.size(1).",
        ),
        Mistake(
            lambda x, i, j: x.storage_offset() + i + j * x.size(0),
            "These are column-major strides: they walk down the columns first. Ask x.stride() instead.",
        ),
        Mistake(
            lambda x, i, j: x.storage_offset() + i * x.stride(1) + j * x.stride(0),
            "The strides are the wrong way round: stride(0) belongs to i, stride(1) to j.",
        ),
        Mistake(
            lambda x, i, j: x[i].storage_offset() + i * x.stride(0) + j * x.stride(1),
            "The steps down are counted twice: the offset of row i already contains i*x.stride(0). Begin at the "
            "offset of x.",
        ),
        Mistake(
            lambda x, i, j: (x.storage_offset() + i * x.stride(0) + j * x.stride(1)) * x.element_size(),
            "This is the byte. A place is counted in elements, and so are strides and offset.",
        ),
        Mistake(lambda x, i, j: x[i, j], "This is the value there. The question is its place, a whole number."),
        Mistake(
            lambda x, i, j: i * x.stride + j,
            "stride is a method: x.stride(0) is the step down, and x.stride() is the tuple of both.",
        ),
        Mistake(
            lambda x, i, j: x.storage_offset() + i * x.stride[0] + j * x.stride[1],
            "stride is a method, and square brackets do not call it: x.stride(0), or x.stride()[0].",
        ),
    ),
    right=(lambda x, i, j: x[i, j].storage_offset(),),
)

# -- who sees a write -----------------------------------------------------------------------------

TWO_WRITES = WordPrediction(
    number="03.5",
    question="noon += 100, then noon = noon + 100. What is week[1, 1]?",
    subject="week[1, 1]",
    answer=118,
    reason="118: noon += 100 wrote 18 + 100 there, and noon = noon + 100 wrote somewhere else",
    otherwise={
        18: "then += would have had to copy. noon reads the storage of week, and += writes there",
        218: "the second line makes a new tensor and gives it the name noon; week does not read that one",
        19: "this is week[0, 1], and the question is about row 1",
        119: "this is week[0, 1], and the question is about row 1",
    },
)


def _columns(torch: Any) -> list[Case]:
    def case(view: str, rows: int, columns: int, j: int) -> Case:
        w = torch.arange(10.0, 10.0 + rows * columns).reshape(rows, columns)
        x = {"w": w, "w.t()": w.t(), "w[1:, 1:]": w[1:, 1:], "w[:, :1]": w[:, :1]}[view]
        return Case(f"clear_column({view}, {j})", x, (j,), w)

    return [
        case("w", 2, 2, 1),
        case("w", 3, 4, 1),
        case("w[1:, 1:]", 3, 4, 1),
        case("w.t()", 3, 4, 2),
        case("w", 4, 1, 0),
        case("w", 8, 9, 7),
    ]


def _one_by_one(x: Any, j: int) -> None:
    for i in range(x.size(0)):
        x[i, j] = 0


def _after(case: Case, yours: Any, wanted: Any) -> tuple[Block, ...]:
    if not isinstance(yours, Table) or len(wanted.values) > 15:
        return ()
    order = [v for v in range(10, 10 + len(wanted.values))]
    return yours_and_wanted(yours, wanted, None, None, "w afterwards", order)


def _by_a_copy(x: Any, j: int) -> None:
    x[:, j] = x[:, j] * 0


def _by_rows(x: Any, j: int) -> None:
    for row in x:
        row[j] = 0


def _row_instead(x: Any, j: int) -> None:
    x[j] = 0


def _whole(x: Any, j: int) -> None:
    x.zero_()


CLEAR_COLUMN = FunctionExercise(
    number="03.6",
    task="set column j of x to zero in place",
    function="clear_column",
    cases=_columns,
    wanted=_one_by_one,
    writes=True,
    drawn=_after,
    hints=(
        "Get the column as a tensor that reads the storage of x, and write into that.",
        "x[:, j] reads column j. Methods whose names end in an underscore write in place, and so does = "
        "after brackets.",
    ),
    mistakes=(
        Mistake(
            lambda x, j: x[:, j].clone().zero_(),
            "x is as it was: you wrote into a copy, or gave a new tensor an old name. Write into x[:, j] itself.",
        ),
        Mistake(
            lambda x, j: x[:, j].contiguous().zero_(),
            "contiguous() copies a column whose elements do not touch, and zero_() then clears the copy. It only works "
            "where the column is contiguous already.",
        ),
        Mistake(_row_instead, "x[j] is row j. A column is x[:, j]: all rows, one place in each."),
        Mistake(_whole, "This clears all of x. The task is column j alone."),
        Mistake(
            _by_a_copy,
            "The right-hand side makes a new tensor, and then copies it into x. x[:, j] = 0 needs no such tensor.",
        ),
        Mistake(
            _by_rows,
            "Each round of the loop is a call from Python. One call can write the whole column: x[:, j].",
        ),
    ),
    right=(lambda x, j: x[:, j].zero_(), lambda x, j: x.select(1, j).fill_(0), lambda x, j: x.t()[j].mul_(0)),
)

# -- on its side ------------------------------------------------------------------------------------

TURNED_AND_CUT = PlacePrediction(
    number="03.7",
    question="v = temps.t()[1:]. Which place does v[2, 1] read?",
    name="v",
    made=lambda torch: temperatures(torch).t()[1:],
    index=(2, 1),
)

ON_ITS_SIDE = TensorExercise(
    number="03.8",
    task="turn x on its side without a copy",
    made=lambda torch: torch.arange(10, 22).reshape(3, 4),
    wanted=lambda rows: [[row[j] for row in rows] for j in range(len(rows[0]))],
    hints=(
        "The same twelve places, read along the other dimension first. Which numbers of x have to swap?",
        "Size (3, 4) and stride (4, 1) become size (4, 3) and stride (1, 4). One method does both.",
    ),
    mistakes=(
        Mistake(
            lambda x: x.reshape(4, 3),
            "reshape keeps the order of the storage and cuts it into rows of 3; turning reads every fourth element.",
        ),
        Mistake(
            lambda x: x.reshape(4, 3).clone(),
            "This cuts the storage into rows of 3, and copies it. Turning reads every fourth element of the "
            "storage that is there.",
        ),
        Mistake(
            lambda x: x.t().contiguous(),
            "The values are right, but in a new storage: contiguous() and clone() copy.",
        ),
        Mistake(lambda x: x, "This is x unchanged: rows are still rows."),
        Mistake(
            lambda x: x.as_strided((4, 3), (1, 3)),
            "These are column-major strides of a (4, 3). The rows of x are 4 long, so the next column is 4 places on.",
        ),
        Mistake(lambda x: x.reshape(-1), "This is one row of twelve. You want 4 rows of 3."),
    ),
    right=(
        lambda x: x.t(),
        lambda x: x.transpose(0, 1),
        lambda x: x.T,
        lambda x: x.permute(1, 0),
        lambda x: x.as_strided((4, 3), (1, 4)),
    ),
)

# -- do two tensors share? --------------------------------------------------------------------------

TWO_POINTERS = WordPrediction(
    number="03.9",
    question="temps has 4 columns of float32. What is temps[1].data_ptr() - temps.data_ptr()?",
    subject="temps[1].data_ptr() - temps.data_ptr()",
    answer=16,
    reason="16: temps[1] begins 4 elements later, and each takes 4 bytes",
    otherwise={
        0: "they share a storage, but data_ptr() is the address of the first element, and temps[1] begins at another",
        4: "that is the distance in elements; addresses count bytes",
        1: "that is the distance in rows; addresses count bytes",
        12: "the first element of row 1 comes after 4 elements, those of row 0",
        32: "a float32 takes 4 bytes, not 8",
        48: "that is the size of the whole storage",
    },
)

TRUE_OR_FALSE = StatementsExercise(
    number="03.10",
    task="true or false, five times",
    hints=(
        "You can try each of them in a cell of your own before you answer.",
        "For places, use the formula of this lesson. For sharing, compare untyped_storage().data_ptr(), or draw both.",
    ),
    statements=(
        Statement(
            "p = torch.zeros(3, 2). p[1] begins at place 2, so p[1, 1] is at 2 + 1*2 + 1*1 = 5.",
            False,
            "That counts row 1 twice: 2 is the offset of p[1], and the sum for p[1, 1] begins at the offset of p, "
            "which is 0. Try p[1, 1].storage_offset().",
        ),
        Statement(
            "Turning a tensor of a billion elements on its side copies nothing.",
            True,
            "t() swaps two sizes and two strides. The number of elements makes no difference.",
        ),
        Statement(
            "c = temps.t().contiguous() reads the storage of temps.",
            False,
            "temps.t() is not contiguous, so contiguous() has to copy. Compare the addresses of the two storages.",
        ),
        Statement(
            "If a.data_ptr() and b.data_ptr() differ, a and b share no memory.",
            False,
            "data_ptr() is the address of the first element. Compare temps and temps[1].",
        ),
        Statement(
            "After week[0].fill_(0.0) the first column of week.t() shows zeros.",
            True,
            "Row 0 of week and column 0 of week.t() read the same four places.",
        ),
    ),
)

# -- by hand ----------------------------------------------------------------------------------------

CORNERS = ValueExercise(
    number="03.11",
    task="the corners of a 4 by 4 table, by size, stride and offset",
    asked="size, stride and offset of the corners",
    hints=(
        "How many rows and columns does a table of four corners have? And how far is it from corner to corner?",
        "From 0 to 3 it is 3 places to the right, from 0 to 12 it is 12 places down. A smaller size leaves room for a "
        "larger stride.",
    ),
    mistakes=(
        Mistake(((4, 4), (4, 1), 0), "This is the whole table. The view should have two rows of two."),
        Mistake(((2, 2), (4, 1), 0), "These are four neighbours, 0, 1, 4 and 5. The corners are further apart."),
        Mistake(
            ((2, 2), (3, 12), 0), "The strides are the wrong way round: 3 is the step to the right, 12 the step down."
        ),
        Mistake(
            ((2, 2), (8, 2), 0),
            "These are 0, 2, 8 and 10: every second row and column. The last row and column are further away.",
        ),
        Mistake(((2, 2), (12, 3), 3), "This begins at place 3. The first corner is place 0."),
        Mistake((2, 2, 12, 3, 0), "Size and stride are two tuples of their own: ((2, 2), (12, 3), ...)."),
    ),
    right=(((2, 2), (12, 3), 0),),
)

# -- a picture of yours -----------------------------------------------------------------------------


def _nested(run: list[int], rows: int, columns: int) -> list[list[list[int]]]:
    """Pixels of three bytes, row after row."""
    pixels = [run[k : k + 3] for k in range(0, len(run), 3)]
    return [pixels[i * columns : (i + 1) * columns] for i in range(rows)]


UPRIGHT = TensorExercise(
    number="03.12",
    task="read 9,216 bytes as an upright photograph",
    made=lambda torch: torch.tensor(thumbnail()).reshape(-1),
    wanted=lambda run: _nested(run, 48, 64),
    hints=(
        "A row has 64 pixels, and each pixel takes 3 bytes. Where does the next row begin?",
        "One row down is 64*3 = 192 bytes on, and not 195. With 195 each row begins one pixel late. How many rows of "
        "192 bytes are there in 9,216?",
    ),
    mistakes=(
        Mistake(
            lambda x: x.as_strided((47, 64, 3), (195, 3, 1)),
            "This still leans: each row begins one pixel late. 64 pixels of 3 bytes take 192 bytes.",
        ),
        Mistake(
            lambda x: x.as_strided((47, 64, 3), (192, 3, 1)),
            "Upright, and the last row is missing: 9,216 bytes are 48 rows of 192.",
        ),
        Mistake(
            lambda x: x.reshape(64, 48, 3),
            "These are rows of 48 pixels. The picture is 64 pixels wide: rows come first, then columns.",
        ),
        Mistake(
            lambda x: x.reshape(3, 48, 64),
            "This takes the first third of the bytes for red. The three colours of a pixel are neighbours.",
        ),
        Mistake(
            lambda x: x.reshape(48, 192),
            "The rows are right, and the colours are not yet a dimension: cut each row into 64 pixels of 3.",
        ),
        Mistake(lambda x: x.reshape(48, 64, 3).clone(), "Upright, but a copy. The bytes are there: only read them."),
        Mistake(lambda x: x, "This is the run of bytes as it came."),
    ),
    right=(
        lambda x: x.as_strided((48, 64, 3), (192, 3, 1)),
        lambda x: x.view(48, 64, 3),
        lambda x: x.reshape(48, -1, 3),
    ),
)

STAMP = TensorExercise(
    number="03.13",
    task="a stamp of the photograph, by its strides",
    made=lambda torch: torch.tensor(thumbnail()),
    wanted=lambda rows: [[rows[i][j] for i in range(0, 48, 2)] for j in range(0, 64, 2)],
    hints=(
        "Upright, the stride is (192, 3, 1). What does turning do to the first two numbers? What does "
        "taking every second pixel do to them?",
        "Turned: (3, 192, 1). Every second pixel: twice as far in both directions, and the colours stay neighbours.",
    ),
    mistakes=(
        Mistake(lambda x: x[::2, ::2], "Every second pixel, and still upright. Turn it: swap the first two strides."),
        Mistake(
            lambda x: x.as_strided((32, 24, 3), (3, 192, 1)),
            "Lying on its side, but these are neighbouring pixels: a corner of the photograph. Every second pixel is "
            "twice as far.",
        ),
        Mistake(
            lambda x: x.as_strided((32, 24, 3), (6, 384, 4)),
            "The last stride leads from red to green. Those are neighbours, in the stamp as well.",
        ),
        Mistake(
            lambda x: x.as_strided((32, 24, 3), (2, 384, 1)),
            "One pixel to the right is 3 bytes, so two pixels are 6.",
        ),
        Mistake(
            lambda x: x[::2, ::2].reshape(32, 24, 3), "reshape only cuts the rows differently. Turning swaps strides."
        ),
        Mistake(
            lambda x: x.transpose(0, 1)[::2, ::2].contiguous(),
            "The right stamp, but a copy of it: contiguous() and clone() made a storage of its own.",
        ),
    ),
    right=(
        lambda x: x.as_strided((32, 24, 3), (6, 384, 1)),
        lambda x: x.transpose(0, 1)[::2, ::2],
        lambda x: x[::2, ::2].permute(1, 0, 2),
    ),
)

ALL = (
    ROW_AFTER_ROW, FIRST_BYTE, ODD_COLUMNS, PLACE, TWO_WRITES, CLEAR_COLUMN, TURNED_AND_CUT, ON_ITS_SIDE,
    TWO_POINTERS, TRUE_OR_FALSE, CORNERS, UPRIGHT, STAMP,
)  # fmt: skip
