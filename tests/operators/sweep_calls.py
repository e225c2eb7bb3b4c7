"""Calls with arguments that mostly do not fit, of every public function and method, written by chance.

A call is a text such as ``torch.mv(torch.ones(3), 0)``. It is written from PyTorch's own notation of how the function
is called: every parameter is given what it asks for, and then one or two are given something else. The chance is
seeded, so the same calls come every time.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

TENSORS = (
    "torch.ones(3)", "torch.ones(3, 3)", "torch.arange(6.).reshape(2, 3)", "torch.tensor([1, 0, 2])",
    "torch.tensor([True, False, True])", "torch.tensor(2.0)", "torch.tensor(1)", "torch.empty(0)",
    "torch.ones(3, dtype=torch.float64)", "torch.ones(2, 2, dtype=torch.complex64)", "torch.eye(3)",
    "torch.ones(2, 3, 4)", "torch.ones(2, 3).t()", "torch.ones(6)[::2]", "torch.ones(1).expand(3)",
    "torch.ones(3, dtype=torch.float16)", "torch.ones(3, dtype=torch.uint8)", "torch.ones(2, 0, 3)",
    "torch.tensor([[1, 2], [0, 1]])", "torch.ones(3, dtype=torch.bfloat16)", "torch.ones(2, 3, 3)",
    "torch.tensor([0.5, -1.0, float('nan')])", "torch.zeros(3, dtype=torch.int32)", "torch.ones(1)",
)  # fmt: skip
NUMBERS = ("0", "1", "2", "-1", "3", "0.5", "2.0", "True", "1j", "-2.5", "7")
EXTREMES = (
    "2**31", "2**31-1", "-2**31", "2**63-1", "-2**63", "2**63", "2**64", "10**30", "-10**30", "10**8", "2**40",
    "float('inf')", "float('nan')", "1e300", "-2**63-1",
)  # fmt: skip
STRANGERS = (
    "None", "'a'", "''", "'sum'", "[]", "()", "{}", "[1]", "(0, 1)", "[1.5]", "['a']", "[None]", "object()",
    "np.ones(3)", "np.float32(1)", "np.int64(1)", "np.array(1)", "np.bool_(True)", "torch.float32", "torch.int64",
    "torch.strided", "torch.contiguous_format", "torch.channels_last", "slice(None)", "...", "int", "float", "2j",
    "torch.Size([2])", "range(3)", "b'a'", "[torch.ones(2)]", "(torch.ones(2), torch.ones(2))", "[[1, 2]]",
    "torch.device('cpu')", "torch.Generator()", "{'a': 1}", "{1}", "[True]", "(1, 'a')", "[torch.tensor(1)]",
    "torch.ones(2).untyped_storage()", "len", "1.5", "-0.0", "True", "False", "torch.tensor([1])", "(-1,)",
    "[[]]", "(None, None)", "np.array(['a'])", "[2**63]", "(2**31, 2**31)", "[-2**63]", "bytearray(4)",
)  # fmt: skip
FITTING = {
    "Tensor": TENSORS,
    "Number": NUMBERS,
    "int": ("0", "1", "-1", "2", "0"),
    "float": ("0.5", "1.0", "2", "-0.5", "0"),
    "bool": ("True", "False"),
    "tuple of ints": ("(0,)", "[0, 1]", "(2, 3)", "(3,)", "()", "0", "(-1,)", "(1, 0)"),
    "tuple of Tensors": ("[torch.ones(3), torch.ones(3)]", "(torch.ones(2, 3),)", "[torch.eye(3), torch.eye(3)]"),
    "tuple of floats": ("[0.5]", "(1.0, 2.0)"),
    "tuple of Scalars": ("[0.5, 1]", "(1, 2)"),
    "torch.dtype": ("torch.float32", "torch.float64", "torch.int64", "torch.bool", "torch.complex64", "None"),
    "torch.layout": ("torch.strided", "None"),
    "torch.memory_format": ("torch.contiguous_format", "torch.preserve_format", "torch.channels_last"),
    "torch.device": ("'cpu'", "None"),
    "torch.Generator": ("None", "torch.Generator()"),
    "str": ("'ij'", "'mean'", "'floor'", "'linear'", "'right'", "'sum'", "None"),
    "torch.Storage": ("torch.ones(3).untyped_storage()",),
    "object": ("1", "[1, 2]", "torch.ones(3)"),
}
KEYWORDS = (
    "dim", "out", "dtype", "keepdim", "foo", "input", "self", "other", "axis", "x", "size", "p", "n", "alpha",
    "requires_grad", "device", "memory_format", "generator", "names", "layout",
)  # fmt: skip
OUTS = (
    "torch.empty(0)", "torch.zeros(3)", "torch.zeros(2, 3)", "torch.zeros(3, dtype=torch.int64)",
    "torch.zeros(6)[::2]", "torch.zeros(1).expand(3)", "5", "None", "'a'", "(torch.empty(0), torch.empty(0))",
    "[torch.ones(3)]", "torch.zeros(2, dtype=torch.complex64)", "torch.zeros(4, dtype=torch.bool)", "np.ones(3)",
    "(torch.empty(0), torch.empty(0, dtype=torch.int64))", "torch.arange(6.)[1:4]",
)  # fmt: skip


class Target(NamedTuple):
    """A callable, and PyTorch's notations of how it is called: (kind, name, keyword only, optional) a parameter."""

    name: str
    ways: tuple[tuple[tuple[str, str, bool, bool], ...], ...]


def written(target: Target, rng: random.Random) -> str:
    """One call of a target."""
    method = target.name.startswith("torch.Tensor.")
    way = rng.choice(target.ways) if target.ways else ()
    args, named = _fitting(way, rng)
    if method:
        args.insert(0, rng.choice(TENSORS))
    for _ in range(rng.choice((0, 1, 1, 1, 1, 2, 2, 3))):
        _spoil(args, named, int(method), way, rng)
    shown = [*args, *[f"{name}={value}" for name, value in named.items()]]
    return f"{target.name}({', '.join(shown)})"


def _fitting(way: tuple, rng: random.Random) -> tuple[list[str], dict[str, str]]:
    args: list[str] = []
    named: dict[str, str] = {}
    by_place = True
    for kind, name, keyword_only, optional in way:
        if optional and rng.random() < (0.5 if not keyword_only else 0.7):
            by_place = False
            continue
        value = rng.choice(OUTS) if name == "out" else rng.choice(FITTING.get(kind, STRANGERS))
        if keyword_only or not by_place or rng.random() < 0.06:
            by_place = False
            named[name] = value
        else:
            args.append(value)
    return args, named


def _anything(rng: random.Random) -> str:
    pool = rng.choice((TENSORS, NUMBERS, EXTREMES, EXTREMES, STRANGERS, STRANGERS, STRANGERS, STRANGERS))
    return rng.choice(pool)


def _spoil(args: list[str], named: dict[str, str], first: int, way: tuple, rng: random.Random) -> None:
    what = rng.random()
    places = range(first, len(args))
    if what < 0.62 and (places or named):
        at = rng.choice([*places, *named])
        value = rng.choice(OUTS) if at == "out" and rng.random() < 0.7 else _anything(rng)
        if isinstance(at, int):
            args[at] = value
        else:
            named[at] = value
    elif what < 0.72:
        args.append(_anything(rng))
    elif what < 0.80 and places:
        del args[rng.choice(places) :]
    elif what < 0.92:
        known = [name for _, name, *_ in way]
        name = rng.choice(KEYWORDS if rng.random() < 0.6 or not known else known)
        named[name] = rng.choice(OUTS) if name == "out" else _anything(rng)
    elif places:
        at = rng.choice(places)
        args[at] = rng.choice(TENSORS)


def written_calls(targets: list[Target], count: int, seed: str = "") -> Iterator[str]:
    """So many calls, each target in turn."""
    chances = [random.Random(f"{target.name} {seed}") for target in targets]
    for i in range(count):
        yield written(targets[i % len(targets)], chances[i % len(targets)])


OUT_OF_ALL_MEASURE = ("2**31", "2**63-1", "-2**63", "10**8")


def extreme_calls(targets: list[Target]) -> Iterator[str]:
    """Calls that fit, but for one whole number, or a list of them, that is out of all measure."""
    for target in targets:
        rng = random.Random(target.name)
        for way in target.ways:
            for at, (kind, name, keyword_only, _) in enumerate(way):
                if kind not in ("int", "tuple of ints", "Number"):
                    continue
                for number in OUT_OF_ALL_MEASURE:
                    given = [rng.choice(FITTING.get(k, STRANGERS)) for k, *_ in way[:at] if not _[1]]
                    if target.name.startswith("torch.Tensor."):
                        given.insert(0, rng.choice(TENSORS))
                    value = f"({number},)" if kind == "tuple of ints" else number
                    shown = f"{name}={value}" if keyword_only else value
                    yield f"{target.name}({', '.join([*given, shown])})"


def split(text: str) -> tuple[str, str]:
    """The function of a call, and its arguments.

    >>> split("torch.mv(torch.ones(3), 0)")
    ('torch.mv', 'torch.ones(3), 0')
    """
    name, _, rest = text.partition("(")
    return name, rest[:-1]


def argument_lists(text: str, names: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """The arguments of a call, made."""
    return eval(f"_given({split(text)[1]})", {**names, "_given": lambda *args, **named: (args, named)})
