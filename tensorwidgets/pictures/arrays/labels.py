"""What a person called the arrays: from the source of the call, else `view`, or A, B, C where storages have no letters.

>>> fallback(3)
('A', 'B', 'C')
>>> named(["x", None, None], "view")
('x', 'view2', 'view3')
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import count as counted
from types import FrameType
from typing import Any

LONGEST = 60


def labels_of(
    frame: FrameType | None, count: int, given: Sequence[str] | None = None, first: int = 0, unnamed: str = ""
) -> tuple[str, ...]:
    """The labels of `count` arrays that were passed in the call that `frame` is making, behind `first` others.

    `unnamed` is what an array without a name is called in a picture whose storages are A, B, C.
    """
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
    return named(result or [None] * count, unnamed)


def named(texts: Sequence[str | None], unnamed: str = "") -> tuple[str, ...]:
    """The texts, with a name for each that is missing: A, B, C, or `unnamed` with a number where there are several.

    In a picture of storages, texts that are the same call may be different arrays, and have no name either.
    """
    if not unnamed:
        free = (letter for letter in fallback(2 * len(texts)) if letter not in texts)
        return tuple(next(free) if text is None else text for text in texts)
    own = [text if text is not None and ("(" not in text or texts.count(text) == 1) else None for text in texts]
    if own == [None]:
        return (unnamed,)
    for k, text in enumerate(own):
        if text is None:
            own[k] = next(name for n in counted(k + 1) if (name := f"{unnamed}{n}") not in own)
    return tuple(text for text in own if text is not None)


def fallback(count: int) -> tuple[str, ...]:
    """A, B, C .. Z, then A1, B1 ..."""
    return tuple(chr(65 + k % 26) + (str(k // 26) if k > 25 else "") for k in range(count))


def _from_source(frame: FrameType, count: int, first: int) -> list[str | None] | None:
    from executing import Source

    node = Source.executing(frame).node
    if not isinstance(node, ast.Call):
        return None
    starred = [k for k, arg in enumerate(node.args) if isinstance(arg, ast.Starred)]
    known = node.args[first : starred[0]] if starred else node.args[first:]
    if len(known) > count or len(known) < count and not starred or starred and starred[0] < first:
        return None
    texts: list[str | None] = [text if len(text := ast.unparse(arg)) <= LONGEST else None for arg in known]
    return [*texts, *(_inside(frame, node.args[starred[0] :], count - len(known)) if starred else [])]


def names_at(frame: FrameType) -> dict[str, Any]:
    """The names at a place of a program: those of the function, then those of its module."""
    return {**frame.f_locals, **{name: value for name, value in frame.f_globals.items() if name not in frame.f_locals}}


def _inside(frame: FrameType, args: Sequence[ast.expr], count: int) -> Sequence[str | None]:
    """What the parts of a list are called that a call takes apart: `views[0]` of `*views`; else nothing."""
    value = args[0].value if len(args) == 1 and isinstance(args[0], ast.Starred) else None
    if isinstance(value, ast.Name):
        found = frame.f_locals.get(value.id, frame.f_globals.get(value.id))
        if isinstance(found, (list, tuple)) and len(found) == count:
            return [f"{value.id}[{k}]" for k in range(count)]
    return [None] * count


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
        if not isinstance(node, ast.Call) or any(isinstance(arg, ast.Starred) for arg in node.args[: position + 1]):
            return None
        return ast.unparse(node.args[position])
    except Exception:
        return None


def label_of(frame: FrameType | None, given: Sequence[str] | None, unnamed: str) -> str:
    """The label of the first argument, whatever comes behind it."""
    if given is not None:
        return labels_of(frame, 1, given)[0]
    text = source_of_argument(frame, 0)
    return text if text and len(text) <= LONGEST else unnamed
