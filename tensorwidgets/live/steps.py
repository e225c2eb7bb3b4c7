"""StepsExplorer: type an expression, walk through its steps, and see at each whether it is a view or a copy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..pictures.arrays.expression import Step
from ..pictures.drawing.scene import Block, Gap, Title
from ..pictures.operations.steps import Stage, stages_of, steps_picture
from . import traits
from .controls import Button, Control, Play, Slider, Text
from .explorer import Explorer, refusal
from .expressions import modules, reason_of, taken
from .typed.integers import integer

NEXT = (".t()", "[1:]", ".reshape(-1)", ".contiguous()")
NUMPY_NEXT = (".T", "[1:]", ".reshape(-1)", ".copy()")


class StepsExplorer(Explorer):
    """The steps of an expression, one after the other.

    >>> import numpy as np
    >>> w = StepsExplorer("x.T.reshape(-1)", x=np.arange(6.0).reshape(2, 3))
    >>> w.kinds
    ('start', 'view', 'copy')
    >>> w.step = 1
    >>> w.status
    'Step 1 of 2, x.T: a view.'
    """

    expression = traits.Text("")
    step = traits.Whole(0, help="How many steps are taken.")

    STATE = ("expression", "step")

    def __init__(self, expression: str, predict: bool = False, **names: Any):
        if not isinstance(expression, str):
            raise TypeError(f"StepsExplorer() takes an expression as text, such as 'x.t()[1:]', not {expression!r}")
        super().__init__()
        self._names = {**modules(list(names.values())), **names}
        self._steps: list[Step] = []
        self._stages: list[Stage] = []
        with self._at_once():
            self.expression, self.predict = expression, predict
            self._take()

    def _take(self) -> None:
        """Evaluates the expression; an invalid one keeps the previous steps."""
        result = taken(str(self.expression), self._names)
        self._wrong = None if isinstance(result, list) else result
        if isinstance(result, list):
            stages, _ = stages_of(result)
            self._steps, self._stages = result, stages
        self.step = max(len(self._steps) - 1, 0)

    @property
    def kinds(self) -> tuple[str, ...]:
        """What each step is: start, view, itself, copy, new, value or refused."""
        return tuple(stage.kind for stage in self._stages)

    @property
    def _at(self) -> int:
        asked = integer(self.step)
        return min(max(asked if asked is not None else 0, 0), max(len(self._steps) - 1, 0))

    def _changed(self, names: Sequence[str]) -> None:
        if "expression" in names:
            self._take()

    def _moved(self, name: str, value: Any) -> None:
        if name == "expression":
            self.expression = str(value)
            self._take()
        elif name == "step":
            self.step = value
        elif name in ("before", "after"):
            self.step = min(max(self._at + (1 if name == "after" else -1), 0), max(len(self._steps) - 1, 0))
        elif name in (*NEXT, *NUMPY_NEXT):
            self.expression = f"{self.expression}{name}"
            self._take()
        elif name == "undo" and len(self._steps) > 1:
            self.expression = self._steps[-2].source
            self._take()

    def _controls(self) -> list[Control]:
        wrong = self._wrong is not None
        out: list[Control] = [Text("expression", "", str(self.expression), 56, wrong, group="expression")]
        last = len(self._steps) - 1
        ours = any(hasattr(step.value, "untyped_storage") for step in self._steps[:1])
        for code in NEXT if ours else NUMPY_NEXT:
            out.append(Button(code, code, f"{self.expression}{code}", group="then"))
        out.append(Button("undo", "undo", "without the last step", group="then"))
        if last > 0:
            code = self._steps[self._at].code
            out.append(Button("before", "◀ back", "one step back", group="step"))
            out.append(Slider("step", "", self._at, 0, last, shown=code, group="step"))
            out.append(Play("play", "▶ play", "step", "one step after the other", group="step"))
            out.append(Button("after", "next ▶", "one step on", group="step"))
        return out

    def _scene(self) -> Sequence[Block]:
        self.reason = self._wrong
        if not self._steps:
            return [Title("Steps"), *([] if self.reason is None else [refusal(self.reason, str(self.expression))])]
        blocks = list(steps_picture(self._steps[: self._at + 1]).blocks)
        if self.reason is not None:
            blocks[1:1] = [refusal(self.reason, str(self.expression)), Gap(16)]
        elif self._stages[self._at].kind == "refused":
            self.reason = reason_of(self._steps[self._at].error or ValueError())
        return blocks

    def _status_text(self) -> str:
        if not self._steps:
            return ""
        said = {"start": "where it starts", "itself": "the same tensor", "view": "a view", "copy": "a copy",
                "new": "new values", "value": "no array", "refused": "refused"}  # fmt: skip
        at = self._at
        kind = said[self._stages[at].kind]
        return f"Step {at} of {len(self._steps) - 1}, {self._steps[at].source}: {kind}."

    def _quiz(self) -> tuple[str, str] | None:
        if not self._steps or self._stages[self._at].kind not in ("view", "itself", "copy", "new"):
            return None
        kind = "view" if self._stages[self._at].kind in ("view", "itself") else "copy"
        return f"Is {self._steps[self._at].source} a view or a copy?", kind

    def _few_answers(self) -> Sequence[str]:
        return ("view", "copy")

    def _covered(self) -> Sequence[Block]:
        return steps_picture(self._steps[: self._at]).blocks
