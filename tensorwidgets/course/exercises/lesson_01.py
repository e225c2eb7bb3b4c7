"""Lesson 01, numbers in a box: what is asked, what is wanted, and the usual mistakes with the hint meant for each."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.tensors_asked import TensorExercise
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- boxes ----------------------------------------------------------------------------------------

SAME_BOX = WordPrediction(
    number="01.1",
    question='How many objects does [int("3000"), int("3000"), int("200"), int("200")] lead to?',
    subject="four calls of int",
    answer=3,
    reason="3: each 3000 is an object of its own, and both 200s are one object, which Python made beforehand",
    otherwise={
        4: "each call returns an object, but both calls for 200 return the same one: Python keeps small whole numbers",
        2: "equal numbers can be two objects: each 3000 was made by its own call",
        1: "3000 and 200 cannot be one object",
        5: "the list is an object too, but it leads to the numbers and not to itself",
    },
)

THOUSAND_FLOATS = ValueExercise(
    number="01.2",
    task="what a thousand floats cost in a list",
    asked="the bytes of slots and boxes together",
    hints=(
        "Each number costs twice: a slot in the list, and a box somewhere else.",
        "A slot takes 8 bytes and the box of a float takes 24. There are 1,000 of each.",
    ),
    mistakes=(
        Mistake(24_000, "These are the boxes. The list has a slot of 8 bytes for each of them as well."),
        Mistake(8_000, "These are the slots. Each of them leads to a box of 24 bytes."),
        Mistake(32, "That is what one number costs. There are 1,000."),
        Mistake(4_000, "That is what a tensor of float32 takes. The question is about the list."),
        Mistake(32_056, "The 56 bytes are the list's own head. Count slots and boxes alone."),
        Mistake(28_000, "The box of a whole number takes 28 bytes. The box of a float takes 24."),
    ),
    right=(32_000,),
)

# -- one run of bytes -------------------------------------------------------------------------------

ONE_KIND = WordPrediction(
    number="01.3",
    question="Which dtype does torch.tensor([1, 2, True]) have?",
    subject="torch.tensor([1, 2, True])",
    answer="int64",
    reason="int64: a tensor has one kind for all its numbers, 2 is no truth value, and True becomes the number 1",
    otherwise={
        "bool": "a bool is only True or False, and 2 is neither. So True becomes the number 1",
        "float32": "none of the three needs a float: True becomes the number 1",
        "float64": "none of the three needs a float: True becomes the number 1",
        "int": "which int? torch.int is a second name for int32, and whole numbers of Python become int64",
        "int32": "that is half of it: from whole numbers of Python, a tensor has 64 bits unless you say otherwise",
    },
)

CUT_OFF = WordPrediction(
    number="01.4",
    question="t = torch.tensor([1, 2, 3]), then t[0] = 2.7. What is t[0]?",
    subject="t[0]",
    answer=2,
    reason="2: t has whole numbers of 64 bits, and the fraction is cut off",
    otherwise={
        2.7: "there is no room for .7 in a whole number, and a write never changes the kind",
        3: "nothing is rounded: the fraction is cut off",
        1: "the write does happen; only the fraction is lost",
        "error": "no error is raised, which is why this is worth knowing",
    },
)

FOUR_AND_A_HALF = TensorExercise(
    number="01.5",
    task="five ones, and 4.5 in the middle",
    wanted=lambda nothing: [1.0, 1.0, 4.5, 1.0, 1.0],
    shares=None,
    dtype="float32",
    hints=(
        "torch.ones(5) makes the ones. Then change an element as in a list.",
        "The middle of five has the index 2: row[2] = 4.5 in a line of its own.",
    ),
    mistakes=(
        Mistake(
            lambda torch: torch.tensor([1.0, 1.0, 1.0, 4.5, 1.0]), "Elements are counted from 0: index 3 is the fourth."
        ),
        Mistake(
            lambda torch: torch.tensor([1.0, 4.5, 1.0, 1.0, 1.0]),
            "Index 1 is the second of five; the middle is one further on.",
        ),
        Mistake(
            lambda torch: torch.tensor([1, 1, 4, 1, 1]),
            "This is a tensor of whole numbers, so .5 was cut off. Begin with floats: torch.ones(5).",
        ),
        Mistake(
            lambda torch: torch.tensor([1.0, 1.0, 4.5, 1.0, 1.0], dtype=torch.float64),
            "The numbers are right and take 8 bytes each. You want float32, which torch.ones gives by itself.",
        ),
        Mistake(lambda torch: torch.full((5,), 4.5), "All five are 4.5 now. Change a single element, by its index."),
        Mistake(lambda torch: torch.ones(5), "These are the five ones. Now change the one in the middle."),
        Mistake(lambda torch: torch.tensor([1.0, 1.0, 4.5, 1.0]), "These are four numbers. You want five."),
    ),
    right=(
        lambda torch: torch.tensor([1.0, 1.0, 4.5, 1.0, 1.0]),
        lambda torch: torch.tensor([1, 1, 4.5, 1, 1]),
    ),
)

# -- the world as numbers ---------------------------------------------------------------------------

THREE_COLOURS = WordPrediction(
    number="01.6",
    question="A colour photo has 100 by 100 pixels. How many numbers is that?",
    subject="a colour photo of 100 by 100 pixels",
    answer=30_000,
    reason="100 · 100 pixels with three numbers each: how red, how green, how blue",
    otherwise={
        10_000: "that is a grey photo. A pixel in colour has three numbers: red, green, blue",
        300: "multiply the sides: 100 · 100 pixels, and three numbers for each",
        200: "multiply the sides: 100 · 100 pixels, and three numbers for each",
        40_000: "three numbers for each pixel: red, green, blue. Some files add a fourth: how transparent it is",
    },
)


def _photos(torch: Any) -> list[Case]:
    def case(text: str, pixels: Any) -> Case:
        return Case(f"to_unit({text})", pixels, (), None if text == "w" else pixels)

    few = torch.tensor([[0, 255]], dtype=torch.uint8)
    grey = torch.tensor([[51, 102], [153, 204]], dtype=torch.uint8)
    dark = torch.tensor([[0, 10, 20], [30, 40, 50]], dtype=torch.uint8)
    return [case("w", few), case("w", grey), case("w", dark), case("w", torch.arange(63).reshape(9, 7).to(torch.uint8))]


def _pixel_by_pixel(x: Any) -> Any:
    made = x.float()
    for i in range(x.size(0)):
        for j in range(x.size(1)):
            made[i, j] = made[i, j] / 255
    return made


TO_UNIT = FunctionExercise(
    number="01.7",
    task="grey from 0 to 255 becomes grey from 0 to 1",
    function="to_unit",
    cases=_photos,
    wanted=_pixel_by_pixel,
    at_once=True,
    dtype="float32",
    decimals=6,
    hints=(
        "What you do to a tensor is done to each of its elements.",
        "0 stays 0 and 255 becomes 1, so divide each element by 255. A single / gives floats.",
    ),
    mistakes=(
        Mistake(
            lambda x: x // 255,
            "// divides and cuts off the fraction, so only 0 and 1 are left. / gives floats.",
        ),
        Mistake(
            lambda x: x / 256,
            "The brightest pixel is 255 and should become 1. There are 256 greys, but 0 is one of them.",
        ),
        Mistake(lambda x: x.float(), "These are floats, but still from 0 to 255."),
        Mistake(
            lambda x: x / x.max(),
            "This makes the brightest pixel of each photo white. A dark photo should stay dark: 255 is white.",
        ),
        Mistake(
            lambda x: x.double() / 255,
            "These are floats of 64 bits. Half of that is enough: the division by itself gives float32.",
        ),
        Mistake(
            _pixel_by_pixel,
            "The numbers are right, but Python visits each pixel on its own. One division does them all.",
        ),
    ),
    right=(lambda x: x / 255, lambda x: x.float() / 255, lambda x: x.div(255), lambda x: x * (1 / 255)),
)

# -- all at once ----------------------------------------------------------------------------------

TWICE = WordPrediction(
    number="01.8",
    question="How many elements does [1, 2, 3] * 2 have?",
    subject="[1, 2, 3] * 2",
    answer=6,
    reason="6: a list times 2 is the list twice over, [1, 2, 3, 1, 2, 3]",
    otherwise={
        3: "that would be a tensor, doubled element by element. A list times 2 is the list twice over",
        2: "a list times 2 is the list twice over",
        "error": "no error is raised: a list times 2 is the list twice over",
    },
)


def _teams(torch: Any) -> list[Case]:
    def case(hours: list[float], wages: list[float]) -> Case:
        text = f"pay(torch.tensor({hours}), torch.tensor({wages}))"
        return Case(text, torch.tensor(hours), (torch.tensor(wages),))

    return [
        case([2.0], [10.0]),
        case([8.0, 4.0], [12.0, 15.0]),
        case([1.0, 2.0, 3.0], [20.0, 10.0, 30.0]),
        case([float(k) for k in range(12)], [float(20 - k) for k in range(12)]),
    ]


def _one_after_the_other(hours: Any, wages: Any) -> Any:
    total = 0.0
    for k in range(len(hours)):
        total += hours[k].item() * wages[k].item()
    return total


PAY = FunctionExercise(
    number="01.9",
    task="what a team is paid, with no loop",
    function="pay",
    cases=_teams,
    wanted=_one_after_the_other,
    at_once=True,
    hints=(
        "First what each person gets, for all of them in one line. Then one number from that.",
        "hours * wages multiplies element by element, and .sum() adds up all elements of a tensor.",
    ),
    mistakes=(
        Mistake(
            lambda hours, wages: hours.sum() * wages.sum(),
            "This pays every hour with everybody's wage. Multiply first, then add up.",
        ),
        Mistake(lambda hours, wages: hours * wages, "This is what each person gets. Add it up."),
        Mistake(lambda hours, wages: (hours + wages).sum(), "Multiply hours and wages, do not add them."),
        Mistake(lambda hours, wages: (hours * wages).mean(), "This is what a person gets on average. Add up instead."),
        Mistake(
            _one_after_the_other,
            "The number is right, but Python goes from person to person. Multiply the tensors as a whole, and take "
            "the tensor's own .sum(); Python's sum() is a loop as well.",
        ),
    ),
    right=(
        lambda hours, wages: (hours * wages).sum(),
        lambda hours, wages: hours @ wages,
        lambda hours, wages: hours.dot(wages).item(),
    ),
)

# -- what a tensor knows ----------------------------------------------------------------------------

TRUE_OR_FALSE = StatementsExercise(
    number="01.10",
    task="true or false, six times",
    hints=(
        "You can try each of them in a cell of your own before you answer.",
        "show.list_or_tensor draws what is in a list, and a tensor tells you its .dtype.",
    ),
    statements=(
        Statement(
            "A list of a million floats keeps the million numbers side by side.",
            False,
            "Only the addresses are side by side. Each number is in a box of its own, somewhere else.",
        ),
        Statement(
            "Two names for equal whole numbers always lead to the same object.",
            False,
            'Python keeps one object for each small number, and for no other. Try int("3000") is int("3000").',
        ),
        Statement(
            "All elements of a tensor have one dtype.",
            True,
            "All elements take the same room. So they can lie side by side, and you find each of them by counting.",
        ),
        Statement(
            "torch.tensor([1, 2, 3]) is a tensor of floats, since float32 is the default.",
            False,
            "From whole numbers it makes int64. float32 comes from Python floats, torch.ones and torch.zeros.",
        ),
        Statement(
            'torch.tensor([1, "two"]) raises an error.',
            True,
            "A tensor can contain numbers, True and False, and nothing else.",
        ),
        Statement(
            "A Python loop over the elements of a tensor is as fast as one operation on the whole.",
            False,
            "Each round of the loop makes an object for its element. One operation runs through the bytes by itself.",
        ),
    ),
)

# -- a picture of yours ---------------------------------------------------------------------------

GOES_ROUND = WordPrediction(
    number="01.11",
    question="What is torch.tensor([200], dtype=torch.uint8) + 100?",
    subject="200 + 100 in one byte",
    answer=44,
    reason="44: one byte counts from 0 to 255 and then starts again, and 300 - 256 is 44",
    otherwise={
        300: "one byte has no 300: it counts from 0 to 255. The dtype stays uint8, because 100 is a whole number, too",
        255: "that is what you would want for a picture. But nothing stops at 255: the byte starts again at 0",
        45: "255 + 1 is 0, so 300 is 300 - 256. There are 256 numbers in a byte, from 0 to 255",
        "error": "no error is raised, which is why this is worth knowing",
    },
)


def _dark_photos(torch: Any) -> list[Case]:
    def case(amount: int, pixels: list[list[int]]) -> Case:
        return Case(f"brighten(w, {amount})", torch.tensor(pixels, dtype=torch.uint8), (amount,))

    return [
        case(100, [[0, 200]]),
        case(60, [[10, 195, 196], [255, 0, 220]]),
        case(30, [[1, 2], [3, 4]]),
        case(200, [[30 * i + j for j in range(9)] for i in range(8)]),
    ]


def _up_to_white(x: Any, amount: int) -> Any:
    made = x.clone()
    for i in range(x.size(0)):
        for j in range(x.size(1)):
            made[i, j] = min(x[i, j].item() + amount, 255)
    return made


def _uint8(x: Any) -> Any:
    return x.to(library_that_made(x).uint8)


BRIGHTEN = FunctionExercise(
    number="01.12",
    task="a brighter photograph, with no pixel above 255",
    function="brighten",
    cases=_dark_photos,
    wanted=_up_to_white,
    at_once=True,
    dtype="uint8",
    hints=(
        "Where is there room for 300? And when must 300 become 255: before or after it goes back into a byte?",
        "Floats first, then add, then clamp(max=255), and .to(torch.uint8) last.",
    ),
    mistakes=(
        Mistake(
            lambda x, amount: x + amount,
            "The bright pixels wrapped around: 200 + 100 gives 44 in one byte, and it is too late for a clamp then. "
            "Turn x into floats before you add.",
        ),
        Mistake(
            lambda x, amount: (x.float() + amount).clamp(max=255),
            "The numbers are right, as floats. A photograph should have bytes again: .to(torch.uint8).",
        ),
        Mistake(
            lambda x, amount: (x.float() + amount) / (255 + amount) * 255,
            "This squeezes all pixels below 255. Add the amount to each, and cut off only what is too large.",
        ),
        Mistake(
            lambda x, amount: _uint8(x.float() * 0 + 255),
            "All white. Only what is larger than 255 should become 255.",
        ),
        Mistake(
            _up_to_white,
            "The picture is right, but Python visits each pixel on its own. Add and clamp the whole tensor.",
        ),
    ),
    right=(
        lambda x, amount: _uint8((x.float() + amount).clamp(max=255)),
        lambda x, amount: _uint8((x.int() + amount).clamp(0, 255)),
        lambda x, amount: x.clamp(max=255 - amount) + amount,
    ),
)

ALL = (
    SAME_BOX, THOUSAND_FLOATS, ONE_KIND, CUT_OFF, FOUR_AND_A_HALF, THREE_COLOURS, TO_UNIT, TWICE, PAY, TRUE_OR_FALSE,
    GOES_ROUND, BRIGHTEN,
)  # fmt: skip
