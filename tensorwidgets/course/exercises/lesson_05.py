"""Lesson 05, indexing: what is asked, what is wanted, and the usual mistakes with the hint meant for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.tensors_asked import TensorExercise
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.photograph import thumbnail

# -- as with lists ----------------------------------------------------------------------------------

A_SLICE_LOOKS = WordPrediction(
    number="05.1",
    question="t = [4, 5, 6] as a tensor, tail = t[1:], tail[0] = 50. What is t[1]?",
    subject="t[1]",
    answer=50,
    reason="50: a slice of a tensor is a view, and the write goes into the memory of t",
    otherwise={
        5: "that is so with a list, whose slice is a copy. A slice of a tensor is a view",
        4: "this is t[0], and the question is about t[1]",
        6: "this is t[2], and tail[0] is t[1]",
    },
)

EVERY_SECOND = TensorExercise(
    number="05.2",
    task="every second row, without its ends",
    made=lambda torch: torch.arange(10, 40).reshape(5, 6),
    wanted=lambda rows: [row[1:-1] for row in rows[1::2]],
    hints=(
        "Two slices with a comma between them: the first names rows, the second columns.",
        "Rows from 1 on in steps of 2 are 1::2. All columns except the first and the last are 1:-1.",
    ),
    mistakes=(
        Mistake(
            lambda x: x[1::2][1:-1],
            "The second pair of brackets cuts rows again. Columns come after a comma, in the same brackets.",
        ),
        Mistake(lambda x: x[::2, 1:-1], "This begins with row 0. Beginning with row 1 is 1::2."),
        Mistake(lambda x: x[1::2, 1:], "The last column is still there. -1 as an end leaves it out."),
        Mistake(lambda x: x[1:, 1:-1], "These are all rows from 1 on. Every second one takes a step: 1::2."),
        Mistake(lambda x: x[1:2, 1:-1], "1:2 ends before row 2. The step is the third number: 1::2."),
        Mistake(lambda x: x[1:-1, 1::2], "Rows come first, columns second. Here it is the other way round."),
        Mistake(
            lambda x: x[[1, 3]][:, 1:-1],
            "The values are right, but a list as an index copies. A slice says the same and gives a view.",
        ),
    ),
    right=(lambda x: x[1::2, 1:-1], lambda x: x[1:4:2, 1:5], lambda x: x[1::2][:, 1:-1]),
)

# -- dimensions come and go -------------------------------------------------------------------------

SLICE_KEEPS = WordPrediction(
    number="05.3",
    question="rain has the shape (3, 5). What is the shape of rain[1:2]?",
    subject="the shape of rain[1:2]",
    answer=(1, 5),
    reason="(1, 5): a slice keeps its dimension, even where it picks one row",
    otherwise={
        (5,): "that is rain[1]. A number removes its dimension, a slice keeps it",
        (2, 5): "a slice stops before its end: 1:2 is row 1 alone",
        (3, 1): "the first index names rows. One column would be rain[:, 1:2]",
        (3, 2): "the first index names rows, and 1:2 is one of them",
    },
)

VIEWS: dict[str, Callable[[Any], Any]] = {
    "w": lambda w: w,
    "w.t()": lambda w: w.t(),
    "w[0]": lambda w: w[0],
    "w[1:, 1:]": lambda w: w[1:, 1:],
    "w.reshape(2, 2, 3)": lambda w: w.reshape(2, 2, 3),
}


def _table(torch: Any, call: str, view: str, rows: int, columns: int, *rest: int) -> Case:
    w = torch.arange(10, 10 + rows * columns).reshape(rows, columns)
    return Case(f"{call}({', '.join(map(str, [view, *rest]))})", VIEWS[view](w), rest, w)


def _by_rows(x: Any, k: int) -> list:
    return [[row[k].item()] for row in x]


COLUMN = FunctionExercise(
    number="05.4",
    task="a column that is still a table",
    function="column",
    cases=lambda torch: [
        _table(torch, "column", "w", 2, 3, 1),
        _table(torch, "column", "w", 3, 4, 0),
        _table(torch, "column", "w.t()", 3, 4, 2),
        _table(torch, "column", "w[1:, 1:]", 4, 3, 1),
        _table(torch, "column", "w", 8, 9, 7),
    ],
    wanted=_by_rows,
    views=True,
    hints=(
        "x[:, k] has one dimension: a number removes its own. What keeps it?",
        "A slice that picks one: from k up to k + 1, which it leaves out.",
    ),
    mistakes=(
        Mistake(lambda x, k: x[:, k], "A number removes its dimension, so this is a row of numbers. A slice keeps it."),
        Mistake(lambda x, k: x[:, k][None], "None comes first here, so this is a table with one row."),
        Mistake(lambda x, k: x[k : k + 1], "The first index names rows. A colon means all rows: x[:, ...]."),
        Mistake(lambda x, k: x[:, k:], "Without an end the slice goes on to the last column. End it at k + 1."),
        Mistake(
            lambda x, k: x[:, [k]],
            "The shape is right, but a list as an index copies. The slice k:k + 1 gives a view.",
        ),
        Mistake(lambda x, k: x[k], "This is row k. Take a column with x[:, ...]."),
    ),
    right=(
        lambda x, k: x[:, k : k + 1],
        lambda x, k: x[:, k][:, None],
        lambda x, k: x[:, k].unsqueeze(1),
        lambda x, k: x.narrow(1, k, 1),
    ),
)  # fmt: skip


def _ends(x: Any) -> Any:
    """Down to the rows, and of each its last."""
    return x[-1].item() if x.dim() == 1 else [_ends(part) for part in x]


LAST = FunctionExercise(
    number="05.5",
    task="the last place of the last dimension",
    function="last",
    cases=lambda torch: [
        _table(torch, "last", "w", 2, 3),
        _table(torch, "last", "w[0]", 2, 4),
        _table(torch, "last", "w.reshape(2, 2, 3)", 3, 4),
        _table(torch, "last", "w.t()", 3, 4),
        _table(torch, "last", "w", 8, 9),
    ],
    wanted=_ends,
    views=True,
    hints=(
        "How many colons you need before the last index depends on x. What can you write for as many as are missing?",
        "Three dots fill up, and -1 counts from the end.",
    ),
    mistakes=(
        Mistake(lambda x: x[-1], "One index belongs to the first dimension. Dots before it move it to the last."),
        Mistake(
            lambda x: x[:, -1],
            "This is right for a table and for nothing else. Three dots are as many colons as you need.",
        ),
        Mistake(lambda x: x[..., -1:], "A slice keeps the dimension. Take the number -1 alone."),
        Mistake(lambda x: x[..., 0], "This is the first place. The last is -1."),
        Mistake(
            lambda x: x[..., [-1]],
            "A list keeps the dimension, and copies. Take the number -1 alone.",
        ),
    ),
    right=(lambda x: x[..., -1], lambda x: x.select(-1, -1), lambda x: x.select(x.dim() - 1, x.size(-1) - 1)),
)

# -- masks ----------------------------------------------------------------------------------------

A_MASK_COPIES = WordPrediction(
    number="05.6",
    question="wet = rain[rain > 6], then wet += 100. What is rain[0, 2]?",
    subject="rain[0, 2]",
    answer=9,
    reason="9: a mask picks elements at uneven distances, so it copies them, and wet has numbers of its own",
    otherwise={
        109: "that needs a view, and no stride leads to the places where a mask is True. So they are copied",
        100: "the copy shows 109 there, and rain has not changed",
        0: "rain has not changed, and rain[0, 2] was 9",
    },
)


def _weeks(torch: Any) -> list[Case]:
    few = torch.tensor([[3, 8, 5], [9, 5, 0]])
    many = torch.arange(63).reshape(9, 7) % 13
    return [
        Case("wet_days(w, 4)", torch.tensor([[3, 8]]), (4,)),
        Case("wet_days(w, 5)", few, (5,)),
        Case("wet_days(w.t(), 0)", few.t(), (0,), few),
        Case("wet_days(w, 6)", many, (6,)),
    ]


def _day_by_day(x: Any, limit: int) -> int:
    days = 0
    for i in range(x.size(0)):
        for j in range(x.size(1)):
            days += int(x[i, j] > limit)
    return days


WET_DAYS = FunctionExercise(
    number="05.7",
    task="how many days were wet",
    function="wet_days",
    cases=_weeks,
    wanted=_day_by_day,
    at_once=True,
    hints=(
        "A comparison gives a mask. What does a True count in a sum?",
        "x > limit is the mask, and its .sum() says how often it is True.",
    ),
    mistakes=(
        Mistake(lambda x, limit: x[x > limit].sum(), "This adds up the rain of these days. Add up the mask instead."),
        Mistake(lambda x, limit: (x >= limit).sum(), "More than the limit is >. With >= the limit itself counts too."),
        Mistake(lambda x, limit: x > limit, "This is the mask. How often is it True?"),
        Mistake(lambda x, limit: x[x > limit], "These are the days themselves. The question is how many there are."),
        Mistake(lambda x, limit: len(x > limit), "len counts the rows of the mask, whether True or not."),
        Mistake(lambda x, limit: (x > limit).sum(0), "With a dimension given, sum makes one number for each column."),
        Mistake(_day_by_day, "The number is right, but Python looks at each day. One comparison does them all."),
    ),
    right=(
        lambda x, limit: (x > limit).sum(),
        lambda x, limit: len(x[x > limit]),
        lambda x, limit: (x > limit).count_nonzero(),
        lambda x, limit: x[x > limit].numel(),
    ),
)  # fmt: skip


def _into_the_pick(x: Any) -> Any:
    high = x[x > 10]
    high[:] = 10
    return x


def _by_the_mask(x: Any) -> Any:
    x[x > 10] = 10
    return x


def _the_others(x: Any) -> Any:
    x[x < 10] = 10
    return x


def _whole(x: Any) -> Any:
    x[:] = 10
    return x


def _to_zero(x: Any) -> Any:
    x[x > 10] = 0
    return x


NO_MORE_THAN_TEN = TensorExercise(
    number="05.8",
    task="everything above 10 becomes 10, in x itself",
    made=lambda torch: torch.tensor([[4, 99, 10], [250, 0, 7], [8, 3, 61]]),
    wanted=lambda rows: [[min(v, 10) for v in row] for row in rows],
    hints=(
        "Which elements? A mask can say it. On the left of =, a mask writes into the tensor itself.",
        "x[mask] = 10, where the mask is x > 10.",
    ),
    mistakes=(
        Mistake(
            _into_the_pick,
            "x has not changed. A mask copies what it reads, and you wrote into the copy: put "
            "x[x > 10] on the left of =.",
        ),
        Mistake(
            lambda x: x.clamp(max=10),
            "The numbers are right, but in a new tensor: clamp and where make one. x itself should change.",
        ),
        Mistake(_the_others, "These are the elements below 10. Those above 10 are x > 10."),
        Mistake(_whole, "All elements are 10 now. A mask in the brackets says which."),
        Mistake(_to_zero, "You changed the right elements. They should become 10, not 0."),
        Mistake(lambda x: x[x > 10], "These are copies of the elements above 10. x itself should change."),
    ),
    right=(_by_the_mask, lambda x: x.clamp_(max=10), lambda x: x.masked_fill_(x > 10, 10)),
)

# -- lists of positions -----------------------------------------------------------------------------

IN_STEP = WordPrediction(
    number="05.9",
    question="How many elements does rain[[0, 2], [1, 3]] have?",
    subject="rain[[0, 2], [1, 3]]",
    answer=2,
    reason="2: the lists go in step, so these are the elements (0, 1) and (2, 3)",
    otherwise={
        4: "two lists go in step, they are not combined. All combinations are rain[[0, 2]][:, [1, 3]]",
        10: "that would be two whole rows. The second list names a column for each of them",
        "error": "no error is raised: the lists are equally long, so they go in step",
    },
)


def _choices(torch: Any) -> list[Case]:
    def case(rows: int, columns: int, at: list[int]) -> Case:
        w = torch.arange(10, 10 + rows * columns).reshape(rows, columns)
        return Case(f"pick(w, torch.tensor({at}))", w, (torch.tensor(at),))

    return [
        case(2, 3, [2, 0]),
        case(3, 3, [1, 1, 2]),
        case(3, 4, [3, 0, 2]),
        case(8, 9, [5, 1, 7, 0, 2, 6, 4, 3]),
    ]


def _row_by_row(x: Any, at: Any) -> list:
    return [x[i, int(at[i])].item() for i in range(x.size(0))]


def _loop(x: Any, at: Any) -> Any:
    made = x[:, 0].clone()
    for i in range(x.size(0)):
        made[i] = x[i, int(at[i])]
    return made


PICK = FunctionExercise(
    number="05.10",
    task="one element of each row",
    function="pick",
    cases=_choices,
    wanted=_row_by_row,
    at_once=True,
    hints=(
        "In each row another column: that is gather along dimension 1. How many dimensions should the places have?",
        "at[:, None] has a row for each row of x, with one place in it. The result is a column; [:, 0] makes it a row "
        "of numbers. Or let two indices go in step: all rows, and at.",
    ),
    mistakes=(
        Mistake(
            lambda x, at: x[:, at],
            "The colon combines every row with every place. Each row should have its own place.",
        ),
        Mistake(lambda x, at: x.gather(1, at[:, None]), "The right elements, as a table with one column: [:, 0]."),
        Mistake(
            lambda x, at: x.gather(0, at[None]),
            "Along dimension 0 gather looks for a row in each column. Along 1 it looks for a column in each row.",
        ),
        Mistake(lambda x, at: x[at], "These are whole rows, the ones in at. Here at should name columns."),
        Mistake(
            lambda x, at: x.gather(1, at[None]),
            "at[None] is one row of places, so gather looks up all of them in row 0. at[:, None] has one for each row.",
        ),
        Mistake(_loop, "The numbers are right, but Python goes from row to row. gather does it in one call."),
    ),
    right=(
        lambda x, at: x.gather(1, at[:, None])[:, 0],
        lambda x, at: x.gather(1, at.unsqueeze(1)).squeeze(1),
        lambda x, at: x[range(len(x)), at],
        lambda x, at: x.take_along_dim(at[:, None], 1).flatten(),
    ),
)  # fmt: skip

TRUE_OR_FALSE = StatementsExercise(
    number="05.11",
    task="true or false, six times",
    hints=(
        "You can try each of them in a cell of your own, with x = torch.arange(12).reshape(4, 3).",
        "show.steps tells you whether a pick copied.",
    ),
    statements=(
        Statement(
            "x[1:3] copies two rows, as it does with a list of rows.",
            False,
            "A slice of a list is a copy. A slice of a tensor is a view.",
        ),
        Statement(
            "wet = x[x > 0] is a view, so a write into wet changes x.",
            False,
            "The places where a mask is True have no common stride, so x[x > 0] is a copy.",
        ),
        Statement(
            "x[x > 0] = 0 changes x.", True, "On the left of = a mask says where to write, and you copy nothing out."
        ),
        Statement(
            "x[2] and x[2:3] show the same numbers, but do not have the same dimensions.",
            True,
            "A number removes its dimension, a slice keeps it: (3,) and (1, 3).",
        ),
        Statement(
            "x[::-1] reverses the rows.",
            False,
            "A step cannot be negative: you get an error. x.flip(0) reverses the rows, in a copy.",
        ),
        Statement(
            "x[None] copies x into a tensor with one more dimension.",
            False,
            "It is a view with one more size, 1. Nothing is copied.",
        ),
    ),
)

# -- a picture of yours ---------------------------------------------------------------------------

ALL_EDGES = (slice(0, 3), slice(-3, None), (slice(None), slice(0, 3)), (slice(None), slice(-3, None)))


def _painted(part: Any, *edges: Any) -> Any:
    for edge in edges:
        part[edge] = 255
    return part


CARD = TensorExercise(
    number="05.12",
    task="a card with a white frame, and the photograph as it was",
    made=lambda torch: torch.tensor(thumbnail()),
    wanted=lambda rows: [
        [[255] * 3 if min(i, j) < 3 or max(i, j) > 36 else rows[4 + i][12 + j] for j in range(40)] for i in range(40)
    ],
    shares=False,
    hints=(
        "A slice of x is a view: whatever you paint on it is painted on x. What do you need before you paint?",
        "card = x[4:44, 12:52].clone(). Then card[:3], card[-3:], card[:, :3] and card[:, -3:] become 255.",
    ),
    mistakes=(
        Mistake(
            lambda x: _painted(x[4:44, 12:52], *ALL_EDGES),
            "A fine card, and the frame is in the photograph as well: a slice is a view. Take a clone() of it. (Run "
            "the cell with given again, to get x back.)",
        ),
        Mistake(
            lambda x: x[4:44, 12:52].clone(), "The card without its frame. Paint the edges: 3 rows, 3 columns each."
        ),
        Mistake(
            lambda x: _painted(x[4:44, 12:52].clone(), *ALL_EDGES[:2]),
            "Top and bottom are white. The columns at the left and right are missing: card[:, :3], card[:, -3:].",
        ),
        Mistake(
            lambda x: _painted(x[4:44, 12:52].clone(), slice(0, 3), (slice(None), slice(0, 3))),
            "Two of four edges. The last 3 rows are card[-3:], the last 3 columns card[:, -3:].",
        ),
        Mistake(
            lambda x: _painted(x[4:43, 12:51].clone(), *ALL_EDGES),
            "The end of a slice is not included, so rows 4 to 43 are 4:44.",
        ),
        Mistake(
            lambda x: _painted(x[12:52, 4:44].clone(), *ALL_EDGES),
            "Rows come first: rows 4 to 43, then columns 12 to 51.",
        ),
    ),
    right=(lambda x: _painted(x[4:44, 12:52].clone(), *ALL_EDGES),),
)


def _little_photos(torch: Any) -> list[Case]:
    def case(colour: list[int], pixels: list) -> Case:
        x = torch.tensor(pixels, dtype=torch.uint8)
        return Case(f"cut_out(w, torch.tensor({colour}))", x, (torch.tensor(colour, dtype=torch.uint8),))

    many = [[[(37 * i + 11 * j) % 256, i, (53 * j) % 256] for j in range(12)] for i in range(11)]
    return [
        case([9, 9, 9], [[[200, 100, 50], [10, 80, 90]]]),
        case([1, 2, 3], [[[0, 0, 0], [255, 0, 0]], [[40, 10, 41], [41, 10, 40]]]),
        case([250, 0, 90], [[[5, 200, 6]], [[7, 200, 6]], [[90, 90, 90]]]),
        case([0, 255, 0], many),
    ]


def _by_pixel(x: Any, colour: Any) -> list:
    new = colour.tolist()
    return [[pixel if pixel[0] > pixel[2] else new for pixel in row] for row in x.tolist()]


def _stencilled(x: Any, mask: Any, colour: Any) -> Any:
    made = x.clone()
    made[mask] = colour
    return made


CUT_OUT = FunctionExercise(
    number="05.13",
    task="a flower cut out of its photograph",
    function="cut_out",
    cases=_little_photos,
    wanted=_by_pixel,
    hints=(
        "background is read with a mask. So whose memory does it read, and who sees a write into it?",
        "Write with the mask instead: made[mask] = colour. The mask is made[..., 0] <= made[..., 2].",
    ),
    mistakes=(
        Mistake(
            lambda x, colour: x.clone(),
            "The photograph as it was. A pick with a mask is a copy, so the colour went into that copy. Put the mask "
            "on the left of =.",
        ),
        Mistake(
            lambda x, colour: _stencilled(x, x[..., 0] > x[..., 2], colour),
            "This paints the petals, and keeps the background. Reverse the comparison, or put ~ in front of it.",
        ),
        Mistake(
            lambda x, colour: _stencilled(x, x[..., 0] < x[..., 2], colour),
            "Nearly: where red and blue are equal, red is not larger. Use <=.",
        ),
        Mistake(
            lambda x, colour: _stencilled(x, x[..., 0] <= x[..., 1], colour),
            "This compares red with green. Blue is the last of the three, x[..., 2].",
        ),
        Mistake(
            lambda x, colour: x[x[..., 0] > x[..., 2]],
            "These are the pixels of the petals in one row. The picture should keep its shape.",
        ),
    ),
    right=(lambda x, colour: _stencilled(x, x[..., 0] <= x[..., 2], colour),),
)

ALL = (
    A_SLICE_LOOKS, EVERY_SECOND, SLICE_KEEPS, COLUMN, LAST, A_MASK_COPIES, WET_DAYS, NO_MORE_THAN_TEN, IN_STEP, PICK,
    TRUE_OR_FALSE, CARD, CUT_OUT,
)  # fmt: skip
