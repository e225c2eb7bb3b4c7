"""How deep objects may be nested, and what may be a key: what Python would stumble over later is refused at once."""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import Any, NoReturn

from .errors import refuse_record
from .pickle_write import DEEPEST

_LARGEST_KEY = 10_000
_SEQUENCES = frozenset((list, tuple, set, frozenset))
_MAPPINGS = frozenset((dict, OrderedDict, Counter))
_PLAIN = frozenset((str, int, float, bool, bytes, complex, type(None)))


def check_key(key: Any, record: str) -> None:
    """Refuse keys of dicts and elements of sets that cannot be hashed, or that would take ages."""
    if type(key) in _PLAIN:
        return
    pending, seen = [key], 0
    while pending:
        part = pending.pop()
        seen += 1
        if type(part) is tuple or type(part) is frozenset:
            pending.extend(part)
            if seen + len(pending) > _LARGEST_KEY:
                refuse_record(record, "a key is a tuple of endless tuples", rule="file.key")
        elif type(part).__hash__ is None:
            refuse_record(record, f"a key cannot be a {type(part).__name__}", rule="file.key")
    if type(key) is tuple and _depth(key) > DEEPEST:
        refuse_record(record, f"a key is nested more than {DEEPEST} levels deep", rule="file.depth")


class Word:
    """Something that a pickle may name in order to use it, and not in order to hand it out: a function, a class."""

    __slots__ = ()


def check_nesting(value: Any, record: str, keeps_words: bool = False) -> None:
    """Refuse what is nested so deep that it could be neither printed nor copied, and words in place of values."""
    if _depth(value, record, keeps_words) > DEEPEST:
        refuse_record(
            record,
            f"the object is nested more than {DEEPEST} levels deep",
            "it could be neither printed nor copied",
            rule="file.depth",
        )


def _depth(value: Any, record: str = "", keeps_words: bool = True) -> int:
    """Levels of containers, a container that holds itself counted once. Nothing here calls itself.

    >>> _depth([1, [2, (3,)]]), _depth(5)
    (3, 0)
    """
    inside = _inside(value)
    if inside is None:
        if not keeps_words and isinstance(value, Word):
            _refuse_word(value, record)
        return 0
    heights: dict[int, int] = {id(value): 0}
    stack = [(id(value), inside)]
    while stack:
        own, rest = stack[-1]
        for child in rest:
            if id(child) in heights:
                heights[own] = max(heights[own], heights[id(child)])
                continue
            inside = _inside(child)
            if inside is not None:
                heights[id(child)] = 0
                stack.append((id(child), inside))
                break
            if not keeps_words and isinstance(child, Word):
                _refuse_word(child, record)
        else:
            stack.pop()
            heights[own] += 1
            if stack:
                above = stack[-1][0]
                heights[above] = max(heights[above], heights[own])
    return heights[id(value)]


def _refuse_word(word: Any, record: str) -> NoReturn:
    refuse_record(
        record,
        f"holds {word.name}, which is the name of a class or a function and no value",
        "a file holds what classes make, not the classes",
        rule="file.word",
    )


def _inside(value: Any) -> Any:
    """An iterator over what a container holds; None for all else."""
    kind = type(value)
    if kind in _SEQUENCES:
        return iter(value)
    if kind in _MAPPINGS:
        return iter([*value, *value.values()])
    return None
