"""How do many small parameters change at once? As one long one.

A rule that treats each element by itself may be given the elements of many parameters in one tensor, with their states:
they are copied there, the rule runs once, and the results are copied back. Each element becomes what it would become
alone, to the bit.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from ...engine.declare.fast_calls import PLAIN
from ...engine.dispatch.registry import watching
from ...engine.tensor.keys import KEY_AUTOGRAD
from ...engine.tensor.tensor import Tensor
from ...engine.tensor.versions import bump_versions
from ...engine.tensor.wrapping import wrap
from ...engine.types.dtypes import float32, float64

Entry = tuple[Tensor, Tensor, dict[str, Any]]
"""A parameter, its gradient, and its state."""

SMALL = 1 << 14
"""A parameter with up to this many elements is copied: the copy costs less than a call of the rule."""
TOGETHER = 1 << 16
"""How many elements are changed at once, so that they stay in the cache."""


def update_together(optimizer: Any, entries: list[Entry], group: dict[str, Any]) -> list[Entry]:
    """Update the parameters for which this makes no difference; returns the others."""
    if len(entries) < 2 or watching or group.get("capturable") or group.get("differentiable"):
        return entries
    kind: Any = type(optimizer)
    if not treats_elements_alone(kind):
        return entries
    alike: dict[Any, list[Entry]] = {}
    for entry in entries:
        alike.setdefault(_key(*entry), []).append(entry)
    rest = alike.pop(None, [])
    if not alike or not _apart(entries):
        return entries
    for several in alike.values():
        if len(several) == 1:
            rest += several
            continue
        start = size = 0
        for place, entry in enumerate(several):
            size += entry[0]._array.size
            if size > TOGETHER:
                _update(optimizer, several[start:place], group)
                start, size = place, entry[0]._array.size
        _update(optimizer, several[start:], group)
    return rest


@cache
def treats_elements_alone(kind: type) -> bool:
    """Whether the class that defines the rule says so; a class of the user's own with another rule does not."""
    return next(bool(vars(c).get("elementwise")) for c in kind.__mro__ if "update" in vars(c))


def _key(parameter: Tensor, grad: Tensor, state: dict[str, Any]) -> Any:
    """What parameters have in common that can be updated together; None for unusual ones."""
    array, d = parameter._array, parameter._dtype
    if type(parameter) not in PLAIN or parameter._keys & ~KEY_AUTOGRAD or d is not float32 and d is not float64:
        return None
    shape = array.shape
    if not shape or not 0 < array.size <= SMALL or not _is_block(array) or not _fits(grad, d, shape):
        return None
    parts: list[Any] = [d]
    for name, value in state.items():
        parts.append(name)
        if value is None:
            parts.append(None)
        elif not isinstance(value, Tensor) or value._keys or type(value._array) is not np.ndarray:
            return None
        elif value._array.ndim == 0:
            parts += (value._dtype, value._array.item())
        elif not _fits(value, d, shape):
            return None
    return tuple(parts)


def _fits(t: Tensor, d: Any, shape: tuple[int, ...]) -> bool:
    """Whether a tensor is a plain one in one piece, of this dtype and shape."""
    return not t._keys and t._dtype is d and t._array.shape == shape and _is_block(t._array)


def _is_block(array: Any) -> bool:
    if type(array) is not np.ndarray:
        return False
    flags = array.flags
    return bool(flags.c_contiguous and flags.writeable)


def _apart(entries: list[Entry]) -> bool:
    """Whether no two parameters share memory."""
    arrays = [parameter._array for parameter, _, _ in entries]
    if len({id(_owner(a)) for a in arrays}) == len(arrays):
        return True
    if any(type(a) is not np.ndarray or not a.flags.c_contiguous for a in arrays):
        return False
    spans = sorted([(a.__array_interface__["data"][0], a.nbytes) for a in arrays])
    return all(first + length <= second for (first, length), (second, _) in pairwise(spans))


def _owner(array: Any) -> Any:
    """The array that owns the memory."""
    while type(base := getattr(array, "base", None)) is np.ndarray:
        array = base
    return array if base is None else base


def _update(optimizer: Any, entries: list[Entry], group: dict[str, Any]) -> None:
    """Update several parameters as one."""
    parameters = [parameter for parameter, _, _ in entries]
    grads = [grad for _, grad, _ in entries]
    states = [state for _, _, state in entries]
    given: dict[str, Any] = {name: _joined([state[name] for state in states]) for name in states[0]}
    long: Any = _joined(parameters)
    grad: Any = _joined(grads)
    state: dict[str, Any] = dict(given)
    optimizer.update(long, grad, state, group)
    for name, value in state.items():
        if value is not None and given.get(name) is value:
            _copy_back(value, [own[name] for own in states])
        else:
            ends = [None] * len(states) if value is None else _pieces(value, parameters)
            for own, piece in zip(states, ends, strict=True):
                own[name] = None if piece is None else wrap(piece.copy(), value._dtype)
    if grad._writes:
        _copy_back(grad, grads)
    _copy_back(long, parameters)


def _joined(tensors: list[Any]) -> Any:
    """All elements in one tensor; of numbers, which are the same in all, one."""
    first = tensors[0]
    if first is None:
        return None
    if not first._array.ndim:
        return wrap(first._array.copy(), first._dtype)
    return wrap(np.concatenate([t._array for t in tensors], None), first._dtype)


def _pieces(long: Tensor, like: list[Tensor]) -> list[Any]:
    """The elements of each parameter, in its shape."""
    pieces = []
    start, array = 0, long._array
    for t in like:
        own = t._array
        stop = start + own.size
        pieces.append(array[start:stop] if own.ndim == 1 else array[start:stop].reshape(own.shape))
        start = stop
    return pieces


def _copy_back(value: Any, tensors: list[Tensor]) -> None:
    """Give each tensor its elements, and its version what the rule has counted."""
    pieces = _pieces(value, tensors) if value._array.ndim else [value._array] * len(tensors)
    for t, piece in zip(tensors, pieces, strict=True):
        t._array[...] = piece
    bump_versions(tensors, value._writes)
