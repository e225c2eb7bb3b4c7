"""What all kinds of lines share: a table for each file, a tensor to begin with, and how a call is spelled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.engine.programs.program_writer import Say, Writer


def steps() -> tuple[list[tuple[int, Say]], Callable[[int], Callable[[Say], Say]]]:
    """An empty table of kinds of lines with their shares, and the decorator that enters one."""
    table: list[tuple[int, Say]] = []

    def step(weight: int) -> Callable[[Say], Say]:
        def enter(say: Say) -> Say:
            table.append((weight, say))
            return say

        return enter

    return table, step


PLACES = [
    ".t()", ".T", ".mT", "[0]", "[-1]", "[..., 0]", "[:, None]", "[::2]", "[1:]", "[None]", ".view(-1)",
    ".unsqueeze(0)", ".detach()", ".conj()", ".real", ".imag", ".diagonal()", ".expand(2, *[-1] * {x}.dim())",
]  # fmt: skip


def some_tensor(w: Writer) -> tuple[str, Any]:
    """A variable, or a view of one that has no name."""
    x, t = w.tensor()
    if w.often(0.85):
        return x, t
    place = x + w.one(PLACES).format(x=x)
    try:
        return place, eval(place, dict(w.scope))
    except Exception:
        return x, t


def spell(w: Writer, x: str, name: str, *args: str, function: bool = True) -> str:
    """A call, as a method or as a function."""
    if function and w.often(0.25):
        return f"torch.{name}({', '.join([x, *args])})"
    return f"{x}.{name}({', '.join(args)})"


def kept(w: Writer, expression: str) -> str:
    """A line that gives the result a name."""
    return f"{w.new_name()} = {expression}"
