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
        16_777_218: "that is the next float32. The sum lies in the middle between two, and goes to the even one",
        1: "the large number is kept; it is the 1 that gets lost",
    },
)

LAST_COUNT = ValueExercise(
    number="06.2",
    task="where counting in float16 stands still",
    asked="the last number of the count",
    hints=(
        "float32 keeps 24 binary digits and stands still at 2 to the power of 24. How many does float16 keep?",
        "float16 keeps 11 binary digits. From there on the gap to the next is 2, and adding 1 is rounded back.",
    ),
    mistakes=(
        Mistake(65_504, "That is the largest float16. The count stands still long before, where the gaps grow to 2."),
        Mistake(16_777_216, "That is where float32 stands still. float16 keeps 11 binary digits."),
        Mistake(1_024, "float16 stores 10 digits, and one more in front of them goes without saying: 11 in all."),
        Mistake(2_047, "One further: 2,048 still can be held, and is reached. 2,049 cannot."),
        Mistake(2_049, "That number takes 12 binary digits, so the count never gets there."),
        Mistake(32_768, "That would be 15 binary digits. float16 keeps 11; the other bits are sign and exponent."),
        Mistake(65_536, "16 bits are not 16 digits: 1 is the sign, 5 are the exponent."),
    ),
    right=(2_048,),
)

# -- whole numbers go round -------------------------------------------------------------------------

PAST_WHITE = WordPrediction(
    number="06.3",
    question="What is torch.tensor([250], dtype=torch.uint8) + 10?",
    subject="torch.tensor([250], dtype=torch.uint8) + 10",
    answer=4,
    reason="4: 260 takes nine bits, the ninth is lost, and 260 - 256 is left",
    otherwise={
        260: "that takes nine bits, and a uint8 has eight. A plain number does not change the dtype",
        255: "nothing stops at the end: whole numbers go round",
        5: "there are 256 numbers, 0 to 255, so it is 260 - 256",
        "error": "no error is raised, which is why this is worth knowing",
    },
)

TWELVE_BITS = ValueExercise(
    number="06.4",
    task="a dtype for a scanner of 12 bits",
    asked="the smallest dtype for these pixels",
    hints=(
        "How many bits do 4,096 greys take, and what about -1?",
        "One byte is too small, and there is nothing between one byte and two. Of two bytes, which can hold -1?",
    ),
    mistakes=(
        Mistake("uint8", "One byte ends at 255. The pixels go up to 4,095."),
        Mistake("int8", "int8 ends at 127. The pixels go up to 4,095."),
        Mistake("uint16", "Two bytes are right, but without a sign they cannot hold -1."),
        Mistake(
            "float16", "Two bytes are right, but float16 keeps 11 binary digits: above 2,048 numbers are left out."
        ),
        Mistake("int32", "It holds them, in four bytes each. Two will do."),
        Mistake("int64", "It holds them, in eight bytes each. Two will do."),
        Mistake("float32", "It holds them exactly, in four bytes each. Two will do."),
    ),
    right=("int16",),
)


def _brightened(torch: Any) -> list[Case]:
    def case(text: str, x: Any, by: int) -> Case:
        return Case(f"brighten({text}, {by})", x, (by,))

    return [
        case("w", torch.tensor([[10, 200]], dtype=torch.uint8), 20),
        case("w", torch.tensor([[0, 250], [245, 255]], dtype=torch.uint8), 10),
        case("w", torch.tensor([[100, 101, 102], [120, 140, 160]], dtype=torch.uint8), 200),
        case("w", torch.arange(54).reshape(9, 6).to(torch.uint8), 230),
    ]


def _pixel_by_pixel(x: Any, by: int) -> Any:
    made = x.clone()
    for i in range(x.size(0)):
        for j in range(x.size(1)):
            made[i, j] = min(int(x[i, j]) + by, 255)
    return made


BRIGHTEN = FunctionExercise(
    number="06.5",
    task="a brighter photo, with no pixel going round",
    function="brighten",
    cases=_brightened,
    wanted=_pixel_by_pixel,
    at_once=True,
    dtype="uint8",
    hints=(
        "The sum needs more room than a uint8 has. Make room first, cut to 255 then, and go back to uint8 last.",
        "x.int() has room, clamp(max=255) cuts, and byte() or to(torch.uint8) goes back.",
    ),
    mistakes=(
        Mistake(
            lambda x, by: x + by,
            "Bright pixels go round and come out dark. Add in a larger dtype, and cut to 255 before it is uint8 again.",
        ),
        Mistake(
            lambda x, by: (x.int() + by).clamp(max=255),
            "The numbers are right. The result is int32, four bytes for each pixel: go back to uint8 at the end.",
        ),
        Mistake(lambda x, by: x.int() + by, "There is room for the sum, but what is more than 255 has to become 255."),
        Mistake(
            lambda x, by: (x.int() + by).clamp(max=256).byte(),
            "White is 255. A 256 that is left goes round to 0 when it becomes uint8.",
        ),
        Mistake(
            _pixel_by_pixel,
            "The numbers are right, but Python visits each pixel on its own. A few operations do it for all.",
        ),
    ),
    right=(
        lambda x, by: (x.int() + by).clamp(max=255).byte(),
        lambda x, by: (x.float() + by).clamp(0, 255).byte(),
        lambda x, by: x + (255 - x).clamp(max=by),
    ),
)

# -- four ways to cast ------------------------------------------------------------------------------

ITSELF = WordPrediction(
    number="06.6",
    question="x = torch.ones(3). Is x.to(torch.float32) is x?",
    subject="x.to(torch.float32) is x",
    answer=True,
    reason="True: x is float32 already, so there is nothing to do, and you get x itself",
    otherwise={False: "a cast that has nothing to do copies nothing. x is float32 already"},
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
        "x.round() gives the nearest whole numbers, still as floats. long() then makes int64 of them.",
    ),
    mistakes=(
        Mistake(lambda x: x.long(), "A cast cuts off what follows the point. Round before you cast."),
        Mistake(lambda x: x.round(), "These are the right numbers, as float32. int64 is asked for."),
        Mistake(lambda x: x.round().int(), "These are the right numbers, as int32. int64 is long()."),
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
        "a: neither holds the other, so both climb. b: the float wins. c, d: floats come in, and no tensor brings one.",
    ),
    mistakes=(
        Mistake(
            ("uint8", "float16", "float32", "float32"),
            "a: a uint8 cannot hold -1. Both climb to the first that holds both.",
        ),
        Mistake(
            ("int8", "float16", "float32", "float32"),
            "a: an int8 ends at 127. Both climb to the first that holds both.",
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
            "c: a plain number brings its kind, and not its 64 bits. The default, float32, comes in.",
        ),
        Mistake(
            ("int16", "float16", "float16", "float32"),
            "c: no tensor brings a float here, so the default comes in.",
        ),
        Mistake(
            ("int16", "float16", "float32", "int32"),
            "d: / always gives floats. What keeps whole numbers is //.",
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
        "Each of them can be tried in a cell of your own before you answer.",
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
            "It has to hold whole numbers by its dtype, int64 as a rule, or be a mask of bool.",
        ),
        Statement(
            "float32 holds every whole number up to a billion exactly.",
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
        Mistake(1.0, "This is the number that it began with. Flip one bit, and read the value again."),
        Mistake(1.5, "This is the first bit of the mantissa, worth a half. The last one is worth least."),
        Mistake(0.5, "This is the last bit of the exponent: it halves the number. The mantissa is right of it."),
        Mistake(-1.0, "This is the bit of the sign. The mantissa is at the other end."),
        Mistake(1.001953125, "This is the last bit but one. One further to the right is worth half of that."),
        Mistake(2.0, "Between 1 and 2 lie 1,023 other numbers of float16."),
        Mistake(1.001, "This is rounded. Let the explorer say it: explorer.value."),
    ),
    right=(1.0009765625,),
)

ALL = (
    STANDS_STILL, LAST_COUNT, PAST_WHITE, TWELVE_BITS, BRIGHTEN, ITSELF, NEAREST, SMALL_FLOAT, FOUR_RESULTS,
    TRUE_OR_FALSE, NEXT_ONE,
)  # fmt: skip
