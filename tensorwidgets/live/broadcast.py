"""BroadcastExplorer: edit shapes, and see which axes stretch, what is never allocated, and the ways out of a clash."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from ..engine.errors.reasons import Reason
from ..engine.geometry import broadcast
from ..pictures.arrays.labels import fallback, labels_of
from ..pictures.arrays.values import count, shape_text
from ..pictures.drawing.inline import bold
from ..pictures.drawing.scene import Block, Gap, Title
from ..pictures.operations.broadcast.broadcast import broadcast_picture
from ..pictures.operations.broadcast.fixes import fixes
from ..pictures.operations.operands import is_shape, operand_names, operands_of
from ..pictures.parts.shapes import ShapeTable
from . import traits
from .controls import Button, Control, Text
from .explorer import Explorer, refusal
from .expressions import taken
from .typed.integers import integers, refused

MOST, LARGEST, DEEPEST = 4, 10**9, 8


class BroadcastExplorer(Explorer):
    """Shapes, and the result of broadcasting them. An array whose shape is edited becomes that shape.

    >>> w = BroadcastExplorer((3, 1), (4,))
    >>> w.result, w.verdicts
    ((3, 4), ('missing: 1 → 3', '1 → 4'))
    >>> w.shapes = ((3, 4), (3,))
    >>> w.reason.rule, w.fixes
    ('broadcast.clash', ('A + B[:, None]', 'A.T + B'))
    """

    shapes = traits.Tuples((), help="The size of each operand.")

    STATE = ("shapes",)

    def __init__(self, *operands: Any, labels: Sequence[str] | None = None, predict: bool = False, op: str = "+"):
        if not operands:
            raise TypeError("BroadcastExplorer() takes arrays or shapes: BroadcastExplorer((3, 1), (4,))")
        super().__init__()
        names = labels_of(sys._getframe(1), len(operands), labels)
        self._things: list[Any] = list(operands)
        self._labels = list(operand_names(operands, names))
        self._first = list(self._things), list(self._labels)
        self._op = op
        self._wrong: Reason | None = None
        self._typed: dict[int, str] = {}
        with self._at_once():
            self.predict = predict
            self._follow()

    # -- the state -----------------------------------------------------------------------------------

    @property
    def _sizes(self) -> tuple[tuple[int, ...], ...]:
        return tuple(operand.size for operand in operands_of(self._things, self._labels))

    @property
    def result(self) -> tuple[int, ...] | None:
        """The shape of the result, or None if the shapes clash."""
        result = broadcast(*self._sizes)
        return None if self._wrong is not None or isinstance(result, Reason) else result

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The verdict on each axis: `3 = 3`, `1 → 4`, `missing: 1 → 3`, `4 ≠ 3`."""
        return tuple(ShapeTable(tuple(map(bold, self._labels)), self._sizes, None).verdicts)

    @property
    def fixes(self) -> tuple[str, ...]:
        """Expressions that make the shapes fit, as code."""
        return tuple(fix.code for fix in self._fixes())

    def _fixes(self) -> list[Any]:
        result = broadcast(*self._sizes)
        if not isinstance(result, Reason) or self._wrong is not None or sum(map(len, self._sizes)) > 16:
            return []
        arrays = [o for o in operands_of(self._things, self._labels) if o.kind == "array"]
        numpy = bool(arrays) and all(o.library == "NumPy" for o in arrays)
        return fixes(self._sizes, self._labels, result.facts["position"], numpy, op=self._op)

    def _follow(self) -> None:
        self.shapes = self._sizes

    def _changed(self, names: Sequence[str]) -> None:
        given = self.shapes if isinstance(self.shapes, (list, tuple)) else None
        flat = given is not None and all(isinstance(n, int) for n in given)
        sizes = None if given is None or flat else [integers(one) for one in given]
        self._wrong = None
        if sizes is None or not sizes or len(sizes) > MOST:
            self._wrong = refused("shape", f"Shapes are one to {MOST} lists of sizes, such as ((3, 1), (4,)).")
            return
        wrong = [why for size in sizes if (why := checked(size)) is not None]
        if wrong:
            self._wrong = wrong[0]
            return
        old = list(zip(self._things, self._sizes, strict=True))
        labels = [*self._labels, *(c for c in fallback(MOST + 4) if c not in self._labels)]
        self._labels = labels[: len(sizes)]
        self._things = [
            old[k][0] if k < len(old) and old[k][1] == size else size
            for k, size in enumerate(sizes)
            if size is not None
        ]
        self._typed = {}

    # -- controls ------------------------------------------------------------------------------------

    def _moved(self, name: str, value: Any) -> None:
        what, _, number = name.partition(" ")
        at = int(number) if number.isdigit() else -1
        self._wrong = None
        if what == "shape" and at < len(self._things):
            size = integers(str(value))
            self._wrong = checked(size)
            self._typed = {at: str(value)}
            if self._wrong is None and size is not None and size != self._sizes[at]:
                self._things[at] = size
        elif what == "fix" and at < len(self._fixes()):
            self._apply_fix(self._fixes()[at])
        elif what == "more" and len(self._things) < MOST:
            self._labels.append(next(c for c in fallback(9) if c not in self._labels))
            self._things.append((1,))
        elif what == "less" and len(self._things) > 1:
            del self._things[-1], self._labels[-1]
        elif what == "over":
            self._things, self._labels = list(self._first[0]), list(self._first[1])
        if what != "shape":
            self._typed = {}
        self._follow()

    def _apply_fix(self, fix: Any) -> None:
        """Applies a fix: arrays become new views, shapes are replaced."""
        for k in fix.changed:
            steps = taken(f"it{fix.names[k].removeprefix(self._labels[k])}", {"it": self._things[k]})
            if is_shape(self._things[k]) or isinstance(steps, Reason) or steps[-1].error is not None:
                self._things[k] = fix.sizes[k]
            else:
                self._things[k] = steps[-1].value
            self._labels[k] = fix.names[k]

    def _controls(self) -> list[Control]:
        out: list[Control] = []
        for k, (label, size) in enumerate(zip(self._labels, self._sizes, strict=True)):
            typed = self._typed.get(k, ", ".join(map(str, size)))
            wrong = self._wrong is not None and k in self._typed
            out.append(Text(f"shape {k}", label, typed, 14, wrong, group="shapes"))
        if len(self._things) < MOST:
            out.append(Button("more", "+ operand", "one more operand, of shape (1,)", group="operands"))
        if len(self._things) > 1:
            out.append(Button("less", "− operand", f"without {self._labels[-1]}", group="operands"))
        out.append(Button("over", "start over", f" {self._op} ".join(self._first[1]), group="operands"))
        out += [
            Button(f"fix {k}", fix.code, f"{fix.code}: {fix.said}", group="ways out")
            for k, fix in enumerate(self._fixes())
        ]
        return out

    # -- what is seen and said -----------------------------------------------------------------------

    def _scene(self) -> Sequence[Block]:
        blocks = list(broadcast_picture(self._things, self._labels, self._op).blocks)
        if self._wrong is not None:
            self.reason = self._wrong
            blocks[1:1] = [refusal(self._wrong, "shape"), Gap(16)]
        else:
            result = broadcast(*self._sizes)
            self.reason = result if isinstance(result, Reason) else None
        return blocks

    def _status_text(self) -> str:
        said = f" {self._op} ".join(
            f"{label} {shape_text(size)}" for label, size in zip(self._labels, self._sizes, strict=True)
        )
        result = self.result
        assert result is not None
        total = 1
        for n in result:
            total *= n
        return f"{said} gives {shape_text(result)}, {count(total, 'element')}."

    def _quiz(self) -> tuple[str, str] | None:
        if self._wrong is not None:
            return None
        sizes = f" {self._op} ".join(shape_text(size) for size in self._sizes)
        result = self.result
        return f"{sizes}: what size does the result have? (or: refused)", "refused" if result is None else shape_text(
            result
        )

    def _covered(self) -> Sequence[Block]:
        return [
            Title(
                f" {self._op} ".join(
                    f"{label} {shape_text(s)}" for label, s in zip(self._labels, self._sizes, strict=True)
                )
            )
        ]


def checked(size: tuple[int, ...] | None) -> Reason | None:
    """Why this shape cannot be drawn, or None.

    >>> checked((3, -1)).because
    'A size is 0 or more, and -1 is less.'
    """
    if size is None:
        return refused("shape", "A shape is a list of whole numbers, such as 3, 1.")
    if any(n < 0 for n in size):
        return refused("shape", f"A size is 0 or more, and {min(size)} is less.")
    if len(size) > DEEPEST or any(n > LARGEST for n in size):
        return refused("shape", f"At most {DEEPEST} dimensions of at most {LARGEST:,} elements each are drawn.")
    return None
