"""The script that a picture carries, made from `waker.js`: comments and indentation stay here.

Each picture carries all of it, so that any picture wakes alone and its bytes do not depend on what ran
before. Once it has run it is shared on `window`, under a name that changes with its text.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from .offset_jumps import ARCH
from .tokens import dark_of

# Strings, templates and regular expressions are kept unchanged; everything between them may lose its
# spaces.
_KEPT = re.compile(
    r"('(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|(?<=[(=:,] )/(?:\\.|[^/\\\n])+/\w*|(?<=\()/(?:\\.|[^/\\\n])+/\w*)"
)
_COMMENT = re.compile(r"^[ \t]*(/\*\*.*?\*/|//[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL)


def squeezed(source: str) -> str:
    """JavaScript without comments, needless spaces and parentheses, with one letter or sign for each `cut:` name.

    >>> squeezed("// cut: one\\nconst one = (b) => {\\n  return `${one + b}` + 'one  y';\\n}\\n")
    "let A=b=>{return `${A + b}`+'one  y'}"
    """
    cut = [name for line in re.findall(r"cut: (.+)", source) for name in line.split()]
    letters = dict(zip(cut, "ABCDEFGHIJKLMNOPQRSTUVWXYZ$_", strict=False))
    whole = re.compile(rf"(?<!\w)(?<!(?<!\.)\.)({'|'.join(cut) or '(?!)'})\b")

    def shorter(code: str) -> str:
        return whole.sub(lambda name: letters.get(name[0], name[0]), code)

    bare = "\n".join(line.strip() for line in _COMMENT.sub("", source).splitlines() if line.strip())
    parts = _KEPT.split(bare)
    for k, part in enumerate(parts):
        if k % 2 == 0:
            text = re.sub(r"\s+", " ", shorter(part))
            text = re.sub(r" ?([=+*/%<>?:&|!,;(){}\[\]-]) ?", r"\1", text).replace(";}", "}")
            parts[k] = re.sub(r"\((\w+)\)=>", r"\1=>", re.sub(r"\bconst\b", "let", text))
        elif part[0] == "`":
            parts[k] = re.sub(r"\$\{[^}]*\}", lambda code: shorter(code[0]), part)
    kept = parts[1::2]
    joined = "\0".join(parts[::2])
    return re.sub("\0", lambda _: kept.pop(0), merged(joined))


def merged(code: str) -> str:
    """Declarations that follow each other as one: `let a=1;let b=2` as `let a=1,b=2`.

    >>> merged("let a=()=>{let b=1;let c=2;f();let d};let e")
    'let a=()=>{let b=1,c=2;f();let d},e'
    """
    out: list[str] = []
    declares, nested = [code.startswith("let")], [0]
    at = 0
    while at < len(code):
        mark = code[at]
        if mark == "{":
            declares.append(code.startswith("let", at + 1))
            nested.append(0)
        elif mark == "}":
            declares.pop()
            nested.pop()
        elif mark in "()":
            nested[-1] += 1 if mark == "(" else -1
        elif mark == ";" and not nested[-1]:
            follows = re.match(r"let(?=[ \[{])", code[at + 1 :]) is not None
            if follows and declares[-1]:
                out.append(",")
                at += 5 if code[at + 4] == " " else 4
                continue
            declares[-1] = follows
        out.append(mark)
        at += 1
    return "".join(out)


@cache
def colours() -> str:
    """Every light colour with its dark partner, three bytes each."""
    both = "".join(light[1:] + dark[1:] for light, dark in dark_of().items())
    return b64encode(bytes.fromhex(both)).decode()


@cache
def source(live: bool = False) -> str:
    """The waker as an expression: a function of the colours. A line behind `// live:` is code in a live picture."""
    text = files(__package__).joinpath("waker.js").read_text(encoding="utf-8")
    return squeezed(text.replace("// live: ", "") if live else text).replace("ARCH", ARCH)


@cache
def shared(live: bool = False) -> str:
    """The waker as JavaScript that runs once a page, however many pictures ask for it."""
    made = f"({source(live)})('{colours()}')"
    name = "tw_" + sha256(made.encode()).hexdigest()[:8]
    return f"(window.{name}??={made})"


@cache
def script() -> str:
    """The element after a picture that makes it interactive."""
    return f"<script>{shared()}.mount(document.currentScript.previousElementSibling)</script>"
