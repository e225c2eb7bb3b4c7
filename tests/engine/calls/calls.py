"""Calls of creation, of old constructors and of next-door libraries, as texts that PyTorch and this package both run.

A call is written by chance from pools of good and bad arguments; the chance is seeded by the function's name, so the
same calls come every time.
"""

from __future__ import annotations

import array
import collections
import copy
import fractions
import random
import re
import warnings
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.engine.calls import call_pools as pools

NAMES = {"np": np, "array": array, "collections": collections, "copy": copy, "fractions": fractions}
LEFT_OPEN = re.compile(r"empty|ensor\(\(?\d|new\(\d|(ensor|new)\((torch.Size|np.int)")
"""Calls that make tensors of whatever lay in memory."""


# --- asking ---


def answer(torch: Any, text: str) -> list:
    """What a call gives: a tensor, with all that can be seen of it; another value; or an error."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            found = eval(text, {"torch": torch, **NAMES})
            return seen(torch, found, bool(LEFT_OPEN.search(text)), exact="polar" not in text)
        except Exception as error:
            return ["error", type(error).__name__, plain_message(str(error))]


def seen(torch: Any, found: Any, left_open: bool = False, exact: bool = True) -> list:
    """A value as it is compared; a tensor's elements by their printed form and a checksum of their exact values."""
    if not isinstance(found, torch.Tensor):
        return ["value", re.sub(r" at 0x\w+", "", repr(found))]
    look = [str(found.dtype), list(found.shape), list(found.stride()), found.storage_offset(), found.requires_grad]
    if left_open:
        return ["tensor", *look, str(found.device)]
    numbers = "" if found.is_meta or not exact else repr(found.tolist())
    return ["tensor", *look, repr(found), zlib.crc32(numbers.encode())]


def plain_message(message: str) -> str:
    """Without the C++ frames, and with the keywords of a call in one order: PyTorch keeps none."""
    message = message.split("\nException raised from")[0]
    got = re.search(r"got \((.*)\), but expected", message)
    if got and "=" in got[1]:
        parts = got[1].split(", ")
        ordered = [p for p in parts if "=" not in p and p] + sorted(p for p in parts if "=" in p)
        message = message.replace(f"got ({got[1]})", f"got ({', '.join(ordered)})")
    return message


# --- writing ---

Writer = Callable[[random.Random], str]


def call(function: str, *arguments: str) -> str:
    return f"{function}({', '.join(a for a in arguments if a)})"


def options(rng: random.Random, *more: str) -> list[str]:
    """No, one or two keywords, mostly good ones."""
    pool = pools.GOOD_OPTIONS if rng.random() < 0.6 else pools.OPTIONS
    found = {o.split("=")[0]: o for o in rng.choices([*pool, *more], k=rng.choice((0, 0, 1, 1, 2)))}
    return list(found.values())


def out(rng: random.Random) -> list[str]:
    return [f"out={rng.choice(pools.OUTS)}"] if rng.random() < 0.2 else []


def nested(rng: random.Random, depth: int, pool: list[str]) -> str:
    """Nested lists, most of them without a ragged edge."""
    if depth == 0:
        return rng.choice(pool)
    length = rng.choice((0, 1, 2, 2, 3))
    if rng.random() < 0.8:
        return _even(rng, [length, *[rng.choice((1, 2, 3)) for _ in range(depth - 1)]], pool)
    return "[" + ", ".join(nested(rng, rng.randrange(depth), pool) for _ in range(length)) + "]"


def _even(rng: random.Random, shape: list[int], pool: list[str]) -> str:
    if not shape:
        return rng.choice(pool)
    items = ", ".join(_even(rng, shape[1:], pool) for _ in range(shape[0]))
    if rng.random() < 0.8:
        return f"[{items}]"
    return f"({items},)" if shape[0] else "()"


def _sized(function: str) -> Writer:
    def write(rng: random.Random) -> str:
        size = rng.choice(pools.SIZES if rng.random() < 0.6 else pools.GOOD_SIZES)
        formats = pools.FORMATS if function.endswith(".empty") else []
        return call(function, size, *options(rng, *formats), *out(rng))

    return write


def _like(function: str, *arguments: list[str]) -> Writer:
    def write(rng: random.Random) -> str:
        tensor = rng.choice(pools.TENSORS) if rng.random() < 0.9 else rng.choice(pools.NO_TENSORS)
        others = [rng.choice(pool) for pool in arguments]
        if rng.random() < 0.05:
            others = others[:-1] + ["1", "2"]
        return call(function, tensor, *others, *options(rng, *pools.FORMATS))

    return write


def _new(function: str, *arguments: list[str]) -> Writer:
    def write(rng: random.Random) -> str:
        return call(f"{rng.choice(pools.TENSORS)}.{function}", *map(rng.choice, arguments), *options(rng))

    return write


def _filled(rng: random.Random) -> str:
    size = rng.choice(pools.GOOD_SIZES if rng.random() < 0.8 else pools.SIZES)
    return call("torch.full", size, rng.choice(pools.FILLS), *options(rng), *out(rng))


def _number(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.35:
        return f"{rng.uniform(-30, 30):.5g}"
    return str(rng.randint(-12, 12)) if kind < 0.75 else rng.choice(pools.NUMBERS)


def _arange(rng: random.Random) -> str:
    numbers = [_number(rng) for _ in range(rng.choice((1, 1, 2, 2, 3, 3, 3)))]
    return call("torch.arange", *numbers, *options(rng), *out(rng))


def _long_arange(rng: random.Random) -> str:
    """Long enough for registers to be filled, in each floating dtype."""
    start, step = rng.uniform(-50, 50), rng.choice((-1, 1)) * rng.uniform(0.01, 3)
    end = start + step * rng.uniform(1, 200)
    dtype = rng.choice(("float16", "bfloat16", "float32", "float64"))
    return f"torch.arange({start!r}, {end!r}, {step!r}, dtype=torch.{dtype})"


def _range(rng: random.Random) -> str:
    # PyTorch itself dies of a step that is 0 as a whole number.
    steps = [rng.choice(("1", "2", "-1", "3", "1.5", "-2.25"))] if rng.random() < 0.6 else []
    return call("torch.range", _number(rng), _number(rng), *steps, *options(rng), *out(rng))


def _spaced(function: str, *bases: str) -> Writer:
    def write(rng: random.Random) -> str:
        bad = ("-1", "None", "2.5", "True", "'a'", "torch.tensor(3)")
        steps = str(rng.randint(0, 12)) if rng.random() < 0.8 else rng.choice(bad)
        name = "steps=" if rng.random() < 0.2 else ""
        base = [rng.choice(bases)] if bases and rng.random() < 0.5 and not name else []
        return call(function, _number(rng), _number(rng), name + steps, *base, *options(rng), *out(rng))

    return write


def _long_spaced(function: str, most: float, dtypes: str) -> Writer:
    def write(rng: random.Random) -> str:
        start, end, steps = rng.uniform(-most, most), rng.uniform(-most, most), rng.randint(2, 120)
        return f"{function}({start!r}, {end!r}, {steps}, dtype=torch.{rng.choice(dtypes.split())})"

    return write


def _eye(rng: random.Random) -> str:
    sizes = [rng.choice(("0", "1", "3", "4", "-1", "2.5", "True", "None", "'a'", "np.int64(2)", "torch.tensor(2)"))]
    if rng.random() < 0.5:
        sizes.append(rng.choice(("0", "2", "5", "-2", "m=3", "None", "'a'")))
    return call("torch.eye", *sizes, *options(rng), *out(rng))


def _strided(function: str) -> Writer:
    sizes = pools.pool("(2, 3) | (2, 0) | () | [3] | 2 | (2, -3)")
    strides = pools.pool("(3, 1) | (1, 2) | (0, 1) | () | [2] | (-1, 1) | (1, 1) | 3")

    def write(rng: random.Random) -> str:
        owner = rng.choice(pools.TENSORS) if function.startswith("new") else "torch"
        return call(f"{owner}.{function}", rng.choice(sizes), rng.choice(strides), *options(rng))

    return write


def _permuted(rng: random.Random) -> str:
    sizes = pools.pool("(2, 3, 4) | (2, 0, 4) | (5,) | () | (2, 3, -4)")
    orders = pools.pool("(0, 2, 1) | (2, 1, 0) | (0,) | () | (0, 2, 2) | (0, 1) | (0, 1, 5) | 3")
    return call("torch.empty_permuted", rng.choice(sizes), rng.choice(orders), *options(rng))


def _triangle(function: str) -> Writer:
    def side(rng: random.Random) -> str:
        return str(rng.randint(0, 5)) if rng.random() < 0.9 else rng.choice(("-1", "2.5", "'a'", "None", "True"))

    def write(rng: random.Random) -> str:
        offset = str(rng.randint(-6, 6)) if rng.random() < 0.6 else ""
        more = ["dtype=torch.int32"] if rng.random() < 0.4 else options(rng)
        return call(function, side(rng), side(rng), offset, *more)

    return write


def _parts(function: str) -> Writer:
    def write(rng: random.Random) -> str:
        more = f"out={rng.choice(pools.COMPLEX_OUTS)}" if rng.random() < 0.25 else ""
        return call(function, rng.choice(pools.PARTS), rng.choice(pools.PARTS), more)

    return write


def _of_data(function: str, *keywords: str) -> Writer:
    pool = [k for k in (*pools.OPTIONS, *keywords) if not k.startswith(("layout", "names"))]

    def write(rng: random.Random) -> str:
        kind = rng.random()
        if kind < 0.35:
            data = nested(rng, rng.choice((1, 1, 2, 2, 3)), pools.PLAIN_LEAVES)
        elif kind < 0.65:
            data = nested(rng, rng.choice((1, 1, 2)), pools.LEAVES)
        else:
            data = rng.choice(pools.DATA)
        chosen = {k.split("=")[0]: k for k in rng.choices(pool, k=rng.choice((0, 0, 0, 1, 1, 2)))}
        owner = rng.choice(pools.TENSORS) if function == "new_tensor" else "torch"
        return call(f"{owner}.{function}", data, *chosen.values())

    return write


def _buffer(rng: random.Random) -> str:
    chosen = {k.split("=")[0]: k for k in rng.choices(pools.BUFFER_KEYWORDS, k=rng.choice((0, 1, 1, 2)))}
    dtype = f"dtype=torch.{rng.choice(pools.DTYPES)}" if rng.random() < 0.9 else rng.choice(("dtype=None", "dtype=int"))
    return call("torch.frombuffer", rng.choice(pools.BUFFERS), dtype, *chosen.values())


def _to_numpy(rng: random.Random) -> str:
    tensor = rng.choice(pools.TENSORS)
    if rng.random() < 0.4 and "meta" not in tensor:
        tensor += f".to(torch.{rng.choice(pools.DTYPES)})"
    return f"{tensor}.{rng.choice(pools.TO_NUMPY)}"


def _legacy(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.35:
        argument = rng.choice([s for s in pools.SIZES if "np.array(2)" not in s])
    elif kind < 0.7:
        argument = nested(rng, rng.choice((1, 1, 2)), pools.PLAIN_LEAVES if rng.random() < 0.6 else pools.LEAVES)
    else:
        argument = rng.choice(pools.DATA)
    more = rng.choice(("", "", "", "", "device='cpu'", "device='meta'", "dtype=torch.float64", "3", "foo=1"))
    owner = f"torch.{rng.choice(pools.LEGACY)}" if rng.random() < 0.85 else f"{rng.choice(pools.TENSORS)}.new"
    return call(owner, argument, more)


def _questions(rng: random.Random) -> str:
    name, tensor = rng.choice(pools.LEGACY), rng.choice(pools.TENSORS)
    typed, anything = rng.choice(pools.LEGACY[1:]), rng.choice(pools.TENSORS + pools.NO_TENSORS)
    truth = rng.choice((*pools.TENSORS, "torch.tensor(0)", "torch.tensor([2.5])", "torch.tensor([])", "3"))
    asked = f"""torch.{name} | isinstance({tensor}, torch.{name}) | type(torch.{name}([1])) | torch.{name}.__name__
        | torch.{typed}.dtype | torch.{typed[:-6]}Storage([1, 0, 1]).tolist() | torch.{typed[:-6]}Storage
        | torch.is_storage(torch.{typed[:-6]}Storage(2)) | torch.is_tensor({rng.choice(pools.DATA)})
        | torch.is_complex({tensor}) | torch.is_floating_point({anything}) | torch.numel({anything})
        | torch.is_nonzero({truth}) | torch.is_conj({anything}) | torch.is_signed({tensor})"""
    return rng.choice(pools.pool(asked))


CREATION: dict[str, Writer] = {
    "zeros": _sized("torch.zeros"),
    "ones": _sized("torch.ones"),
    "empty": _sized("torch.empty"),
    "zeros_like": _like("torch.zeros_like"),
    "ones_like": _like("torch.ones_like"),
    "empty_like": _like("torch.empty_like"),
    "full_like": _like("torch.full_like", pools.FILLS),
    "new_zeros": _new("new_zeros", pools.SIZES),
    "new_ones": _new("new_ones", pools.SIZES),
    "new_empty": _new("new_empty", pools.SIZES),
    "new_full": _new("new_full", pools.GOOD_SIZES, pools.FILLS),
    "full": _filled,
    "arange": _arange,
    "arange, long": _long_arange,
    "range": _range,
    "linspace": _spaced("torch.linspace"),
    "linspace, long": _long_spaced(
        "torch.linspace", 60, "float16 bfloat16 float32 float64 complex64 complex128 int64 int32 int16 int8"
    ),
    "logspace": _spaced("torch.logspace", *pools.pool("2 | 10.0 | 0.5 | -2 | 0 | 'a' | base=3 | True")),
    "logspace, long": _long_spaced(
        "torch.logspace", 2.2, "float16 bfloat16 float32 float64 complex64 complex128 int64 int32"
    ),
    "eye": _eye,
    "empty_strided": _strided("empty_strided"),
    "new_empty_strided": _strided("new_empty_strided"),
    "empty_permuted": _permuted,
    "tril_indices": _triangle("torch.tril_indices"),
    "triu_indices": _triangle("torch.triu_indices"),
    "complex": _parts("torch.complex"),
    "polar": _parts("torch.polar"),
    "scalar_tensor": lambda rng: call("torch.scalar_tensor", rng.choice(pools.FILLS), *options(rng)),
    "tensor": _of_data("tensor"),
    "as_tensor": _of_data("as_tensor"),
    "new_tensor": _of_data("new_tensor"),
    "asarray": _of_data("asarray", "copy=True", "copy=False", "copy=None", "copy=1"),
}
INTEROP: dict[str, Writer] = {
    "from_numpy": lambda rng: call("torch.from_numpy", rng.choice(pools.ARRAYS if rng.random() < 0.8 else pools.DATA)),
    "frombuffer": _buffer,
    "to numpy": _to_numpy,
    "from_dlpack": lambda rng: call(
        "torch.from_dlpack",
        rng.choice(pools.CAPSULES),
        rng.choice(("", "", "", "copy=True", "copy=False", "device='cpu'")),
    ),
}
OLD: dict[str, Writer] = {
    "constructors": _legacy,
    "type": lambda rng: f"{rng.choice(pools.TENSORS)}.type({rng.choice(pools.TYPES)})",
    "questions": _questions,
}
WRITERS = {**CREATION, **INTEROP, **OLD}


def calls(name: str, count: int, seed: str = "") -> list[str]:
    """So many different calls of a function, good and bad."""
    rng = random.Random(name + seed)
    found: dict[str, None] = {}
    for _ in range(count * 4):
        text = WRITERS[name](rng)
        if not any(re.search(pattern, text) for pattern in SET_ASIDE):
            found[text] = None
        if len(found) == count:
            break
    return list(found)


SET_ASIDE = (
    # PyTorch itself dies of a step that is 0 as a whole number, and of what it finds when it converts too large ones.
    r"^torch\.range.*(int|dtype=bool|out=)",
    # What a float too large for 8 or 16 bits becomes is left open by C.
    r"^torch\.logspace.*dtype=torch\.(u?int8|int16)",
    # complex32 is not carried here.
    r"(complex|polar)\(.*float16.*float16",
    # A step of autograd.
    r"(as_tensor|asarray)\(torch\.ones\(2, requires_grad=True\).*(dtype|device|copy=True)",
    r"torch\.ones\(2, requires_grad=True\)\.(to\(|type\(.)|(ensor|new)\(torch\.ones\(2, requires_grad=True\)",
    # The meta forms of these two have refusals of their own.
    r"^torch\.(polar|complex).*meta",
    # PyTorch loses its way: "DispatchKey Conjugate doesn't correspond to a device".
    r"conj\(\)\.new",
    # Two refusals at once, the other one first.
    r"2\*\*62.*memory_format",
    # PyTorch is at odds with itself: "can't alias", though a copy is asked for.
    r"^torch\.asarray\(np\.\w+\(.*copy=True",
    # A GPU that is not there is refused in one place, and so with one message.
    r"^torch\.asarray\((torch|np)\..*cuda",
    # NumPy gives an array without elements strides of its own.
    r"torch\.ones\(0, 3\).*\.strides",
)
"""Calls that are not compared."""
