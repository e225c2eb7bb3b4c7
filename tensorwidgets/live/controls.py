"""Controls as plain data: what stands above a live picture, told so that the browser has nothing to work out.

>>> Slider("size 0", "dim 0", 3, 0, 13, legal=(0, 12), beyond="The storage ends there.").data()["high"]
12
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Control:
    """One thing to move. `name` is what comes back with a change, `group` the row that it stands in."""

    name: str
    label: str

    def data(self) -> dict[str, Any]:
        return {"kind": type(self).__name__.lower(), **asdict(self)}


@dataclass(frozen=True)
class Slider(Control):
    """A whole number between two ends. `legal` is the part that it can be moved in; outside of it the words for that
    edge are shown instead. Where its first number is above its second nothing is legal, and it moves freely."""

    value: int
    least: int
    most: int
    legal: tuple[int, int] | None = None
    below: str = ""
    beyond: str = ""
    shown: str = ""
    """What is written beside it, where that is not the number."""
    hue: int | None = None
    """Which of the four axes it belongs to."""
    group: str = ""

    def data(self) -> dict[str, Any]:
        low, high = self.legal or (self.least, self.most)
        data = super().data()
        del data["legal"]
        return {**data, "low": low, "high": high, "shown": self.shown or str(self.value)}


@dataclass(frozen=True)
class Button(Control):
    """Something to press, which stands for a piece of code. `pressed` is None for one that does not stay down."""

    code: str = ""
    """What it stands for, in full: told when it is in hand."""
    pressed: bool | None = None
    group: str = ""


@dataclass(frozen=True)
class Text(Control):
    """A line to type."""

    value: str
    wide: int = 24
    """About how many letters are seen."""
    wrong: bool = False
    done: bool = False
    """Whether it is sent only when it is done, by Enter or by leaving it, and not letter by letter."""
    group: str = ""


@dataclass(frozen=True)
class Menu(Control):
    """One of several words."""

    value: str
    choices: tuple[str, ...] = field(default=())
    group: str = ""
