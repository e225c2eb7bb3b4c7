"""A value in few words, found in the time that the few words take, however much it holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..interop.foreign_arrays import is_storage

_LONGEST = 100
"""Bytes of a storage, and items of a range, that are written out."""


def brief(value: Any, most: int) -> str:
    """The printed form of a value, cut off with three dots where it is longer than `most` characters.

    >>> brief([1, (2,), "a"], 60), brief([0] * 10**6, 12)
    ("[1, (2,), 'a']", '[0, 0, 0,...')
    """
    text = ""
    for piece in _pieces(value, most):
        text += piece
        if len(text) > most:
            return text[: most - 3] + "..."
    return text


def _pieces(value: Any, most: int) -> Iterator[str]:
    if is_storage(value) and value.nbytes() > _LONGEST:
        yield f"a storage of {value.nbytes()} bytes"
    elif type(value) in (list, tuple):
        yield "[" if type(value) is list else "("
        for k, item in enumerate(value):
            yield ", " if k else ""
            yield from _pieces(item, most)
        yield "]" if type(value) is list else ",)" if len(value) == 1 else ")"
    elif isinstance(value, str) and len(value) > most:
        yield repr(value[:most])
    else:
        yield repr(value)
