"""Names in `x[key]` and `x[key] = value`."""

from __future__ import annotations

from typing import Any

from ...index_key import MASKS
from ...naming import Names, unify
from ...tensor import Tensor
from .calls import Call
from .refusals import not_supported
from .tensors import names_of, sure


def indexed(call: Call) -> Names:
    """What is left of the names: a number takes one away, None brings a dimension without one."""
    return names_at(names_of(call.args[0]), call.args[1], "index.Tensor")


def assigned(call: Call) -> Names | None:
    """Names of a value meet those of the places that it is written to, which stay as they are."""
    target, key, value = call.args
    names = names_of(target)
    left = names_at(names, key, "index_put_")
    if isinstance(value, Tensor):
        met = sure(unify(left, names_of(value)))
        if _is_whole(key) and len(met) == len(names):
            return met
    return names


def _is_whole(key: Any) -> bool:
    """Whether a key leaves the tensor as it is."""
    return key is Ellipsis or isinstance(key, slice) and key == slice(None)


def names_at(names: Names, key: Any, many: str) -> Names:
    """The names of ``x[key]``; tensors of places or truths are refused under the name of the op for many.

    >>> names_at(("batch", "channel", "width"), (0, ..., None), "index.Tensor")
    ('channel', 'width', None)
    """
    parts = list(key) if isinstance(key, tuple) else [key]
    if any(_takes_many(part) for part in parts):
        not_supported(many, "how the dimensions of several indices stand in the result depends on their places")
    used = sum(not (part is None or part is Ellipsis or isinstance(part, bool)) for part in parts)
    rest = list(names)
    found: list[str | None] = []
    if not any(part is Ellipsis for part in parts):
        parts.append(Ellipsis)
    for part in parts:
        if part is None or isinstance(part, bool):
            found.append(None)
        elif part is Ellipsis:
            whole = max(len(names) - used, 0)
            found += rest[:whole]
            rest = rest[whole:]
        else:
            name = rest.pop(0) if rest else None
            if isinstance(part, slice):
                found.append(name)
    return tuple(found)


def _takes_many(part: Any) -> bool:
    """Whether a part of a key chooses several elements one by one."""
    if isinstance(part, Tensor):
        return part._array.ndim > 0 or part._dtype in MASKS
    return isinstance(part, (list, tuple, range)) or getattr(part, "ndim", 0) > 0
