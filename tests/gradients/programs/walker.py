"""Random programs that walk through graphs: nodes, edges, flags, modes, the contexts of functions.

Its lines are those of `caller`, and more often sentences of `sentences_of_nodes.txt`.
"""

from __future__ import annotations

from typing import Any

from tests.gradients.programs import sentences
from tests.gradients.programs.caller import Caller, written_by
from tests.gradients.programs.running import Program


class Walker(Caller):
    """A program about graphs in the making."""

    def sentence(self) -> str:
        self.handles += 1
        chosen = self.fill(self.one(self.one(sentences.LINES_OF_NODES)))
        return chosen.replace("HANDLE", f"hook{self.handles}")

    def line(self) -> str:
        return self.sentence() if self.tensors() and self.often(0.4) else super().line()


def write(seed: int, torch: Any) -> Program:
    """The program of a seed."""
    return written_by(Walker(seed, torch), torch)
