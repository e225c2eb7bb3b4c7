"""An answer as plain numbers, so that it can be compared whatever library it is from."""

from __future__ import annotations

import numbers
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from tensorwidgets.pictures.arrays.layout import Layout
from tensorwidgets.pictures.arrays.sources import is_array
from tensorwidgets.pictures.arrays.values import shape_text, short, with_article

DTYPES_OF_PYTHON = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}
"""What `dtype=float` and the like mean, in PyTorch as in NumPy."""
MOST = 10_000
"""A larger tensor is described by its size: nobody answers with so many numbers."""


class Table(NamedTuple):
    """The numbers of a tensor in reading order, and its size."""

    size: tuple[int, ...]
    values: tuple[Any, ...]

    def items(self) -> Iterator[tuple[tuple[int, ...], Any]]:
        """Each index with its value."""
        return zip(product(*map(range, self.size)), self.values, strict=True)

    def __str__(self) -> str:
        return f"a tensor of size {shape_text(self.size)}"


@dataclass(frozen=True)
class Raised:
    """What is left of an answer that could not be had. Two of one kind are the same, whatever their words."""

    kind: str
    message: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}" if self.message else self.kind

    @property
    def gist(self) -> str:
        """The words of the message without the numbers, sizes and names in it, which differ from answer to answer.
        Python's own errors say what they are about in nothing but their names, so those are kept.

        >>> Raised("RuntimeError", "shape '[2, 3]' is invalid for input of size 1").gist
        'shape is invalid for input of size'
        >>> Raised("AttributeError", "'Tensor' object has no attribute 'zero_grad'").gist
        "'Tensor' object has no attribute 'zero_grad'"
        """
        if self.kind in ("AttributeError", "NameError", "TypeError"):
            return self.message
        return " ".join(re.sub(r"'[^']*'|\[[^]]*\]|\([^)]*\)|\d+", " ", self.message).split())


CALLED = {"builtin_function_or_method": "function", "method": "function"}
"""Python's names for kinds of things that people call by another."""


class Other(NamedTuple):
    """A thing that is no number and no tensor."""

    kind: str

    def __str__(self) -> str:
        return "..." if self.kind == "ellipsis" else with_article(CALLED.get(self.kind, self.kind))


def plainly(value: Any) -> Any:
    """Numbers, words and None as they are, tensors as tables, tensors of one element without a size as numbers,
    dtypes by their name.

    >>> import numpy as np
    >>> plainly(np.arange(4).reshape(2, 2)), plainly(np.float32(2)), plainly((1, [True])), str(plainly(print))
    (Table(size=(2, 2), values=(0, 1, 2, 3)), 2.0, (1, (True,)), 'a function')
    """
    if value is None or isinstance(value, (str, bool)):
        return value
    if is_array(value):
        try:
            few = prod(getattr(value, "shape", ())) <= MOST
            layout = Layout.of(value, whole=MOST, values=few)
        except (TypeError, RuntimeError):
            return Other(type(value).__name__)
        if layout.values is None or not layout.window.whole:
            return Other(f"tensor of size {shape_text(layout.size)}")
        return Table(layout.size, layout.values) if layout.size else layout.values[0]
    if type(value).__name__ == "dtype" or isinstance(value, np.dtype):
        return word(str(value))
    if isinstance(value, type) and value in DTYPES_OF_PYTHON:
        return DTYPES_OF_PYTHON[value]
    if isinstance(value, type) and value.__module__ == "numpy":
        return value.__name__  # a dtype, as np.float32 spells it
    if isinstance(value, numbers.Number) or type(value).__module__ == "numpy":
        return value.item() if hasattr(value, "item") else value
    if isinstance(value, (list, tuple)):
        return tuple(plainly(v) for v in value)
    return Other(type(value).__name__)


def word(value: Any) -> Any:
    """A word however it was written; anything else as it is.

    >>> word(" View"), word("torch.float16"), word("view()"), word(3)
    ('view', 'float16', 'view', 3)
    """
    return value.strip().lower().removeprefix("torch.").removesuffix("()") if isinstance(value, str) else value


def table_of(rows: Any) -> Table:
    """Nested lists, as deep as they are, as a table.

    >>> table_of([[1, 2, 3], [4, 5, 6]])
    Table(size=(2, 3), values=(1, 2, 3, 4, 5, 6))
    """
    if not isinstance(rows, list):
        return Table((), (rows,))
    if not any(isinstance(row, list) for row in rows):  # thousands of numbers are not made tables one by one
        return Table((len(rows),), tuple(rows))
    parts = [table_of(row) for row in rows]
    return Table((len(rows), *(parts[0].size if parts else ())), tuple(v for part in parts for v in part.values))


def stacked(value: Any) -> Table | None:
    """What a list would be as one tensor; None if it is no list, or its parts differ in size.

    >>> stacked(((1, 2), (3, 4)))
    Table(size=(2, 2), values=(1, 2, 3, 4))
    >>> stacked((Table((2,), (1, 2)), Table((3,), (1, 2, 3)))), stacked(5), stacked(())
    (None, None, None)
    """
    if type(value) is not tuple or not value:
        return None
    parts = [stacked(part) if type(part) is tuple else part for part in value]
    tables = [part if isinstance(part, Table) else Table((), (part,)) for part in parts]
    if None in parts or any(isinstance(part, (str, Raised, Other)) for part in parts):
        return None
    if any(table.size != tables[0].size for table in tables):
        return None
    return Table((len(tables), *tables[0].size), tuple(v for table in tables for v in table.values))


def as_text(value: Any) -> str:
    """A plain value in a sentence.

    >>> as_text(6), as_text(6.0), as_text(-0.0), as_text(None), as_text((True, 2)), as_text((3, Table((2,), (1, 2))))
    ('6', '6', '0', 'nothing (None)', '(True, 2)', '(3, a tensor of size (2,))')
    >>> as_text(("rows", Other("ellipsis")))
    "('rows', ...)"
    """
    if value is None:
        return "nothing (None)"
    if isinstance(value, (Table, Raised, Other)):
        return str(value)
    if isinstance(value, float):
        return short(value + 0.0)  # a product with 0 may be -0.0, and is shown as 0
    text = f"({', '.join(map(as_text, value))})" if holds_tables(value, (Table, Other)) else repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def as_typed(value: Any) -> str:
    """A plain value as somebody may have typed it, with all its digits.

    >>> as_typed(32000.0), as_typed(1.0009765625), as_typed(0.1 + 0.2), as_typed((1, 2)), as_text(32000.0)
    ('32000', '1.0009765625', '0.3', '(1, 2)', '3.2e4')
    """
    return f"{value + 0.0:.12g}" if isinstance(value, float) else as_text(value)


def holds_tables(value: Any, kinds: tuple[type, ...] = (Table,)) -> bool:
    """Whether there are tensors among the parts of a result.

    >>> holds_tables((1, (Table((2,), (1, 2)),))), holds_tables((1, 2)), holds_tables(Table((2,), (1, 2)))
    (True, False, False)
    """
    return type(value) is tuple and any(isinstance(part, kinds) or holds_tables(part, kinds) for part in value)
