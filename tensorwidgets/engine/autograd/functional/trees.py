"""Tensors in nested lists, tuples and dictionaries: taken out in order, and put back in the same form."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any


def leaves(tree: Any) -> Iterator[Any]:
    """Everything in nested lists, tuples and dictionaries, in order; None too.

    >>> list(leaves({"a": 1, "b": [2, (3,)]}))
    [1, 2, 3]
    """
    if isinstance(tree, dict):
        for value in tree.values():
            yield from leaves(value)
    elif isinstance(tree, (tuple, list)):
        for value in tree:
            yield from leaves(value)
    else:
        yield tree


def mapped(function: Callable, tree: Any) -> Any:
    """The same nested lists, tuples and dictionaries, with a function's results in them.

    >>> mapped(str, {"a": 1, "b": [2, (3,)]})
    {'a': '1', 'b': ['2', ('3',)]}
    """
    if isinstance(tree, dict):
        pairs = [(key, mapped(function, value)) for key, value in tree.items()]
        return OrderedDict(pairs) if isinstance(tree, OrderedDict) else dict(pairs)
    if isinstance(tree, (tuple, list)):
        values = [mapped(function, value) for value in tree]
        return type(tree)(*values) if hasattr(tree, "_fields") else type(tree)(values)
    return function(tree)


def refilled(tree: Any, values: list) -> Any:
    """The same nested lists, tuples and dictionaries, with these values in them in order.

    >>> refilled({"a": 1, "b": [2, (3,)]}, [7, 8, 9])
    {'a': 7, 'b': [8, (9,)]}
    """
    left = iter(values)
    return mapped(lambda _: next(left), tree)


def form(tree: Any) -> str:
    """How things are nested, as text: ``*`` for each.

    >>> form({"a": 1, "b": [2, (3,)]})
    "{'a': *, 'b': [*, (*,)]}"
    """
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{key!r}: {form(value)}" for key, value in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(map(form, tree)) + "]"
    if isinstance(tree, tuple):
        return "(" + ", ".join(map(form, tree)) + ("," if len(tree) == 1 else "") + ")"
    return "*"
