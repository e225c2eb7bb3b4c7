"""What joins two bars: the lower shows a part of the upper larger."""

from __future__ import annotations

from dataclasses import dataclass

from ..drawing.html import div
from ..drawing.tokens import PAPER, RULE
from .memory_bar import Bar
from .to_scale import placed


@dataclass(frozen=True)
class Funnel:
    """What leads from a frame on one bar to the bar below it, which is as wide as the picture."""

    left: float
    right: float

    @classmethod
    def of(cls, bar: Bar, start: int, stop: int) -> Funnel:
        """From these bytes of a bar; where they are not on it, from its nearer end."""
        return cls(*(min(max(bar.at(byte), 0.0), 100.0) for byte in (start, stop)))

    def html(self) -> str:
        parts = (
            (0.0, self.left, f"linear-gradient(to right bottom,{PAPER} 47%,{RULE} 53%)"),
            (self.left, self.right, RULE),
            (self.right, 100.0, f"linear-gradient(to left bottom,{PAPER} 47%,{RULE} 53%)"),
        )
        inner = "".join(
            div("", f"{placed(a, b)};height:16px;background:{fill}") for a, b, fill in parts if b - a > 0.05
        )
        return div(inner, "position:relative;height:16px;margin:3px 0 2px", "tw-funnel")

    def text(self) -> str:
        return ""
