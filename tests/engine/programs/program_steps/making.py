"""Lines that make tensors."""

from __future__ import annotations

from typing import Any

from tests.engine.programs.program_steps.lines import kept, steps
from tests.engine.programs.program_writer import Writer

STEPS, step = steps()


@step(4)
def make(w: Writer, x: str, t: Any) -> str:
    return kept(w, w.fresh(w.size(), w.dtype()))


@step(2)
def make_like(w: Writer, x: str, t: Any) -> str:
    dtype = f", dtype=torch.{w.dtype()}" if w.often(0.3) else ""
    return kept(w, f"torch.{w.one(['zeros_like', 'ones_like'])}({x}{dtype})")
