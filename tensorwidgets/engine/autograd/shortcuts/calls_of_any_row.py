"""How is a usual call of any row made without the questions that only unusual ones need?

A call is usual where nothing is set in its thread but `no_grad`, and nothing is special about its tensors but that some
require a gradient. The node and what it keeps are those of the general way, `recording.record`, which also takes every
call that fails here, and says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from operator import is_
from typing import Any

import numpy as np

from ...declare.fast_calls import NO_GRAD, PLAIN
from ...derivatives.declaring import FORMULAS, NONE, TABLE, find_derivative
from ...dispatch import stations
from ...dispatch.inference import NOT_NEW
from ...dispatch.registry import Op
from ...tensor.grad_flag import inference_leaves
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ..binding import bound_arguments
from ..recording import KIND, SPECIAL, edges_of, is_composite, refuse_arguments, with_node
from ..saved import bare

GENERAL, OF_OTHERS, BY_FORMULAS, UNRECORDED = range(4)
"""How the calls of a row go: the general way, as calls of other rows, by formulas for most of them, or without a node.
"""


def install() -> None:
    """Offer this way to each call that has no shorter one; runs once, when the first tensor requires a gradient."""
    stations.record_usual = record


def record(op: Op, args: tuple, kwargs: dict) -> Any:
    """Make a call, and record it if calls are recorded; None where it has to go the general way."""
    unusual = state.__dict__
    if unusual and unusual != NO_GRAD or "out" in kwargs or inference_leaves.exist:
        return None
    way = _ways.get(op.name)
    if way is None:
        way = _ways[op.name] = _way_of(op)
    if way == GENERAL or KIND.key in op.kernels:
        return None
    values = tuple(kwargs.values()) if kwargs else ()
    given, named = _bare(args), _bare(values)
    if given is None or named is None or given is args and named is values:
        return None  # something is unusual, or no tensor here requires a gradient
    if not op.fitting.get((*map(type, args), *kwargs, *map(type, values)) if kwargs else tuple(map(type, args))):
        read = stations.read_first(op, args, kwargs)
        if read[0] is not args:
            args, kwargs = read
            given, named = _bare(args), _bare(tuple(kwargs.values()))
            if given is None or named is None:
                return None
    if way == OF_OTHERS:
        try:
            return op.plain(*args, **kwargs)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            refuse_arguments(error, op, args, kwargs)
            raise
    try:
        if unusual or way == UNRECORDED:
            result = _computed(op, given, kwargs, named)
            return result if _is_fresh(result, given) and (not named or _is_fresh(result, named)) else None
        bound = bound_arguments(op, args, kwargs)
        derivative = find_derivative(op.name, bound)
        if derivative is None or derivative.says != FORMULAS:
            return None
        edges, needed, lists, _ = edges_of(derivative, bound)
        if True not in needed:
            return None
        result = _computed(op, given, kwargs, named)
    except Exception:  # whatever is wrong, the general way says so
        return None
    if not _is_fresh(result, given) or named and not _is_fresh(result, named):
        return None
    return with_node(op, derivative, args, kwargs, bound, result, (edges, needed, lists))


def _computed(op: Op, given: Sequence[Any], kwargs: dict, named: Sequence[Any]) -> Any:
    return op.plain(*given, **dict(zip(kwargs, named, strict=True))) if kwargs else op.plain(*given)


_ways: dict[str, int] = {}


def _way_of(op: Op) -> int:
    if op.name.endswith("_") or op.name in SPECIAL or op.name in NOT_NEW:
        return GENERAL
    rows = TABLE.get(op.name)
    if rows is None:
        return OF_OTHERS if is_composite(op) else GENERAL
    if op.family in NOT_FRESH:
        return GENERAL
    if all([one.says == NONE for one in rows]):
        return UNRECORDED
    return BY_FORMULAS if any([one.says == FORMULAS for one in rows]) else GENERAL


NOT_FRESH = frozenset(("view", "inplace", "inplace view", "creation", "random"))
"""Families of rows whose results may share memory with an operand, or would be drawn twice if they did."""


def _bare(values: Sequence[Any]) -> Sequence[Any] | None:
    """The values with tensors that require no gradient, in lists too; themselves if all are so, and None if one of them
    is unusual.
    """
    result: Any = None
    for place, value in enumerate(values):
        kind = type(value)
        if kind in PLAIN:
            keys = value._keys
            if keys & ~KEY_AUTOGRAD or type(value._array) is not np.ndarray:
                return None
            if keys:
                if result is None:
                    result = list(values)
                result[place] = bare(value)
        elif kind is int:
            if not -_HALF <= value < _HALF:
                return None
        elif kind is list or kind is tuple:
            if not value:
                continue
            if all([type(part) is int for part in value]):
                if not -_HALF <= min(value) or not max(value) < _HALF:
                    return None
                continue
            parts = _bare(value) if all([isinstance(part, Tensor) for part in value]) else None
            if parts is None:
                return None
            if parts is not value:
                if result is None:
                    result = list(values)
                result[place] = kind(parts)
        elif kind not in _PASSED_ON and (isinstance(value, Tensor) or kind in (np.complex64, np.clongdouble)):
            return None  # the last two are read once, which warns
    return values if result is None else result


_HALF = 1 << 63
"""PyTorch's whole numbers are smaller."""
_PASSED_ON = frozenset((bool, float, str, type(None)))


def _is_fresh(result: Any, given: Sequence[Any]) -> bool:
    """Whether a result, or each of several, is neither an operand nor a view of one."""
    if isinstance(result, Tensor):
        if result._base is not None:
            return False
        for one in given:
            if one is result or type(one) in (list, tuple) and any(map(is_, one, repeat(result))):
                return False
        return True
    return isinstance(result, tuple) and all([isinstance(one, Tensor) and _is_fresh(one, given) for one in result])
