"""The station that computes lazy conjugates and negatives, so that every later kernel gets plain numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tensor.keys import KEY_META, KEY_PROMISE
from ..tensor.lazy_conj import promised, resolve
from ..tensor.moving.resizing import resize
from ..tensor.tensor import Tensor
from ..tensor.versions import bump_version
from ..tensor.write_checks import check_writable


def with_numbers(op: Any, args: tuple, kwargs: dict, call_on: Callable[[Any, tuple, dict], Any]) -> Any:
    """Continue a call with resolved tensors, and write what the op wrote back into the lazy ones."""
    stand_ins: dict[int, Tensor] = {}
    outs: dict[int, Tensor] = {}
    writes = op.name.endswith("_") or op.name == "setitem"
    targets = [*args[:1]] if writes else [kwargs["out"]] if kwargs.get("out") is not None else []
    positional = _resolved(args, stand_ins)
    # A target has a stand-in of its own, even if it is also an input.
    named = {name: _resolved((value,), stand_ins if name != "out" else outs)[0] for name, value in kwargs.items()}
    stand_ins |= outs
    result = call_on(op, positional, named)
    for target in targets:
        stand_in = stand_ins.get(id(target))
        if stand_in is not None:
            put_back(target, stand_in)
            result = None if result is None else target
    return result


def put_back(target: Tensor, stand_in: Tensor) -> None:
    """Copy the result of an op from a stand-in into the original tensor."""
    if stand_in._array.shape != target._array.shape:
        resize(target, stand_in._array.shape)
    check_writable(target)
    if not target._keys & KEY_META:
        target._array[...] = promised(stand_in._array, target)
    bump_version(target)


def _resolved(args: tuple, stand_ins: dict[int, Tensor]) -> tuple:
    """Arguments with resolved tensors; `stand_ins` maps the id of each lazy one to its resolved copy."""
    resolved: list[Any] = []
    for a in args:
        if isinstance(a, Tensor):
            if a._keys & KEY_PROMISE and id(a) not in stand_ins:
                stand_ins[id(a)] = resolve(a)
            resolved.append(stand_ins.get(id(a), a))
        elif isinstance(a, (list, tuple)) and any(isinstance(x, Tensor) for x in a):
            resolved.append(type(a)(_resolved(tuple(a), stand_ins)))
        else:
            resolved.append(a)
    return tuple(resolved)
