"""Lesson 14, dispatch and other tensors: what is asked and wanted, and the usual mistakes with the hint for each."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- the way of a call ------------------------------------------------------------------------------

SPARSE_FIRST = WordPrediction(
    number="14.1",
    question="field + rare gives a dense table. What does rare + field give?",
    subject="rare + field",
    answer="refused",
    reason="refused: for a sparse tensor first and a dense one second nobody has written a kernel",
    otherwise={
        "dense": "that is field + rare; which kernel is there depends on the order",
        "sparse": "a sum with a full table is full, so it is not sparse; in this order it is not even computed",
    },
)

WHICH_KEY = ValueExercise(
    number="14.2",
    task="the key that chooses the kernel of q + x",
    asked="the key that chooses the kernel",
    hints=(
        "A plain tensor has nothing special about it. What is special about q?",
        'With q = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8), route("add", q, torch.ones(3)) lists '
        "the stations: the second line begins with the key.",
    ),
    mistakes=(
        Mistake("none", "A plain tensor has no key, but q has one, and one is enough."),
        Mistake("sparse", "A sparse tensor keeps places and values. q is quantized."),
        Mistake("float32", "That is the dtype of x. A key says what kind of tensor it is, and x is a plain one."),
        Mistake("meta", "A meta tensor has no numbers. q has some, of 8 bits each."),
        Mistake("qint8", "That is how q keeps its numbers. The key is the name of the kind."),
        Mistake("add", "That is the operation. Which key chooses its kernel?"),
    ),
    right=("quantized",),
)

# -- only what is not zero --------------------------------------------------------------------------

SIXTY = WordPrediction(
    number="14.3",
    question="3 values of 4 bytes, each with two indices of 8 bytes: how many bytes together?",
    subject="3 values",
    answer=60,
    reason="60 = 3 * (2 * 8 + 4): two indices and a value for each",
    otherwise={
        36: "each value has two indices, a row and a column",
        12: "that is the values alone; their places have to be kept too",
        48: "that is the indices alone; the values take 4 bytes each",
        4000000: "that is the dense table, with all its zeros",
        20: "that is one value with its place; there are three",
    },
)


def _entries(torch: Any) -> list[Case]:
    def case(rows: list[int], columns: list[int], values: list[float]) -> Case:
        text = ", ".join(f"torch.tensor({numbers})" for numbers in (rows, columns, values))
        return Case(f"table_of({text})", torch.tensor(rows), (torch.tensor(columns), torch.tensor(values)))

    return [
        case([0], [2], [5.0]),
        case([0, 1, 3], [2, 0, 1], [3.0, 4.0, 5.0]),
        case([1, 1, 2], [3, 3, 0], [10.0, 20.0, 30.0]),
        case([0, 3, 2, 1], [0, 3, 2, 0], [1.0, 2.0, 3.0, 4.0]),
    ]


def _one_after_the_other(rows: Any, columns: Any, values: Any) -> list:
    table = [[0] * 4 for _ in range(4)]
    for i, j, v in zip(rows.tolist(), columns.tolist(), values.tolist(), strict=True):
        table[i][j] += v
    return table


def _sparse(rows: Any, columns: Any, values: Any, *size: Any) -> Any:
    library = library_that_made(rows)
    return library.sparse_coo_tensor(library.stack([rows, columns]), values, *size)


def _written(rows: Any, columns: Any, values: Any) -> Any:
    table = library_that_made(rows).zeros(4, 4, dtype=values.dtype)
    table[rows, columns] = values
    return table


def _accumulated(rows: Any, columns: Any, values: Any) -> Any:
    table = library_that_made(rows).zeros(4, 4, dtype=values.dtype)
    return table.index_put_((rows, columns), values, accumulate=True)


TABLE_OF = FunctionExercise(
    number="14.4",
    task="a table from places and values",
    function="table_of",
    cases=_entries,
    wanted=_one_after_the_other,
    hints=(
        "sparse_coo_tensor takes the places as one tensor: a row for each dimension. And the size.",
        "torch.stack([rows, columns]) makes that tensor; to_dense() makes the table, and adds up what is named twice.",
    ),
    mistakes=(
        Mistake(
            lambda r, c, v: _sparse(r, c, v).to_dense(),
            "Without a size the table is just as large as its largest indices. Name it: (4, 4).",
        ),
        Mistake(
            lambda r, c, v: _sparse(c, r, v, (4, 4)).to_dense(),
            "Rows and columns are exchanged: the first row of the indices holds the rows.",
        ),
        Mistake(_written, "Where a place is named twice, yours keeps the last value. Add them up."),
        Mistake(
            lambda r, c, v: _sparse(r, c, v, (4, 4)),
            "This is the sparse tensor. Return the dense table.",
        ),
        Mistake(
            lambda r, c, v: _sparse(r, c, v, (4, 4)).coalesce().values(),
            "These are the values alone. Return the whole table.",
        ),
    ),
    right=(lambda r, c, v: _sparse(r, c, v, (4, 4)).to_dense(), _accumulated),
)

# -- eight bits a number ----------------------------------------------------------------------------

RUNG_FIVE = WordPrediction(
    number="14.5",
    question="Scale 0.1, zero point 0: which whole number stands for 0.52?",
    subject="0.52 on a ladder of 0.1",
    answer=5,
    reason="5: 0.52 / 0.1 = 5.2, rounded",
    otherwise={
        0.5: "that is the value of the rung. What is stored is its number, 5",
        6: "5.2 is nearer to 5",
        52: "that would be a scale of 0.01",
        0: "that is 0.52 with the digits after the point cut off. Divide by the scale first",
        133: "that would be a zero point of 128",
    },
)


def _ladders(torch: Any) -> list[Case]:
    def case(numbers: list[float], scale: float, zero_point: int) -> Case:
        return Case(
            f"rungs(torch.tensor({numbers}), {scale}, {zero_point})", torch.tensor(numbers), (scale, zero_point)
        )

    return [
        case([0.0, 1.0, -1.0], 0.5, 0),
        case([0.6, -0.6, 0.9], 0.5, 0),
        case([1.0, 2.0, 3.25], 0.5, 10),
        case([100.0, -100.0, 63.0], 0.5, 0),
        case([60.0, -70.0, 0.25], 0.5, -20),
    ]


def _by_hand(x: Any, scale: float, zero_point: int) -> list:
    return [float(max(-128, min(127, round(v / scale) + zero_point))) for v in x.tolist()]


def _rounded(x: Any, scale: float) -> Any:
    return library_that_made(x).round(x / scale)


RUNGS = FunctionExercise(
    number="14.6",
    task="the rung of each number",
    function="rungs",
    cases=_ladders,
    wanted=_by_hand,
    hints=(
        "Three steps: divide by the scale and round; add the zero point; keep it between the ends.",
        "torch.round and clamp(-128, 127). Which comes last?",
    ),
    mistakes=(
        Mistake(
            lambda x, scale, zero: _rounded(x, scale) + zero,
            "Beyond the ends of the ladder there are no rungs: finish with clamp(-128, 127).",
        ),
        Mistake(
            lambda x, scale, zero: (library_that_made(x).trunc(x / scale) + zero).clamp(-128, 127),
            "You cut off the digits after the point. Round, to get the nearest rung.",
        ),
        Mistake(
            lambda x, scale, zero: _rounded(x, scale).clamp(-128, 127),
            "The zero point is missing: it says which rung stands for 0.",
        ),
        Mistake(
            lambda x, scale, zero: (_rounded(x, scale) - zero).clamp(-128, 127),
            "The zero point is added here, and taken off on the way back.",
        ),
        Mistake(
            lambda x, scale, zero: _rounded(x, scale).clamp(-128, 127) + zero,
            "The ends are those of the rungs that are stored: shift by the zero point first, then clamp.",
        ),
        Mistake(
            lambda x, scale, zero: (library_that_made(x).round(x * scale) + zero).clamp(-128, 127),
            "The scale is the step, so divide by it: how many steps is x?",
        ),
    ),
    right=(
        lambda x, scale, zero: (_rounded(x, scale) + zero).clamp(-128, 127),
        lambda x, scale, zero: (
            library_that_made(x).quantize_per_tensor(x, scale, zero, library_that_made(x).qint8).int_repr()
        ),
    ),
)

# -- a tensor without numbers -----------------------------------------------------------------------

NO_BYTES = WordPrediction(
    number="14.7",
    question='How many bytes does torch.empty(50000, 50000, device="meta") take from your computer?',
    subject="a meta tensor",
    answer=0,
    reason="0: it has a size, strides and a dtype, and no numbers",
    otherwise={
        10000000000: "that is what its numbers would take, if it had any",
        2500000000: "that is how many numbers it would have; it has none",
    },
)


def _plans(torch: Any) -> list[Case]:
    made = {
        "torch.empty(10, 20, device='meta')": torch.empty(10, 20, device="meta"),
        "torch.empty(3, dtype=torch.float64, device='meta')": torch.empty(3, dtype=torch.float64, device="meta"),
        "torch.empty(100000, 100000, dtype=torch.int8, device='meta')": torch.empty(
            100000, 100000, dtype=torch.int8, device="meta"
        ),
        "torch.empty(8, 9, device='meta').t()[1:]": torch.empty(8, 9, device="meta").t()[1:],
        "torch.zeros(2, 3)": torch.zeros(2, 3),
    }
    return [Case(f"would_take({text})", x) for text, x in made.items()]


WOULD_TAKE = FunctionExercise(
    number="14.8",
    task="the bytes that the numbers of a tensor take",
    function="would_take",
    cases=_plans,
    wanted=lambda x: x.numel() * x.element_size(),
    hints=(
        "How many numbers are there, and how many bytes does each of them take?",
        "numel() and element_size().",
    ),
    mistakes=(
        Mistake(lambda x: x.numel(), "That is how many numbers there are. Each takes element_size() bytes."),
        Mistake(lambda x: x.numel() * 4, "Not every number takes 4 bytes: ask element_size()."),
        Mistake(lambda x: x.element_size(), "That is one number. How many are there?"),
        Mistake(lambda x: len(x) * x.element_size(), "len is the first dimension alone. numel counts all elements."),
        Mistake(
            lambda x: x.untyped_storage().nbytes(),
            "That is the whole storage. A view may read only a part of it.",
        ),
    ),
    right=(lambda x: x.nbytes, lambda x: x.itemsize * x.numel()),
)

# -- one interface ----------------------------------------------------------------------------------

COMES_BACK = WordPrediction(
    number="14.9",
    question="How many of the five numbers of x come back from q.dequantize() exactly?",
    subject="q.dequantize() == x",
    answer=1,
    reason="1: only 0 is a rung; the others were rounded, and 20 was clipped",
    otherwise={
        0: "0 lies on the ladder exactly: it is the rung at the zero point",
        2: "20 is above the last rung, 12.7",
        3: "0.12 is between the rungs 0.1 and 0.2, and −0.31 and 0.52 are between rungs too",
        4: "those between two rungs are rounded, not only the one that is clipped",
        5: "only numbers that are a whole number of steps come back as they were",
    },
)

TRUE_OR_FALSE = StatementsExercise(
    number="14.10",
    task="true or false, seven times",
    hints=(
        "You can try most of them in a cell of your own before you answer.",
        "For the fourth: q.element_size() against x.element_size().",
    ),
    statements=(
        Statement(
            "For sparse tensors there is another function to add them.",
            False,
            "It is the same add. What differs is the kernel that it chooses.",
        ),
        Statement("The kernel of a call is chosen by the keys of its tensors.", True, "That is what dispatch is."),
        Statement(
            "In a sparse tensor, a place that is named twice holds the sum of its values.",
            True,
            "coalesce adds them up, and so does to_dense.",
        ),
        Statement(
            "A quantized tensor of qint8 takes a quarter of the memory of float32, with scale and zero point on top.",
            True,
            "One byte a number instead of four.",
        ),
        Statement("Quantizing loses nothing.", False, "It rounds to a rung, and clips at the ends."),
        Statement("A meta tensor of 10 TB takes 10 TB.", False, "It has no numbers: that is what it is for."),
        Statement("PyTorch's heavy work is done in Python.", False, "It is done in C++, by ATen and its kernels."),
    ),
)

# -- a picture of yours -----------------------------------------------------------------------------


def _pictures(torch: Any) -> list[Case]:
    def case(rows: int, columns: int, limit: int, flipped: bool = False) -> Case:
        x = (torch.arange(rows * columns * 3) * 37 % 256).reshape(rows, columns, 3).to(torch.uint8)
        view = x.flip(1) if flipped else x
        return Case(f"cut_out(w{'.flip(1)' * flipped}, {limit})", view, (limit,), x)

    return [case(1, 2, 111), case(2, 3, 60), case(3, 2, 150, True), case(2, 2, 255), case(8, 9, 128)]


def _pixel_by_pixel(picture: Any, limit: int) -> tuple[Any, int]:
    rows = [[pixel if pixel[0] > limit else [0, 0, 0] for pixel in row] for row in picture.tolist()]
    kept = sum(pixel[0] > limit for row in picture.tolist() for pixel in row)
    return library_that_made(picture).tensor(rows, dtype=picture.dtype), kept * 19


def _bright(picture: Any, limit: int) -> Any:
    return picture[..., 0] > limit


CUT_OUT = FunctionExercise(
    number="14.11",
    task="the bright pixels alone, and what a sparse tensor of them takes",
    function="cut_out",
    cases=_pictures,
    wanted=_pixel_by_pixel,
    hints=(
        "picture[..., 0] > limit says True or False for each pixel. Multiply by it, and the rest is black.",
        "It needs a third dimension to meet the three colours: [..., None]. Its sum is how many pixels are kept.",
        "Each of them takes 8 + 8 bytes for its place, and 3 for its colours.",
    ),
    mistakes=(
        Mistake(
            lambda p, limit: (p * _bright(p, limit)[..., None], int(_bright(p, limit).sum()) * (2 * 8 + 3 * 4)),
            "A colour of this picture takes one byte, not four: it is uint8.",
        ),
        Mistake(
            lambda p, limit: (p * _bright(p, limit)[..., None], int(_bright(p, limit).sum()) * 3 * (3 * 8 + 1)),
            "This keeps a place for each colour. to_sparse(2) keeps one place for all three colours of a pixel.",
        ),
        Mistake(
            lambda p, limit: (p * _bright(p, limit)[..., None], int(_bright(p, limit).sum()) * 3),
            "These are the colours alone. Each pixel also needs its row and its column, 8 bytes each.",
        ),
        Mistake(
            lambda p, limit: (p * (p > limit), int(_bright(p, limit).sum()) * 19),
            "Each colour was compared by itself. Only the red of a pixel decides, and it decides for all three.",
        ),
        Mistake(
            lambda p, limit: (p * (p[..., :1] >= limit), int((p[..., 0] >= limit).sum()) * 19),
            "A pixel whose red is equal to the limit is not above it.",
        ),
        Mistake(
            lambda p, limit: (p * ~_bright(p, limit)[..., None], int((~_bright(p, limit)).sum()) * 19),
            "These are the dark pixels. The bright ones stay.",
        ),
        Mistake(
            lambda p, limit: p * _bright(p, limit)[..., None],
            "That is the picture. The number of bytes is wanted as well: return both.",
        ),
    ),
    right=(
        lambda p, limit: (p * _bright(p, limit)[..., None], int(_bright(p, limit).sum()) * 19),
        lambda p, limit: (lambda kept: (kept, kept.to_sparse(2).indices().nbytes + kept.to_sparse(2).values().nbytes))(
            p * _bright(p, limit)[..., None]
        ),
    ),
)

ALL = (
    SPARSE_FIRST, WHICH_KEY, SIXTY, TABLE_OF, RUNG_FIVE, RUNGS, NO_BYTES, WOULD_TAKE, COMES_BACK, TRUE_OR_FALSE,
    CUT_OUT,
)  # fmt: skip
