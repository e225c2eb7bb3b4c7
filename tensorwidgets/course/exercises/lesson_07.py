"""Lesson 07, broadcasting: what is asked, what is wanted, and the usual mistakes with the hint meant for each."""

from __future__ import annotations

from math import prod
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.tensors_asked import TensorExercise
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made
from tensorwidgets.course.photograph import thumbnail

# -- which shapes fit -------------------------------------------------------------------------------

COLUMN_AND_ROW = WordPrediction(
    number="07.1",
    question="What is the shape of torch.zeros(4, 1) + torch.zeros(3)?",
    subject="(4, 1) and (3,)",
    answer=(4, 3),
    reason="(4, 3): lined up at the right, 1 meets 3 and nothing meets 4",
    otherwise={
        (4, 1): "the 1 is stretched to 3, and the dimension that is missing is stretched to 4",
        (3,): "a dimension that one of them lacks counts as 1, and is stretched to 4",
        (3, 4): "shapes are lined up at the right: 3 comes under the 1, not under the 4",
        (4, 4): "only a 1 is stretched, and the 3 stays 3",
        (7,): "nothing is joined: each element of one meets an element of the other",
    },
)

THREE_DIMENSIONS = ValueExercise(
    number="07.2",
    task="the shape of torch.zeros(5, 1, 4) * torch.zeros(3, 1)",
    asked="the shape of the product",
    hints=(
        "Write the shapes one below the other, so that their last numbers are in one column.",
        "From the right: 4 meets 1, 1 meets 3, and 5 meets nothing.",
    ),
    mistakes=(
        Mistake((5, 3, 1), "4 meets 1 in the last column, and the 1 is stretched to 4."),
        Mistake((5, 1, 4), "In the middle 1 meets 3, and the 1 is stretched to 3, whichever side it is on."),
        Mistake((3, 1, 4), "The shapes are lined up at the right: 5 meets nothing, 3 meets the 1 in the middle."),
        Mistake((3, 3, 4), "5 meets nothing, which counts as 1 and is stretched to 5; the 3 comes under the middle."),
        Mistake((3, 4), "A dimension that one of them lacks does not vanish: it counts as 1 and is stretched to 5."),
        Mistake((5, 4), "The middle dimension stays: a 1 is stretched, not dropped."),
        Mistake(60, "That is how many elements there are. Write the shape, as a tuple."),
        Mistake("refused", "They do fit: every pair of sizes is equal, holds a 1, or has one missing."),
    ),
    right=((5, 3, 4),),
)

# -- ghosts -----------------------------------------------------------------------------------------

WRITTEN_ONCE = WordPrediction(
    number="07.3",
    question="tall = row.expand(1000, 4), then tall[0, 0] = 9. How many of its 4000 elements are 9?",
    subject="tall[0, 0] = 9",
    answer=1000,
    reason="1000: all rows read the same four places, so the write shows in every row",
    otherwise={
        1: "then each row would need numbers of its own, and expand copies nothing",
        4: "one place was written, and each of the 1000 rows reads it",
        4000: "one of the four places was written, and it is the first of each row",
        0: "the write reaches the storage of row, and every row reads it there",
        "error": "no error is raised: add_ would be refused, but a write with brackets is not",
    },
)

BARS = TensorExercise(
    number="07.4",
    task="each number of x along a row of its own, without a copy",
    made=lambda torch: torch.tensor([7, 8, 9]),
    wanted=lambda numbers: [[n] * 5 for n in numbers],
    hints=(
        "expand stretches dimensions of size 1. Where does x need one: left of its three numbers, or right?",
        "x.unsqueeze(1), or x[:, None], is a column of three rows. Stretch it to (3, 5).",
    ),
    mistakes=(
        Mistake(
            lambda x: x.unsqueeze(1).repeat(1, 5),
            "The values are right, but this copies them into a storage of its own. repeat and contiguous do that; "
            "expand gives a view.",
        ),
        Mistake(
            lambda x: x.expand(5, 3),
            "This shows x along every row. The first number should fill the first row: stretch a column, not a row.",
        ),
        Mistake(lambda x: x.unsqueeze(1), "This is the column. Now stretch it to five columns."),
        Mistake(
            lambda x: x.unsqueeze(0).expand(3, 3),
            "This stretches a row downwards, and to 3. Stretch a column, to 5.",
        ),
        Mistake(lambda x: x, "This is x as you got it: one dimension, three numbers."),
    ),
    right=(
        lambda x: x.unsqueeze(1).expand(3, 5),
        lambda x: x[:, None].expand(-1, 5),
        lambda x: x.expand(5, 3).t(),
        lambda x: x.as_strided((3, 5), (1, 0)),
        lambda x: x.view(3, 1).expand(3, 5),
    ),
)

# -- colours to grey --------------------------------------------------------------------------------

WHICH_SIZE = WordPrediction(
    number="07.5",
    question="image has shape (3, 2, 4), weights has (3,). Which size of image does the 3 of weights meet?",
    subject="(3, 2, 4) and (3,)",
    answer=4,
    reason="4: lined up at the right, the weights meet the last dimension, the columns",
    otherwise={
        3: "the numbers agree, but nobody compares them: shapes are lined up at the right, and there is a 4",
        2: "that is the middle dimension; the only dimension of weights meets the last one",
        (3, 2, 4): "weights has a single dimension, and it meets a single one",
    },
)

WEIGHTS = (0.25, 0.5, 0.125)
"""Sums of these come out exactly, in whatever order they are added."""


def _pictures(torch: Any) -> list[Case]:
    def case(*size: int) -> Case:
        images = torch.arange(float(prod(size))).reshape(size) % 11
        text = f"grey(torch.arange({prod(size)}.0).reshape{size} % 11, torch.tensor({list(WEIGHTS)}))"
        return Case(text, images, (torch.tensor(WEIGHTS),))

    return [case(3, 1, 2), case(3, 2, 4), case(3, 2, 3), case(2, 3, 2, 2), case(3, 3, 2, 2), case(2, 2, 3, 1, 2)]


def _slow_grey(images: Any, weights: Any) -> Any:
    def of(block: list, left: int) -> list:
        if left:
            return [of(one, left - 1) for one in block]
        rows, columns = len(block[0]), len(block[0][0])
        return [[sum(w * c[i][j] for w, c in zip(weights.tolist(), block, strict=True)) for j in range(columns)]
                for i in range(rows)]  # fmt: skip

    return of(images.tolist(), images.dim() - 3)


def _column(weights: Any) -> Any:
    return weights[:, None, None]


GREY = FunctionExercise(
    number="07.6",
    task="the weighted grey of one picture or many",
    function="grey",
    cases=_pictures,
    wanted=_slow_grey,
    hints=(
        "Two steps: let each weight meet its channel, then add the channels up. Which dimension are the channels, "
        "counted from the right?",
        "weights[:, None, None] has shape (3, 1, 1), and meets the channels of a batch as well. The channels are "
        "dimension -3.",
    ),
    mistakes=(
        Mistake(
            lambda images, weights: (images * _column(weights)).sum(0),
            "Dimension 0 is the channels only if there is one picture. In a batch it counts pictures: take -3.",
        ),
        Mistake(
            lambda images, weights: images.mean(-3),
            "This is the plain average, without the weights.",
        ),
        Mistake(
            lambda images, weights: images.sum(-3),
            "The channels are added as they are, without the weights.",
        ),
        Mistake(
            lambda images, weights: images * _column(weights),
            "The channels are weighted, but not added up yet: sum over dimension -3.",
        ),
        Mistake(
            lambda images, weights: (images * weights).sum(-3),
            "The weights meet the last dimension, the columns. They need two dimensions of size 1 behind them.",
        ),
        Mistake(
            lambda images, weights: (images * weights[:, None]).sum(-3),
            "With one dimension of size 1 the weights meet the rows. They need two to meet the channels.",
        ),
        Mistake(
            lambda images, weights: (images * _column(weights)).mean(-3),
            "Add the weighted channels up: mean divides the sum by three once more.",
        ),
        Mistake(
            lambda images, weights: (images * _column(weights)).sum(-1),
            "This adds up each row of pixels. The channels are dimension -3.",
        ),
        Mistake(
            lambda images, weights: (images * _column(weights)).sum(),
            "This adds up everything. Only the channels, dimension -3, should go.",
        ),
        Mistake(
            lambda images, weights: (images * _column(weights)).sum(-3, keepdim=True),
            "keepdim leaves the channels as a dimension of size 1. A grey picture has rows and columns only.",
        ),
    ),
    right=(
        lambda images, weights: (images * weights.unsqueeze(-1).unsqueeze(-1)).sum(-3),
        lambda images, weights: (images.movedim(-3, -1) * weights).sum(-1),
        lambda images, weights: (images * weights.view(3, 1, 1)).sum(dim=-3),
    ),
)

# -- every pair at once -----------------------------------------------------------------------------

TOWN_AND_TOWN = WordPrediction(
    number="07.7",
    question="What is the shape of towns[:, None] - towns, with five towns?",
    subject="(5, 1) and (5,)",
    answer=(5, 5),
    reason="(5, 5): the column is stretched to the right, the row downwards",
    otherwise={
        (5,): "towns[:, None] has two dimensions, (5, 1), and so does the result",
        (5, 1): "the 1 is stretched to the 5 of the row",
        (1, 5): "the column has five rows, and they stay",
        25: "there are 25 numbers; write the shape, as a tuple",
        (10,): "nothing is joined: each number of one side meets each of the other",
    },
)


def _roads(torch: Any) -> list[Case]:
    def case(n: int, m: int) -> Case:
        text = f"differences(torch.arange({n}.0) * 3, torch.arange({m}.0) + 10)"
        return Case(text, torch.arange(float(n)) * 3, (torch.arange(float(m)) + 10,))

    return [case(2, 3), case(3, 3), case(1, 4), case(4, 1), case(12, 9)]


def _pair_by_pair(a: Any, b: Any) -> list:
    return [[x - y for y in b.tolist()] for x in a.tolist()]


def _in_a_loop(a: Any, b: Any) -> Any:
    result = a[:, None] - b
    for i in range(len(a)):
        result[i] = a[i] - b
    return result


DIFFERENCES = FunctionExercise(
    number="07.8",
    task="every a[i] - b[j], without a loop",
    function="differences",
    cases=_roads,
    wanted=_pair_by_pair,
    at_once=True,
    hints=(
        "Which of the two has to become a column, so that its numbers run downwards?",
        "a[:, None] has shape (n, 1), and b has shape (m,). What do they give together?",
    ),
    mistakes=(
        Mistake(
            lambda a, b: a - b, "This takes a[i] - b[i] where the lengths agree. For every pair, a has to be a column."
        ),
        Mistake(
            lambda a, b: a - b[:, None],
            "Here b runs downwards and a to the right: the table is on its side. Make a the column.",
        ),
        Mistake(
            lambda a, b: b - a[:, None],
            "The table has the right shape, but every sign is the wrong way round: a[i] - b[j].",
        ),
        Mistake(
            lambda a, b: (a[:, None] - b).abs(),
            "These are distances, without a sign. Keep the differences as they are.",
        ),
        Mistake(
            lambda a, b: a[:, None] + b,
            "These are the sums of all pairs. Subtract instead.",
        ),
        Mistake(
            _in_a_loop, "Each round of the loop is a call from Python. A column minus a row is every pair at once."
        ),
    ),
    right=(
        lambda a, b: a.unsqueeze(1) - b,
        lambda a, b: a.view(-1, 1) - b.view(1, -1),
        lambda a, b: a.reshape(-1, 1).expand(len(a), len(b)) - b,
    ),
)

# -- when it fits and should not --------------------------------------------------------------------

EVERY_PAIR = WordPrediction(
    number="07.9",
    question="How many numbers are in guess - truth, with shapes (32, 1) and (32,)?",
    subject="(32, 1) and (32,)",
    answer=1024,
    reason="1024: a column against a row is every pair, 32 * 32",
    otherwise={
        32: "that is what you would like; but both are stretched, the column to the right and the row downwards",
        64: "nothing is joined: each element of one meets an element of the other",
        1: "nothing is summed yet",
        (32, 32): "that is the shape; how many numbers are there?",
        0: "nothing is refused here: 1 meets 32, and missing meets 32",
    },
)

TRUE_OR_FALSE = StatementsExercise(
    number="07.10",
    task="true or false, six times",
    hints=(
        "You can try each of them in a cell of your own before you answer.",
        "show.broadcast(x, y) takes plain shapes too: show.broadcast((3, 1), (1, 3)).",
    ),
    statements=(
        Statement(
            "Shapes are lined up at the left.",
            False,
            "At the right: (3, 4) and (4,) fit, (3, 4) and (3,) do not.",
        ),
        Statement(
            "(3, 1) and (1, 3) go together, and give (3, 3).",
            True,
            "Each has a 1 where the other has a 3, and a 1 is stretched, on both sides at once.",
        ),
        Statement(
            "A tensor of shape () goes together with every other.",
            True,
            "It lacks every dimension, and what is missing counts as 1.",
        ),
        Statement(
            "Stretching a row to a million rows takes a million times its memory.",
            False,
            "The stride becomes 0, and all rows are read from the same places. Ask untyped_storage().nbytes().",
        ),
        Statement(
            "x.expand(5, 3).add_(1) works as on any other tensor.",
            False,
            "Five elements are one place in memory, and it would get the 1 five times. PyTorch refuses add_ there: "
            "clone() first.",
        ),
        Statement(
            "If a - b is not refused, a and b have the same shape.",
            False,
            "They only have to fit: think of the column of guesses and the row of truths.",
        ),
    ),
)

# -- light and colour -------------------------------------------------------------------------------


def _light(torch: Any) -> Any:
    return torch.arange(48) / 64


EVENING = TensorExercise(
    number="07.11",
    task="a square picture that is dark at the top and lighter below",
    made=lambda torch: torch.tensor(thumbnail()[:, 8:56]),
    wanted=lambda rows: [[[int(v * i / 64) for v in pixel] for pixel in row] for i, row in enumerate(rows)],
    shares=None,
    dtype="uint8",
    hints=(
        "Line up (48, 48, 3) and the shape of light[:, None], which is (48, 1). Which 48 does it meet?",
        "The rows are two dimensions further left than the colours: light needs two dimensions of size 1 on its right.",
    ),
    mistakes=(
        Mistake(
            lambda x: (x * _light(library_that_made(x))[:, None]).byte(),
            "Night still comes from the left: (48, 1) meets columns and colours. The rows are one dimension further "
            "left.",
        ),
        Mistake(
            lambda x: (x * _light(library_that_made(x)).flip(0)[:, None, None]).byte(),
            "The light comes from above. Night should be at the top.",
        ),
        Mistake(
            lambda x: x * _light(library_that_made(x))[:, None, None],
            "The light is right, but the numbers are floats. A picture is uint8: byte() at the end.",
        ),
        Mistake(
            lambda x: x * _light(library_that_made(x)).byte()[:, None, None],
            "light.byte() cuts every factor down to 0. Multiply first, then byte().",
        ),
        Mistake(lambda x: x, "This is the picture in broad daylight."),
    ),
    right=(
        lambda x: (x * _light(library_that_made(x))[:, None, None]).byte(),
        lambda x: (x * _light(library_that_made(x)).view(-1, 1, 1)).byte(),
        lambda x: (x.permute(2, 1, 0) * _light(library_that_made(x))).permute(2, 1, 0).byte(),
    ),
)

FACTORS = "torch.tensor([1.0, 0.75, 0.5])"


def _small(torch: Any, rows: int, columns: int) -> Any:
    return (torch.arange(rows * columns * 3).reshape(rows, columns, 3) * 7 % 256).byte()


def _tinted(torch: Any) -> list[Case]:
    return [
        Case(f"tint(w, {FACTORS})", _small(torch, *size), (torch.tensor([1.0, 0.75, 0.5]),))
        for size in ((1, 2), (3, 2), (3, 3), (12, 16))
    ]


TINT = FunctionExercise(
    number="07.12",
    task="a picture, each of its colours times a factor",
    function="tint",
    cases=_tinted,
    wanted=lambda x, colour: [
        [[int(v * f) for v, f in zip(p, colour.tolist(), strict=True)] for p in r] for r in x.tolist()
    ],
    dtype="uint8",
    hints=(
        "Line up (96, 128, 3) and (3,) at the right. Where do the factors land?",
        "The colours are last already, so x * colour is enough. byte() makes it uint8 again.",
    ),
    mistakes=(
        Mistake(lambda x, colour: x * colour, "The colours are right, but the numbers are floats: byte() at the end."),
        Mistake(
            lambda x, colour: (x * colour[:, None, None]).byte(),
            "With two dimensions of size 1 the factors meet the rows. Here the colours are last: they need none.",
        ),
        Mistake(
            lambda x, colour: (x * colour[:, None]).byte(),
            "With a dimension of size 1 the factors meet the columns. Here the colours are last: they need none.",
        ),
        Mistake(lambda x, colour: x * colour.byte(), "colour.byte() cuts 0.75 down to 0. Multiply first, then byte()."),
        Mistake(lambda x, colour: (x + colour).byte(), "A factor multiplies. This adds it."),
        Mistake(
            lambda x, colour: (x * colour.flip(0)).byte(),
            "Red and blue have changed places: the order is red, green, blue.",
        ),
        Mistake(lambda x, colour: (x * colour.mean()).byte(), "Every colour got the same factor. Each has its own."),
    ),
    right=(
        lambda x, colour: (x * colour).byte(),
        lambda x, colour: (x * colour[None, None]).byte(),
        lambda x, colour: x.float().mul_(colour).byte(),
    ),
)


def _halves(count: int) -> list[float]:
    return [(k % 4 + 1) / 4 for k in range(count)]


def _faded(torch: Any) -> list[Case]:
    def case(rows: int, columns: int) -> Case:
        down, across = _halves(rows), _halves(columns + 1)[1:]
        text = f"fade(w, torch.tensor({down}), torch.tensor({across}))"
        return Case(text, _small(torch, rows, columns), (torch.tensor(down), torch.tensor(across)))

    return [case(2, 4), case(3, 3), case(4, 3), case(5, 5), case(9, 12)]


def _pixel_by_pixel(x: Any, down: Any, across: Any) -> list:
    d, a = down.tolist(), across.tolist()
    return [[[int(v * d[i] * a[j]) for v in pixel] for j, pixel in enumerate(row)] for i, row in enumerate(x.tolist())]


def _corners(x: Any, down: Any, across: Any) -> Any:
    return x * down[:, None, None] * across[:, None]


FADE = FunctionExercise(
    number="07.13",
    task="each pixel times the factor of its row and the factor of its column",
    function="fade",
    cases=_faded,
    wanted=_pixel_by_pixel,
    dtype="uint8",
    hints=(
        "The picture is (rows, columns, 3). How many dimensions of size 1 does down need on its right, and how many "
        "does across?",
        "down[:, None, None] is (rows, 1, 1), and across[:, None] is (columns, 1). Multiply all three, then byte().",
    ),
    mistakes=(
        Mistake(_corners, "The light is right, but the numbers are floats: byte() at the end."),
        Mistake(
            lambda x, down, across: (x * down[:, None] * across[:, None]).byte(),
            "Both meet the columns. In a square picture nothing is refused, but the rows need two dimensions of size "
            "1.",
        ),
        Mistake(
            lambda x, down, across: (x * down[:, None] * across).byte(),
            "That would be right for a grey picture. Here the colours come last, so both factors need one more "
            "dimension of size 1 on their right.",
        ),
        Mistake(
            lambda x, down, across: (x * down[:, None, None] * across).byte(),
            "Without a dimension of size 1, across meets the colours. It needs one on its right.",
        ),
        Mistake(
            lambda x, down, across: (x * across[:, None, None] * down[:, None]).byte(),
            "down and across have changed places: down has a factor for each row.",
        ),
        Mistake(
            lambda x, down, across: (x * down[:, None, None]).byte(),
            "Top and bottom fade, and the sides do not: across is missing.",
        ),
        Mistake(
            lambda x, down, across: (x * across[:, None]).byte(),
            "The sides fade, and top and bottom do not: down is missing.",
        ),
        Mistake(
            lambda x, down, across: (x * (down[:, None, None] + across[:, None]) / 2).byte(),
            "This is the mean of both factors. Each pixel is multiplied by both.",
        ),
    ),
    right=(
        lambda x, down, across: _corners(x, down, across).byte(),
        lambda x, down, across: (x * (down[:, None] * across)[..., None]).byte(),
        lambda x, down, across: (x * down.view(-1, 1, 1) * across.view(1, -1, 1)).byte(),
    ),
)

ALL = (
    COLUMN_AND_ROW, THREE_DIMENSIONS, WRITTEN_ONCE, BARS, WHICH_SIZE, GREY, TOWN_AND_TOWN, DIFFERENCES, EVERY_PAIR,
    TRUE_OR_FALSE, EVENING, TINT, FADE,
)  # fmt: skip
