"""The ES module of all explorers, as a string for anywidget.

anywidget would watch and keep a path for each widget. The module uses the script of the static pictures, which a page
contains once.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from ..pictures.drawing import tokens
from ..pictures.drawing.script import shared
from ..pictures.drawing.tokens import HUES, LINE, LINES, MONO, SANS, TINT, dark_of, ramps

_COMMENT = re.compile(r"^[ \t]*(/\*\*.*?\*/|//[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL)

PAGE = files(__package__) / "page"
FILES = ("touch", "chips", "elements", "controls", "sheet", "renew", "live")
"""What the module is made of; no two files declare one name."""


@cache
def module() -> str:
    """The JavaScript, without further requests."""
    texts = (PAGE.joinpath(f"{name}.mjs").read_text(encoding="utf-8") for name in FILES)
    script = re.sub(r"^import .*\n", "", "\n".join(texts), flags=re.MULTILINE)
    bare = re.sub(r"^\s+", "", _COMMENT.sub("", script), flags=re.MULTILINE)
    return f"const wake = () => {shared(live=True)};\nconst css = `{style()}`;\n{bare}"


@cache
def style() -> str:
    """The style sheet of the controls, with the colours of the pictures."""
    text = PAGE.joinpath("live.css").read_text(encoding="utf-8")
    text = re.sub(r"\s*\n\s*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
    dark = dark_of()
    named = {
        "paper": tokens.PAPER, "ink": tokens.INK, "muted": tokens.MUTED, "edge": tokens.EDGE, "rule": tokens.RULE,
        "wash": tokens.WASH, "clash": tokens.CLASH, "clash-tint": tokens.CLASH_TINT, "tint": TINT["blue"],
        **{f"hue{k}": LINE[name] for k, name in enumerate(HUES)},
    }  # fmt: skip
    light = ";".join(f"--{name}:{colour}" for name, colour in named.items())
    night = ";".join(f"--{name}:{dark[colour]}" for name, colour in named.items())
    lines = "".join(f".twl-hue{k}{{border-bottom:3px {line} var(--hue{k})}}" for k, line in enumerate(LINES))
    lines += "".join(f".twl-ink{k}{{color:var(--hue{k})}}" for k in range(len(LINES)))
    lines += ".twl-arch{stroke:currentColor}.twl-hands text{fill:currentColor}"
    faces = f"--sans:{SANS};--mono:{MONO}"
    return f".twl{{{light};{faces};--focus:#0069c2}}.twl.dark{{{night};--focus:#6cb8ff}}{text}{lines}"


@cache
def shades() -> list[list[str]]:
    """The colours of magnitude on a light and a dark background, for the canvas."""
    return [ramps()[2], ramps()[3]]
