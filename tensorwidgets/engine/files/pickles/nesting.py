"""Limits on nesting and on dict keys: refuse an object that Python could later neither print, copy nor hash in time."""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import Any, NoReturn

from ..errors import refuse_record
from .pickle_write import DEEPEST

_LARGEST_KEY = 10_000
_SEQUENCES = frozenset((list, tuple, set, frozenset))
_MAPPINGS = frozenset((dict, OrderedDict, Counter))
_PLAIN = frozenset((str, int, float, bool, bytes, complex, type(None)))


class Keys:
    """Checks the dict keys and set elements of one file, so that lookups stay fast.

    Python finds a key by its hash and compares it with every key of the same hash. An attacker can choose thousands of
    integers and tuples with one hash, so that every pair is compared. The hashes of str and bytes differ in each
    process and cannot be chosen.
    """

    def __init__(self, record: str, length: int):
        self._record = record
        self._counts: dict[int, tuple[Any, dict[int, int]]] = {}
        """For each container (by id): the container, which keeps its id in use, and how many keys share each hash."""
        self._most = self._left = 4 * length + 100_000
        """How many parts all keys together may have: a few for each byte (or item) that they are read from."""

    def check(self, key: Any, container: Any) -> None:
        """Refuse a key that cannot be hashed, is slow to hash, or shares its hash with too many others."""
        kind = type(key)
        if kind in _SCATTERED or kind is int and -_MODULUS < key < _MODULUS:
            return
        if kind not in _PLAIN:
            self._left -= _parts_of(key, self._record)
            if self._left < 0:
                refuse_record(
                    self._record,
                    f"its keys have more than {self._most:,} parts in total",
                    "every lookup of a tuple hashes all of its parts",
                    "text or numbers as keys",
                    rule="file.key",
                )
        _, counts = self._counts.setdefault(id(container), (container, {}))
        number = hash(key)
        counts[number] = counts.get(number, 0) + 1
        if counts[number] > _MOST_OF_ONE_HASH:
            refuse_record(
                self._record,
                f"more than {_MOST_OF_ONE_HASH:,} keys of one {type(container).__name__} have the same hash",
                "Python compares each of them with all others, so a small file could keep a computer busy for hours",
                "text as keys",
                rule="file.key",
            )


_MODULUS = 2**61 - 1
"""The hash of a Python integer is its remainder modulo this number, so smaller integers have distinct hashes."""
_SCATTERED = frozenset((str, bytes, bool, float, type(None)))
"""Types of keys whose hashes an attacker cannot choose, or cannot make equal many times."""
_MOST_OF_ONE_HASH = 1000


def _parts_of(key: Any, record: str) -> int:
    """How many parts a key has. Refuse a key that cannot be hashed or that nests tuples without limit."""
    pending, seen = [key], 0
    while pending:
        part = pending.pop()
        seen += 1
        if type(part) is tuple or type(part) is frozenset:
            pending.extend(part)
            if seen + len(pending) > _LARGEST_KEY:
                refuse_record(record, "a key is a tuple that contains itself too often", rule="file.key")
        elif type(part).__hash__ is None:
            refuse_record(record, f"a key cannot be a {type(part).__name__}", rule="file.key")
    if type(key) is tuple and _depth(key, limit=DEEPEST) > DEEPEST:
        refuse_record(record, f"a key is nested more than {DEEPEST} levels deep", rule="file.depth")
    return seen


class AllowedGlobal:
    """A function or class that a pickle may use but not return as a value."""

    __slots__ = ()


def check_nesting(value: Any, record: str, keeps_globals: bool = False) -> None:
    """Refuse an object that is nested too deep to print or copy, and a function or class in place of a value."""
    if _depth(value, record, keeps_globals, DEEPEST) > DEEPEST:
        refuse_record(
            record,
            f"the object is nested more than {DEEPEST} levels deep",
            "Python could neither print nor copy it",
            rule="file.depth",
        )


def _depth(value: Any, record: str = "", keeps_globals: bool = True, limit: int = 1 << 60) -> int:
    """Count the levels of containers, up to a limit; a container inside itself counts once. Uses no recursion.

    >>> _depth([1, [2, (3,)]]), _depth(5)
    (3, 0)
    """
    inside = _inside(value)
    if inside is None:
        if not keeps_globals and isinstance(value, AllowedGlobal):
            _refuse_global_value(value, record)
        return 0
    heights: dict[int, int] = {id(value): 0}
    stack = [(id(value), inside)]
    while stack:
        node, rest = stack[-1]
        for child in rest:
            if id(child) in heights:
                heights[node] = max(heights[node], heights[id(child)])
                continue
            inside = _inside(child)
            if inside is not None:
                heights[id(child)] = 0
                stack.append((id(child), inside))
                if len(stack) > limit:
                    return len(stack)
                break
            if not keeps_globals and isinstance(child, AllowedGlobal):
                _refuse_global_value(child, record)
        else:
            stack.pop()
            heights[node] += 1
            if stack:
                above = stack[-1][0]
                heights[above] = max(heights[above], heights[node])
    return heights[id(value)]


def _refuse_global_value(value: Any, record: str) -> NoReturn:
    refuse_record(
        record,
        f"holds {value.name}, a class or a function, where a value is expected",
        "a file may hold instances, not the classes and functions that make them",
        rule="file.global",
    )


def _inside(value: Any) -> Any:
    """An iterator over the contents of a container, or None for any other object."""
    kind = type(value)
    if kind in _SEQUENCES:
        return iter(value)
    if kind in _MAPPINGS:
        return iter([*value, *value.values()])
    return None
