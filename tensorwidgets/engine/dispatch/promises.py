"""Where a call computes the numbers that its tensors only promise, so that every kernel after it is given numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tensor.lazy_conj import promised, resolve
from ..tensor.resizing import resize
from ..tensor.tensor import KEY_META, KEY_PROMISE, Tensor, bump_version
from ..tensor.write_checks import check_writable


def with_numbers(op: Any, args: tuple, kwargs: dict, call_on: Callable[[Any, tuple, dict], Any]) -> Any:
    """Call on with numbers in place of promises; what the op writes is put back into the tensors that promise."""
    stand_ins: dict[int, Tensor] = {}
    outs: dict[int, Tensor] = {}
    targets = [args[0]] if op.family == "inplace" else [kwargs["out"]] if kwargs.get("out") is not None else []
    given = _resolved(args, stand_ins)
    # What is written has a stand-in of its own, also where it is read as well.
    named = {name: _resolved((value,), stand_ins if name != "out" else outs)[0] for name, value in kwargs.items()}
    stand_ins |= outs
    result = call_on(op, given, named)
    for target in targets:
        stand_in = stand_ins.get(id(target))
        if stand_in is not None:
            put_back(target, stand_in)
            result = target
    return result


def put_back(target: Tensor, stand_in: Tensor) -> None:
    """Write what an op has made of a stand-in into the tensor that it stood in for."""
    if stand_in._array.shape != target._array.shape:
        resize(target, stand_in._array.shape)
    check_writable(target)
    if not target._keys & KEY_META:
        target._array[...] = promised(stand_in._array, target)
    bump_version(target)


def _resolved(args: tuple, stand_ins: dict[int, Tensor]) -> tuple:
    """Arguments in which no tensor promises anything; which stands in for which is noted."""
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
