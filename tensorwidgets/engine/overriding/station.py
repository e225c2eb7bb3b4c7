"""Where a call with tensors of the user's own classes stops, and their classes are asked.

Such a tensor has a key, so its calls take the long route. Parameter asks for no key: what is computed from one is a
plain tensor. A class that has `_refuse_call` may refuse calls instead, by the op's name; what it lets pass has plain
results.
"""

from __future__ import annotations

from typing import Any

from ..dispatch.asking import asked_among, is_default, parts_of, refuse_all
from ..dispatch.called_as import operator_called
from ..dispatch.kinds import KINDS
from ..dispatch.registry import Op, tensors_in
from ..dispatch.stations import below_classes, in_our_words, read_first
from ..tensor.passed import call_below, keys_left
from ..tensor.tensor import Tensor
from .called import answered, called
from .default import converted

KIND = KINDS["subclass"]

NOT_HANDED_ON = frozenset(
    ("tensor", "as_tensor", "asarray", "from_dlpack", "from_numpy", "frombuffer", "set_", "delitem")
)
"""Ops about which PyTorch asks no class."""


def _call(op: Op, args: tuple, kwargs: dict) -> Any:
    """Ask the classes of a call's arguments, or make the call for classes that have nothing to say of their own."""
    special = _special(args, kwargs)
    careful = [t for t in special if hasattr(type(t), "_refuse_call")]
    for t in careful:
        type(t)._refuse_call(op.name)  # type: ignore[attr-defined]
    if careful or op.name in ("tensor", "from_dlpack"):
        kwargs = in_our_words(op, kwargs) if kwargs else kwargs
        return call_below(KIND.key, below_classes, op, args, kwargs)
    asked = _asked(op, args, kwargs)
    if op.name not in NOT_HANDED_ON and not all(is_default(type(value)) for value in asked):
        result = asked_of(op, args, kwargs, asked)
        if result is not None:
            return result[0]
    if kwargs:
        kwargs = in_our_words(op, kwargs)
    if not asked:
        return call_below(KIND.key, below_classes, op, args, kwargs)
    cls = next((type(t) for t in asked if all(issubclass(type(t), type(other)) for other in asked)), None)
    if cls is None:
        return _declined(op, asked)
    return converted(call_below(KIND.key, below_classes, op, args, kwargs), cls)


def _asked(op: Op, args: tuple, kwargs: dict) -> list[Any]:
    """The values whose classes are asked: of ``a == b`` only the first, as in PyTorch."""
    if op.name == "new_tensor":  # whose data may be of any class
        return asked_among(args[:1])
    if op.name == "eq" and (operator := operator_called()) is not None and operator.method == "__eq__":
        return asked_among(args[:1]) or asked_among(args)
    return asked_among(parts_of(args, kwargs))


def _special(args: tuple, kwargs: dict) -> list[Tensor]:
    return [t for t in tensors_in(args, kwargs) if keys_left(t) & KIND.key]


def asked_of(op: Op, args: tuple, kwargs: dict, asked: list[Any]) -> tuple[Any] | None:
    """What the classes answer to the user's call, in a tuple; None for a call that the engine makes itself."""
    call = called(op)
    if call is None:
        return None
    if not call.in_python and all(isinstance(value, Tensor) for value in asked):
        read_first(op, args, in_our_words(op, kwargs) if kwargs else kwargs)
    return (answered(call, asked, args, kwargs),)


def _declined(op: Op, asked: list[Any]) -> Any:
    """The default answer where no class is made from all others: it is declined, or left to the other operand."""
    operator = operator_called()
    if operator is not None and operator.has_other:
        return NotImplemented
    call = called(op)
    types = tuple(map(type, asked))
    refuse_all(call.name if call is not None else f"torch.{op.name}", types, call is not None and call.in_python)


def _station(op: Op, args: tuple, kwargs: dict) -> tuple[str, bool]:
    asked = asked_among(_special(args, kwargs))
    name = type(asked[0]).__name__
    if all(is_default(type(t)) for t in asked):
        return f"the rest of the path is that of plain tensors, and the result becomes a {name}", True
    return f"{name}.__torch_function__ is asked, and may make the call", False


KIND.fallback, KIND.describe_station = _call, _station
