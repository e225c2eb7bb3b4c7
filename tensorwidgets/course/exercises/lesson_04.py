"""Lesson 04, views or copies: what is asked, what is wanted, and the usual mistakes with the hint meant for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.tensors_asked import TensorExercise
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made
from tensorwidgets.course.photograph import thumbnail

# -- ways of looking ------------------------------------------------------------------------------

NONE_COPIED = WordPrediction(
    number="04.1",
    question="How many numbers does seats.t()[1:, ::2] copy?",
    subject="seats.t()[1:, ::2]",
    answer=0,
    reason="0 numbers are copied: turning and slicing change size, stride and offset",
    otherwise={
        6: "the result shows 6 numbers, and all of them are still where they were",
        12: "turning seats moves none of its 12 numbers; it swaps two sizes and two strides",
        18: "neither turning (12 numbers) nor slicing (6 numbers) moves any",
    },
)

COLOURS_FIRST = TensorExercise(
    number="04.2",
    task="colours first, without a copy",
    made=lambda torch: torch.arange(24).reshape(2, 4, 3),
    wanted=lambda x: [[[x[i][j][c] for j in range(4)] for i in range(2)] for c in range(3)],
    hints=(
        "No number has to move: you want the three dimensions in another order. Which method takes an order?",
        "permute names, for each new dimension, the old one. The first new dimension is the colours, which were "
        "dimension 2; after it come height and width in their old order.",
    ),
    mistakes=(
        Mistake(
            lambda x: x.reshape(3, 2, 4),
            "reshape keeps the order of the storage and cuts it up differently, so each plane mixes the three colours. "
            "You want to swap dimensions, not cut differently.",
        ),
        Mistake(
            lambda x: x.permute(2, 0, 1).contiguous(),
            "The values are right, but in a new storage: contiguous() and clone() copy.",
        ),
        Mistake(
            lambda x: x.transpose(0, 2),
            "transpose swaps two dimensions. Colours come first now, but height and width have swapped "
            "too, and each plane lies on its side.",
        ),
        Mistake(
            lambda x: x.permute(1, 2, 0),
            "permute names, for each new dimension, which old one it was: this puts the width, dimension 1, first.",
        ),
        Mistake(lambda x: x.permute(0, 2, 1), "Here height is first, and colours are second."),
        Mistake(lambda x: x, "This is x unchanged: colours are still last."),
    ),
    right=(
        lambda x: x.permute(2, 0, 1),
        lambda x: x.movedim(2, 0),
        lambda x: x.transpose(1, 2).transpose(0, 1),
        lambda x: x.as_strided((3, 2, 4), (1, 12, 3)),
    ),
)

# -- view or reshape ------------------------------------------------------------------------------

REFUSED = WordPrediction(
    number="04.3",
    question="Does seats.t().view(-1) give a view, make a copy, or raise an error?",
    subject="seats.t().view(-1)",
    answer="error",
    reason="an error: the steps through the storage are uneven, and view never copies",
    otherwise={
        "view": "a view of one row has one stride, and the steps here are 4, 4, -7, 4, 4, -7, …",
        "copy": "view never copies. That would be seats.t().reshape(-1)",
    },
)


VIEWS: dict[str, Callable[[Any], Any]] = {
    "w": lambda w: w,
    "w.t()": lambda w: w.t(),
    "w[1]": lambda w: w[1],
    "w[2]": lambda w: w[2],
    "w[1:]": lambda w: w[1:],
    "w[::2]": lambda w: w[::2],
    "w[:, 1:]": lambda w: w[:, 1:],
    "w[:, ::2]": lambda w: w[:, ::2],
    "w[:, ::3]": lambda w: w[:, ::3],
    "w[:, :1].expand(3, 4)": lambda w: w[:, :1].expand(3, 4),
    "w.view(-1)": lambda w: w.view(-1),
    "w.clone()": lambda w: w.clone(),
    "w.contiguous()": lambda w: w.contiguous(),
    "w.t().contiguous()": lambda w: w.t().contiguous(),
    "w.t().reshape(-1)": lambda w: w.t().reshape(-1),
}


def _tables(torch: Any) -> list[Case]:
    def case(view: str, rows: int, columns: int) -> Case:
        w = torch.arange(10, 10 + rows * columns).reshape(rows, columns)
        return Case(f"merges({view})", VIEWS[view](w), (), w)

    return [
        case("w", 2, 2),
        case("w.t()", 3, 4),
        case("w[:, ::2]", 3, 4),
        case("w[:, 1:]", 3, 4),
        case("w[::2]", 4, 3),
        case("w[1:]", 3, 4),
        case("w[:, :1].expand(3, 4)", 3, 4),
        case("w[:, ::3]", 8, 18),
    ]


def _one_step_throughout(x: Any) -> bool:
    """Goes to every element in reading order and notes how far each step leads."""
    places = [x[i, j].storage_offset() for i in range(x.size(0)) for j in range(x.size(1))]
    return len({after - before for before, after in zip(places, places[1:], strict=False)}) == 1


def _view_is_taken(x: Any) -> bool:
    try:
        x.view(-1)
    except RuntimeError:
        return False
    return True


MERGES = FunctionExercise(
    number="04.4",
    task="whether two dimensions can become one",
    function="merges",
    cases=_tables,
    wanted=_one_step_throughout,
    hints=(
        "After the last element of a row comes the first of the next. How far is that step, and how far should it be?",
        "A row has x.size(1) steps of x.stride(1). The next row has to begin exactly where one more step would lead: "
        "x.stride(0) has to be their product.",
    ),
    mistakes=(
        Mistake(
            lambda x: x.is_contiguous(),
            "Contiguous asks for more: no gaps at all. Gaps do no harm as long as they are even.",
        ),
        Mistake(
            lambda x: x.stride(1) == 1,
            "It is not enough that the elements of a row touch: the next row has to begin where this one ends.",
        ),
        Mistake(
            lambda x: x.stride(0) == x.size(1),
            "This leaves out stride(1): a row takes x.size(1) steps, and each leads x.stride(1) places on.",
        ),
        Mistake(
            lambda x: x.stride(0) == x.size(0) * x.stride(1),
            "A row has x.size(1) elements. x.size(0) counts the rows.",
        ),
        Mistake(
            lambda x: x.stride(1) == x.size(0) * x.stride(0),
            "This is the rule for reading down the columns first. Reading goes along the rows.",
        ),
        Mistake(
            lambda x: x.reshape(-1) is not None,
            "reshape never refuses: where it cannot look, it copies. Ask view, or compare the strides.",
        ),
        Mistake(
            lambda x: x.view(-1) is not None,
            "view raises an error where it cannot look. Catch the error, or compare the strides.",
        ),
    ),
    right=(
        _view_is_taken,
        lambda x: x.reshape(-1).untyped_storage().data_ptr() == x.untyped_storage().data_ptr(),
    ),
)

# -- one row, many times --------------------------------------------------------------------------

A_MILLION = WordPrediction(
    number="04.5",
    question="How many bytes does the storage of torch.zeros(1).expand(1000, 1000) take?",
    subject="torch.zeros(1).expand(1000, 1000)",
    answer=4,
    reason="4 bytes: one element, read a million times with strides of 0",
    otherwise={
        4_000_000: "a million elements are shown, and one is stored. Both strides are 0",
        1_000_000: "that is how many elements are shown. One is stored, and it takes 4 bytes",
        4_000: "that would be one row of a thousand. The row itself is one element read a thousand times",
        1: "one element is stored, and it takes 4 bytes",
        0: "the one element of torch.zeros(1) is stored",
    },
)

SAME_ROWS = TensorExercise(
    number="04.6",
    task="three equal rows, stored once",
    made=lambda torch: torch.tensor([14, 11, 8, 17]),
    wanted=lambda row: [[price for price in row] for _ in range(3)],
    hints=(
        "A step down has to lead to the same places again. Which stride does that, and which method gives it?",
        "expand takes the size that you want. A dimension that is new comes on the left.",
    ),
    mistakes=(
        Mistake(
            lambda x: x.repeat(3, 1),
            "The values are right, but this stores all twelve: repeat, stack and cat write out every row.",
        ),
        Mistake(lambda x: x.repeat(3), "This is one row of twelve, and all of it is stored. You want 3 rows of 4."),
        Mistake(
            lambda x: x.unsqueeze(1).expand(4, 3),
            "Here each price is repeated along a row of its own: the table lies on its side.",
        ),
        Mistake(lambda x: x.unsqueeze(0), "This is a table with one row. You want three."),
        Mistake(lambda x: x, "This is x unchanged, with one dimension."),
        Mistake(
            lambda x: x.repeat_interleave(3).reshape(3, 4),
            "repeat_interleave writes each price three times before it comes to the next.",
        ),
    ),
    right=(
        lambda x: x.expand(3, 4),
        lambda x: x.expand(3, -1),
        lambda x: x.unsqueeze(0).expand(3, 4),
        lambda x: x.broadcast_to((3, 4)),
        lambda x: x.as_strided((3, 4), (0, 1)),
    ),
)

# -- a copy when needed ---------------------------------------------------------------------------

NOT_A_COPY = WordPrediction(
    number="04.7",
    question="mine = seats[1].contiguous(), then mine[0] = 0. What is seats[1, 0]?",
    subject="seats[1, 0]",
    answer=0,
    reason="0: a row is contiguous already, so contiguous() gave back a view of it and copied nothing",
    otherwise={
        105: "then contiguous() would have had to copy. It does that only where the elements do not lie in order",
        101: "this is seats[0, 0], and the question is about row 1",
        109: "this is seats[2, 0]; rows are counted from 0",
    },
)

OWN_NUMBERS = TensorExercise(
    number="04.8",
    task="row 1 in memory of its own",
    made=lambda torch: torch.arange(201, 213).reshape(3, 4),
    wanted=lambda rows: list(rows[1]),
    shares=False,
    hints=(
        "x[1] is a view. Which method copies whatever the tensor looks like?",
        "clone() always copies. Take the row first, and clone only that.",
    ),
    mistakes=(
        Mistake(
            lambda x: x[1].contiguous(),
            "It still reads the storage of x. A row is a view, and contiguous(), reshape() and to() copy only "
            "where they have to.",
        ),
        Mistake(lambda x: x[1:2].clone(), "A slice keeps its dimension: this is a table with one row. Take x[1]."),
        Mistake(lambda x: x[:, 1].clone(), "This is column 1. Row 1 is x[1]."),
        Mistake(lambda x: x[0].clone(), "Rows are counted from 0: x[0] is the row before the one that you want."),
        Mistake(lambda x: x.clone(), "This copies the whole theatre. You only want row 1."),
    ),
    right=(lambda x: x[1].clone(), lambda x: x[1] + 0, lambda x: x.clone()[1], lambda x: x[[1]].reshape(-1)),
)

# -- who reads what? ------------------------------------------------------------------------------

NOTHING_IN_COMMON = WordPrediction(
    number="04.9",
    question="seats, seats[0], seats[2], seats.t() and seats.clone(): how many storages do they read?",
    subject="five names",
    answer=2,
    reason="2: one for seats and its three views, and one for the copy",
    otherwise={
        5: "a view has no storage of its own: a row, and the table on its side, read the storage of seats",
        4: "two rows without a common element read one storage all the same: it is the whole run of memory",
        3: "seats.t() is a view as well: it exchanges sizes and strides, and moves nothing",
        1: "clone() makes a copy, which has a storage of its own",
    },
)


def _pairs(torch: Any) -> list[Case]:
    def case(one: str, other: str, rows: int = 3, columns: int = 4) -> Case:
        w = torch.arange(10, 10 + rows * columns).reshape(rows, columns)
        made = torch.from_numpy(w.numpy()) if "numpy" in other else VIEWS[other](w)
        return Case(f"shares({one}, {other})", VIEWS[one](w), (made,), w)

    return [
        case("w", "w.t()"),
        case("w", "w[1]"),
        case("w", "w.clone()"),
        case("w[1]", "w[2]"),
        case("w.t()", "w.t().contiguous()"),
        case("w", "w.contiguous()"),
        case("w[1:]", "w.view(-1)"),
        case("w.t()", "w.t().reshape(-1)", 1, 2),
        case("w.t()", "w.t().reshape(-1)", 2, 2),
        case("w", "torch.from_numpy(w.numpy())"),
    ]


def _write_and_look(a: Any, b: Any) -> bool:
    """Changes every element of a's storage, and looks whether b's storage has changed."""
    theirs = [*b.untyped_storage()]
    for k, byte in enumerate([*a.untyped_storage()]):
        a.untyped_storage()[k] = byte ^ 1
    changed = [*b.untyped_storage()] != theirs
    for k, byte in enumerate([*a.untyped_storage()]):
        a.untyped_storage()[k] = byte ^ 1
    return changed


SHARES = FunctionExercise(
    number="04.10",
    task="whether two tensors read the same storage",
    function="shares",
    cases=_pairs,
    wanted=_write_and_look,
    hints=(
        "The first elements of two views can lie at different places of one storage. What begins at one place only?",
        "a.untyped_storage().data_ptr() is the address at which the storage of a begins. Compare it with that of b.",
    ),
    mistakes=(
        Mistake(
            lambda a, b: a.data_ptr() == b.data_ptr(),
            "data_ptr() is the address of the first element, and a view may begin late. Compare the addresses of the "
            "storages.",
        ),
        Mistake(
            lambda a, b: a.tolist() == b.tolist(),
            "Equal numbers say nothing: a copy shows the same, and a view of a part shows others.",
        ),
        Mistake(
            lambda a, b: a is b,
            "is asks whether both names mean one tensor. Two tensors can read one storage.",
        ),
        Mistake(
            lambda a, b: a.storage_offset() == b.storage_offset(),
            "An offset says where a view begins in its own storage. Two storages both have a place 0.",
        ),
        Mistake(
            lambda a, b: a.untyped_storage().nbytes() == b.untyped_storage().nbytes(),
            "Two storages of the same size are not the same storage. Compare where they begin.",
        ),
        Mistake(
            lambda a, b: b.is_contiguous(),
            "Whether b lies in order says nothing about whose memory it reads.",
        ),
        Mistake(
            lambda a, b: id(a.storage()) == id(b.storage()),
            "This compares objects, not memory: two objects can lie over one memory. And id says True of a tensor and "
            "its copy, since in PyTorch each storage() makes an object that is thrown away at once. Compare addresses: "
            "untyped_storage().data_ptr().",
            by_chance_on_pytorch=True,
        ),
    ),
)  # fmt: skip

TRUE_OR_FALSE = StatementsExercise(
    number="04.11",
    task="true or false, six times",
    hints=(
        "You can try each of them in a cell of your own, with x = torch.arange(12).reshape(3, 4).",
        "show.steps says of each step whether it copied. For statement 6, think of a table with one row.",
    ),
    statements=(
        Statement(
            "Let c = x.t().contiguous(). In PyTorch id(x.storage()) == id(c.storage()) can say True. So contiguous() "
            "keeps the storage.",
            False,
            "Each storage() makes an object that is thrown away at once, so two of them can get one id. c is a copy.",
        ),
        Statement(
            "Square brackets always give a view. So x[[0, 2]] reads the storage of x.",
            False,
            "Numbers and slices give views. A list of rows can be in any order, which no stride describes: it copies.",
        ),
        Statement("x.view(-1) never copies.", True, "view gives a view or an error. It is reshape that may copy."),
        Statement(
            "A tensor that is not contiguous cannot be seen in another shape without a copy.",
            False,
            "Its dimensions only have to fit together. Try x[:, ::2].view(-1).",
        ),
        Statement(
            "After y = x.t().reshape(-1), a write into y changes x.",
            False,
            "reshape had to copy here, so y has numbers of its own.",
        ),
        Statement(
            "A tensor that was turned with t() can be contiguous. (Here any table counts, not only x.)",
            True,
            "A table with one row, turned, is one column: its elements still lie in reading order. "
            "Try torch.zeros(1, 4).t().is_contiguous().",
        ),
    ),
)

# -- by hand ----------------------------------------------------------------------------------------

NO_COPY_LEFT = ValueExercise(
    number="04.12",
    task="one step more, and no copy",
    asked="a chain of four in which nothing is copied",
    hints=(
        "reshape copies because the steps through seats.t() are uneven. What makes them even again?",
        "A single row of seats.t() has one stride. Or turn it back.",
    ),
    mistakes=(
        Mistake(("start", "view", "copy"), "This is the chain as it was: it lacks a step between t() and reshape(-1)."),
        Mistake(
            ("start", "view", "view", "copy"),
            "The new step is a view, and what it shows is still read with uneven steps. Take one row, or turn back.",
        ),
        Mistake(
            ("start", "view", "copy", "view"),
            "Now the new step copies, and reshape looks at that copy: contiguous() puts the elements in reading order.",
        ),
        Mistake(
            ("start", "view", "copy", "copy"),
            "Now both steps copy: clone() keeps the order of the strides, so reshape still meets uneven steps.",
        ),
        Mistake(
            ("start", "view", "view"),
            "Nothing is copied, in a chain of three. Keep t() and reshape(-1), with one step between them.",
        ),
        Mistake(
            ("start", "view", "view", "refused"),
            "The last step was refused. view and reshape differ in that: reshape would have copied.",
        ),
        Mistake(
            ("start", "view", "refused"), "The last step was refused: view copies nothing, and gives nothing here."
        ),
    ),
    right=(("start", "view", "view", "view"),),
)

# -- a picture of yours ---------------------------------------------------------------------------


def _right_half(x: Any, half: Callable[[Any], Any]) -> Any:
    """x with its right half rewritten."""
    x[:, x.size(1) // 2 :] = half(x[:, : x.size(1) // 2])
    return x


SYMMETRIC = TensorExercise(
    number="04.13",
    task="a symmetric flower, and the original left alone",
    made=lambda torch: torch.tensor(thumbnail()),
    wanted=lambda rows: [row[:32] + row[31::-1] for row in rows],
    shares=False,
    hints=(
        "Which line should have made a copy, and did it? A photograph that was just loaded is contiguous already.",
        "Start with x.clone(). Then write x[:, :32].flip(1) into its right half.",
    ),
    mistakes=(
        Mistake(
            lambda x: _right_half(x.contiguous(), lambda left: left.flip(1)),
            "x is symmetric as well now: it is contiguous already, so contiguous() gave you x itself. clone() copies. "
            "(Run the cell with given again, to get x back.)",
        ),
        Mistake(
            lambda x: x.clone(), "A copy, and not yet symmetric. Write the mirrored left half into its right half."
        ),
        Mistake(
            lambda x: _right_half(x.clone(), lambda left: left.clone()),
            "The left half twice. Mirror it first: flip(1) reads each row from right to left.",
        ),
        Mistake(
            lambda x: _right_half(x.clone(), lambda left: left.flip(0)),
            "flip(0) turns the rows upside down. A mirror beside the picture reverses the columns: flip(1).",
        ),
        Mistake(
            lambda x: _right_half(x.clone(), lambda left: left.flip(2)),
            "flip(2) reverses red, green and blue. The columns are dimension 1.",
        ),
        Mistake(lambda x: x.flip(1), "This mirrors the whole picture. The left half should stay as it is."),
    ),
    right=(lambda x: _right_half(x.clone(), lambda left: left.flip(1)),),
)


def _pictures(torch: Any) -> list[Case]:
    def case(rows: int, columns: int) -> Case:
        w = torch.arange(10, 10 + rows * columns).reshape(rows, columns)
        return Case("kaleidoscope(w)", w)

    return [case(2, 3), case(3, 2), case(1, 4), case(12, 13)]


def _four_mirrors(x: Any) -> list[list[int]]:
    rows = [row + row[::-1] for row in x.tolist()]
    return rows + rows[::-1]


def _joined(x: Any, right: Callable[[Any], Any], below: Callable[[Any], Any]) -> Any:
    """x and what is to its right, and what is below both."""
    torch = library_that_made(x)
    top = torch.cat([x, right(x)], 1)
    return torch.cat([top, below(top)], 0)


KALEIDOSCOPE = FunctionExercise(
    number="04.14",
    task="a picture in four mirrors",
    function="kaleidoscope",
    cases=_pictures,
    wanted=_four_mirrors,
    hints=(
        "Make the top half first: the picture and its mirror image, side by side. How does the bottom half "
        "differ from it?",
        "top = torch.cat([x, x.flip(1)], 1). The bottom half is top.flip(0).",
    ),
    mistakes=(
        Mistake(
            lambda x: _joined(x, lambda left: left, lambda top: top),
            "The picture four times, and no mirror: flip(1) mirrors left and right, flip(0) turns upside down.",
        ),
        Mistake(
            lambda x: _joined(x, lambda left: left.flip(1), lambda top: top),
            "The top half is right. The bottom half should be the top half upside down: flip(0).",
        ),
        Mistake(
            lambda x: _joined(x, lambda left: left.flip(0), lambda top: top.flip(1)),
            "Two flips have changed places: flip(1) belongs to the picture on the right, flip(0) to the half below.",
        ),
        Mistake(
            lambda x: library_that_made(x).cat([x, x.flip(1)], 1),
            "This is the top half. The same once more, upside down, belongs below it.",
        ),
        Mistake(lambda x: x.flip(0, 1), "This is one of the four. Put them together with torch.cat."),
    ),
    right=(
        lambda x: _joined(x, lambda left: left.flip(1), lambda top: top.flip(0)),
        lambda x: library_that_made(x).cat([_joined(x, lambda left: left.flip(1), lambda top: top.flip(0))]),
    ),
)

ALL = (
    NONE_COPIED, COLOURS_FIRST, REFUSED, MERGES, A_MILLION, SAME_ROWS, NOT_A_COPY, OWN_NUMBERS, NOTHING_IN_COMMON,
    SHARES, TRUE_OR_FALSE, NO_COPY_LEFT, SYMMETRIC, KALEIDOSCOPE,
)  # fmt: skip
