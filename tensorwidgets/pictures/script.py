"""The script that a picture carries, made from `waker.js`: comments and indentation stay here.

Each picture carries all of it, so that any picture wakes alone and its bytes do not depend on what ran
before. Once it has run it is shared on `window`, under a name that changes with its text.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

from .tokens import dark_of

# Strings, templates and regular expressions are kept as they stand; everything between them may lose its
# spaces.
_KEPT = re.compile(
    r"('(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|(?<=[(=:,] )/(?:\\.|[^/\\\n])+/\w*|(?<=\()/(?:\\.|[^/\\\n])+/\w*)"
)
_COMMENT = re.compile(r"^[ \t]*(/\*\*.*?\*/|//[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL)


def squeezed(source: str) -> str:
    """JavaScript without comment lines, indentation and needless spaces.

    >>> squeezed("// what for\\nconst a = (b) => {\\n  return b + 'x  y';\\n}\\n")
    "const a=(b)=>{return b+'x  y'}"
    """
    bare = "\n".join(line.strip() for line in _COMMENT.sub("", source).splitlines() if line.strip())
    parts = _KEPT.split(bare)
    for k in range(0, len(parts), 2):
        text = re.sub(r"\s+", " ", parts[k])
        text = re.sub(r" ?([=+*/%<>?:&|!,;(){}\[\]-]) ?", r"\1", text)
        parts[k] = text.replace(";}", "}")
    return "".join(parts)


@cache
def colours() -> str:
    """Every light colour with its dark partner, three bytes each."""
    both = "".join(light[1:] + dark[1:] for light, dark in dark_of().items())
    return b64encode(bytes.fromhex(both)).decode()


@cache
def source() -> str:
    """The waker as an expression: a function of the colours."""
    return squeezed(Path(__file__).with_name("waker.js").read_text(encoding="utf-8"))


@cache
def script() -> str:
    """The element that stands behind a picture and wakes it."""
    made = f"({source()})('{colours()}')"
    name = "tw_" + sha256(made.encode()).hexdigest()[:8]
    return f"<script>(window.{name}??={made}).mount(document.currentScript.previousElementSibling)</script>"
