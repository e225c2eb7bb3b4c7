"""BackwardExplorer: walk through a backward pass, forwards and back, and see each gradient as it arrives."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from ..pictures.arrays.graphs.gradients import Pass, pass_of
from ..pictures.arrays.labels import label_of
from ..pictures.arrays.values import short
from ..pictures.drawing.scene import Block
from ..pictures.operations.gradients.backward import called, pass_picture, short_gradient
from . import traits
from .controls import Button, Control, Slider
from .explorer import Explorer
from .typed.integers import integer

MOST_TEXTS = 200
"""Steps whose texts are sent along with the slider."""


class BackwardExplorer(Explorer):
    """A backward pass, one step after the other. `step` is how many steps are done; the next one is shown.

    The pass is computed once, when the explorer is made: nothing is added to `.grad`, and the graph can be used or
    freed afterwards.

    >>> import tensorwidgets as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> w = BackwardExplorer(x * x, labels=["y"])
    >>> w.step = 1
    >>> w.status
    'Step 2 of 2, x: 2 gradients meet, from steps 1 and 1: their sum is 6 and is added to .grad.'
    """

    step = traits.Whole(0, help="How many steps are done. At the end the whole pass is shown.")

    STATE = ("step",)

    def __init__(
        self, result: Any, *, gradient: Any = None, labels: Sequence[str] | None = None, predict: bool = False,
        step: int | None = None,
    ):  # fmt: skip
        if isinstance(result, Pass):
            done = result
        else:
            frame = sys._getframe(1)
            names = {**(frame.f_globals if frame.f_locals is frame.f_globals else {}), **frame.f_locals}
            done = pass_of(result, label_of(frame, labels, "output"), names, gradient)
        self._pass = done
        super().__init__()
        with self._at_once():
            self.predict = predict
            self.step = step if step is not None else 0 if predict else len(done.turns)

    @property
    def _last(self) -> int:
        return len(self._pass.turns)

    @property
    def _at(self) -> int:
        asked = integer(self.step)
        return min(max(asked if asked is not None else 0, 0), self._last)

    def _moved(self, name: str, value: Any) -> None:
        if name == "step":
            self.step = value
        elif name in ("before", "after"):
            self.step = min(max(self._at + (1 if name == "after" else -1), 0), self._last)
        elif name == "meet":
            self.step = self._next_meeting()
        elif name == "start":
            self.step = 0

    def _next_meeting(self) -> int:
        """The next step at which several gradients meet, from the start again behind the last."""
        meets = [k for k, turn in enumerate(self._pass.turns) if len(turn.parts) > 1]
        return next((k for k in meets if k > self._at), meets[0] if meets else self._at)

    def _controls(self) -> list[Control]:
        last = self._last
        shown = f"{self._at + 1} of {last}" if self._at < last else "all done"
        texts = (*(f"{k + 1} of {last}" for k in range(last)), "all done") if last <= MOST_TEXTS else ()
        out: list[Control] = [
            Button("start", "start", "before the first step", group="step"),
            Button("before", "◀ back", "one step back", group="step"),
            Slider("step", "", self._at, 0, last, shown=shown, texts=texts, group="step"),
            Button("after", "next ▶", "one step on", group="step"),
        ]
        if any(len(turn.parts) > 1 for turn in self._pass.turns):
            out.append(Button("meet", "next sum", "to where several gradients meet", group="step"))
        return out

    def _scene(self) -> Sequence[Block]:
        return pass_picture(self._pass, self._at).blocks

    def _covered(self) -> Sequence[Block]:
        return pass_picture(self._pass, self._at, hidden=True).blocks

    def _status_text(self) -> str:
        if self._at == self._last:
            return f"All {self._last} steps are done."
        turn = self._pass.turns[self._at]
        name = called(self._pass, self._at)
        if turn.refused:
            said = f"refused: {turn.refused}"
        elif turn.total is None:
            said = "no gradient arrives"
        elif len(turn.parts) > 1:
            senders = " and ".join(str(part.sender + 1) for part in turn.parts)
            said = f"{len(turn.parts)} gradients meet, from steps {senders}: their sum is {short_gradient(turn.total)}"
        else:
            said = f"{short_gradient(turn.total)} arrives"
        leaf = self._pass.tape.steps[turn.step].is_leaf and turn.total is not None
        return f"Step {self._at + 1} of {self._last}, {name}: {said}{' and is added to .grad' if leaf else ''}."

    def _quiz(self) -> tuple[str, str] | None:
        if self._at == self._last:
            return None
        turn = self._pass.turns[self._at]
        name = called(self._pass, self._at)
        if turn.refused or turn.total is None:
            return None
        if turn.total.numel == 1 and turn.total.values:
            return f"Which gradient arrives at {name} in step {self._at + 1}?", short(turn.total.values[0][0])
        return f"How many gradients are added up at {name} in step {self._at + 1}?", str(len(turn.parts))
