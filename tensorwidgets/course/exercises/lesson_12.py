"""Lesson 12, devices: what is asked and wanted, and the usual mistakes with the hint for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- two memories -----------------------------------------------------------------------------------

COPIES = WordPrediction(
    number="12.1",
    question='x.to("cuda"), then g = x.to("cuda"), then h = g.to("cuda:0"): how many times are the 48 bytes copied?',
    subject="the three lines",
    answer=2,
    reason="2: the first line copies too, and its copy is thrown away; h is g itself, so nothing is copied",
    otherwise={
        1: "the first line copies too. Its result has no name, so it is thrown away at once",
        3: "h is the same object as g: a tensor that is there already is returned as it is",
        0: "the GPU cannot read main memory: each move makes a new tensor there",
        96: "that is how many bytes are copied in all. The question is how many times",
        48: "that is how many bytes one copy takes. The question is how many times",
    },
)


def _to_double(torch: Any) -> list[Case]:
    return [
        Case("doubled(torch.tensor([1.0, 2.0, 3.0]))", torch.tensor([1.0, 2.0, 3.0])),
        Case("doubled(torch.arange(6).reshape(2, 3))", torch.arange(6).reshape(2, 3)),
        Case("doubled(torch.arange(6).reshape(2, 3).t())", torch.arange(6).reshape(2, 3).t()),
        Case("doubled(torch.ones(2, device='cuda'))", torch.ones(2, device="cuda")),
    ]


DOUBLED = FunctionExercise(
    number="12.2",
    task="twice a tensor, on the GPU",
    function="doubled",
    gpu=True,
    places=True,
    cases=_to_double,
    wanted=lambda x: 2 * x.to("cuda"),
    hints=(
        'What becomes of the result of x.to("cuda")? Does it have a name?',
        "x stays what it is. Compute with what .to returns: 2 * x.to(...), or give the copy a name first.",
    ),
    mistakes=(
        Mistake(
            lambda x: 2 * x,
            'x.to("cuda") returns a copy, and nothing keeps it. x itself does not move: compute with what .to returns.',
        ),
        Mistake(
            lambda x: (2 * x.to("cuda")).cpu(),
            "You brought the result back. Leave it on the GPU.",
        ),
        Mistake(lambda x: x.to("cuda"), "That is x on the GPU. Now double it."),
        Mistake(lambda x: x.to("cuda") + 2, "That adds 2. Twice x is 2 * x."),
    ),
    right=(lambda x: 2 * x.to("cuda"), lambda x: x.cuda() * 2, lambda x: x.to("cuda:0").mul(2)),
)

# -- who may meet -----------------------------------------------------------------------------------

THREE_REFUSED = WordPrediction(
    number="12.3",
    question="x and g are tables of 3 by 4, x in main memory and g on the GPU. How many of the six lines are refused?",
    subject="the six lines",
    answer=3,
    reason="3: g + x, x + g.sum() and torch.cat([g, x])",
    otherwise={
        5: "two more are allowed: a single number from main memory may join in, and a write by index copies",
        4: "one of yours is allowed: g + x.sum() reads a single number, and g[0] = x[0] is a copy that you asked for",
        2: "one is missing. A number from main memory may join a tensor on the GPU; the other way round is refused",
        1: "g + x is not the only one: look again at x + g.sum() and at torch.cat",
        6: "2 * g is computed on the GPU: a Python number goes along with the call",
        0: "nothing moves unless you say so, so g + x cannot be computed in either place",
    },
)


def _tables(torch: Any) -> list[Case]:
    def case(text: str, x: Any) -> Case:
        return Case(f"standard({text})", x)

    return [
        case("torch.tensor([[0.5, 0.25, 1.0]])", torch.tensor([[0.5, 0.25, 1.0]])),
        case("torch.ones(2, 3)", torch.ones(2, 3)),
        case("torch.ones(2, 3, device='cuda')", torch.ones(2, 3, device="cuda")),
        case("torch.arange(6.0, device='cuda').reshape(2, 3)", torch.arange(6.0, device="cuda").reshape(2, 3)),
    ]


def _constants(x: Any, **where: Any) -> tuple[Any, Any]:
    torch = library_that_made(x)
    return torch.tensor([0.5, 0.25, 1.0], **where), torch.tensor([2.0, 4.0, 1.0], **where)


def _standard(x: Any, **where: Any) -> Any:
    mean, scale = _constants(x, **where)
    return (x - mean) * scale


def _where_x_is(x: Any) -> Any:
    return _standard(x, device=x.device)


def _by_new_tensor(x: Any) -> Any:
    return (x - x.new_tensor([0.5, 0.25, 1.0])) * x.new_tensor([2.0, 4.0, 1.0])


STANDARD = FunctionExercise(
    number="12.4",
    task="constants that follow their tensor",
    function="standard",
    gpu=True,
    places=True,
    cases=_tables,
    wanted=_where_x_is,
    hints=(
        "The two constants are made in main memory. Where should they be made? The function only knows when it sees x.",
        "x.device says where x is, and torch.tensor takes a device=.",
    ),
    mistakes=(
        Mistake(
            _standard,
            "The two constants are in main memory, so a table on the GPU cannot meet them. Make them where x is: "
            "device=x.device.",
        ),
        Mistake(
            lambda x: _standard(x, device="cuda"),
            'With device="cuda" written down, a table in main memory is refused. Ask x where it is.',
        ),
        Mistake(
            lambda x: _standard(x.cpu()),
            "The numbers are right, but you move x to main memory, so the result of a table on the GPU is there too.",
        ),
        Mistake(
            lambda x: _standard(x.to("cuda"), device="cuda"),
            "You move every table to the GPU. A table in main memory has to stay there.",
        ),
        Mistake(
            lambda x: x - _constants(x, device=x.device)[0],
            "The devices are right, but the scale is missing: (x - mean) * scale.",
        ),
    ),
    right=(_where_x_is, _by_new_tensor),
)

# -- what a copy costs ------------------------------------------------------------------------------

ONE_BY_ONE = WordPrediction(
    number="12.5",
    question="5,000 numbers of float32 are copied one by one: 10 µs to begin each copy, then 12 GB/s. How many ms?",
    subject="five thousand copies",
    answer=50,
    reason="50: five thousand times 10 µs to begin; the 20,000 bytes themselves take less than 2 µs",
    otherwise={
        0: "each of the copies needs 10 µs before its first byte moves",
        0.01: "that is a single copy of all the numbers. One by one, each has its own 10 µs",
        0.012: "that is a single copy of all the numbers. One by one, each has its own 10 µs",
        50000: "that is in microseconds. A millisecond has 1,000 of them",
        5: "5,000 times 10 µs are 50,000 µs. How many milliseconds is that?",
        500: "5,000 times 10 µs are 50,000 µs. How many milliseconds is that?",
        0.0017: "those are the bytes alone. Each copy also needs 10 µs to begin",
        1.7: "those are the bytes alone, in microseconds. Each copy also needs 10 µs to begin",
        2: "those are the bytes alone, in microseconds. Each copy also needs 10 µs to begin",
    },
)

MILLION = 1_000_000
CROSSING = ValueExercise(
    number="12.6",
    task="how many bytes cross over",
    asked="what crosses in each of the four lines",
    hints=(
        "For each line: at the moment of the copy, which dtype do the numbers have?",
        "uint8 takes 1 byte and float32 takes 4. A .to with a dtype as well converts first, in main memory. And "
        ".item() is a copy in the other direction.",
    ),
    mistakes=(
        Mistake(
            (MILLION, 4 * MILLION, MILLION, MILLION + 4),
            "Line 3: one .to with both converts in main memory first, so what crosses are floats. It saves typing, "
            "not bytes.",
        ),
        Mistake(
            (4 * MILLION, 4 * MILLION, 4 * MILLION, 4 * MILLION + 4),
            "Lines 1 and 4: the photographs cross as uint8, 1 byte each, and become floats on the other side.",
        ),
        Mistake(
            (MILLION, 4 * MILLION, 4 * MILLION, MILLION),
            "Line 4: .item() brings the mean back to main memory. That is one number of float32.",
        ),
        Mistake(
            (MILLION, 4 * MILLION, 4 * MILLION, 5 * MILLION),
            "Line 4: only the mean comes back, one number. The million stay on the GPU.",
        ),
        Mistake((MILLION,) * 4, "In lines 2 and 3 the numbers are floats by the time they cross: 4 bytes each."),
        Mistake(
            (MILLION, MILLION, MILLION, MILLION + 1),
            "Those are numbers. How many bytes does each take when it crosses?",
        ),
        Mistake(
            (MILLION, 4 * MILLION, 4 * MILLION, MILLION + 1),
            "Line 4: the mean is one number of float32. How many bytes is that?",
        ),
    ),
    parts="line",
    right=((MILLION, 4 * MILLION, 4 * MILLION, MILLION + 4),),
)

# -- out to NumPy -----------------------------------------------------------------------------------

NUMPY_OF_BOTH = WordPrediction(
    number="12.7",
    question="x and g hold ones; then x.cpu().numpy()[0, 0] = 5 and g.cpu().numpy()[0, 0] = 5. (x[0, 0], g[0, 0])?",
    subject="the two numbers",
    answer=(5, 1),
    reason="(5, 1): x.cpu() is x itself, so NumPy reads its memory; g.cpu() is a copy, and that was written to",
    otherwise={
        (5, 5): "g.cpu() is a copy in main memory. Writing to it does not reach the GPU",
        (1, 1): "x is in main memory already, so x.cpu() is x itself, and numpy() shares its memory",
        (1, 5): "it is the other way round: x.cpu() has nothing to copy, and g.cpu() has to",
        5: "two numbers are asked for, in brackets",
        1: "two numbers are asked for, in brackets",
    },
)

NOTES = StatementsExercise(
    number="12.8",
    task="true or false, six times",
    hints=(
        "Each can be tried in a cell of your own, with x in main memory and g on the GPU.",
        "A device is only a name. What is refused is to put a tensor there. And what does g.cpu() return?",
    ),
    statements=(
        Statement(
            "If a tensor is on a GPU, .numpy() copies it to main memory.",
            False,
            "Many notes say so. But .numpy() refuses, and its message names the way: g.cpu().numpy().",
        ),
        Statement(
            "The result of 2 * g comes back to main memory when it has been computed.",
            False,
            "It stays on the GPU. Nothing comes back unless you ask for it. Look at (2 * g).device.",
        ),
        Statement(
            "After c = g.cpu(), g is still on the GPU.",
            True,
            "A move makes a new tensor. g stays as it was, and takes as much memory as before.",
        ),
        Statement(
            'torch.device("cuda:7") is refused on a machine with one GPU.',
            False,
            "It is only a name, and no GPU is asked for it. What is refused is to put a tensor there.",
        ),
        Statement(
            'g.to("cuda", torch.float16) needs the same number of bytes as g if g holds float32.',
            False,
            "It is a new tensor with half as many bytes: each float16 takes 2, and each float32 takes 4.",
        ),
        Statement(
            "print(g) copies numbers from the GPU to main memory.",
            True,
            "The digits are text, and text is made in main memory. So a print in a loop is a copy in a loop.",
        ),
    ),
)

# -- a meter ----------------------------------------------------------------------------------------


def _batches(torch: Any) -> list[Case]:
    def case(text: str, batch: list[Any], device: str) -> Case:
        return Case(f"carry([{text}], {device!r})", batch, (device,))

    there = torch.ones(5, device="cuda")
    column = torch.ones(100, 10)[:, 0]
    both = [torch.ones(3, dtype=torch.float64), torch.zeros(3, dtype=torch.uint8)]
    return [
        case("torch.ones(3)", [torch.ones(3)], "cuda"),
        case("torch.ones(2, 2), torch.ones(5, device='cuda')", [torch.ones(2, 2), there], "cuda"),
        case("torch.ones(2, 2), torch.ones(5, device='cuda')", [torch.ones(2, 2), there], "cpu"),
        case("torch.ones(3, dtype=torch.float64), torch.zeros(3, dtype=torch.uint8)", both, "cuda"),
        case("torch.ones(100, 10)[:, 0]", [column], "cuda:0"),
    ]


def _carried(batch: list[Any], device: str) -> tuple[list[Any], int]:
    moved = [t.to(device) for t in batch]
    return moved, sum(t.numel() * t.element_size() for t, m in zip(batch, moved, strict=True) if m is not t)


def _counted(of: Callable[[Any, str], int]) -> Callable[[list[Any], str], tuple[list[Any], int]]:
    """Moves as it should, and counts another number for each tensor."""
    return lambda batch, device: ([t.to(device) for t in batch], sum(of(t, device) for t in batch))


def _bytes(t: Any) -> int:
    return int(t.numel() * t.element_size())


def _goes(t: Any, device: str) -> bool:
    return t.to(device) is not t


CARRY = FunctionExercise(
    number="12.9",
    task="move a batch, and say how many bytes",
    function="carry",
    gpu=True,
    places=True,
    cases=_batches,
    wanted=_carried,
    hints=(
        "Move each tensor with .to(device). If it is there already, .to returns the same object: how can you tell?",
        "if moved is not t: count t.numel() * t.element_size(), or t.nbytes. Return the list and the sum.",
    ),
    mistakes=(
        Mistake(
            _counted(lambda t, device: _bytes(t)),
            "You count tensors that are there already. For these .to returns the same object, and no byte moves.",
        ),
        Mistake(
            _counted(lambda t, device: _bytes(t) if str(t.device) != device else 0),
            '"cuda" and "cuda:0" mean the same GPU here, and the two are not equal. Ask whether .to returned the same '
            "object instead.",
        ),
        Mistake(
            _counted(lambda t, device: t.numel() if _goes(t, device) else 0),
            "Those are elements. How many bytes does each of them take? t.element_size() says it.",
        ),
        Mistake(
            _counted(lambda t, device: 4 * t.numel() if _goes(t, device) else 0),
            "Not every element takes 4 bytes: float64 takes 8, and uint8 takes 1. Ask t.element_size().",
        ),
        Mistake(
            _counted(lambda t, device: t.untyped_storage().nbytes() if _goes(t, device) else 0),
            "A view does not take its whole storage along. Only its own elements cross: t.numel() * t.element_size().",
        ),
        Mistake(
            lambda batch, device: (batch, _carried(batch, device)[1]),
            "The bytes are right, but the tensors are where they were: .to returns new tensors. Collect those.",
        ),
        Mistake(
            lambda batch, device: _carried(batch, device)[0],
            "The batch is moved. Return the number of bytes as well: return moved, count.",
        ),
        Mistake(
            lambda batch, device: _carried(batch, "cuda"),
            "You move everything to the GPU. The second argument says where to: it may also be 'cpu'.",
        ),
    ),
    right=(_carried, lambda batch, device: (list(_carried(batch, device)[0]), _carried(batch, device)[1])),
)

# -- a picture of yours -----------------------------------------------------------------------------


def _evenings(torch: Any) -> list[Case]:
    def case(rows: int, columns: int, tint: list[float], steps: str = "") -> Case:
        w = (torch.arange(rows * columns * 3) * 37 % 256).reshape(rows, columns, 3).to(torch.uint8)
        picture = w[:, ::2] if steps else w
        return Case(f"evening(w{steps}, torch.tensor({tint}))", picture, (torch.tensor(tint),), w)

    return [
        case(1, 2, [1.0, 0.5, 0.25]),
        case(2, 3, [0.8, 0.55, 0.75]),
        case(3, 4, [0.9, 0.9, 0.3], "[:, ::2]"),
        case(6, 7, [0.5, 0.6, 1.0]),
    ]


def _evening(picture: Any, tint: Any) -> tuple[Any, int]:
    back = _dark(picture, tint).cpu()
    return back, _bytes(picture) + _bytes(tint) + _bytes(back)


def _dark(picture: Any, tint: Any) -> Any:
    return (picture.to("cuda") * tint.to("cuda")).to(picture.dtype)


def _evening_that_counts(count: Callable[[Any, Any], int]) -> Callable[[Any, Any], tuple[Any, int]]:
    return lambda picture, tint: (_dark(picture, tint).cpu(), count(picture, tint))


def _said(back: Any, picture: Any, tint: Any) -> tuple[Any, int]:
    """An evening, with the number of bytes that would be right if all of it went as it should."""
    return back, 2 * _bytes(picture) + _bytes(tint)


def _with_floats(picture: Any, tint: Any, there: bool = False, back: bool = False) -> tuple[Any, int]:
    """Floats cross on the way there, on the way back, or both, and nobody counts them."""
    dark = (picture.float() if there else picture).to("cuda") * tint.to("cuda")
    small = dark.cpu().to(picture.dtype) if back else dark.to(picture.dtype).cpu()
    return _said(small, picture, tint)


EVENING = FunctionExercise(
    number="12.10",
    task="an evening from the GPU, for as few bytes as possible",
    function="evening",
    gpu=True,
    places=True,
    crosses=True,
    cases=_evenings,
    wanted=_evening,
    hints=(
        "Follow the numbers: the picture goes over, the tint goes over, the result comes back. What dtype is each?",
        "uint8 times float32 gives float32. Let that happen on the GPU, and make it uint8 before it comes back: "
        ".to(torch.uint8).cpu().",
        "Three things cross. Add up .nbytes of the picture, of the tint and of the result.",
    ),
    mistakes=(
        Mistake(
            _evening_that_counts(lambda picture, tint: 5 * _bytes(picture) + _bytes(tint)),
            "Floats cross once, and they are four times as wide. Send the picture over as uint8, and make the result "
            "uint8 before it comes back.",
        ),
        Mistake(
            _evening_that_counts(lambda picture, tint: 8 * _bytes(picture) + _bytes(tint)),
            "Floats cross in both directions. Convert on the GPU, after the way there and before the way back.",
        ),
        Mistake(
            _evening_that_counts(lambda picture, tint: 2 * _bytes(picture)),
            "The tint crosses too: three numbers of float32.",
        ),
        Mistake(
            _evening_that_counts(lambda picture, tint: _bytes(picture) + _bytes(tint)),
            "That is the way there. The result crosses as well, on its way back.",
        ),
        Mistake(
            _evening_that_counts(lambda picture, tint: 2 * _bytes(picture) + 3),
            "The tint is float32: its three numbers take 4 bytes each.",
        ),
        Mistake(
            lambda picture, tint: (_dark(picture, tint), _evening(picture, tint)[1]),
            "Your evening is still on the GPU. Bring it back with .cpu().",
        ),
        Mistake(
            lambda picture, tint: ((picture.to("cuda") * tint.to("cuda")).cpu(), 5 * _bytes(picture) + _bytes(tint)),
            "You bring floats back, four bytes for each colour. Make them uint8 while they are on the GPU.",
        ),
        Mistake(
            lambda picture, tint: (picture * tint.to("cuda"), 0),
            "The picture never left main memory, so it cannot meet the tint on the GPU. Move both.",
        ),
        Mistake(
            lambda picture, tint: _evening(picture, tint)[0],
            "The evening is right. Return the number of bytes as well: return back, count.",
        ),
        Mistake(
            lambda picture, tint: _said((picture * tint).to(picture.dtype), picture, tint),
            "The numbers are right, but the GPU had no part in it: nothing crossed. Multiply on the GPU.",
            shows_on_pytorch=False,
        ),
        Mistake(
            lambda picture, tint: _with_floats(picture, tint, back=True),
            "One way, floats cross, and you count them as uint8. The picture should go over as uint8, and the result "
            "should be uint8 before it comes back.",
            shows_on_pytorch=False,
        ),
        Mistake(
            lambda picture, tint: _with_floats(picture, tint, there=True, back=True),
            "Both ways, floats cross, and you count them as uint8. Convert on the GPU, after the way there and before "
            "the way back.",
            shows_on_pytorch=False,
        ),
    ),
    right=(
        _evening,
        lambda picture, tint: ((tint.cuda() * picture.cuda()).to(picture.dtype).to("cpu"), 2 * _bytes(picture) + 12),
    ),
)

ALL = (COPIES, DOUBLED, THREE_REFUSED, STANDARD, ONE_BY_ONE, CROSSING, NUMPY_OF_BOTH, NOTES, CARRY, EVENING)
