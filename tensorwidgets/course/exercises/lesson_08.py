"""Lesson 08, einsum: what is asked, what is wanted, and the usual mistakes with the hint meant for each."""

from __future__ import annotations

from math import prod
from typing import Any

from tensorwidgets.course.checking.equations_asked import EquationExercise
from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- a letter for each dimension --------------------------------------------------------------------

ROWS_WITH_ROWS = WordPrediction(
    number="08.1",
    question='What is the shape of einsum("ij,kj->ik", x, y) with shapes (2, 3) and (4, 3)?',
    subject='"ij,kj->ik"',
    answer=(2, 4),
    reason="(2, 4): i has size 2, k has size 4, and j is summed away",
    otherwise={
        (2, 3): "after the arrow there are i and k; j, of size 3, is summed away",
        (4, 2): "the letters after the arrow give the order: i first",
        (3,): "j is not after the arrow, so it is summed away; i and k stay",
        (2, 3, 4): "j is not after the arrow, so it is summed away",
        (2, 4, 3): "j is not after the arrow, so it is summed away",
        8: "there are 8 numbers; write the shape, as a tuple",
    },
)

TURN = EquationExercise(
    number="08.2",
    task="the equation of x.t()",
    equation="ij->ji",
    sizes=((2, 3),),
    hints=(
        "One tensor with two dimensions: one word of two letters before the arrow.",
        "The same two letters come after the arrow. In which order?",
    ),
    mistakes=(
        Mistake("ij->ij", "This leaves the tensor as it is: the order after the arrow is the order of the result."),
        Mistake("ij->", "With nothing after the arrow, everything is summed. Keep both letters."),
        Mistake("ij->j", "The letter that is missing after the arrow is summed away. Keep both."),
        Mistake("ij->i", "The letter that is missing after the arrow is summed away. Keep both, in the other order."),
        Mistake("ij,ji", "A comma separates two tensors, and there is only one. The result comes after an arrow."),
    ),
    right=("ij->ji", "ab->ba", "ji"),
)

# -- what is summed ---------------------------------------------------------------------------------

ROW_SUMS = WordPrediction(
    number="08.3",
    question='x holds 0 to 5 in two rows of three. What is einsum("ij->i", x)?',
    subject='"ij->i"',
    answer=(3, 12),
    reason="(3, 12): 0 + 1 + 2 and 3 + 4 + 5, since j is summed away",
    otherwise={
        (3, 5, 7): 'these are the sums of the columns, "ij->j"',
        15: 'that is the sum of everything, "ij->"; i is kept',
        (0, 3): "nothing is picked out: what is missing after the arrow is summed",
        (1, 4): "these are averages; einsum adds and does not divide",
        (2, 3): "that is the shape of x; what are the two numbers?",
    },
)

HOURS = EquationExercise(
    number="08.4",
    task="the sum over the hours, stations down and days to the right",
    equation="dhs->sd",
    sizes=((2, 3, 4),),
    hints=(
        "A letter for each dimension of x, in its order: days, hours, stations.",
        "Which letter is summed, and so is missing after the arrow? Which of the others comes first?",
    ),
    mistakes=(
        Mistake(
            "dhs->ds",
            "The hours are summed, but each day has a row. Each station should have one: its letter comes first.",
        ),
        Mistake("dhs->hs", "This sums over the days. The letter of the hours is the one to leave out."),
        Mistake("dhs->dh", "This sums over the stations. The letter of the hours is the one to leave out."),
        Mistake("dhs->sdh", "All three letters are after the arrow, so nothing is summed."),
        Mistake("dhs->shd", "All three letters are after the arrow, so nothing is summed. Leave out h."),
        Mistake("dhs->", "With nothing after the arrow, everything is summed. Keep stations and days."),
        Mistake("dhs->s", "The days are summed as well. Only the hours should go."),
    ),
    right=("dhs->sd", "abc->ca"),
)

# -- grey again -------------------------------------------------------------------------------------

BATCH = WordPrediction(
    number="08.5",
    question='What is the shape of einsum("...chw,c->...hw", batch, weights) with shapes (2, 3, 5, 5) and (3,)?',
    subject='"...chw,c->...hw"',
    answer=(2, 5, 5),
    reason="(2, 5, 5): the dots are the batch, and c is summed away",
    otherwise={
        (5, 5): "the dots keep the batch: they are its dimension of size 2",
        (2, 3, 5, 5): "c is not after the arrow, so it is summed away",
        (3, 5, 5): "c is summed away, and the batch, under the dots, is kept",
        (2, 1, 5, 5): "what is summed away leaves no dimension of size 1 behind",
        (5, 5, 2): "the dots come first after the arrow, and so does the batch",
    },
)

WEIGHTS = (0.25, 0.5, 0.125)
"""Sums of these come out exactly, in whatever order they are added."""


def _pictures(torch: Any) -> list[Case]:
    def case(*size: int) -> Case:
        images = torch.arange(float(prod(size))).reshape(size) % 11
        text = f"grey_last(torch.arange({prod(size)}.0).reshape{size} % 11, torch.tensor({list(WEIGHTS)}))"
        return Case(text, images, (torch.tensor(WEIGHTS),))

    return [case(1, 2, 3), case(2, 4, 3), case(3, 3, 3), case(2, 2, 2, 3), case(2, 3, 1, 2, 3)]


def _pixel_by_pixel(images: Any, weights: Any) -> list:
    def of(block: Any) -> Any:
        if isinstance(block[0], list):
            return [of(one) for one in block]
        return sum(w * v for w, v in zip(weights.tolist(), block, strict=True))

    results: list = of(images.tolist())
    return results


def _einsum(images: Any, equation: str, *operands: Any) -> Any:
    """Of the library that a tensor is from."""
    return library_that_made(images).einsum(equation, images, *operands)


GREY_LAST = FunctionExercise(
    number="08.6",
    task="the weighted grey of pictures whose channels come last",
    function="grey_last",
    cases=_pictures,
    wanted=_pixel_by_pixel,
    hints=(
        "All dimensions but the last can stay under three dots. What is the letter of the last, and of the weights?",
        "The channels get the letter c in both words, and c is missing after the arrow. Only the dots are left.",
    ),
    mistakes=(
        Mistake(
            lambda images, weights: _einsum(images, "hwc,c->hw", weights),
            "This works for one picture. Write three dots for the dimensions that only come along.",
        ),
        Mistake(
            lambda images, weights: _einsum(images, "...c,c->...c", weights),
            "c is after the arrow, so nothing is summed: these are weighted colours, and not grey yet.",
        ),
        Mistake(
            lambda images, weights: _einsum(images, "...chw,c->...hw", weights),
            "That is for channels before rows and columns. Here they are the last dimension.",
        ),
        Mistake(
            lambda images, weights: images.sum(-1),
            "The channels are added as they are, without the weights.",
        ),
        Mistake(lambda images, weights: images.mean(-1), "This is the plain average, without the weights."),
        Mistake(
            lambda images, weights: _einsum(images, "...c,c->", weights),
            "Without dots after the arrow everything is summed, rows and columns too.",
        ),
    ),
    right=(
        lambda images, weights: _einsum(images, "...c,c->...", weights),
        lambda images, weights: (images * weights).sum(-1),
        lambda images, weights: images @ weights,
    ),
)

# -- twice the same letter --------------------------------------------------------------------------

TRACE = WordPrediction(
    number="08.7",
    question='m holds 0 to 8 in three rows of three. What is einsum("ii->", m)?',
    subject='"ii->"',
    answer=12,
    reason="12 = 0 + 4 + 8: the diagonal, summed",
    otherwise={
        36: "that is the sum of all nine; ii reads row i in column i only",
        (0, 4, 8): 'that is the diagonal, "ii->i"; without i after the arrow it is summed',
        3: "that is how many elements the diagonal has; they are added up",
    },
)

SCORES = EquationExercise(
    number="08.8",
    task="each word with each word, in every batch",
    equation="bqf,bkf->bqk",
    sizes=((2, 3, 4), (2, 3, 4)),
    hints=(
        "The batch stays a batch: the same letter in both words, and after the arrow.",
        "The words of queries and of keys are two different dimensions, so they get two letters. The features meet and "
        "are summed.",
    ),
    mistakes=(
        Mistake(
            "bwf,bwf->bw", "This takes each word with the word in the same place only. Give the words two letters."
        ),
        Mistake("bqf,bkf->bkq", "The numbers are right, but they lie on their side: the words of queries come first."),
        Mistake("bqf,bkf->qk", "b is missing after the arrow, so the batches are added up."),
        Mistake("bqf,ckf->bqk", "b and c are two letters, so each batch meets each, and c is summed."),
        Mistake("bqf,bkg->bqk", "f and g are two letters, so the features do not meet: each is summed alone."),
        Mistake("bqf,bfk->bqk", "The features are the last dimension of keys too: bkf."),
        Mistake("qf,kf->qk", "queries and keys have three dimensions: the batch needs a letter as well."),
    ),
    right=("bqf,bkf->bqk", "...qf,...kf->...qk", "xyz,xwz->xyw"),
)

# -- what it costs ----------------------------------------------------------------------------------

PRODUCTS = WordPrediction(
    number="08.9",
    question='"ij,jk,k->i" for (4, 5), (5, 6) and (6,), two at a time in the better order: how many multiplications?',
    subject='"ij,jk,k->i"',
    answer=50,
    reason="50: B with C takes 5 * 6 = 30, and A with what came out takes 4 * 5 = 20",
    otherwise={
        144: "that is the other order: A with B takes 4 * 5 * 6 = 120, and what came out with C takes 4 * 6 = 24",
        120: "that is A with B, the first step of the other order. Begin with B and C",
        240: "that is all three at once: two multiplications in each of 4 * 5 * 6 rounds",
        600: "the two steps come one after the other: add 30 and 20",
        30: "that is the first step, B with C. A with what came out takes 20 more",
        20: "that is the second step. B with C comes first, and takes 30",
    },
)

TRUE_OR_FALSE = StatementsExercise(
    number="08.10",
    task="true or false, six times",
    hints=(
        "You can try each of them in a cell of your own before you answer.",
        "show.einsum draws any equation, and shows which letters are kept and which are summed.",
    ),
    statements=(
        Statement('"ij,jk->ik" is the product of two matrices.', True, "j meets j and is summed: rows with columns."),
        Statement(
            '"ij->ji" copies the elements into a new order.',
            False,
            "Nothing is computed, so a view will do: compare data_ptr() of x and of the result.",
        ),
        Statement(
            'In "bij,bjk->bik" the batch b is summed.',
            False,
            "b is after the arrow, so it is kept: a product of matrices for each b.",
        ),
        Statement('"i,i->" is the dot product of two vectors.', True, "i meets i, and is summed."),
        Statement(
            '"...ij->...ji" turns each matrix of a batch on its side, however many dimensions the batch has.',
            True,
            "The dots are all other dimensions, none or many.",
        ),
        Statement(
            "Where a letter has size 3 in one tensor and size 4 in another, the shorter one is padded with zeros.",
            False,
            "It is refused, and the message names the letter. One letter has one size.",
        ),
    ),
)

# -- by hand ----------------------------------------------------------------------------------------

ALL_BASKETS = EquationExercise(
    number="08.11",
    task="one number for each shop, for all baskets together",
    equation="sf,fc->s",
    sizes=((2, 3), (3, 4)),
    hints=(
        "The shops stay, and everything else is summed. Which letter is theirs?",
        "Only s comes after the arrow.",
    ),
    mistakes=(
        Mistake("sf,fc->sc", "This is the equation as it was: one number for each shop and each customer."),
        Mistake("sf,fc->c", "This is one number for each customer, over all shops. The letter of the shops is s."),
        Mistake("sf,fc->", "This is a single number, for all shops and all baskets. Keep the shops."),
        Mistake("sf,fc->f", "This is one number for each kind of fruit. The letter of the shops is s."),
        Mistake("sf,fc->sf", "This keeps the kinds of fruit as well. Sum them too."),
        Mistake("sf->s", "This leaves the baskets out: two tensors need two words before the arrow."),
    ),
    right=("sf,fc->s", "ab,bc->a"),
)

# -- six flowers ------------------------------------------------------------------------------------

COLOURS = EquationExercise(
    number="08.12",
    task="the equation that turns the colours of a picture by the rows of a table",
    equation="hwc,dc->hwd",
    sizes=((2, 4, 3), (3, 3)),
    hints=(
        "A row of the table belongs to a new colour, and the numbers in that row to the old ones.",
        "The rows of a table are its first dimension: the word of swap begins with the letter of the new colour.",
    ),
    mistakes=(
        Mistake("hwc,cd->hwd", "This is the equation with the bug: it takes each *column* of swap for a new colour."),
        Mistake("hwc,dc->hwc", "c is the old colour, and it stays: d is summed. The new colour, d, should come out."),
        Mistake("hwc,dc->whd", "The colours are right, but the flower lies on its side: h comes first."),
        Mistake("hwc,dc->dhw", "The colours are right, but they come first. In this picture they are last."),
        Mistake("hwc,dc->hwcd", "All letters are kept, so nothing is added up. The old colour, c, should go."),
        Mistake("hwc,c->hw", "swap has two dimensions, so it needs two letters. This would be the equation for grey."),
        Mistake("hwc,dc->hw", "d is missing after the arrow, so the three new colours are added up."),
    ),
    right=("hwc,dc->hwd", "...c,dc->...d", "xyz,az->xya"),
)


def _albums(torch: Any) -> list[Case]:
    def case(*size: int) -> Case:
        text = f"sheet(torch.arange({prod(size)}).reshape{size})"
        return Case(text, torch.arange(prod(size)).reshape(size))

    return [case(1, 2, 2, 2, 3), case(2, 3, 2, 2, 3), case(2, 2, 3, 4, 3), case(3, 1, 2, 3, 3), case(3, 3, 3, 3, 3)]


def _row_by_row(pictures: Any) -> list:
    rows = []
    for line in pictures.tolist():
        for i in range(len(line[0])):
            rows.append([pixel for picture in line for pixel in picture[i]])
    return rows


def _laid_out(pictures: Any, equation: str) -> Any:
    a, b, h, w, c = pictures.shape
    return _einsum(pictures, equation).reshape(a * h, b * w, c)


SHEET = FunctionExercise(
    number="08.13",
    task="rows of pictures, as one large picture",
    function="sheet",
    cases=_albums,
    wanted=_row_by_row,
    hints=(
        "The first row of the sheet is the first row of picture 0, then the first row of picture 1, then of picture "
        "2. So "
        "which dimension comes right before the columns of a picture?",
        "With a letter for each dimension, abhwc: a row of pictures, then a row of pixels, then a picture, then a "
        "column. "
        "After that, reshape(a * h, b * w, c).",
    ),
    mistakes=(
        Mistake(
            lambda p: _laid_out(p, "abhwc->abhwc"),
            "reshape alone cuts the pixels differently, one whole picture after the other. First bring h before b.",
        ),
        Mistake(
            lambda p: _laid_out(p, "abhwc->bhawc"),
            "a and b have changed places: a counts the rows of pictures, so it comes first.",
        ),
        Mistake(
            lambda p: _laid_out(p, "abhwc->ahwbc"),
            "The pixels of the pictures take turns. A whole row of one picture comes first, then the next: b before w.",
        ),
        Mistake(
            lambda p: _laid_out(p, "abhwc->habwc"),
            "The pictures of different rows take turns, line by line: a comes before h.",
        ),
        Mistake(
            lambda p: _einsum(p, "abhwc->ahbwc"),
            "The order is right. Now join the dimensions in pairs: reshape(a * h, b * w, c).",
        ),
        Mistake(
            lambda p: _einsum(p, "abhwc->ahbwc").reshape(-1, p.shape[3], p.shape[4]),
            "The order is right, but this stacks everything in one column. A row of the sheet has b * w pixels.",
        ),
    ),
    right=(
        lambda p: _laid_out(p, "abhwc->ahbwc"),
        lambda p: p.transpose(1, 2).flatten(0, 1).flatten(1, 2),
        lambda p: p.permute(0, 2, 1, 3, 4).reshape(p.shape[0] * p.shape[2], -1, p.shape[4]),
    ),
)

ALL = (
    ROWS_WITH_ROWS, TURN, ROW_SUMS, HOURS, BATCH, GREY_LAST, TRACE, SCORES, PRODUCTS, TRUE_OR_FALSE, ALL_BASKETS,
    COLOURS, SHEET,
)  # fmt: skip
