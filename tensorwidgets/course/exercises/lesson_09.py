"""Lesson 09, named dimensions: what is asked, what is wanted, and the usual mistakes with the hint meant for each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake

# -- which one was that? ----------------------------------------------------------------------------

ROWS_GO = WordPrediction(
    number="09.1",
    question='What is the shape of image.sum("rows"), with 3 channels, 2 rows and 4 columns?',
    subject='image.sum("rows")',
    answer=(3, 4),
    reason="(3, 4): the rows go, channels and columns stay",
    otherwise={
        (2,): "the dimension that you name goes; the others stay",
        (2, 4): "that is without the channels; the rows should go",
        (3, 2): "that is without the columns; the rows should go",
        (3, 1, 4): "a sum leaves no dimension of size 1 behind, unless keepdim=True says so",
        (2, 3, 4): "nothing is reordered: the named dimension is summed away",
    },
)

TIME_AND_STATIONS = ValueExercise(
    number="09.2",
    task='the names after refine_names("time", ..., "stations")',
    asked="the names of y",
    hints=(
        "There are three dimensions. The first and the last get a name. What is left for the dots?",
        "The dots are one dimension here, and it stays without a name: None.",
    ),
    mistakes=(
        Mistake(("time", "stations"), "There are three dimensions, and three names: one of them is None."),
        Mistake(("time", "", "stations"), "A dimension without a name is None, not an empty word."),
        Mistake(("time", "None", "stations"), "Leave out the quotation marks of None: it is no name."),
        Mistake(
            (None, "time", "stations"),
            "The dots are between the two names, so the dimension without a name is there too.",
        ),
        Mistake(("time", "stations", None), "The dots are between the two names, so stations comes last."),
        Mistake((8, 3, 5), "That is the shape. What are the names?"),
    ),
    right=(("time", None, "stations"),),
)

# -- to meet by name --------------------------------------------------------------------------------

LINED_UP = WordPrediction(
    number="09.3",
    question="What is the shape of weights.align_as(image)?",
    subject="weights.align_as(image)",
    answer=(3, 1, 1),
    reason="(3, 1, 1): the channels come first, as in image, with a 1 for rows and for columns",
    otherwise={
        (3, 2, 4): "nothing is stretched yet: what is missing gets a size of 1",
        (1, 1, 3): "the channels of image come first, and now those of the weights do too",
        (3,): "for each name that image has and weights lacks, there is a dimension of size 1",
        (1, 3, 1): "the channels of image come first",
    },
)

ORDERS = (
    (("channels", "rows", "columns"), (3, 2, 2)),
    (("rows", "columns", "channels"), (2, 3, 3)),
    (("rows", "channels", "columns"), (2, 3, 3)),
    (("batch", "channels", "rows", "columns"), (2, 3, 3, 2)),
    (("rows", "batch", "columns", "channels"), (2, 2, 1, 3)),
)
WEIGHTS = (0.25, 0.5, 0.125)
"""Sums of these come out exactly, in whatever order they are added."""


def _named(torch: Any, function: str, *rest: tuple[str, Any]) -> Iterator[Case]:
    for names, size in ORDERS:
        made = f"(torch.arange({prod(size)}.0) * 3 % 11).reshape{size}.refine_names{names}"
        images = (torch.arange(float(prod(size))) * 3 % 11).reshape(size).refine_names(*names)
        yield Case(f"{function}({', '.join([made, *(text for text, _ in rest)])})", images, tuple(v for _, v in rest))


def _photographs(torch: Any) -> list[Case]:
    weights = f"torch.tensor({list(WEIGHTS)}, names=['channels'])"
    return list(_named(torch, "grey_of", (weights, torch.tensor(WEIGHTS, names=["channels"]))))


def _over(images: Any, gone: tuple[str, ...], fold: Any) -> list:
    """What is left when some dimensions are folded away, one number after the other."""
    sizes = dict(zip(images.names, images.shape, strict=True))
    plain = images.rename(None)

    def build(left: tuple[str, ...], at: dict[str, int]) -> Any:
        if left:
            return [build(left[1:], {**at, left[0]: n}) for n in range(sizes[left[0]])]
        places = product(*(range(sizes[name]) for name in gone))
        inner = [{**at, **dict(zip(gone, place, strict=True))} for place in places]
        return fold([plain[tuple(one[name] for name in images.names)].item() for one in inner])

    results: list = build(tuple(name for name in images.names if name not in gone), {})
    return results


def _pixel_by_pixel(images: Any, weights: Any) -> list:
    return _over(images, ("channels",), lambda v: sum(w * x for w, x in zip(WEIGHTS, v, strict=True)))


GREY_OF = FunctionExercise(
    number="09.4",
    task="the weighted sum over the channels, wherever they are",
    function="grey_of",
    cases=_photographs,
    wanted=_pixel_by_pixel,
    hints=(
        "Line the weights up with the images, multiply, and sum the dimension by its name.",
        'weights.align_as(images) puts them where they belong, and sum("channels") adds the channels up.',
    ),
    mistakes=(
        Mistake(
            lambda images, weights: (images * weights).sum("channels"),
            "The weights meet whatever dimension is last. Line them up first, with align_as.",
        ),
        Mistake(
            lambda images, weights: (images * weights.align_as(images)).sum(-3),
            "-3 is where the channels are in some of the cases. Their name works in all of them.",
        ),
        Mistake(
            lambda images, weights: images.sum("channels"), "The channels are added as they are, without the weights."
        ),
        Mistake(lambda images, weights: images.mean("channels"), "This is the plain average, without the weights."),
        Mistake(
            lambda images, weights: images * weights.align_as(images),
            "The channels are weighted, but not added up yet.",
        ),
        Mistake(
            lambda images, weights: (images * weights.align_to("channels", "rows", "columns")).sum("channels"),
            "This lines the weights up in one order, and some of the images have another. align_as asks the images.",
        ),
    ),
    right=(
        lambda images, weights: (images * weights.align_as(images)).sum("channels"),
        lambda images, weights: images.align_to(..., "channels") @ weights,
    ),
)

# -- names that clash -------------------------------------------------------------------------------

WHO_MEETS = WordPrediction(
    number="09.5",
    question='a has the names ("rows", "columns") and b ("columns", "rows"). Which two meet last in a + b?',
    subject="a + b",
    answer=("columns", "rows"),
    reason="('columns', 'rows'): they are lined up at the right, and so these two clash",
    otherwise={
        ("rows", "columns"): "these meet in the first dimension; in the last, columns of a is above rows of b",
        ("columns", "columns"): "names are compared, but they do not move a dimension: that takes align_as",
        ("rows", "rows"): "names are compared, but they do not move a dimension: that takes align_as",
        "columns": "two names meet: write both, in a tuple",
    },
)

UNIFIED = ValueExercise(
    number="09.6",
    task='the names of ("batch", None, "columns") and ("rows", "columns") together',
    asked="the names of x + y",
    hints=(
        "Write both below each other, lined up at the right, and look at each pair.",
        "columns meets columns, rows meets None, and batch meets nothing.",
    ),
    mistakes=(
        Mistake(("batch", None, "columns"), "A name and None give the name: the middle one is called rows."),
        Mistake(("rows", "columns"), "Where one has no dimension left, the name of the other stays: batch."),
        Mistake(("batch", "columns"), "No dimension goes: three on the one side, three in the sum."),
        Mistake(
            ("batch", "rows", "columns", "columns"), "Equal names are one dimension, and no tensor holds a name twice."
        ),
        Mistake("refused", "columns meets columns, and rows meets None: both fit."),
        Mistake(("rows", None, "columns"), "They are lined up at the right: rows is below None, and not below batch."),
    ),
    right=(("batch", "rows", "columns"),),
)

# -- names that travel ------------------------------------------------------------------------------

INDEXED = WordPrediction(
    number="09.7",
    question="What is image[0].names?",
    subject="image[0].names",
    answer=("rows", "columns"),
    reason="('rows', 'columns'): the index took the channels away, and their name with them",
    otherwise={
        ("channels",): "that is the dimension that the index took away",
        ("channels", "rows"): "the first dimension goes, not the last",
        ("channels", "rows", "columns"): "an index takes its dimension away: two are left",
        (None, None): "the dimensions that stay keep their names",
    },
)


def _albums(torch: Any) -> list[Case]:
    return list(_named(torch, "brightest"))


def _largest(images: Any) -> list:
    return _over(images, ("rows", "columns"), max)


BRIGHTEST = FunctionExercise(
    number="09.8",
    task="the largest number of each channel, wherever the channels are",
    function="brightest",
    cases=_albums,
    wanted=_largest,
    hints=(
        "Rows and columns should go, wherever they are. max takes the name of one dimension; amax takes no names.",
        'Two ways: bring both to the end with align_to(..., "rows", "columns") and flatten them; or take the largest '
        "of one, then of the other.",
    ),
    mistakes=(
        Mistake(
            lambda images: images.max("columns").values,
            "The rows are still there. Take the largest over them as well.",
        ),
        Mistake(
            lambda images: images.rename(None).amax((-1, -2)),
            "The last two dimensions are rows and columns in some of the cases only. Name them.",
        ),
        Mistake(lambda images: images.max("channels").values, "This is the largest over the channels. They should "
        "stay."),
        Mistake(lambda images: images.max(), "This is the largest of all. Each channel has its own."),
        Mistake(lambda images: images.sum(("rows", "columns")), "That is the sum. Find the largest."),
        Mistake(
            lambda images: images.flatten(["rows", "columns"], "pixels").max("pixels").values,
            "flatten joins dimensions that are next to each other. Bring them there with align_to.",
        ),
    ),
    right=(
        lambda images: images.max("rows").values.max("columns").values,
        lambda images: images.align_to(..., "rows", "columns").rename(None).amax((-1, -2)),
    ),
)  # fmt: skip

# -- names in PyTorch -------------------------------------------------------------------------------

NAMES_OFF = WordPrediction(
    number="09.9",
    question="How many bytes of new memory do the numbers of grey.rename(None) need?",
    subject="grey.rename(None)",
    answer=0,
    reason="0: it is a view without names, and reads the storage of grey",
    otherwise={
        32: "that would be a copy of 8 numbers; but names are no part of the storage, so no number moves",
        8: "that is how many numbers there are, and none of them moves",
        4: "that is how many bytes one number takes, and none of them moves",
    },
)

TRUE_OR_FALSE = StatementsExercise(
    number="09.10",
    task="true or false, six times",
    hints=(
        "You can try each of them but the last in a cell of your own before you answer.",
        "For the second: compare data_ptr() of both. For the fourth: you have seen a + b above.",
    ),
    statements=(
        Statement(
            "refine_names can replace one name with another.",
            False,
            "It names what has no name yet. rename changes a name.",
        ),
        Statement(
            "weights.align_as(image) copies the weights.",
            False,
            "It is a view with dimensions of size 1: compare data_ptr() of both.",
        ),
        Statement("A name and None go together, and give the name.", True, "None fits everything."),
        Statement(
            "If the names of a and b are in different orders, a + b lines them up by itself.",
            False,
            "It is refused, so that you take a look. b.align_as(a) lines them up.",
        ),
        Statement(
            'x.sum("rows") still works when you add a batch dimension on the left.',
            True,
            "The name does not depend on where the dimension is.",
        ),
        Statement("PyTorch 2.13 has named tensors.", False, "2.12 was the last version that had them."),
    ),
)

# -- an album ---------------------------------------------------------------------------------------

PIXELS = ("rows", "columns", "channels")


def _pairs(torch: Any) -> list[Case]:
    def case(size: tuple[int, ...], other: tuple[str, ...]) -> Case:
        made = f"(torch.arange({prod(size)}.0) * 3 % 16).reshape{size}.refine_names{PIXELS}"
        a = (torch.arange(float(prod(size))) * 3 % 16).reshape(size).refine_names(*PIXELS)
        b = (15 - a).align_to(*other)
        return Case(f"double({made}, (15 - {made}).align_to{other} * 2)", a, (b * 2,))

    return [
        case((2, 2, 1), ("columns", "rows", "channels")),
        case((2, 3, 3), PIXELS),
        case((3, 3, 3), ("columns", "rows", "channels")),
        case((3, 3, 3), ("channels", "rows", "columns")),
        case((2, 4, 3), ("columns", "channels", "rows")),
    ]


def _met_by_name(a: Any, b: Any) -> list:
    where = [b.names.index(name) for name in a.names]
    plain = b.rename(None).permute(where).tolist()
    return [
        [[(p + q) / 2 for p, q in zip(*pixel, strict=True)] for pixel in zip(*row, strict=True)]
        for row in zip(a.tolist(), plain, strict=True)
    ]


DOUBLE = FunctionExercise(
    number="09.11",
    task="the mean of two pictures whose dimensions may be in another order",
    function="double",
    cases=_pairs,
    wanted=_met_by_name,
    hints=(
        "Which of the two pictures has to move, so that equal names meet?",
        "b.align_as(a) puts the dimensions of b into the order of a. Add, and divide by 2.",
    ),
    mistakes=(
        Mistake(
            lambda a, b: (a.rename(None) + b.rename(None)) / 2,
            "Without names, rows meet columns, and in a square picture nobody notices. Keep the names, and align.",
        ),
        Mistake(lambda a, b: (a + b) / 2, "The names clash, and that is what they are for. Align b first."),
        Mistake(
            lambda a, b: (a.align_as(b) + b) / 2,
            "The right pictures met, but in the order of b. Move b, and not a.",
        ),
        Mistake(lambda a, b: a + b.align_as(a), "This is the sum. The mean is half of it."),
        Mistake(lambda a, b: a + b.align_as(a) / 2, "Only b is halved: put the sum in brackets."),
        Mistake(
            lambda a, b: b.align_as(a), "This is the second picture, in the order of the first. Now the mean of both."
        ),
    ),
    right=(
        lambda a, b: (a + b.align_as(a)) / 2,
        lambda a, b: (a + b.align_to(*a.names)) * 0.5,
        lambda a, b: (b.align_as(a) + a).div(2),
    ),
)


def _films(torch: Any) -> list[Case]:
    def case(names: tuple[str, ...], size: tuple[int, ...]) -> Case:
        text = f"strip(torch.arange({prod(size)}).reshape{size}.refine_names{names})"
        return Case(text, torch.arange(prod(size)).reshape(size).refine_names(*names))

    return [
        case(("batch", "rows", "columns", "channels"), (2, 2, 2, 1)),
        case(("batch", "channels", "rows", "columns"), (2, 3, 2, 2)),
        case(("rows", "batch", "columns", "channels"), (2, 3, 2, 3)),
        case(("columns", "rows", "channels", "batch"), (2, 3, 3, 2)),
    ]


def _side_by_side(photos: Any) -> list:
    sizes = dict(zip(photos.names, photos.shape, strict=True))
    plain = photos.rename(None)

    def pixel(batch: int, row: int, column: int) -> list:
        at = {"batch": batch, "rows": row, "columns": column}
        return [
            plain[tuple({**at, "channels": c}[name] for name in photos.names)].item() for c in range(sizes["channels"])
        ]

    return [
        [pixel(b, i, j) for b in range(sizes["batch"]) for j in range(sizes["columns"])] for i in range(sizes["rows"])
    ]


def _joined(photos: Any, *order: str) -> Any:
    return photos.align_to(*order).flatten(list(order[1:3]), "columns")


STRIP = FunctionExercise(
    number="09.12",
    task="the pictures of a batch, side by side",
    function="strip",
    cases=_films,
    wanted=_side_by_side,
    hints=(
        "Walk along the first row of the strip: a row of picture 0, then a row of picture 1. So which dimension comes "
        "right before the columns?",
        'align_to("rows", "batch", "columns", "channels"), and then flatten batch and columns into one.',
    ),
    mistakes=(
        Mistake(
            lambda p: _joined(p, "rows", "columns", "batch", "channels"),
            "The columns of the pictures take turns. First all columns of one picture: batch comes before columns.",
        ),
        Mistake(
            lambda p: p.align_to("batch", "rows", "columns", "channels").flatten(["batch", "rows"], "rows"),
            "The pictures are one below the other. Side by side joins batch and columns.",
        ),
        Mistake(
            lambda p: p.align_to("rows", "batch", "columns", "channels"),
            "The order is right. Now join batch and columns with flatten.",
        ),
        Mistake(
            lambda p: p.flatten(["batch", "columns"], "columns"),
            "flatten joins dimensions that are next to each other, in this order. Bring them there with align_to.",
        ),
        Mistake(
            lambda p: _joined(p, "channels", "batch", "columns", "rows"),
            "The channels are first and the rows last. Rows, columns, channels is the order to return.",
        ),
    ),
    right=(
        lambda p: _joined(p, "rows", "batch", "columns", "channels"),
        lambda p: (
            p.align_to("rows", ..., "channels")
            .align_to("rows", "batch", "columns", "channels")
            .flatten(["batch", "columns"], "wide")
        ),
    ),
)

ALL = (
    ROWS_GO, TIME_AND_STATIONS, LINED_UP, GREY_OF, WHO_MEETS, UNIFIED, INDEXED, BRIGHTEST, NAMES_OFF, TRUE_OR_FALSE,
    DOUBLE, STRIP,
)  # fmt: skip
