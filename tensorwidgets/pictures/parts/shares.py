"""A bar whose parts are to scale, and what they mean: who has how many of the bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..arrays.values import bytes_text
from ..drawing.html import div, escape, row, tag, td
from ..drawing.inline import markup, muted
from ..drawing.scene import wrap
from ..drawing.tokens import LINE, MID, SANS


class Share(NamedTuple):
    """One part: a hue with its line, so that it is not told by colour alone."""

    name: str
    hue: str
    line: str
    nbytes: int
    after: str = ""


@dataclass(frozen=True)
class Shares:
    """The bar and its legend. Parts without bytes are left out."""

    parts: tuple[Share, ...]
    cls: str = "tw-shares"

    def html(self) -> str:
        shown = [part for part in self.parts if part.nbytes]
        total = sum(part.nbytes for part in shown)
        bar, legend = "", ""
        left = 100.0
        for part in shown:
            wide = left if part is shown[-1] else min(max(round(100 * part.nbytes / total, 1), 1.5), left)
            left = round(left - wide, 1)
            edge = f"3px {part.line}" if part.line == "double" else f"2px {part.line}"
            look = f"background:{MID[part.hue]};border-bottom:{edge} {LINE[part.hue]}"
            bar += td("", f"width:{wide:g}%;height:20px;{look}")
            box = tag("span", "", f"display:inline-block;width:12px;height:10px;margin:0 6px 0 0;{look}")
            after = markup(muted(f", {part.after}")) if part.after else ""
            legend += div(
                box + tag("b", escape(part.name)) + escape(f" {bytes_text(part.nbytes)}") + after,
                f"display:inline-block;margin:8px 20px 0 0;font:400 12px/18px {SANS}",
            )
        # A table of one row: its parts stay on one line, whatever the host makes of white space.
        look = "table-layout:fixed;width:100%;border-collapse:separate;border-spacing:0;margin:0"
        return tag("table", row(bar), look, self.cls) + div(legend)

    def text(self) -> str:
        shown = [part for part in self.parts if part.nbytes]
        said = [f"{p.name} {bytes_text(p.nbytes)}" + (f" ({p.after})" if p.after else "") for p in shown]
        return wrap("; ".join(said))
