"""Lesson 02, dimensions and creation: what is asked, and the usual mistakes with the hint meant for each."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.tensors_asked import TensorExercise
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake

# -- from a point to a block ------------------------------------------------------------------------

BRACKETS = WordPrediction(
    number="02.1",
    question="What is the shape of torch.tensor([[[1, 2, 3]], [[4, 5, 6]]])?",
    subject="the shape of torch.tensor([[[1, 2, 3]], [[4, 5, 6]]])",
    answer=(2, 1, 3),
    reason="(2, 1, 3): two things outside, one in each of them, three in each of those",
    otherwise={
        (2, 3): "there are three brackets at the beginning, so there are three dimensions",
        (3, 1, 2): "read a shape from the outside in: the outermost brackets hold two things",
        (1, 2, 3): "the outermost brackets hold two things, [[1, 2, 3]] and [[4, 5, 6]]",
        (2, 2, 3): "[[1, 2, 3]] holds one thing, the row [1, 2, 3]",
        (6,): "that is how many elements there are. A shape has a number for each dimension",
        3: "that is how many dimensions there are. A shape has a number for each of them",
    },
)

SIXTEEN_PHOTOS = ValueExercise(
    number="02.2",
    task="how many numbers sixteen photos are",
    asked="the number of elements",
    hints=(
        "How many numbers make one colour of one photo? And the three colours?",
        "Multiply all four numbers of the shape. torch.zeros(16, 3, 32, 24).numel() counts them for you.",
    ),
    mistakes=(
        Mistake(12_288, "This leaves out the colours: each photo has three planes of 32 by 24."),
        Mistake(2_304, "This is one photo. There are 16."),
        Mistake(768, "This is one colour of one photo."),
        Mistake(75, "Multiply the numbers of a shape, do not add them."),
        Mistake(4, "This is the number of dimensions. The question is how many elements there are."),
        Mistake(16, "This is len(x), the first dimension. Count all elements."),
        Mistake((16, 3, 32, 24), "This is the shape. Multiply its numbers."),
    ),
    right=(36_864,),
)

# -- ready-made -----------------------------------------------------------------------------------

END_NOT_REACHED = WordPrediction(
    number="02.3",
    question="How many elements does torch.arange(2, 11, 3) have?",
    subject="torch.arange(2, 11, 3)",
    answer=3,
    reason="3: the numbers 2, 5 and 8. The next would be 11, and arange stops before its end",
    otherwise={
        4: "11 is the end, and arange stops before its end, as Python's range does",
        9: "those are the numbers from 2 to 10 in steps of 1. The third number is the step, 3",
        2: "2, 5 and 8 are all below 11",
    },
)

QUARTERS = TensorExercise(
    number="02.4",
    task="from 0 to 1 in four steps",
    wanted=lambda nothing: [0.0, 0.25, 0.5, 0.75, 1.0],
    shares=None,
    dtype="float32",
    hints=(
        "Two functions make even steps. Which of them reaches its end?",
        "torch.linspace(begin, end, points) wants a number of points. Count them: there are five.",
    ),
    mistakes=(
        Mistake(lambda torch: torch.arange(0, 1, 0.25), "arange stops before its end, so the 1 is missing."),
        Mistake(
            lambda torch: torch.linspace(0, 1, 4),
            "The third number of linspace counts points, not steps. Four steps have five points.",
        ),
        Mistake(
            lambda torch: torch.arange(5), "These only number the points, 0 to 4. Divide by 4, or let linspace do it."
        ),
        Mistake(
            lambda torch: torch.arange(0, 1), "Without a third number the step is 1, and arange stops before its end."
        ),
        Mistake(
            lambda torch: torch.linspace(0, 1, 5, dtype=torch.float64),
            "The numbers are right and take 8 bytes each. You want float32, which linspace gives by itself.",
        ),
        Mistake(lambda torch: torch.linspace(0, 1, 6), "Six points make five steps of 0.2. You want five points."),
    ),
    right=(
        lambda torch: torch.linspace(0, 1, 5),
        lambda torch: torch.arange(0, 1.25, 0.25),
        lambda torch: torch.arange(5) / 4,
        lambda torch: torch.tensor([0, 0.25, 0.5, 0.75, 1]),
    ),
)


def _framed(torch: Any, edge: Any, inside: Any, part: Any, size: tuple[int, int] = (4, 6)) -> Any:
    made = torch.full(size, float(edge))
    made[part] = inside
    return made


INNER = (slice(1, -1), slice(1, -1))

FRAME = TensorExercise(
    number="02.5",
    task="a frame of ones around zeros",
    wanted=lambda nothing: [[float(i in (0, 3) or j in (0, 5)) for j in range(6)] for i in range(4)],
    shares=None,
    hints=(
        "Begin with ones everywhere. Which part should become 0, and how do you name it with slices?",
        "The inside is everything but the first and the last, in both directions: frame[1:-1, 1:-1].",
    ),
    mistakes=(
        Mistake(
            lambda torch: _framed(torch, 1, 0, INNER, (6, 4)),
            "Rows come first: 4 rows and 6 columns are torch.ones(4, 6).",
        ),
        Mistake(
            lambda torch: _framed(torch, 1, 0, (slice(1, None), slice(1, None))),
            "1: goes on to the end, so you cleared the last row and the last column, too. Stop before them: 1:-1.",
        ),
        Mistake(
            lambda torch: _framed(torch, 1, 0, slice(1, -1)),
            "One slice names whole rows. A second one, after a comma, names the columns in them.",
        ),
        Mistake(lambda torch: _framed(torch, 0, 1, INNER), "This is the other way round: zeros around ones."),
        Mistake(
            lambda torch: torch.ones(4, 6),
            "All are still ones. Set the inside to 0: everything but one row or column at each end.",
        ),
        Mistake(lambda torch: torch.zeros(4, 6), "These are all zeros. The edge should be 1."),
    ),
    right=(lambda torch: _framed(torch, 1, 0, INNER),),
)

# -- three spellings ------------------------------------------------------------------------------

CAPITAL = WordPrediction(
    number="02.6",
    question="How many elements does torch.Tensor(3) have?",
    subject="torch.Tensor(3)",
    answer=3,
    reason="3: to torch.Tensor a whole number is a size, and nothing is written into the three elements",
    otherwise={
        1: "that is torch.tensor(3), with a small letter: it contains the number 3",
        0: "torch.Tensor() would have none. It takes a whole number as a size",
        9: "one number is a size with one dimension, so there are three",
    },
)

BLACK = TensorExercise(
    number="02.7",
    task="a black photo like x",
    made=lambda torch: torch.tensor([[12, 200, 34], [255, 7, 90]], dtype=torch.uint8),
    wanted=lambda rows: [[0 for _ in row] for row in rows],
    shares=False,
    dtype="uint8",
    hints=(
        "You want the shape and the dtype of x. Which function takes another tensor to imitate?",
        "The functions whose names end in _like take shape and dtype from a tensor.",
    ),
    mistakes=(
        Mistake(
            lambda x: (x * 0).float(),
            "torch.zeros gives float32 unless you say otherwise, and x is uint8. zeros_like takes the dtype of x.",
        ),
        Mistake(
            lambda x: (x * 0).long(),
            "This is int64, 8 bytes for each pixel, and x is uint8. zeros_like takes the dtype of x.",
        ),
        Mistake(
            lambda x: x.zero_(),
            "zero_() writes into x itself: the photo is gone, and black is just another name for x.",
        ),
        Mistake(lambda x: x, "This is x itself."),
        Mistake(lambda x: x.clone(), "A clone copies the pixels, too. They should be 0."),
        Mistake(lambda x: x.t().clone() * 0, "The photo lies on its side: x has 2 rows and 3 columns."),
        Mistake(lambda x: x[0].clone() * 0, "This is one row of zeros. x has two."),
    ),
    right=(lambda x: x * 0, lambda x: x.new_zeros(2, 3), lambda x: x.clone().zero_()),
)

# -- by chance ------------------------------------------------------------------------------------

ONE_END = WordPrediction(
    number="02.8",
    question="Which of the two ends, 0 and 1, can torch.rand draw?",
    subject="the ends of torch.rand",
    answer=0,
    reason="0: it draws from 0 up to 1, with 0 and without 1",
    otherwise={
        "both": "that is what many notes say, [0, 1]. It is [0, 1): 0 can come, 1 never does",
        1: "it is the other way round: 0 can come, 1 never does",
        "neither": "1 never comes. 0 does, though rarely",
    },
)

DIE = ValueExercise(
    number="02.9",
    task="a die",
    asked="what randint needs for a die",
    hints=(
        "randint treats its two ends as arange does.",
        "It can draw the first number, but not the second. So the second is one more than the largest that you want.",
    ),
    mistakes=(
        Mistake((1, 6), "randint never draws the upper end, so this die has no six."),
        Mistake((0, 6), "This draws 0 to 5: there is a zero and no six."),
        Mistake((0, 7), "This die has a seventh side: it can throw a 0."),
        Mistake((7, 1), "The lower end comes first."),
        Mistake(6, "Give two numbers, with a comma between them. One alone would be the upper end, counted from 0."),
    ),
    right=((1, 7),),
)

TRUE_OR_FALSE = StatementsExercise(
    number="02.10",
    task="true or false, six times",
    hints=(
        "You can try each of them in a cell of your own before you answer.",
        "Ask for the .shape, and for the upper ends of rand and arange.",
    ),
    statements=(
        Statement("torch.rand(3) can contain a 1.", False, "rand draws from [0, 1): 0 can come, 1 never does."),
        Statement(
            "torch.zeros(3, 2) and torch.zeros((3, 2)) make the same tensor.",
            True,
            "A size can be several numbers or one tuple of them.",
        ),
        Statement(
            "torch.tensor(5) and torch.Tensor(5) make the same tensor.",
            False,
            "The first contains the number 5. The second has five elements that nobody has written.",
        ),
        Statement(
            "A tensor of shape (3,) and one of shape (1, 3) have the same number of elements, but not the "
            "same number of dimensions.",
            True,
            "Both have 3 elements. The second is a table with one row, and needs two indices.",
        ),
        Statement("torch.arange(0, 10) contains the number 10.", False, "arange stops before its end: 0 to 9."),
        Statement(
            "A tensor can have no elements at all, such as torch.zeros(0, 3).",
            True,
            "Its shape is (0, 3): no rows of three. It prints as tensor([], size=(0, 3)).",
        ),
    ),
)

# -- a picture of yours ---------------------------------------------------------------------------


def _poster(torch: Any, red: Any, green: Any, blue: Any, size: tuple[int, int] = (33, 65)) -> Any:
    made = torch.zeros(*size, 3)
    for k, colour in enumerate((red, green, blue)):
        if colour is not None:
            made[:, :, k] = colour
    return made


SUNSET = TensorExercise(
    number="02.11",
    task="a sunset of 33 by 65 pixels",
    wanted=lambda nothing: [[[j / 64, 0.0, 1 - i / 32] for j in range(65)] for i in range(33)],
    shares=None,
    hints=(
        "Start with zeros of size (33, 65, 3). Which index names a colour? Which names a row?",
        "sunset[:, :, 2] is all the blue. It gets a column: torch.linspace(1, 0, 33).reshape(33, 1).",
    ),
    mistakes=(
        Mistake(
            lambda torch: _poster(torch, torch.linspace(0, 1, 65), None, None),
            "Red is right. Blue is still 0 everywhere: set sunset[:, :, 2], too.",
        ),
        Mistake(
            lambda torch: _poster(torch, torch.linspace(0, 1, 65), None, torch.linspace(1, 0, 65)),
            "Blue goes down from left to right. It should go down from top to bottom: give it a column of 33 numbers.",
        ),
        Mistake(
            lambda torch: _poster(torch, torch.linspace(0, 1, 65), torch.linspace(1, 0, 33).reshape(33, 1), None),
            "This is green. Blue is the last of the three: red 0, green 1, blue 2.",
        ),
        Mistake(
            lambda torch: _poster(torch, torch.linspace(0, 1, 65), None, torch.linspace(0, 1, 33).reshape(33, 1)),
            "Blue grows on its way down. It should begin at 1, in the top row.",
        ),
        Mistake(
            lambda torch: _poster(
                torch, torch.linspace(0, 1, 33), None, torch.linspace(1, 0, 65).reshape(65, 1), (65, 33)
            ),
            "Rows come first: 33 rows and 65 columns are torch.zeros(33, 65, 3).",
        ),
        Mistake(lambda torch: torch.zeros(33, 65, 3), "All black: the night after. Now set red and blue."),
    ),
    right=(
        lambda torch: _poster(torch, torch.linspace(0, 1, 65), None, torch.linspace(1, 0, 33).reshape(33, 1)),
        lambda torch: _poster(torch, torch.arange(65) / 64, 0, 1 - torch.arange(33).reshape(-1, 1) / 32),
    ),
)


def _boards(torch: Any) -> list[Case]:
    return [Case(f"chess({n})", n) for n in (2, 3, 8, 1)]


def _square_by_square(n: int) -> list[list[float]]:
    return [[float((i + j) % 2 == 0) for j in range(n)] for i in range(n)]


def _squares(n: int, *parts: Any) -> Any:
    import tensorwidgets

    made = tensorwidgets.zeros(n, n)
    for part in parts:
        made[part] = 1
    return made


EVEN, ODD = slice(0, None, 2), slice(1, None, 2)

CHESS = FunctionExercise(
    number="02.12",
    task="a chessboard",
    function="chess",
    cases=_boards,
    wanted=_square_by_square,
    hints=(
        "board[::2, ::2] sets every second square in rows 0, 2, 4 and so on. What about rows 1, 3 and 5?",
        "In the odd rows, the white squares are in the odd columns. A slice that begins at 1 is 1::2.",
    ),
    mistakes=(
        Mistake(
            lambda n: _squares(n, (EVEN, EVEN)),
            "This is the board with the bug: rows 1, 3 and 5 are all black. They need white squares of their own.",
        ),
        Mistake(
            lambda n: _squares(n, (EVEN, ODD), (ODD, EVEN)),
            "A chessboard, but the corner at the top left is black. White squares are where both indices are even, "
            "or both are odd.",
        ),
        Mistake(
            lambda n: _squares(n, (EVEN, EVEN), (ODD, EVEN)),
            "These are stripes: each column has one colour. In the odd rows, begin one square later.",
        ),
        Mistake(
            lambda n: _squares(n, (EVEN, EVEN), (EVEN, ODD)),
            "These are stripes: each row has one colour. The second slice belongs to the odd rows.",
        ),
        Mistake(
            lambda n: _squares(n, (EVEN,), (slice(None), EVEN)),
            "A comma sets rows and columns together. Here you set whole rows, and then whole columns.",
        ),
        Mistake(lambda n: _squares(n, slice(None)), "All white. Which squares should stay 0?"),
    ),
    right=(lambda n: _squares(n, (EVEN, EVEN), (ODD, ODD)),),
)

ALL = (
    BRACKETS, SIXTEEN_PHOTOS, END_NOT_REACHED, QUARTERS, FRAME, CAPITAL, BLACK, ONE_END, DIE, TRUE_OR_FALSE,
    SUNSET, CHESS,
)  # fmt: skip
