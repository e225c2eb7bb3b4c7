"""Tensors of a class of the user's own: what is computed from them is of that class again, as in PyTorch.

Such a tensor has a key, so its calls take the long route. There the call is made as for plain tensors, and what comes
out is put into the class. Parameter asks for no key: what is computed from one is a plain tensor. A class that has
`_refuse_call` may refuse calls instead, by the op's name; what it lets pass has plain results.
"""

from __future__ import annotations

from typing import Any

from ..tensor.classes import as_subclass, in_class
from ..tensor.passed import call_without, keys_left
from ..tensor.tensor import Tensor
from .kinds import KINDS
from .registry import Op, tensors_in
from .stations import by_keys

KIND = KINDS["subclass"]


def _call(op: Op, args: tuple, kwargs: dict) -> Any:
    """Make a call as if its tensors were plain, and give what comes out their class."""
    given = list(tensors_in(args, kwargs))
    special = [t for t in given if keys_left(t) & KIND.key]
    careful = [t for t in special if hasattr(type(t), "_refuse_call")]
    for t in careful:
        type(t)._refuse_call(op.name)  # type: ignore[attr-defined]
    result = call_without(KIND.key, special, by_keys, op, args, kwargs)
    return result if careful or op.name == "tensor" else _put(result, _class_of(special), given)


def _class_of(tensors: list[Tensor]) -> type[Tensor]:
    """The first class, unless another one is made from it."""
    cls = type(tensors[0])
    for t in tensors[1:]:
        if issubclass(type(t), cls):
            cls = type(t)
    return cls


def _put(result: Any, cls: type[Tensor], given: list[Tensor]) -> Any:
    """A result, and all that is in it, as instances of a class."""
    if isinstance(result, Tensor):
        if isinstance(result, cls):
            return result
        return as_subclass(result, cls) if any(result is t for t in given) else in_class(result, cls)
    if isinstance(result, (tuple, list)) and any(isinstance(part, (Tensor, tuple, list)) for part in result):
        parts = [_put(part, cls, given) for part in result]
        return type(result)(parts)
    return result


def _station(op: Op, args: tuple, kwargs: dict) -> tuple[str, bool]:
    cls = _class_of([t for t in tensors_in(args, kwargs) if keys_left(t) & KIND.key])
    return f"the rest of the way is that of plain tensors, and the result becomes a {cls.__name__}", True


KIND.fallback, KIND.describe_station = _call, _station
