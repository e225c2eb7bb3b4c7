"""Controls as plain data. They contain everything that the browser shows, so it need not compute anything.

>>> Slider("size 0", "dim 0", 3, 0, 13, legal=(0, 12), beyond="The storage ends there.").data()["high"]
12
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Control:
    """One control. A change is reported under its `name`; controls of one `group` share a row."""

    name: str
    label: str

    def data(self) -> dict[str, Any]:
        return {"kind": type(self).__name__.lower(), **vars(self)}


@dataclass(frozen=True)
class Slider(Control):
    """An integer between two limits. It can only be moved inside `legal`; outside, the message for that limit is
    shown instead. If the first number of `legal` is above the second, nothing is valid, and it moves freely."""

    value: int
    least: int
    most: int
    legal: tuple[int, int] | None = None
    below: str = ""
    beyond: str = ""
    shown: str = ""
    """The text beside it, if that is not the number."""
    hue: int | None = None
    """Which of the four axes it belongs to."""
    group: str = ""
    texts: tuple[str, ...] = ()
    """The texts of all its values, the least first, so that the right one is there before Python answers."""

    def data(self) -> dict[str, Any]:
        low, high = self.legal or (self.least, self.most)
        data = super().data()
        del data["legal"]
        text = self.texts[self.value - self.least] if self.texts else str(self.value)
        return {**data, "low": low, "high": high, "shown": self.shown or text}


@dataclass(frozen=True)
class Button(Control):
    """A button for a piece of code. `pressed` is None for a button that does not stay down."""

    code: str = ""
    """The whole code, shown when the button has the focus."""
    pressed: bool | None = None
    group: str = ""


@dataclass(frozen=True)
class Play(Control):
    """A button that moves a slider on, one by one, to its end. Pressed again, it pauses; at the end it starts over."""

    of: str
    """The name of the slider."""
    code: str = ""
    every: int = 700
    """Milliseconds from one step to the next; the next waits for the answer to the last."""
    group: str = ""


@dataclass(frozen=True)
class Text(Control):
    """A text field."""

    value: str
    wide: int = 24
    """About how many characters are visible."""
    wrong: bool = False
    done: bool = False
    """Whether it is sent only when complete, by Enter or on leaving the field, and not after each character."""
    group: str = ""


@dataclass(frozen=True)
class Menu(Control):
    """A choice of one text from several."""

    value: str
    choices: tuple[str, ...] = field(default=())
    group: str = ""
