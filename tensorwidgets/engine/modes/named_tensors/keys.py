"""Names in `x[key]` and `x[key] = value`."""

from __future__ import annotations

from typing import Any, NoReturn

from ...dimension_names import Names, unify
from ...errors.reasons import sure
from ...ops.indexing.index_key import MASKS
from ...tensor.tensor import Tensor
from .calls import Call, check_target
from .refusals import not_supported
from .tensors import names_of


def indexed(call: Call) -> Names | None:
    """What is left of the names: a number takes one away, None brings a dimension without one."""
    return names_at(names_of(call.args[0]), call.args[1], "index.Tensor")


def assigned(call: Call) -> Names | None:
    """Names of a value meet those of the places that it is written to, which stay as they are."""
    target, key, value = call.args
    names = names_of(target)
    left = names_at(names, key, "index_put_")
    if isinstance(value, Tensor) and left is not None:
        met = sure(unify(left, names_of(value)))
        check_target(left, met)
        if _is_whole(key) and len(met) == len(names):
            return met
    return names


def _is_whole(key: Any) -> bool:
    """Whether a key leaves the tensor as it is."""
    return key is Ellipsis or isinstance(key, slice) and key == slice(None)


def names_at(names: Names, key: Any, many: str) -> Names | None:
    """The names of ``x[key]``; tensors of places or truths are refused under the name of the op for many.

    None where there are more indices than dimensions, or no name is left.

    >>> names_at(("batch", "channel", "width"), (0, ..., None), "index.Tensor")
    ('channel', 'width', None)
    """
    parts = list(key) if isinstance(key, tuple) else [key]
    used = sum(not (part is None or part is Ellipsis or isinstance(part, bool)) for part in parts)
    if used > len(names):
        return None
    rest = list(names)
    results: list[str | None] = []
    if not any(part is Ellipsis for part in parts):
        parts.append(Ellipsis)
    for part in parts:
        if part is None or isinstance(part, bool):
            results.append(None)
        elif part is Ellipsis:
            whole = len(names) - used
            results += rest[:whole]
            rest = rest[whole:]
        else:
            name = rest.pop(0)
            if isinstance(part, slice) or _takes_many(part):
                results.append(name)
    if any(isinstance(part, bool) or _takes_many(part) for part in parts):
        # Numbers and slices come first: what is left of the names decides.
        if not any(results):
            return None
        _refuse_many(parts, many)
    return tuple(results)


def _refuse_many(parts: list, many: str) -> NoReturn:
    if any(part is None or isinstance(part, bool) for part in parts):
        not_supported("unsqueeze", "a truth as an index keeps everything or nothing, which has no name")
    not_supported(many, "how the dimensions of several indices stand in the result depends on their places")


def _takes_many(part: Any) -> bool:
    """Whether a part of a key chooses several elements one by one."""
    if isinstance(part, Tensor):
        return part._array.ndim > 0 or part._dtype in MASKS
    return isinstance(part, (list, tuple, range)) or getattr(part, "ndim", 0) > 0
