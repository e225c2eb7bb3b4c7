"""Is a tuple one whose places have names, and of which sort: of `collections` or of C?

>>> from collections import namedtuple
>>> Point = namedtuple("Point", "x y")
>>> is_namedtuple(Point(1, 2)), is_namedtuple_class(Point), is_namedtuple((1, 2))
(True, True, False)
"""

from __future__ import annotations

from typing import Any


def is_namedtuple_class(cls: Any) -> bool:
    """Whether a class is one that `namedtuple` or `NamedTuple` made, or inherits from one."""
    if not (isinstance(cls, type) and issubclass(cls, tuple)):
        return False
    fields = getattr(cls, "_fields", None)
    named = isinstance(fields, tuple) and all(isinstance(field, str) for field in fields)
    return named and callable(getattr(cls, "_make", None)) and callable(getattr(cls, "_asdict", None))


def is_namedtuple_instance(obj: object) -> bool:
    """Whether a value is a named tuple."""
    return is_namedtuple_class(type(obj))


def is_namedtuple(obj: object) -> bool:
    """Whether a value is a named tuple or a class of them."""
    return is_namedtuple_class(obj) if isinstance(obj, type) else is_namedtuple_instance(obj)


def is_structseq_class(cls: Any) -> bool:
    """Whether a class is a tuple of C with names, such as `time.struct_time` or what `max(dim)` returns."""
    if not (isinstance(cls, type) and issubclass(cls, tuple)):
        return False
    counts = (getattr(cls, name, None) for name in ("n_fields", "n_sequence_fields", "n_unnamed_fields"))
    return all(isinstance(count, int) for count in counts)


def is_structseq_instance(obj: object) -> bool:
    """Whether a value is such a tuple."""
    return is_structseq_class(type(obj))


def is_structseq(obj: object) -> bool:
    """Whether a value is such a tuple or a class of them."""
    return is_structseq_class(obj) if isinstance(obj, type) else is_structseq_instance(obj)
