"""The object that a picture is: it shows itself in a notebook, prints itself elsewhere, and saves itself.

>>> from tensorwidgets.pictures.drawing.scene import Note, Title
>>> p = Picture([Title("A title", "an aside"), Note("A remark.")])
>>> p
A title (an aside)
A remark.
>>> sorted(p._repr_mimebundle_())
['text/html', 'text/plain']
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from .colouring import with_own_colours
from .html import div, escape, plain
from .inline import words
from .scene import Block, Stack, Title
from .script import script
from .tokens import INK, MONO, PAPER, WIDTH

_IN_ASCII = str.maketrans(
    "●○■▤█▇▆▅▄▃▂▁─−–—│┊⋮├┤┼┴╯╰→▶←◀◂↓▼↑▲×✗✕✓·…µ",
    "*o######==__----|||++++++>><<<vv^^xxxv..u",
)  # fmt: skip
"""The signs of pictures, and letters of the same width that look like them."""


class Origin(NamedTuple):
    """Which explorer shows the same with controls, and what it is called with."""

    explorer: str
    arguments: tuple[Any, ...]
    settings: dict[str, Any]


LIVE_FORMS = (
    "show(x) of strided arrays, show.steps, broadcast, einsum, names, bits, backward, allocator, training and surface"
)


class Picture:
    """A list of blocks that is drawn when it is displayed. It contains numbers and text; only `origin`, which opens the
    same picture with controls, refers to the arrays."""

    __slots__ = ("_drawn", "blocks", "origin")

    def __init__(self, blocks: Sequence[Block], origin: Origin | None = None):
        self.blocks = tuple(blocks)
        self.origin = origin
        self._drawn = ""

    def followed_by(self, *blocks: Block) -> Picture:
        """The same picture with more blocks below, which alone are drawn if this one was drawn already."""
        longer = Picture([*self.blocks, *blocks])
        longer._drawn = self._drawn and self._drawn + Picture(blocks)._inside()
        return longer

    def live(self, **options: Any) -> Any:
        """The same picture with controls, as a widget. `predict=True` asks first and shows after a guess."""
        if self.origin is None:
            raise TypeError(f"this picture has no live form; {LIVE_FORMS} have")
        # The floor above: this one may not import it, and need not know more of it than its name.
        explorers = import_module("tensorwidgets.live")
        name, arguments, settings = self.origin
        return getattr(explorers, name)(*arguments, **settings, **options)

    def html(self) -> str:
        """The picture without its script: what is left of it wherever scripts are taken away."""
        return div(
            self._inside(),
            f"background:{PAPER};color:{INK};font:400 13px/20px {MONO};width:{WIDTH + 32}px;max-width:100%;"
            "box-sizing:border-box;padding:16px 16px 20px;text-align:left;overflow-x:auto",
            "tw",
        )

    def _inside(self) -> str:
        self._drawn = self._drawn or with_own_colours("".join(block.html() for block in self.blocks), INK)
        return self._drawn

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self.html() + script()}

    def __repr__(self) -> str:
        lines = Stack(self.blocks).text().split("\n")
        return "\n".join(plain(line).rstrip() for line in lines).strip("\n")

    def __str__(self) -> str:
        """The text for `print`, which would fail at a dot or a bar where standard output is not Unicode."""
        text, encoding = repr(self), getattr(sys.stdout, "encoding", None)
        if encoding:
            try:
                text.encode(encoding)
            except UnicodeEncodeError:
                return text.translate(_IN_ASCII).encode(encoding, "replace").decode(encoding)
        return text

    def page(self) -> str:
        """A whole page that holds the picture and asks for nothing else."""
        return (
            f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{escape(self._head())}</title>\n'
            '<meta name="viewport" content="width=device-width">\n'
            "<style>body{margin:0;background:#fff}"
            "@media (prefers-color-scheme:dark){body{background:#111}}</style>\n"
            f"<body>{self.html()}{script()}</body>\n</html>\n"
        )

    def svg(self, dark: bool = False) -> str:
        """The picture as SVG: what its HTML shows, without the script."""
        text: str = _paper().svg_of(self.html(), self._head(), repr(self), dark)
        return text

    def _png(self, dark: bool) -> bytes:
        from subprocess import SubprocessError

        from .browser import NAMED, find_browser, photograph

        alone = NAMED in os.environ or find_spec("PIL") is None
        if find_browser() is not None or alone:
            try:
                return photograph(self.page(), dark)
            except (OSError, RuntimeError, SubprocessError):
                if alone:
                    raise  # else Pillow draws it: a browser may not run here, or not read this folder
        data: bytes = _paper().png_of(self.html(), dark)
        return data

    def _head(self) -> str:
        return next((words(b.head) for b in self.blocks if isinstance(b, Title)), "Picture")

    def save(self, path: str | Path, dark: bool = False) -> Path:
        """Writes `x.html`, which needs no other file; `x.svg`; or `x.png`, drawn by the browser on this machine, or
        by Pillow where there is none."""
        target = Path(path)
        kind = target.suffix.lower()
        if kind in (".html", ".htm"):
            target.write_text(self.page(), encoding="utf-8")
        elif kind == ".svg":
            target.write_text(self.svg(dark), encoding="utf-8")
        elif kind == ".png":
            target.write_bytes(self._png(dark))
        else:
            raise ValueError(f"a picture is saved as .html, .svg or .png, and {target.name!r} is not one of these")
        return target


def _paper() -> Any:
    """The room above: this one may not import it."""
    return import_module("tensorwidgets.pictures.paper.drawing")
