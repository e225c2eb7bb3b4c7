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


class Keys:
    """Checks the keys of dicts and the elements of sets of one file, so that looking them up stays quick.

    Python finds a key by its hash, and compares it with every other key of that hash. Whoever writes a file can choose
    whole numbers and tuples of one hash, and then twenty thousand of them are compared in pairs. Text and bytes hash
    differently in each process, so those cannot be chosen.
    """

    def __init__(self, record: str, length: int):
        self._record = record
        self._counts: dict[int, tuple[Any, dict[int, int]]] = {}
        """Of each container its keys by hash, and the container, so that its id stays its own."""
        self._most = self._left = 4 * length + 100_000
        """Parts that keys may have together: about as many as the bytes, or items, that they are read from."""

    def check(self, key: Any, container: Any) -> None:
        """Refuse a key that cannot be hashed, that takes long to hash, or whose hash too many others have."""
        kind = type(key)
        if kind in _SCATTERED or kind is int and -_MODULUS < key < _MODULUS:
            return
        if kind not in _PLAIN:
            self._left -= _parts_of(key, self._record)
            if self._left < 0:
                refuse_record(
                    self._record,
                    f"its keys have more than {self._most:,} parts together",
                    "a tuple is hashed part by part, each time that it is looked up",
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
                "each is compared with all the others, which is how a small file keeps a computer busy",
                "text as keys",
                rule="file.key",
            )


_MODULUS = 2**61 - 1
"""Python's hash of a whole number is its remainder by this: smaller ones have a hash each."""
_SCATTERED = frozenset((str, bytes, bool, float, type(None)))
"""Keys whose hashes cannot be chosen, or not many of one hash."""
_MOST_OF_ONE_HASH = 1000


def _parts_of(key: Any, record: str) -> int:
    """How many parts a key has; refuses what cannot be hashed, and endless tuples of tuples."""
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
    if type(key) is tuple and _depth(key, limit=DEEPEST) > DEEPEST:
        refuse_record(record, f"a key is nested more than {DEEPEST} levels deep", rule="file.depth")
    return seen


class Word:
    """Something that a pickle may name in order to use it, and not in order to hand it out: a function, a class."""

    __slots__ = ()


def check_nesting(value: Any, record: str, keeps_words: bool = False) -> None:
    """Refuse what is nested so deep that it could be neither printed nor copied, and words in place of values."""
    if _depth(value, record, keeps_words, DEEPEST) > DEEPEST:
        refuse_record(
            record,
            f"the object is nested more than {DEEPEST} levels deep",
            "it could be neither printed nor copied",
            rule="file.depth",
        )


def _depth(value: Any, record: str = "", keeps_words: bool = True, limit: int = 1 << 60) -> int:
    """Levels of containers, a container that holds itself counted once, up to a limit. Nothing here calls itself.

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
                if len(stack) > limit:
                    return len(stack)
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
