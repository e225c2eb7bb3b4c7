"""NamedDimsExplorer: move a name by keys or menu, line tensors up by name, see names unify, contract and clash."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..engine.dimension_names import Aligned, Names, align_to, checked, matmul, unify
from ..engine.errors.reasons import Reason
from ..engine.geometry import broadcast
from ..pictures.arrays.labels import labels_of
from ..pictures.arrays.layout import Layout, Owner
from ..pictures.arrays.values import shape_text
from ..pictures.arrays.window import window_of
from ..pictures.drawing.scene import Block, Gap, Title
from ..pictures.operations.names import OPS, names_picture
from ..pictures.operations.operands import Operand, atom, operands_of
from . import traits
from .controls import Button, Control, Menu, Text
from .explorer import Explorer, refusal
from .typed.integers import refused

BOTH = "both"


@dataclass(frozen=True)
class Named:
    """The state of a tensor: its code, its names, and its dimensions."""

    code: str
    names: Names
    size: tuple[int, ...]
    stride: tuple[int, ...]
    item: int

    @property
    def thing(self) -> Layout:
        """What the picture is drawn from: sizes and strides, and no values."""
        steps = tuple(s * self.item for s in self.stride)
        window = window_of(self.size, 0)
        return Layout(self.size, steps, 0, self.item, "float32", "tensorwidgets", "cpu", Owner(0, 0, 0), window, None)

    def moved(self, aligned: Aligned, code: str) -> Named:
        """The same dimensions in another order; new ones have size 1 and stride 0."""
        size = tuple(1 if d is None else self.size[d] for d in aligned.order)
        stride = tuple(0 if d is None else self.stride[d] for d in aligned.order)
        return Named(code, aligned.names, size, stride, self.item)


class NamedDimsExplorer(Explorer):
    """One tensor or two, with a name for each dimension.

    >>> w = NamedDimsExplorer((2, 3), (3,), names=(("batch", "time"), ("time",)), labels=["x", "y"])
    >>> w.result
    ('batch', 'time')
    >>> w.order = ("time", "batch")
    >>> w.expressions[0], w.reason.rule
    ("x.align_to('time', 'batch')", 'names.clash')
    """

    names = traits.Tuples((), help="The names of each tensor, as they were given.")
    order = traits.Tuples(None, help="Where the names of the tensor that is moved are to stand.")
    which = traits.Whole(0, help="Which tensor is moved.")
    name = traits.Text("", help="The name that the keys move.")
    op = traits.Text(BOTH, help='"+", "@" or "both".')

    STATE = ("names", "order", "which", "name", "op")

    def __init__(
        self, *arrays: Any, names: Any = None, align_to: Sequence[str | None] | None = None, op: str | None = None,
        labels: Sequence[str] | None = None, predict: bool = False,
    ):  # fmt: skip
        if not 1 <= len(arrays) <= 2:
            raise TypeError("NamedDimsExplorer() takes one array or two: NamedDimsExplorer(x, names=('batch', 'time'))")
        if names is not None and not isinstance(names, (tuple, list)):
            raise TypeError(f"names= takes a name for each dimension, such as ('batch', 'channel'), not {names!r}")
        super().__init__()
        self._labels = labels_of(sys._getframe(1), len(arrays), labels)
        self._operands = operands_of(arrays, self._labels)
        self._sides: list[Named] = []
        self._past: list[list[Named]] = []
        self._wrong: tuple[Reason, str] | None = None
        with self._at_once():
            self.predict, self.op = predict, op or BOTH
            self.names = _given(arrays, self._operands, names)
            self._name()
            if align_to is not None:
                self.order = tuple(align_to)
                self._align()

    # -- the state -----------------------------------------------------------------------------------

    def _name(self) -> None:
        """Sets the names of the tensors; invalid names change nothing."""
        self._wrong = None
        given = self.names if isinstance(self.names, (list, tuple)) else ()
        if len(self._operands) == 1 and all(n is None or isinstance(n, str) for n in given):
            given = (given,)
        results: list[Names] = []
        for k, operand in enumerate(self._operands):
            own = given[k] if k < len(given) and isinstance(given[k], (list, tuple)) else ()
            names = checked(tuple(own), len(operand.size))
            if isinstance(names, Reason):
                self._wrong = names, operand.label
                results.append(self._sides[k].names if self._sides else (None,) * len(operand.size))
            else:
                results.append(names)
        if self._wrong is None or not self._sides:
            self._sides = [_side(o, n) for o, n in zip(self._operands, results, strict=True)]
            self._first = list(self._sides)
            self._past = []
        self._follow()

    def _follow(self) -> None:
        side = self._sides[self._at]
        self.order = side.names
        known = [n for n in side.names if n is not None]
        if self.name not in known:
            self.name = known[0] if known else ""

    @property
    def _at(self) -> int:
        return self.which if self.which in range(len(self._operands)) else 0

    def _align(self) -> None:
        """Aligns the selected tensor to the requested order."""
        wanted = self.order if isinstance(self.order, (list, tuple)) else (self.order,)
        code = f"{atom(self._labels[self._at])}.align_to({', '.join(repr(n) for n in wanted)})"
        if not all(n is None or isinstance(n, str) for n in wanted):
            text = "An order is a list of names."
            self._wrong = refused("names", text), code
            return
        first = self._first[self._at]
        aligned = align_to(first.names, tuple(wanted))
        if isinstance(aligned, Reason):
            self._wrong = aligned, code
            return
        self._wrong = None
        self._past.append(list(self._sides))
        del self._past[:-50]
        same = aligned.names == first.names
        self._sides[self._at] = first if same else first.moved(aligned, code)
        self.order = aligned.names

    def _changed(self, names: Sequence[str]) -> None:
        if "names" in names:
            self._name()
        elif "order" in names:
            self._align()
        elif "which" in names:
            self._follow()

    @property
    def expressions(self) -> tuple[str, ...]:
        """The code of each tensor."""
        return tuple(side.code for side in self._sides)

    @property
    def result(self) -> Names | None:
        """The names of the sum (or, where `op` is "@", of the product); None where they clash."""
        result = self._outcome()
        return None if isinstance(result, Reason) else result

    def _outcome(self) -> Names | Reason:
        one = self._sides[0]
        if len(self._sides) == 1:
            return one.names
        other = self._sides[1]
        if self.op == "@":
            return _product(one, other)
        names = unify(one.names, other.names)
        size = broadcast(one.size, other.size)
        return size if isinstance(size, Reason) and not isinstance(names, Reason) else names

    # -- controls ------------------------------------------------------------------------------------

    def _moved(self, name: str, value: Any) -> None:
        what, _, rest = name.partition(" ")
        self._wrong = None
        if what == "names" and rest.isdigit():
            typed = tuple(None if n in ("", "None") else n for n in map(str.strip, str(value).split(",")))
            all_names: list[Any] = [list(side.names) for side in self._first]
            if int(rest) < len(all_names):
                all_names[int(rest)] = typed if str(value).strip() else ()
                self.names = tuple(map(tuple, all_names))
                self._name()
        elif what in ("left", "right"):
            self._shift(-1 if what == "left" else 1)
        elif what == "chip":
            self._carry(str(value))
        elif what == "name":
            self.name = value
        elif what == "which":
            self.which = self._labels.index(value) if value in self._labels else 0
            self._follow()
        elif what == "op":
            self.op = value
        elif what == "order":
            self.order = tuple(None if n == "None" else n for n in map(str.strip, str(value).split(",")) if n)
            self._align()
        elif what == "as" and len(self._sides) == 2:
            self._as(int(rest) if rest in ("0", "1") else 0)
        elif what == "back" and self._past:
            self._sides = self._past.pop()
            self._follow()
        elif what == "over":
            self._past.append(list(self._sides))
            self._sides = list(self._first)
            self._follow()

    def _shift(self, by: int) -> None:
        """Moves the selected name by one position; at the edge it stays."""
        names = list(self._sides[self._at].names)
        if self.name not in names:
            return
        at = names.index(self.name)
        to = at + by
        if not 0 <= to < len(names):
            text = f"'{self.name}' is {'first' if by < 0 else 'last'} already: positions go from 0 to {len(names) - 1}."
            self._wrong = refused("edge", text), str(self.name)
            return
        self._place(at, to)

    def _carry(self, said: str) -> None:
        """A chip was carried: of which tensor, by how many positions, which name."""
        told = re.fullmatch(r"([01]) (-?\d{1,3}) (.+)", said)
        if told is None or int(told[1]) >= len(self._sides):
            return
        which, by, name = int(told[1]), int(told[2]), told[3]
        names = self._sides[which].names
        if name in names and names.index(name) + by in range(len(names)):
            self.which, self.name = which, name
            self._place(names.index(name), names.index(name) + by)

    def _place(self, at: int, to: int) -> None:
        """Moves the dimension at one position to another."""
        side = self._sides[self._at]
        order = list(range(len(side.names)))
        order.insert(to, order.pop(at))
        self.order = tuple(side.names[d] for d in order)
        if None not in side.names:
            self._align()
            return
        # align_to wants every name, and a permutation does not.
        code = f"{atom(side.code)}.permute({', '.join(map(str, order))})"
        self._past.append(list(self._sides))
        self._sides[self._at] = side.moved(Aligned(self.order, tuple(order)), code)

    def _draw_sheet(self, hidden: bool) -> None:
        """The chips that can be carried: of each tensor as it is now, in the places of its names."""
        one = len(self._sides) == 1 and self._sides[0] is not self._first[0] and None not in self._sides[0].names
        chips = {
            f"{name} of {'the aligned' if one else side.code}": [k, at, name]
            for k, side in enumerate(self._sides)
            for at, name in enumerate(side.names)
            if name is not None
        }
        self.hands = {} if hidden else {"chips": chips}

    def _as(self, k: int) -> None:
        """`a.align_as(b)`."""
        side, other = self._first[k], self._sides[1 - k]
        code = f"{atom(self._labels[k])}.align_as({self._labels[1 - k]})"
        aligned = align_to(side.names, other.names)
        if isinstance(aligned, Reason):
            self._wrong = aligned, code
            return
        self._past.append(list(self._sides))
        self._sides[k] = side.moved(aligned, code)
        self._follow()

    def _controls(self) -> list[Control]:
        out: list[Control] = []
        for k, (label, side) in enumerate(zip(self._labels, self._first, strict=True)):
            wrong = self._wrong is not None and self._wrong[1] == label
            out.append(Text(f"names {k}", label, ", ".join(map(str, side.names)), 28, wrong, True, group="names"))
        side = self._sides[self._at]
        known = tuple(n for n in side.names if n is not None)
        if len(self._sides) == 2:
            out.append(Menu("which", "of", self._labels[self._at], self._labels, group="move"))
        if known:
            out.append(Menu("name", "name", str(self.name), known, group="move"))
            out.append(Button("left", "◀", f"{self.name} one place to the left", group="move"))
            out.append(Button("right", "▶", f"{self.name} one place to the right", group="move"))
        if known:
            stands = ", ".join(map(str, self._sides[self._at].names))
            out.append(Text("order", "align_to", stands, 28, done=True, group="move"))
        last = "align" if len(self._sides) == 2 else "move"
        if len(self._sides) == 2:
            one, other = self._labels
            out.append(
                Button("as 1", f"{atom(other)}.align_as({one})", "puts its names in the other's order", group="align")
            )
            out.append(
                Button("as 0", f"{atom(one)}.align_as({other})", "puts its names in the other's order", group="align")
            )
            out.append(Menu("op", "result of", str(self.op), (BOTH, *OPS), group="align"))
        out.append(Button("back", "undo", "back to what was before", group=last))
        out.append(Button("over", "start over", " and ".join(self._labels), group=last))
        return out

    # -- what is seen and said -----------------------------------------------------------------------

    def _scene(self) -> Sequence[Block]:
        op = self.op if self.op in OPS else None
        wrong = self._wrong
        if op is None and self.op not in (BOTH, None):
            text = f"An operation is '+', '@' or 'both', not {self.op!r}."
            wrong = wrong or (refused("op", text), "op")
        if len(self._sides) == 1:
            first, now = self._first[0], self._sides[0]
            order = None if now is first or None in now.names else now.names
            shown = first if order is not None else now
            label = self._labels[0] if order is not None else now.code
            blocks = list(names_picture((shown.thing,), (label,), (shown.names,), order).blocks)
            self.reason = None
        else:
            things = tuple(side.thing for side in self._sides)
            names = tuple(side.names for side in self._sides)
            blocks = list(names_picture(things, self.expressions, names, None, op).blocks)
            result = self._outcome()
            self.reason = result if isinstance(result, Reason) else None
        if wrong is not None:
            self.reason = wrong[0]
            blocks[1:1] = [refusal(*wrong), Gap(16)]
        return blocks

    def _status_text(self) -> str:
        sides = " and ".join(f"{side.code} ({', '.join(map(str, side.names))})" for side in self._sides)
        if len(self._sides) == 1:
            return f"{sides}, size {shape_text(self._sides[0].size)}."
        result = self.result
        assert result is not None
        sign = "@" if self.op == "@" else "+"
        return f"{sides}: {sign} gives ({', '.join(map(str, result))})."

    def _quiz(self) -> tuple[str, str] | None:
        if self._wrong is not None or len(self._sides) < 2:
            return None
        sign = "@" if self.op == "@" else "+"
        result = self.result
        text = f" {sign} ".join(f"({', '.join(map(str, side.names))})" for side in self._sides)
        return f"{text}: which names does the result have? (or: refused)", "refused" if result is None else ", ".join(
            map(str, result)
        )

    def _covered(self) -> Sequence[Block]:
        return [Title("Names are matched, not positions", " and ".join(self.expressions))]


def _side(operand: Operand, names: Names) -> Named:
    return Named(operand.label, names, operand.size, operand.stride, max(operand.itemsize, 1))


def _given(things: Sequence[Any], operands: Sequence[Operand], names: Any) -> Any:
    """The names of each tensor: from the argument, otherwise its own, otherwise none."""
    if names is not None and not isinstance(names, (list, tuple)):
        return names
    if names is not None:
        flat = all(n is None or isinstance(n, str) for n in names)
        return (tuple(names),) if flat and len(things) == 1 else tuple(names)
    own = (getattr(thing, "names", None) for thing in things)
    return tuple(
        tuple(n) if isinstance(n, (list, tuple)) else (None,) * len(o.size) for n, o in zip(own, operands, strict=True)
    )


def _product(one: Named, other: Named) -> Names | Reason:
    if not one.size or not other.size:
        return refused("product", "A matrix product needs at least one dimension on each side.")
    a, b = one.size[-1], other.size[-2 if len(other.size) > 1 else -1]
    names = matmul(one.names, other.names)
    if a != b and not isinstance(names, Reason):
        return refused("product", f"Sizes {a} and {b} differ: there is nothing to sum along.")
    lead = broadcast(one.size[:-2], other.size[:-2])
    return lead if isinstance(lead, Reason) and not isinstance(names, Reason) else names
