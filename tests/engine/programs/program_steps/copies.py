"""Lines that copy and cast."""

from __future__ import annotations

from typing import Any

from tests.engine.programs.program_steps.lines import kept, steps
from tests.engine.programs.program_writer import Writer

STEPS, step = steps()


FORMATS = ["contiguous_format", "preserve_format", "channels_last", "channels_last_3d"]


@step(6)
def copy(w: Writer, x: str, t: Any) -> str:
    fitting = {4: ["channels_last"] * 4, 5: ["channels_last_3d"] * 4}.get(t.dim(), [])
    how = f"memory_format=torch.{w.one(FORMATS[:2] + fitting if w.often(0.95) else FORMATS)}" if w.often(0.5) else ""
    return kept(w, f"{x}.{w.one(['contiguous', 'clone'])}({how})")


@step(6)
def cast(w: Writer, x: str, t: Any) -> str:
    d = f"torch.{w.dtype()}"
    other, _ = w.tensor()
    method = w.one(
        ["float", "double", "long", "int", "short", "char", "byte", "bool", "half", "bfloat16", "cfloat", "cdouble"]
    )
    return kept(
        w,
        w.one(
            [
                f"{x}.{method}()",
                f"{x}.to({d})",
                f"{x}.to(dtype={d})",
                f"{x}.to('cpu', {d})",
                f"{x}.to({other})",
                f"{x}.to('cpu')",
                f"{x}.to({d}, copy=True)",
                f"{x}.to({d}, memory_format=torch.contiguous_format)",
                f"{x}.cpu()",
                f"{x}.to({d}, False, True)",
                f"{x}.type_as({other})",
            ]
        ),
    )
