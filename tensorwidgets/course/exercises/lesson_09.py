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
    question='What is the shape of photo.sum("rows"), with 3 channels, 2 rows and 4 columns?',
    subject='photo.sum("rows")',
    answer=(3, 4),
    reason="(3, 4): the rows go, channels and columns stay",
    otherwise={
        (2,): "the dimension that is named goes; the others stay",
        (2, 4): "that is without the channels; it is the rows that are named",
        (3, 2): "that is without the columns; it is the rows that are named",
        (3, 1, 4): "a sum leaves no dimension of size 1 behind, unless keepdim=True says so",
        (2, 3, 4): "nothing is reordered: the named dimension is summed away",
    },
)

TIME_AND_STATIONS = ValueExercise(
    number="09.2",
    task='the names after refine_names("time", ..., "stations")',
    asked="the names of y",
    hints=(
        "There are three dimensions. The first and the last are named: what do the dots stand for?",
        "The dots stand for one dimension here, which stays without a name: None.",
    ),
    mistakes=(
        Mistake(("time", "stations"), "There are three dimensions, and three names: one of them is None."),
        Mistake(("time", "", "stations"), "A dimension without a name is None, not an empty word."),
        Mistake((None, "time", "stations"), "The dots stand between the two names, so what they stand for lies there."),
        Mistake(("time", "stations", None), "The dots stand between the two names, so stations comes last."),
        Mistake((8, 3, 5), "That is the shape. Asked are the names."),
    ),
    right=(("time", None, "stations"),),
)

# -- to meet by name --------------------------------------------------------------------------------

LINED_UP = WordPrediction(
    number="09.3",
    question="What is the shape of weights.align_as(photo)?",
    subject="weights.align_as(photo)",
    answer=(3, 1, 1),
    reason="(3, 1, 1): the channels stand where photo has them, with a 1 for rows and for columns",
    otherwise={
        (3, 2, 4): "nothing is stretched yet: what is missing gets a size of 1",
        (1, 1, 3): "the channels of photo stand first, and so do those of the weights now",
        (3,): "for each name that photo has and weights lacks, there is a dimension of size 1",
        (1, 3, 1): "the channels of photo stand first",
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
    task="the weighted sum over the channels, wherever they stand",
    function="grey_of",
    cases=_photographs,
    wanted=_pixel_by_pixel,
    hints=(
        "Line the weights up with the images, multiply, and sum the dimension by its name.",
        'weights.align_as(images) puts them where they belong, and sum("channels") takes the channels away.',
    ),
    mistakes=(
        Mistake(
            lambda images, weights: (images * weights).sum("channels"),
            "The weights meet whatever dimension stands last. Line them up first, with align_as.",
        ),
        Mistake(
            lambda images, weights: (images * weights.align_as(images)).sum(-3),
            "-3 is where the channels stand in some of the cases. Their name works in all of them.",
        ),
        Mistake(lambda images, weights: images.sum("channels"), "The weights have no say in it."),
        Mistake(lambda images, weights: images.mean("channels"), "This is the plain average, without the weights."),
        Mistake(lambda images, weights: images * weights.align_as(images), "Weighted, and not yet added up."),
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

SQUARES = WordPrediction(
    number="09.5",
    question='a has the names ("rows", "columns") and b ("columns", "rows"). Is a + b refused?',
    subject="a + b",
    answer=True,
    reason='True: "columns" and "rows" would meet in the last dimension',
    otherwise={False: "sizes alone would allow it; but names are matched, and these two differ"},
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
        Mistake(("rows", None, "columns"), "They are lined up at the right: rows stands below None, not below batch."),
    ),
    right=(("batch", "rows", "columns"),),
)

# -- names that travel ------------------------------------------------------------------------------

INDEXED = WordPrediction(
    number="09.7",
    question="What is photo[0].names?",
    subject="photo[0].names",
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
    task="the largest number of each channel, wherever it stands",
    function="brightest",
    cases=_albums,
    wanted=_largest,
    hints=(
        "Rows and columns are to go, whichever numbers they have. max takes the name of one dimension; amax takes no "
        "names.",
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
        Mistake(lambda images: images.max("channels").values, "Over the channels: those were to stay."),
        Mistake(lambda images: images.max(), "The largest of all. Each channel has one of its own."),
        Mistake(lambda images: images.sum(("rows", "columns")), "That is the sum. The largest was asked for."),
        Mistake(
            lambda images: images.flatten(["rows", "columns"], "pixels").max("pixels").values,
            "flatten wants dimensions that lie side by side. Bring them there with align_to.",
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
    question="Is grey.rename(None) a copy?",
    subject="grey.rename(None)",
    answer=False,
    reason="False: it is a view without names, and reads the storage of grey",
    otherwise={True: "names are no part of the storage, so taking them off moves no number"},
)

TRUE_OR_FALSE = StatementsExercise(
    number="09.10",
    task="true or false, six times",
    hints=(
        "Each of them but the last can be tried in a cell of its own before you answer.",
        "For the second: compare data_ptr() of both. For the fourth: a was added to b above.",
    ),
    statements=(
        Statement(
            "refine_names can replace a name by another.",
            False,
            "It names what has no name. To change a name there is rename.",
        ),
        Statement(
            "weights.align_as(photo) copies the weights.",
            False,
            "It is a view with dimensions of size 1: compare data_ptr() of both.",
        ),
        Statement("A name and None go together, and give the name.", True, "None fits everything."),
        Statement(
            "a + b with names in another order is put right without asking.",
            False,
            "It is refused, so that somebody looks. b.align_as(a) puts it right.",
        ),
        Statement(
            'x.sum("rows") goes on working when a batch dimension is added on the left.',
            True,
            "The name does not depend on where the dimension stands.",
        ),
        Statement("PyTorch 2.13 has named tensors.", False, "2.12 was the last that had them."),
    ),
)

ALL = (
    ROWS_GO, TIME_AND_STATIONS, LINED_UP, GREY_OF, SQUARES, UNIFIED, INDEXED, BRIGHTEST, NAMES_OFF, TRUE_OR_FALSE,
)  # fmt: skip
