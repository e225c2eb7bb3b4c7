"""The types of an explorer's traits. A value that can be read as the type becomes one; any other stays what it is, and
the picture says what is wrong with it: while a size is being typed it is not a size yet.

>>> from traitlets import HasTraits
>>> class Cut(HasTraits):
...     size = Wholes()
>>> cut = Cut(size=[3, 4])
>>> cut.size
(3, 4)
>>> cut.size = "2, 5"
>>> cut.size
(2, 5)
>>> cut.size = "2,"
>>> cut.traits()["size"].info()
'whole numbers'
"""

from __future__ import annotations

from typing import Any

import traitlets as t

from .typed.integers import integer, integers


class Typed(t.TraitType[Any, Any]):
    """A trait that reads what it can."""

    def read(self, given: Any) -> Any:
        """The value as this type; None where it cannot be read."""
        raise NotImplementedError

    def validate(self, obj: Any, value: Any) -> Any:
        found = self.read(value)
        return value if found is None else found


class Whole(Typed):
    """A whole number, also as text."""

    default_value = 0
    info_text = "a whole number"

    def read(self, given: Any) -> int | None:
        return integer(given)


class Wholes(Typed):
    """Whole numbers: a size, a stride. Lists, as the browser sends them, become tuples."""

    default_value = ()
    info_text = "whole numbers"

    def read(self, given: Any) -> tuple[int, ...] | None:
        return integers(given)


class Text(Typed):
    """A text: code, a name, a choice."""

    default_value = ""
    info_text = "a text"

    def read(self, given: Any) -> str | None:
        return given if isinstance(given, str) else None


class Tuples(Typed):
    """Several values. Lists, as the browser sends them, become tuples."""

    default_value = ()
    info_text = "a tuple"

    def read(self, given: Any) -> tuple[Any, ...] | None:
        if not isinstance(given, (list, tuple)):
            return None
        return tuple(self.read(one) if isinstance(one, (list, tuple)) else one for one in given)
