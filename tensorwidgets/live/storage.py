"""StorageExplorer: sliders for size, stride and offset, buttons for views, and where each element of each view lies."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..engine.errors.reasons import Reason
from ..engine.expressions import chain, walk
from ..pictures.arrays.labels import labels_of
from ..pictures.arrays.layout import WHOLE, Layout
from ..pictures.arrays.values import count, shape_text
from ..pictures.drawing.scene import Beside, Block, Gap, Title, Words
from ..pictures.memory.views import Drawn, example, facts, named_views, storage_and_views, storage_facts
from ..pictures.parts.strip import ONE_LINE
from ..pictures.parts.view_grid import ViewGrid
from . import traits
from .controls import Button, Control, Menu, Slider, Text
from .explorer import Explorer, refusal
from .expressions import drawable, modules, no_array, reason_of
from .hands import hands_of
from .sheet import NOTHING, ends_of, sheet_of
from .strided import Ground, Ints, changed
from .typed.integers import integer, integers, refused

MOST_VIEWS = 4
BESIDE, THUMB = 580, 220
"""Pixels: the canvas of a large view, and at most its base beside it."""


@dataclass(frozen=True)
class View:
    """Code and its value. If the code was refused, also the array that is drawn instead, and its code."""

    code: str
    value: Any
    reason: Reason | None = None
    instead: str = ""

    @property
    def drawn(self) -> str:
        """The code of what is drawn."""
        return self.instead if self.reason is not None else self.code


class StorageExplorer(Explorer):
    """Where the elements of an array lie, and how size, stride and offset choose among them.

    >>> import numpy as np
    >>> w = StorageExplorer(np.arange(12.0).reshape(3, 4), labels=["x"])
    >>> w.expression = "x.T[1:]"
    >>> w.size, w.stride, w.offset
    ((3, 3), (1, 4), 1)
    >>> w.offset = 9
    >>> w.reason.because
    'The last element would be at place 19, and the storage ends at place 11.'
    """

    expression = traits.Text("", help="The code of the view that is being moved.")
    size = traits.Wholes(())
    stride = traits.Wholes(())
    offset = traits.Whole(0)
    view = traits.Whole(0, help="Which of the views is being moved.")
    views = traits.Tuples((), help="The code of each view.")

    STATE = ("expression", "size", "stride", "offset", "view", "views")

    def __init__(self, *arrays: Any, labels: Sequence[str] | None = None, predict: bool = False):
        if not arrays:
            raise TypeError("StorageExplorer() takes at least one array: StorageExplorer(x)")
        super().__init__()
        names = labels_of(sys._getframe(1), len(arrays), labels, unnamed="view")
        self._roots = [View(name, array) for name, array in zip(names, arrays, strict=True)]
        self._known: dict[str, Any] = {root.code: root.value for root in self._roots}
        self._names = {**modules(arrays), **{n: v for n, v in self._known.items() if n.isidentifier()}}
        self._grounds = [Ground(root.code, root.value) for root in self._roots]
        self._copies: list[Ground] = []
        self._shown = list(self._roots)
        self._most = max(MOST_VIEWS, len(arrays))
        self._past: list[list[View]] = []
        self._hands: dict[str, Any] = {}
        with self._at_once():
            self.predict = predict
            self._follow()

    # -- the state -----------------------------------------------------------------------------------

    @property
    def _now(self) -> View:
        return self._shown[self._at]

    @property
    def _at(self) -> int:
        """The selected view; an invalid index selects the nearest."""
        at = integers(self.view)
        return min(max(at[0], 0), len(self._shown) - 1) if at else 0

    def _follow(self) -> None:
        """Updates the traits from the selected view."""
        now = self._now
        self.expression, self.view = now.code, self._at
        self.views = tuple(view.code for view in self._shown)
        if now.reason is None:
            layout = Layout.of(now.value, values=False)
            self.size, self.stride, self.offset = layout.size, layout.stride, layout.offset

    def _changed(self, names: Sequence[str]) -> None:
        (name,) = names
        if name == "expression":
            self._put(self._taken(str(self.expression)))
        elif name == "views":
            asked = [str(code) for code in self.views] if isinstance(self.views, (list, tuple)) else []
            self._past.append(self._shown)
            self._shown = [self._taken(code) for code in asked[: self._most]] or self._roots[:1]
        elif name == "view":
            pass
        else:
            self._strided()
            return
        self._follow()

    def _put(self, view: View) -> None:
        self._past.append(list(self._shown))
        del self._past[:-50]
        self._shown[self._at] = view

    def _taken(self, code: str) -> View:
        """The value of an expression; if a step is refused, the value before it."""
        root = self._roots[0]
        try:
            stages = chain(walk(code, self._names, self._known))
        except Exception as error:
            return View(code, root.value, reason_of(error), root.code)
        good = [(stage.value, stage.text) for stage in stages if not stage.failed and drawable(stage.value)]
        value, text = good[-1] if good else (root.value, root.code)
        last = stages[-1]
        if last.error is not None:
            return View(code, value, reason_of(last.error), text)
        if not drawable(last.value):
            return View(code, value, no_array(code, last.value), text)
        self._known[code] = last.value
        return View(code, last.value)

    def _ground(self) -> Ground:
        """The memory of the view: that of a given array, or its own."""
        layout = Layout.of(self._now.value, values=False)
        for ground in (*self._grounds, *self._copies):
            if ground.owner.start <= layout.owner.start < ground.owner.start + max(ground.owner.nbytes, 1):
                if ground.item == layout.itemsize:
                    return ground
        # A copy has memory of its own, which keeps the name under which it was first seen.
        copy = Ground(self._now.drawn, self._now.value)
        self._copies = [*self._copies[-MOST_VIEWS:], copy]
        return copy

    def _asked(self) -> tuple[Ints, Ints, int] | None:
        """Size, stride and offset as they were set; None if they are not integers."""
        size, stride, offset = integers(self.size), integers(self.stride), integer(self.offset)
        return None if size is None or stride is None or offset is None else (size, stride, offset)

    def _strided(self) -> None:
        """Makes the view with this size, stride and offset."""
        ground, asked = self._ground(), self._asked()
        if asked is None:
            text = "A size and a stride are whole numbers, one for each dimension; an offset is one."
            self._put(replace(self._now, reason=refused("numbers", text), instead=self._now.drawn))
            return
        code = ground.code(*asked)
        reason = ground.reason(*asked) if ground.free else _fixed(ground)
        # A tensor may refuse what its memory allows, as one with a scale for each channel does.
        made = (
            self._called(code, lambda: ground.cut(*asked))
            if reason is None
            else View(code, self._now.value, reason, self._now.drawn)
        )
        self._put(made)
        if made.reason is None:
            self._follow()
        else:
            self.expression, self.views = code, tuple(view.code for view in self._shown)

    # -- controls ------------------------------------------------------------------------------------

    def _moved(self, name: str, value: Any) -> None:
        what, _, dim = name.partition(" ")
        if what in ("size", "stride") and dim.isdigit() or what == "offset":
            self._slid(what, int(dim or 0), value)
        elif name in self._moves():
            code, value = self._moves()[name]
            self._put(self._taken(code) if value is None else self._called(code, value))
        elif name == "expression":
            self._put(self._taken(str(value)))
        elif name == "view" and isinstance(value, str):
            self.view = int(value.partition(":")[0]) - 1 if value.partition(":")[0].isdigit() else 0
        elif name == "keep" and len(self._shown) < self._most:
            self._past.append(list(self._shown))
            self._shown.append(self._now)
            self.view = len(self._shown) - 1
        elif name == "drop" and len(self._shown) > 1:
            self._past.append(list(self._shown))
            del self._shown[self._at]
        elif name == "back" and self._past:
            self._shown = self._past.pop()
        elif name == "over":
            self._shown = [self._roots[0]]
        else:
            return
        if what not in ("size", "stride", "offset"):
            self._follow()

    def _slid(self, what: str, dim: int, value: Any) -> None:
        asked, number = self._asked(), integer(value)
        if asked is None or number is None or (what != "offset" and dim >= min(len(asked[0]), len(asked[1]))):
            return
        self.size, self.stride, self.offset = changed(*asked, what, dim, number)
        self._strided()

    def _called(self, code: str, call: Any) -> View:
        try:
            value = self._known[code] = call()
        except Exception as error:
            return View(code, self._now.value, reason_of(error), self._now.drawn)
        return View(code, value)

    def _moves(self) -> dict[str, tuple[str, Any]]:
        """The buttons: the code of each, and the function for those without an expression."""
        now = self._now
        x, size = now.value, Layout.of(now.value, values=False).size
        at = now.drawn
        if hasattr(x, "untyped_storage"):
            sizes = ", ".join(map(str, (2, *size)))
            names = {"t": ".t()", "slice": "[1:]", "expand": f".expand({sizes})", "unfold": ".unfold(0, 2, 1)",
                     "diagonal": ".diagonal()", "reverse": ".flip(0)"}  # fmt: skip
            return {name: (at + code, None) for name, code in names.items()}
        window = np.lib.stride_tricks.sliding_window_view
        return {
            "t": (f"{at}.T", None), "slice": (f"{at}[1:]", None),
            "expand": (f"np.broadcast_to({at}, {(2, *size)})", lambda: np.broadcast_to(x, (2, *size))),
            "unfold": (f"sliding_window_view({at}, 2, axis=0)", lambda: window(x, 2, axis=0)),
            "diagonal": (f"{at}.diagonal()", None), "reverse": (f"{at}[::-1]", None),
        }  # fmt: skip

    def _controls(self) -> list[Control]:
        out: list[Control] = [Text("expression", "", self._now.code, 44, self._now.reason is not None, group="view")]
        if len(self._shown) > 1:
            choices = tuple(f"{k}: {view.code}" for k, view in enumerate(self._shown, 1))
            out.append(Menu("view", "moves", choices[self._at], choices, group="view"))
        out.append(Button("back", "undo", "back to what was before", group="view"))
        out.append(Button("over", "start over", self._roots[0].code, group="view"))
        if len(self._shown) < self._most:
            out.append(Button("keep", "+ view", "keeps this view and moves another", group="view"))
        if len(self._shown) > 1:
            out.append(Button("drop", "− view", f"drops {self._now.code}", group="view"))
        for name, (code, _) in self._moves().items():
            short = code.removeprefix(self._now.drawn)
            out.append(Button(name, short if len(short) < 24 else name, code, group="then"))
        return [*out, *self._sliders()]

    def _sliders(self) -> list[Control]:
        ground, asked = self._ground(), self._asked()
        if not ground.free or asked is None or len(asked[0]) != len(asked[1]):
            return []
        out: list[Control] = []
        for what, numbers in (("size", asked[0]), ("stride", asked[1]), ("offset", (asked[2],))):
            for d, number in enumerate(numbers):
                (low, under), (high, over) = ground.edges(asked, what, d)
                name, label, hue = (what, "element", None) if what == "offset" else (f"{what} {d}", f"dim {d}", d)
                ends = min(ground.least(what), number), max(ground.most, number)
                out.append(Slider(name, label, number, *ends, (low, high), _words(under), _words(over), "", hue, what))
        return out

    # -- what is seen and said -----------------------------------------------------------------------

    def _drawn(self) -> list[View]:
        """The views of the picture: those that were asked for, and the base of the one that is moved: before them in a
        line of cells, after them where bars lead to the view."""
        ground = self._ground()
        base = next((root for root in self._roots if root.code == ground.label), self._roots[0])
        there = any(view.drawn == base.code for view in self._shown)
        large = Layout.of(self._now.value, values=False).numel > WHOLE
        # The base of a large view is a canvas beside it.
        if there or large:
            return self._shown
        return [base, *self._shown] if ground.held <= ONE_LINE else [*self._shown, base]

    def _scene(self) -> Sequence[Block]:
        self.reason = self._now.reason
        views = self._drawn()
        arrays, codes = [view.value for view in views], [view.drawn for view in views]
        blocks = [_without_image(block) for block in storage_and_views(arrays, codes).blocks]
        self._hands = self._grips(views, blocks)
        self._sheet = self._large()
        if self.reason is not None:
            blocks[1:1] = [refusal(self.reason, self._now.code), Gap(16)]
        return blocks

    def _status_text(self) -> str:
        layout = Layout.of(self._now.value, values=False)
        return (
            f"{self._now.code}: size {shape_text(layout.size)}, stride {shape_text(layout.stride)}, offset "
            f"{layout.offset}, {count(layout.numel, 'element')}."
        )

    def _quiz(self) -> tuple[str, str] | None:
        views, storages = named_views([self._now.value], [self._now.code])
        hand = example(views)
        if self._now.reason is not None or hand is None or not views[0].layout.in_elements:
            return None
        asked = hand.view.subject(hand.index)
        return f"Which element of the storage does {asked} read?", str(hand.units[0])

    def _pointed(self, cell: str) -> str:
        element = re.fullmatch(r"[A-Z]+\[(\d+)\]", cell)
        return element[1] if element else ""

    def _covered(self) -> Sequence[Block]:
        views, _ = named_views([self._now.value], [self._now.code])
        storage = views[0].storage
        bare = Drawn(storage, views, [storage]).strip(None, False)
        places = zip(bare.cells, bare.units, strict=True)
        hidden = tuple(c._replace(kind="solid", mark="", note=f"{storage.letter}[{unit}]") for c, unit in places)
        strip = replace(bare, cells=hidden, lanes=(), hops=None)
        return [Title(self._now.code, storage_facts(storage)), strip, Gap(16), Words(facts(views[0], False))]

    def _grips(self, views: Sequence[View], blocks: Sequence[Block]) -> dict[str, Any]:
        """What the browser needs to put grips on this picture; nothing where the memory cannot be cut freely."""
        ground, asked = self._ground(), self._asked()
        if not ground.free or asked is None or len(asked[0]) != len(asked[1]) or not ground.held:
            return {}
        at = next(k for k, view in enumerate(views) if view is self._now)
        return hands_of(ground, asked, [view.value for view in views], at, [view.drawn for view in views], blocks)

    def _large(self) -> tuple[dict[str, Any], bytes, bytes]:
        """A large view for the canvas: what to paint, its numbers, and those of all of its memory."""
        ground, now = self._ground(), self._now
        if Layout.of(now.value, values=False).numel <= WHOLE:
            return *NOTHING, b""
        numbers = ground.numbers()  # anew each time: the memory may have been written to
        ends = ends_of(numbers) if numbers.size else None
        sheet, cells = sheet_of(now.drawn, now.value, ends, room=BESIDE)
        base, _ = sheet_of(ground.label, ground.array, ends, 0)
        if base and numbers.size:
            scale = min(4.0, THUMB / base["columns"], THUMB / base["rows"])
            sheet["base"] = {**base, "scale": scale}
        return sheet, cells, np.ascontiguousarray(numbers, "<f8").tobytes()

    def _draw_sheet(self, hidden: bool) -> None:
        sheet, cells, memory = (*NOTHING, b"") if hidden else self._sheet
        if sheet != self.sheet or cells != self.cells:
            self.sheet, self.cells = sheet, cells
        self.memory, self.hands = memory, {} if hidden else self._hands


def _without_image(block: Block) -> Block:
    """Views without the small image of a large one: the canvas shows all of it."""
    if not isinstance(block, Beside):
        return block
    return replace(block, blocks=[replace(b, raster=None) if isinstance(b, ViewGrid) else b for b in block.blocks])


def _words(reason: Reason | None) -> str:
    return "" if reason is None else reason.because or reason.message


def _fixed(ground: Ground) -> Reason:
    return refused("fixed", f"The memory behind {ground.label} cannot be cut freely.")
