"""The arrays that a name reaches: itself, or inside lists, dictionaries, modules and the attributes of objects."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

from .sources import is_array
from .special_kinds import is_lazy, is_sparse, kept_by_name

INSIDE = 64
"""How many items of one list, dictionary or object are looked at; of a module and an optimizer all that they keep."""
DEEP = 6
"""How many steps lead from a name to an array at most."""
LOOKED_AT = 4000
"""How many things are looked at in all: numbers, texts and None are not counted."""
PLAIN = (bool, int, float, str, bytes, type(None))
PARTS = ("_parameters", "_buffers", "_modules")
"""Where PyTorch's modules keep what their attributes show."""


def arrays_in(names: Mapping[str, Any], left: list[int] | None = None) -> Iterator[tuple[str, Any]]:
    """Every array that a name reaches.

    `left` is how many objects may still be visited, -1 if some were left out; a second -1 is for what was left out of
    a long container.

    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> names = {"x": np.ones(2), "pair": [1, np.ones(3)], "run": SimpleNamespace(best=np.ones(1)), "_": np.ones(1)}
    >>> [name for name, _ in arrays_in(names)]
    ['x', 'pair[1]', 'run.best']
    """
    left = [LOOKED_AT] if left is None else left
    for name, value in list(names.items()):
        if not name.startswith("_") and name not in ("In", "Out"):
            yield from _below(name, value, (), left)


def _below(name: str, value: Any, above: tuple[int, ...], left: list[int]) -> Iterator[tuple[str, Any]]:
    """The arrays in a value; `above` are the objects on the way to it, so that cycles end."""
    if type(value) in PLAIN or id(value) in above:
        return
    if left[0] <= 0:
        left[0] = -1
        return
    left[0] -= 1
    if is_array(value):
        yield from _plain(name, value)
    elif len(above) < DEEP:
        some = False
        for part, inner in _parts(name, value):
            for name_and_array in _below(part, inner, (*above, id(value)), left):
                some = True
                yield name_and_array
        if some and _is_long(value):
            left.append(-1)


def _is_long(value: Any) -> bool:
    """Whether a container has more items than are looked at."""
    if isinstance(value, (list, tuple, dict)):
        return len(value) > INSIDE
    return not _is_optimizer(value) and _has_attributes(value) and len(_attributes(value)) > INSIDE


def _attributes(value: Any) -> dict[str, Any]:
    """The attributes of an object that may lead to arrays."""
    return {
        key: part
        for key, part in vars(value).items()
        if isinstance(key, str) and not key.startswith("_") and type(part) not in PLAIN
    }


def _parts(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The values in a container or an object, each with the code that accesses it."""
    if isinstance(value, (list, tuple)):
        for k, item in enumerate(value[:INSIDE]):
            yield f"{name}[{k}]", item
    elif isinstance(value, dict):
        for key in list(value)[:INSIDE]:
            if isinstance(key, (str, int)):
                yield f"{name}[{key!r}]", value[key]
    elif _is_optimizer(value):
        # Its groups lead to the parameters once more; what is its own is the state of each.
        order = [id(p) for group in value.param_groups for p in group.get("params", ())]
        number = {key: k for k, key in reversed(list(enumerate(order)))}
        for parameter, state in list(value.state.items()):
            yield f"{name}.state[{number.get(id(parameter), len(order))}]", state
    elif _has_attributes(value):
        held = vars(value)
        for kept in PARTS:
            parts = held.get(kept)
            if isinstance(parts, dict):
                for key, part in list(parts.items()):
                    yield (f"{name}[{key}]" if key.isdigit() else f"{name}.{key}"), part
        for key, part in list(_attributes(value).items())[:INSIDE]:
            yield f"{name}.{key}", part


def _is_optimizer(value: Any) -> bool:
    """Whether it is an optimizer of ours, of PyTorch, or written like them."""
    held = getattr(value, "__dict__", {})
    groups = held.get("param_groups") if isinstance(held, dict) else None
    return isinstance(groups, list) and isinstance(held.get("state"), dict) and not isinstance(value, type)


def _has_attributes(value: Any) -> bool:
    """Whether to look into an object: not into classes, nor into Python's own objects such as functions and modules."""
    kind = type(value)
    if isinstance(value, type) or not hasattr(value, "__dict__"):
        return False
    own = kind.__module__.partition(".")[0] in sys.stdlib_module_names
    return not own or kind is SimpleNamespace or kind.__module__ == "__main__"


def _plain(name: str, array: Any) -> Iterator[tuple[str, Any]]:
    """An array and its gradient; for a sparse tensor, the arrays that it is made of; nothing for a lazy parameter."""
    if is_lazy(array):
        return
    if is_sparse(array):
        for part, inner in kept_by_name(array).items():
            yield f"{name}.{part}", inner
        return
    yield name, array
    has_gradient = getattr(array, "is_leaf", False) or getattr(array, "retains_grad", False)
    if has_gradient and getattr(array, "requires_grad", False):
        gradient = array.grad
        if gradient is not None:
            yield from _plain(f"{name}.grad", gradient)
