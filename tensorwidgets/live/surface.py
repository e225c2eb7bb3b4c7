"""SurfaceExplorer: optimizers on a loss over two parameters, with the learning rate and the start in hand."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import traitlets as t

from ..engine.errors.reasons import Reason
from ..pictures.arrays.models.descents import RULES, Point
from ..pictures.arrays.values import short
from ..pictures.drawing.scene import Block, Gap
from ..pictures.learning.surface import Setting, ahead, name_of, setting_of, surface_picture, told
from ..pictures.learning.surface_map import ACROSS, DOWN
from . import traits
from .controls import Button, Control, Slider, Text
from .explorer import Explorer, refusal
from .typed.integers import integer

TENTHS = (-50, 10)
"""The learning rate as tenths of a power of ten: from 1e-5 to 10."""


def _rate_at(k: int) -> float:
    """The learning rate at a place of the slider."""
    return float(f"{10 ** (k / 10):.3g}")


RATES = tuple(short(_rate_at(k)) for k in range(TENTHS[0], TENTHS[1] + 1))
MOST = 300
"""Steps of a path at most."""


class SurfaceExplorer(Explorer):
    """A loss over two parameters: `lr`, `start`, `steps` and `optimizers` can be changed.

    A click on the map, or Enter on one of its places, starts there.

    >>> w = SurfaceExplorer(lambda a, b: a * a + 20 * b * b, lr=0.04, optimizers=("SGD",), start=(-1.5, 1))
    >>> w.status
    'SGD is lowest after 60 steps: 22.25 → 0.0001'
    >>> w.lr = 0.06
    >>> w.status
    'SGD diverges from a -1.5, b 1 with lr 0.06'
    """

    lr = t.Any(0.01, help="The learning rate of all optimizers.")
    start = t.Any((0.0, 0.0), help="Where the paths begin.")
    steps = traits.Whole(60, help="How many steps are taken.")
    optimizers = traits.Tuples((), help="Which optimizers are drawn.")

    STATE = ("lr", "start", "steps", "optimizers")

    def __init__(
        self, f: Callable[..., Any] | Setting, *, x: Point = (-2, 2), y: Point = (-2, 2), start: Point | None = None,
        optimizers: Sequence[str] = ("SGD", "momentum", "Adam"), lr: float | Mapping[str, float] = 0.01,
        steps: int = 60, labels: Sequence[str] | None = None, predict: bool = False,
    ):  # fmt: skip
        if isinstance(f, Setting):
            self._base = f
        else:
            self._base = setting_of(f, name_of(f, sys._getframe(1), labels), x, y, start, optimizers, lr, steps)
        super().__init__()
        with self._at_once():
            base = self._base
            self.lr, self.start, self.steps, self.optimizers = base.lr, base.start, base.steps, base.optimizers
            self.predict = predict

    # -- the state, as far as it is valid ------------------------------------------------------------------------------

    def _rate(self) -> Any:
        """The rate; None if it is not a positive number."""
        if isinstance(self.lr, Mapping):
            return self.lr
        try:
            rate = float(self.lr)
        except (TypeError, ValueError):
            return None
        return rate if 0 < rate < math.inf else None

    def _begin(self) -> Point | None:
        value = self.start
        try:
            parts = value.strip("()[] ").split(",") if isinstance(value, str) else value
            x, y = (float(part) for part in parts)
        except (TypeError, ValueError, AttributeError):
            return None
        return (x, y) if math.isfinite(x) and math.isfinite(y) else None

    def _count(self) -> int:
        steps = integer(self.steps)
        return min(max(steps if steps is not None else 60, 0), MOST)

    def _chosen(self) -> tuple[str, ...]:
        chosen = self.optimizers if isinstance(self.optimizers, (list, tuple)) else ()
        return tuple(name for name in RULES if name in [one for one in chosen if isinstance(one, str)])

    def _setting(self) -> Setting:
        base, rate, begin = self._base, self._rate(), self._begin()
        return Setting(base.land, base.ground, base.label, begin if begin is not None else base.start, self._chosen(),
                       rate if rate is not None else 0.01, self._count())  # fmt: skip

    # -- the explorer --------------------------------------------------------------------------------------------------

    def _moved(self, name: str, value: Any) -> None:
        if name == "lr":
            k = integer(value)
            if k is not None:
                self.lr = _rate_at(min(max(k, TENTHS[0]), TENTHS[1]))
        elif name == "steps":
            self.steps = value
        elif name == "start":
            self.start = str(value)[:40]
        elif name in RULES:
            chosen = self._chosen()
            self.optimizers = tuple(n for n in RULES if (n in chosen) != (n == name))

    def _cell(self, name: str) -> None:
        """A place of the map was chosen: the paths begin there."""
        self.selected = name
        ground = self._base.ground
        for line in range(DOWN):
            for column in range(ACROSS):
                at = ground.centre(column, line)
                if ground.called(at) == name:
                    self.start = at
                    return

    def _controls(self) -> list[Control]:
        rate, begin = self._rate(), self._begin()
        plain = rate if isinstance(rate, float) else 0.01
        k = min(max(round(10 * math.log10(plain)), TENTHS[0]), TENTHS[1])
        shown = "one for each" if isinstance(rate, Mapping) else short(plain)
        text = f"{short(begin[0])}, {short(begin[1])}" if begin is not None else str(self.start)[:40]
        chosen = self._chosen()
        return [
            Slider("lr", "lr", k, *TENTHS, shown=shown, texts=RATES, group="rate"),
            Slider("steps", "steps", self._count(), 0, MOST, group="rate"),
            Text("start", "from", text, 14, begin is None, done=True, group="start"),
            *[Button(name, name, f"draw {name}", name in chosen, group="draw") for name in RULES],
        ]

    def _scene(self) -> Sequence[Block]:
        blocks = list(surface_picture(self._setting()).blocks)
        if self._rate() is None:
            self.reason = Reason("surface.lr", ValueError, f"lr={str(self.lr)[:40]!r} is not a learning rate",
                                 "a learning rate is a positive number", ("0.01",))  # fmt: skip
        elif self._begin() is None:
            self.reason = Reason("surface.start", ValueError, f"{str(self.start)[:40]!r} is not a place",
                                 "a place is two numbers", ("-1.5, 1",))  # fmt: skip
        if self.reason is not None:
            blocks[1:1] = [refusal(self.reason, "lr" if self._rate() is None else "start"), Gap(12)]
        return blocks

    def _covered(self) -> Sequence[Block]:
        return surface_picture(self._setting(), hidden=True).blocks

    def _status_text(self) -> str:
        setting = self._setting()
        subject, said, after, bar = told(setting, setting.ways())
        if subject == "all":
            names = " and ".join(setting.optimizers)
            verb = "diverges" if len(setting.optimizers) == 1 else "diverge"
            rates = "" if isinstance(setting.lr, Mapping) else f" with lr {short(setting.lr)}"
            return f"{names} {verb} from {setting.ground.called(setting.start)}{rates}"
        return f"{subject} {said}" + (f". {after}" if bar == "clash" else "")

    def _quiz(self) -> tuple[str, str] | None:
        setting = self._setting()
        ways = setting.ways()
        if len(ways) < 2 or not setting.steps or len(ahead(ways)) > 1:
            return None
        subject = told(setting, ways)[0]
        return f"Which optimizer is lowest after {setting.steps} steps (or: all, if all diverge)?", subject
