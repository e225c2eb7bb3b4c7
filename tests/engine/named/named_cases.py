"""Calls with named tensors, generated: many for each row of PyTorch's list of what names support, and for others.

A case is text: how its tensors are made, and the call. The same text runs on this engine and on PyTorch 2.12. What can
be called stands in named_calls.txt, a row a line; here the blanks are filled in.
"""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

EACH = 40
"""Cases for each row."""
MORE = {
    "align_to": 300, "align_as": 200, "refine_names": 300, "rename": 300, "rename_": 100, "flatten": 300,
    "unflatten": 200, "cat": 150, "matmul": 150, "add": 100, "sum": 100, "index": 300, "write": 200, "also": 500,
    "printed": 200, "tensor": 80, "refused": 300,
}  # fmt: skip
"""Rows with more of them."""
TRUTHS = ("eq", "ge", "gt", "le", "lt", "ne", "logical_not", "bitwise_not")
"""Rows whose out= is of truths."""
KEYS = ["0", "-1", ":", "1:", "::2", "...", "None", "True", "torch.tensor(0)", "[0]", "i", "5", "0:1"]
"""What stands between the brackets of `x[...]`."""


def _read() -> list[dict[str, list[str]]]:
    """The calls of each row, in two parts: those that PyTorch lists, and others."""
    parts: list[dict[str, list[str]]] = []
    for line in Path(__file__).with_name("named_calls.txt").read_text(encoding="utf-8").splitlines():
        row, _, calls = line.partition(":")
        if line.startswith("## "):
            parts.append({})
        elif line and not line.startswith("#"):
            parts[-1][row] = [call for call in calls.strip().split("  |  ") if call]
    return parts


LISTED, OTHERS = _read()
TEMPLATES = LISTED | OTHERS


class Dice:
    """The choices of one case."""

    def __init__(self, seed: str):
        self.random = random.Random(seed)

    def one(self, things: Any) -> Any:
        return self.random.choice(list(things))

    def often(self, share: float) -> bool:
        return self.random.random() < share

    def names(self, ndim: int, pool: str = "NCHW") -> tuple[str | None, ...]:
        if self.often(0.15):
            return (None,) * ndim
        some = list(pool[:ndim]) if self.often(0.6) else self.random.sample(pool, ndim)
        return tuple([None if self.often(0.15) else name for name in some])

    def word(self) -> str:
        if self.often(0.05):
            return self.one(["'1b'", "'*'"])
        return repr(self.one(["N", "C", "H", "W", "F", "F", "G", None]))


def cases() -> Iterator[tuple[str, int]]:
    """Every case, by its row and number."""
    for row, templates in TEMPLATES.items():
        if templates:
            yield from ((row, number) for number in range(MORE.get(row, EACH)))


def case(row: str, number: int) -> tuple[list[str], str]:
    """The lines that make tensors, and the call."""
    dice = Dice(f"{row} {number}")
    size = tuple([2, 3, 1, 2][: dice.one([1, 2, 2, 2, 3, 3, 4])])
    names = dice.names(len(size))
    same = tuple([dice.one([n, n, n, None, dice.one("NCHW")]) for n in names])
    out = dice.one([(None,) * len(size), (None,) * len(size), names, dice.names(len(size))])
    lines = [
        f"x = named({size}, {names})",
        "y = named({}, {})".format(*meeting(dice, size, names)),
        f"z = named({size}, {same})",
        f"o = named({size}, {out}, '{'bool' if row in TRUTHS else 'float32'}')",
        f"p, q = named((2, 3), {dice.names(2, 'NCAB')}), named((3, 2), {dice.names(2, 'CDEF')})",
        f"b, c = named((2, 2, 3), {dice.names(3, 'BNCD')}), named((2, 3, 2), {dice.names(3, 'BCED')})",
        f"a, v = named((2, 2), {dice.names(2, 'NDCE')}), named((2,), {dice.names(1)})",
        f"u = named((3,), {dice.names(1, 'CN')})",
        "i = torch.tensor([0])",
    ]
    blanks = Blanks(dice, size, names, unnamed_too=row in ("flatten", "unflatten"))
    call = re.sub(r"\{(?:[dnksmN]|key)\}", blanks.fill, dice.one(TEMPLATES[row]))
    used = set(re.findall(r"\b[a-z]\b", call))
    return [line for line in lines if used & set(re.findall(r"\b[a-z]\b", line.partition(" = ")[0]))], call


class Blanks:
    """What stands for the marks in a call about a tensor of a size with names."""

    def __init__(self, dice: Dice, size: tuple[int, ...], names: tuple[str | None, ...], unnamed_too: bool):
        self.dice, self.size, self.names, self.unnamed_too = dice, size, names, unnamed_too

    def fill(self, match: re.Match) -> str:
        mark, dice = match.group()[1:-1], self.dice
        if mark == "key":
            return dice.one(KEYS)
        if mark == "d":
            ndim = len(self.size)
            return str(dice.one(range(-ndim, ndim)) if dice.often(0.96) else 7)
        if mark == "n":
            return self.name()
        if mark == "k":
            return dice.one(["True", "False"])
        if mark == "s":
            return str(self.size)
        return self.several() if mark == "m" else dice.word()

    def name(self) -> str:
        """One of the names; a number where there are none, as a name then asks for what PyTorch 2.13 is asked for."""
        known = [n for n in self.names if n is not None]
        if not known and not self.unnamed_too:
            return str(self.dice.one(range(len(self.size))))
        if known and self.dice.often(0.9):
            return repr(self.dice.one(known))
        return self.dice.one(["'Q'", "'N'", "'1b'", "'*'"])

    def several(self) -> str:
        """Names for a size; sometimes too many, too few, twice the same, or none at all."""
        given = list(self.names)
        if self.dice.often(0.2):
            given = [self.dice.one(["N", "C", "1b", "*", None]) for _ in range(self.dice.one([1, 2, 3]))]
        return repr(given) if self.dice.often(0.5) else repr(tuple(given))


def meeting(dice: Dice, size: tuple[int, ...], names: tuple[str | None, ...]) -> tuple[tuple, tuple]:
    """Size and names of a tensor that mostly goes together with another one."""
    pairs = []
    for n, name in zip(size, names, strict=True):
        pairs.append((1 if dice.often(0.2) else n, dice.one([name, name, name, name, None, dice.one("NCHW")])))
    while pairs and dice.often(0.25):
        pairs.pop(0)
    return tuple([n for n, _ in pairs]), tuple([name for _, name in pairs])


def scope(torch: Any) -> dict[str, Any]:
    """What the text of a case can call."""

    def named(size: tuple, names: tuple, dtype: str = "float32") -> Any:
        count = 1
        for n in size:
            count *= n
        x = torch.arange(count, dtype=torch.float32).reshape(size).to(getattr(torch, dtype))
        return x.rename_(*names) if any(names) else x

    return {"torch": torch, "named": named}


def outcome(torch: Any, lines: list[str], call: str) -> Any:
    """What a case comes to: its results, or the refusal; and the names of operands that it changed."""
    space = scope(torch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        refused = perform(lines, space)
        if refused is not None:
            return ["lines", *refused]
        before = {k: space[k].names for k in "xoav" if k in space}
        found = perform([call if " = " in call else f"found = {call}"], space) or told(torch, space.get("found"))
        after = {k: list(space[k].names) for k in before if space[k].names != before[k]}
    return [found, after] if after else [found]


def perform(lines: list[str], space: dict[str, Any]) -> list[str] | None:
    """Run lines; the type and the first line of a refusal, if one is refused."""
    try:
        for line in lines:
            exec(line, space)
    except Exception as error:
        return [type(error).__name__, str(error).split("\n")[0]]
    return None


def told(torch: Any, found: Any) -> Any:
    """Results as what can be written to a file."""
    if isinstance(found, torch.Tensor):
        return {"names": list(found.names), "size": list(found.shape), "dtype": str(found.dtype)}
    if isinstance(found, (tuple, list)) and not isinstance(found, torch.Size):
        return [told(torch, f) for f in found]
    return found if isinstance(found, str) else repr(found)
