"""Random programs that mix views, writes into them, modes, flags and data given to tensors.

Its lines are those of `caller`, and more often sentences of `sentences_of_writes.txt`.
"""

from __future__ import annotations

from typing import Any

from tests.gradients.programs import sentences
from tests.gradients.programs.caller import Caller, written_by
from tests.gradients.programs.running import Program


class Mixer(Caller):
    """A program of views and writes in the making."""

    def sentence(self) -> str:
        self.handles += 1
        chosen = self.fill(self.one(self.one(sentences.LINES_OF_WRITES)))
        return chosen.replace("HANDLE", f"hook{self.handles}")

    def line(self) -> str:
        return self.sentence() if self.tensors() and self.often(0.6) else super().line()

    def begin(self) -> None:
        """The first lines: a leaf, and what was computed from it."""
        self.add(f"a = {self.fresh(tracked=True, dtype=self.one(['float64', 'float64', 'complex128']))}")
        if self.often(0.7):
            self.add(f"b = a {self.one(['* 2', '* a', '+ 1'])}")
        if self.often(0.3):
            self.add(f"c = {self.fresh((2, 2), self.often(0.5), 'float64')}")


def write(seed: int, torch: Any) -> Program:
    """The program of a seed."""
    return written_by(Mixer(seed, torch), torch)
