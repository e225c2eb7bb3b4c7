"""Lines that give a tensor another storage or another size, write to storages and ask questions."""

from __future__ import annotations

from typing import Any

from tests.engine.programs.program_steps.lines import steps
from tests.engine.programs.program_steps.views import size_args, strided_args
from tests.engine.programs.program_writer import Writer

STEPS, step = steps()


@step(4)
def resize(w: Writer, x: str, t: Any) -> str:
    if w.often(0.2):
        return f"{x}.resize_({size_args(w, tuple(t.shape) if w.often(0.5) else (0,))})"
    size = w.size(4) if w.often(0.5) else w.factors(t.numel())
    return f"grow({x}, {size_args(w, size)})"


@step(3)
def look_elsewhere(w: Writer, x: str, t: Any) -> str:
    other, o = w.like(lambda o: o.dtype == t.dtype) or w.tensor() if w.often(0.9) else w.tensor()
    how = w.dice.random()
    if how < 0.35:
        return f"{x}.set_({other})"
    if how < 0.45:
        return f"{x}.set_()"
    if how < 0.65 and o.dtype == t.dtype:
        strided = strided_args(w, o, within=True)
        offset = strided[2] if len(strided) > 2 else "0"
        return f"{x}.set_({other}.untyped_storage(), {offset}, {strided[0]}, {strided[1]})"
    return f"{x}.data = {other}"


@step(2)
def write_to_storage(w: Writer, x: str, t: Any) -> str | None:
    count = t.untyped_storage().nbytes()
    if not count or t.dtype == w.engine.bool or t.is_floating_point() or t.is_complex():
        return None
    return f"{x}.untyped_storage()[{w.among(0, count - 1)}] = {w.among(0, 100)}"


@step(2)
def ask(w: Writer, x: str, t: Any) -> str:
    other, _ = w.tensor()
    return w.one(
        [
            f"{x}.is_set_to({other})",
            f"{x}.tolist()",
            f"list({x})",
            f"len({x})",
            f"{x}.item()",
            f"bool({x})",
            f"{x}.size({w.dim(t.dim())})",
            f"{x}.stride({w.dim(t.dim())})",
            f"{x}.equal({other})",
            f"{x}.element_size(), {x}.nbytes",
            f"3 in {x}",
            f"int({x})",
        ]
    )
