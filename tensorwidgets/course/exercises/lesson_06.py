"""Lesson 06, dtypes: what is asked, what is wanted, and the usual mistakes with the hint meant for each."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.tensors_asked import TensorExercise
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake

# -- floats have gaps -------------------------------------------------------------------------------

STANDS_STILL = WordPrediction(
    number="06.1",
    question="What is torch.tensor(16_777_216.0) + 1?",
    subject="torch.tensor(16_777_216.0) + 1",
    answer=16_777_216,
    reason="16777216: the next float32 is 2 away, and the sum is rounded back",
    otherwise={
        16_777_217: "that number takes 25 binary digits, and float32 keeps 24",
        16_777_218: "that is the next float32. The sum is halfway between two, and goes to the even one",
        1: "the large number stays; it is the 1 that gets lost",
    },
)

LAST_COUNT = ValueExercise(
    number="06.2",
    task="where counting in float16 gets stuck",
    asked="the last number of the count",
    hints=(
        "float32 keeps 24 binary digits and gets stuck at 2 to the power of 24. How many does float16 keep?",
        "float16 keeps 11 binary digits. From there on the gap to the next is 2, and 1 more is rounded back.",
    ),
    mistakes=(
        Mistake(65_504, "That is the largest float16. The count gets stuck long before, where the gaps grow to 2."),
        Mistake(16_777_216, "That is where float32 gets stuck. float16 keeps 11 binary digits."),
        Mistake(1_024, "float16 stores 10 digits, and there is one more in front that it need not store: 11 in all."),
        Mistake(2_047, "One further: there is a 2,048, and the count reaches it. There is no 2,049."),
        Mistake(2_049, "That number takes 12 binary digits, so the count never gets there."),
        Mistake(32_768, "That would be 15 binary digits. float16 keeps 11; the other bits are sign and exponent."),
        Mistake(65_536, "16 bits are not 16 digits: 1 is the sign, 5 are the exponent."),
    ),
    right=(2_048,),
)

# -- whole numbers go round -------------------------------------------------------------------------

BELOW_BLACK = WordPrediction(
    number="06.3",
    question="What is torch.tensor([5], dtype=torch.uint8) - 10?",
    subject="torch.tensor([5], dtype=torch.uint8) - 10",
    answer=251,
    reason="251: below 0 comes 255 again, and 5 - 10 + 256 is 251",
    otherwise={
        -5: "a uint8 has no sign, and a plain number does not change the dtype",
        0: "nothing stops at the end: whole numbers wrap around",
        250: "there are 256 numbers, 0 to 255, so it is 5 - 10 + 256",
        5: "-5 without its sign would be 5. But the number wraps around: below 0 comes 255",
        "error": "no error is raised, which is why this is worth knowing",
    },
)

TWELVE_BITS = ValueExercise(
    number="06.4",
    task="a dtype for a scanner of 12 bits",
    asked="the smallest dtype for these pixels",
    hints=(
        "How many bits do 4,096 greys take, and what about -1?",
        "One byte is too small, and there is nothing between one byte and two. Of two bytes, which has room for -1?",
    ),
    mistakes=(
        Mistake("uint8", "One byte ends at 255. The pixels go up to 4,095."),
        Mistake("int8", "int8 ends at 127. The pixels go up to 4,095."),
        Mistake("uint16", "Two bytes are right, but without a sign there is no -1."),
        Mistake(
            "float16", "Two bytes are right, but float16 keeps 11 binary digits: above 2,048 some numbers are missing."
        ),
        Mistake("int32", "There is room, in four bytes each. Two are enough."),
        Mistake("int64", "There is room, in eight bytes each. Two are enough."),
        Mistake("float32", "It stores them exactly, in four bytes each. Two are enough."),
    ),
    right=("int16",),
)


def _darkened(torch: Any) -> list[Case]:
    def case(x: Any, by: int) -> Case:
        return Case(f"darken(w, {by})", x, (by,))

    return [
        case(torch.tensor([[10, 200]], dtype=torch.uint8), 20),
        case(torch.tensor([[0, 250], [9, 10]], dtype=torch.uint8), 10),
        case(torch.tensor([[100, 101, 102], [120, 140, 160]], dtype=torch.uint8), 110),
        case((torch.arange(54) * 4).reshape(9, 6).to(torch.uint8), 130),
    ]


def _pixel_by_pixel(x: Any, by: int) -> Any:
    made = x.clone()
    for i in range(x.size(0)):
        for j in range(x.size(1)):
            made[i, j] = max(int(x[i, j]) - by, 0)
    return made


DARKEN = FunctionExercise(
    number="06.5",
    task="a darker photo, with no pixel wrapping around",
    function="darken",
    cases=_darkened,
    wanted=_pixel_by_pixel,
    at_once=True,
    dtype="uint8",
    hints=(
        "The difference can be below 0, and a uint8 has no room there. Make room first, then clamp, and go back to "
        "uint8 last.",
        "x.int() has room, clamp(min=0) stops at black, and byte() or to(torch.uint8) goes back.",
    ),
    mistakes=(
        Mistake(
            lambda x, by: x - by,
            "Dark pixels wrap around and come out bright. Subtract in a larger dtype, "
            "and clamp before it is uint8 again.",
        ),
        Mistake(
            lambda x, by: (x.int() - by).clamp(min=0),
            "The numbers are right. The result is int32, four bytes for each pixel: go back to uint8 at the end.",
        ),
        Mistake(lambda x, by: x.int() - by, "There is room for the difference, but what is below 0 should become 0."),
        Mistake(
            lambda x, by: (x.int() - by).abs().byte(),
            "abs() makes dark pixels bright again. They should stop at 0: clamp(min=0).",
        ),
        Mistake(
            _pixel_by_pixel,
            "The numbers are right, but Python visits each pixel on its own. A few operations do it for all.",
        ),
    ),
    right=(
        lambda x, by: (x.int() - by).clamp(min=0).byte(),
        lambda x, by: (x.float() - by).clamp(0, 255).byte(),
        lambda x, by: x.clamp(min=by) - by,
    ),
)

# -- four ways to cast ------------------------------------------------------------------------------

ITSELF = WordPrediction(
    number="06.6",
    question="x = torch.ones(3). How many of x.float(), x.to(torch.float32), x.to(torch.float64) and x.clone() are x?",
    subject="the same tensor",
    answer=2,
    reason="2: x is float32 already, so float() and to(torch.float32) have nothing to do, and give you x itself",
    otherwise={
        0: "a cast that has nothing to do copies nothing, and x is float32 already",
        1: "float() is to(torch.float32) by another name, and x is float32 already",
        3: "float64 needs 8 bytes for each number, so that is a new tensor, and clone() always makes one",
        4: "float64 needs 8 bytes for each number, so that is a new tensor, and clone() always makes one, too",
    },
)

NEAREST = TensorExercise(
    number="06.7",
    task="the nearest whole numbers",
    made=lambda torch: torch.tensor([[0.25, 1.75, -3.9], [2.6, -0.2, 8.0]]),
    wanted=lambda rows: [[round(v) for v in row] for row in rows],
    shares=None,
    dtype="int64",
    hints=(
        "A cast cuts off. What has to come before it?",
        "x.round() gives the nearest whole numbers, still as floats. long() then turns them into int64.",
    ),
    mistakes=(
        Mistake(lambda x: x.long(), "A cast cuts off the fraction. Round before you cast."),
        Mistake(lambda x: x.round(), "These are the right numbers, as float32. You want int64."),
        Mistake(lambda x: x.round().int(), "These are the right numbers, as int32. For int64, use long()."),
        Mistake(
            lambda x: (x + 0.5).long(),
            "Adding a half works for positive numbers. Below 0 the cast cuts the other way: towards 0.",
        ),
        Mistake(lambda x: x.floor().long(), "floor goes down to the next whole number, even from 1.75."),
        Mistake(lambda x: x.ceil().long(), "ceil goes up to the next whole number, even from 0.25."),
    ),
    right=(lambda x: x.round().long(), lambda x: (x + 0.5).floor().long()),
)

# -- which dtype wins -------------------------------------------------------------------------------

SMALL_FLOAT = WordPrediction(
    number="06.8",
    question="What is the dtype of an int64 tensor plus a float16 tensor?",
    subject="int64 + float16",
    answer="float16",
    reason="float16: kinds come before sizes, and a float outranks every whole number",
    otherwise={
        "int64": "it is larger, but the kind decides first, and a float outranks every whole number",
        "float64": "that is what NumPy gives. PyTorch takes the float that is there",
        "float32": "that is the default, which comes in only where no tensor brings a float",
        "error": "no error is raised: the whole numbers are cast",
    },
)

FOUR_RESULTS = ValueExercise(
    number="06.9",
    task="four dtypes",
    asked="what the four are",
    hints=(
        "First the kind: bool, whole number, float, complex. The higher kind wins, and only within a kind the size.",
        "a: neither has room for the other, so both climb. b: the float wins. c, d: the result is a float, and no "
        "tensor brings one.",
    ),
    mistakes=(
        Mistake(
            ("uint8", "float16", "float32", "float32"),
            "a: a uint8 has no -1. Both climb to the first that has room for both.",
        ),
        Mistake(
            ("int8", "float16", "float32", "float32"),
            "a: an int8 ends at 127. Both climb to the first that has room for both.",
        ),
        Mistake(
            ("int16", "int64", "float32", "float32"),
            "b: the larger does not win. Kinds come first, and a float outranks every whole number.",
        ),
        Mistake(
            ("int16", "float64", "float32", "float32"),
            "b: that is NumPy's answer. PyTorch takes the float that is there, float16.",
        ),
        Mistake(
            ("int16", "float16", "uint8", "float32"),
            "c: 0.5 is of a higher kind than uint8, so the result is a float.",
        ),
        Mistake(
            ("int16", "float16", "float64", "float32"),
            "c: a plain number brings its kind, and not its 64 bits. So you get the default, float32.",
        ),
        Mistake(
            ("int16", "float16", "float16", "float32"),
            "c: no tensor brings a float here, so you get the default.",
        ),
        Mistake(
            ("int16", "float16", "float32", "int32"),
            "d: / always gives floats. Only // keeps whole numbers.",
        ),
        Mistake(
            ("int16", "float16", "float32", "float64"),
            "d: / brings in the default float, which is float32 here; NumPy's is float64.",
        ),
    ),
    right=(("int16", "float16", "float32", "float32"),),
)

# -- the same bytes, read otherwise -----------------------------------------------------------------

TRUE_OR_FALSE = StatementsExercise(
    number="06.10",
    task="true or false, six times",
    hints=(
        "You can try each of them in a cell of your own before you answer.",
        "For the first, ask torch.promote_types(torch.int64, torch.float16). For the last, think of the gaps.",
    ),
    statements=(
        Statement(
            "In a sum of two tensors the dtype with more bytes wins.",
            False,
            "Kinds come before sizes: int64, 8 bytes, plus float16, 2 bytes, gives float16.",
        ),
        Statement("torch.float and torch.float32 are two names of one dtype.", True, "torch.float is torch.float32."),
        Statement(
            "x.to(torch.float32) always makes a new tensor.",
            False,
            "When x is float32 already, you get x itself. copy=True asks for a copy in any case.",
        ),
        Statement(
            "With float64 a network gives better answers.",
            False,
            "It takes twice the memory and more time. The numbers in a network are far noisier than the last digits.",
        ),
        Statement(
            "A tensor that picks elements may be float32, as long as its numbers are whole.",
            False,
            "Its dtype must be one of whole numbers, mostly int64, or bool for a mask.",
        ),
        Statement(
            "float32 can store every whole number up to a billion exactly.",
            False,
            "Up to 16,777,216. From there on the gaps are 2, then 4, and so on.",
        ),
    ),
)

# -- by hand ----------------------------------------------------------------------------------------

NEXT_ONE = ValueExercise(
    number="06.11",
    task="the next float16 above 1, by one bit",
    asked="the next float16 above 1",
    hints=(
        "Bits to the left are worth more. Which bit is worth least?",
        "The last bit of the mantissa: flipped, it adds 1/1024.",
    ),
    mistakes=(
        Mistake(1.0, "This is the number that you began with. Flip one bit, and read the value again."),
        Mistake(1.5, "This is the first bit of the mantissa, worth a half. The last one is worth least."),
        Mistake(0.5, "This is the last bit of the exponent: it halves the number. The mantissa is to the right of it."),
        Mistake(-1.0, "This is the bit of the sign. The mantissa is at the other end."),
        Mistake(1.001953125, "This is the last bit but one. One further to the right is worth half of that."),
        Mistake(2.0, "Between 1 and 2 lie 1,023 other numbers of float16."),
        Mistake(1.001, "This is rounded. Take the exact number from the explorer: explorer.value."),
    ),
    right=(1.0009765625,),
)

# -- a picture of yours ---------------------------------------------------------------------------


def _coloured(torch: Any) -> list[Case]:
    def case(pixels: list) -> Case:
        return Case("grey(w)", torch.tensor(pixels, dtype=torch.uint8))

    many = [[[(31 * i + 7 * j) % 256, (90 + 13 * j) % 256, (11 * i) % 256] for j in range(9)] for i in range(8)]
    return [
        case([[[200, 100, 60]]]),
        case([[[1, 2, 3], [255, 255, 255]]]),
        case([[[9, 0, 2]], [[90, 80, 85]]]),
        case(many),
    ]


def _mean_by_mean(x: Any) -> list:
    return [[sum(pixel) // 3 for pixel in row] for row in x.tolist()]


GREY = FunctionExercise(
    number="06.12",
    task="a grey picture, with no pixel wrapping around",
    function="grey",
    cases=_coloured,
    wanted=_mean_by_mean,
    dtype="uint8",
    hints=(
        "200 + 100 + 60 is 360, and a byte has no 360. Where is there room for it?",
        "x.int() has room. Add with .sum(-1), divide with // 3, and go back with .to(torch.uint8).",
    ),
    mistakes=(
        Mistake(
            lambda x: (x[..., 0] + x[..., 1] + x[..., 2]) // 3,
            "The + already wraps around: the sum of three bytes is a byte again. "
            "Cast to a larger dtype before you add.",
        ),
        Mistake(
            lambda x: x.int().sum(-1) // 3,
            "The right greys, and each takes more than one byte. Cast back to uint8 at the end.",
        ),
        Mistake(lambda x: x.float().mean(-1), "The right means, as floats. Cast to uint8, which cuts off the rest."),
        Mistake(
            lambda x: x[..., 0] // 3 + x[..., 1] // 3 + x[..., 2] // 3,
            "It fits now, but each division cuts something off, and the three losses add up. Add first, then divide.",
        ),
        Mistake(
            lambda x: (x.int().sum(-1) // 3).byte().unsqueeze(-1),
            "The right greys, with one dimension too many: you want (rows, columns).",
        ),
        Mistake(lambda x: x[..., 0], "This is red alone. Grey is the mean of all three."),
    ),
    right=(
        lambda x: (x.int().sum(-1) // 3).byte(),
        lambda x: (x.sum(-1) // 3).byte(),
        lambda x: ((x[..., 0].int() + x[..., 1] + x[..., 2]) // 3).byte(),
    ),
)


def _to_print(torch: Any) -> list[Case]:
    return [
        Case("posterise(w)", torch.tensor([[0, 255]], dtype=torch.uint8)),
        Case("posterise(w)", torch.tensor([[63, 64, 127], [128, 191, 192]], dtype=torch.uint8)),
        Case("posterise(w)", (torch.arange(63) * 4).reshape(9, 7).to(torch.uint8)),
    ]


def _level_by_level(x: Any) -> Any:
    made = x.clone()
    for i in range(x.size(0)):
        for j in range(x.size(1)):
            made[i, j] = int(x[i, j]) // 64 * 85
    return made


POSTERISE = FunctionExercise(
    number="06.13",
    task="a photograph in four levels",
    function="posterise",
    cases=_to_print,
    wanted=_level_by_level,
    at_once=True,
    dtype="uint8",
    hints=(
        "First give each pixel the number of its level, 0 to 3. Which division does that, and stays in uint8?",
        "x // 64 is 0, 1, 2 or 3. Three times 85 is 255.",
    ),
    mistakes=(
        Mistake(lambda x: x * 85 // 64, "x * 85 wraps around long before you divide. Divide first."),
        Mistake(lambda x: x // 64 * 64, "The brightest level is 192 here. It should be 255: multiply by 85."),
        Mistake(lambda x: x // 64, "These are the numbers of the levels, 0 to 3. Spread them out to 255."),
        Mistake(lambda x: x / 64 * 85, "/ gives floats and cuts nothing off, so there are no levels. // cuts."),
        Mistake(
            lambda x: (x / 64).floor() * 85, "The right levels, as float32: four bytes for each pixel. // stays uint8."
        ),
        Mistake(lambda x: x // 85 * 85, "255 // 85 is 3, but 63 // 85 and 64 // 85 are both 0. Each level is 64 wide."),
        Mistake(_level_by_level, "The right levels, but Python visits each pixel. // and * do all of them at once."),
    ),
    right=(lambda x: x // 64 * 85, lambda x: (x >> 6) * 85, lambda x: x.div(64, rounding_mode="floor") * 85),
)

ALL = (
    STANDS_STILL, LAST_COUNT, BELOW_BLACK, TWELVE_BITS, DARKEN, ITSELF, NEAREST, SMALL_FLOAT, FOUR_RESULTS,
    TRUE_OR_FALSE, NEXT_ONE, GREY, POSTERISE,
)  # fmt: skip
