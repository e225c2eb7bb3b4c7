"""What a person called the arrays: from the source of the call, else A, B, C.

>>> fallback(3)
('A', 'B', 'C')
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FrameType
from typing import Any

LONGEST = 60


def labels_of(
    frame: FrameType | None, count: int, given: Sequence[str] | None = None, first: int = 0
) -> tuple[str, ...]:
    """The labels of `count` arrays that were passed in the call that `frame` is making, behind `first` others."""
    if given is not None:
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != count:
            wrong = ValueError if isinstance(given, (str, Sequence)) else TypeError
            wanted = f"one name for each of the {count} arrays" if count != 1 else "a list with one name"
            raise wrong(f"labels= takes {wanted}, not {given!r}")
        return tuple(" ".join(str(label).split("\n")) for label in given)
    try:
        result = _from_source(frame, count, first) if frame is not None else None
    except Exception:
        # Reading a program's own source can fail in as many ways as there are hosts; a picture needs only
        # names.
        result = None
    return result or fallback(count)


def fallback(count: int) -> tuple[str, ...]:
    """A, B, C .. Z, then A1, B1 ..."""
    return tuple(chr(65 + k % 26) + (str(k // 26) if k > 25 else "") for k in range(count))


def _from_source(frame: FrameType, count: int, first: int) -> tuple[str, ...] | None:
    from executing import Source

    node = Source.executing(frame).node
    if not isinstance(node, ast.Call):
        return None
    starred = [k for k, arg in enumerate(node.args) if isinstance(arg, ast.Starred)]
    known = node.args[first : starred[0]] if starred else node.args[first:]
    if len(known) > count or len(known) < count and not starred or starred and starred[0] < first:
        return None
    texts = [ast.unparse(arg) for arg in known]
    texts += _inside(frame, node.args[starred[0] :], count - len(known)) if starred else []
    letters = fallback(count)
    return tuple(t if len(t) <= LONGEST else letters[k] for k, t in enumerate(texts))


def names_at(frame: FrameType) -> dict[str, Any]:
    """The names at a place of a program: those of the function, then those of its module."""
    return {**frame.f_locals, **{name: value for name, value in frame.f_globals.items() if name not in frame.f_locals}}


def _inside(frame: FrameType, args: Sequence[ast.expr], count: int) -> list[str]:
    """What the parts of a list are called that a call takes apart: `views[0]` of `*views`; else letters."""
    value = args[0].value if len(args) == 1 and isinstance(args[0], ast.Starred) else None
    if isinstance(value, ast.Name):
        found = frame.f_locals.get(value.id, frame.f_globals.get(value.id))
        if isinstance(found, (list, tuple)) and len(found) == count:
            return [f"{value.id}[{k}]" for k in range(count)]
    return list(fallback(count))


def atom(label: str) -> str:
    """The label in brackets where something behind it would bind to a part of it only.

    >>> atom("x.t()"), atom("p + q")
    ('x.t()', '(p + q)')
    """
    depth = 0
    for mark in label:
        depth += (mark in "([{") - (mark in ")]}")
        if depth == 0 and mark in " +-*/%@<>=&|^~,:":
            return f"({label})"
    return label


def source_of_argument(frame: FrameType | None, position: int) -> str | None:
    """The source of one argument of the call that `frame` is making, or None."""
    try:
        from executing import Source

        node = Source.executing(frame).node if frame is not None else None
        return ast.unparse(node.args[position]) if isinstance(node, ast.Call) else None
    except Exception:
        return None
