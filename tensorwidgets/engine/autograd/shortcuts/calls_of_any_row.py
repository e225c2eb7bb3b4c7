"""How is a usual call of any row recorded without the questions that only unusual ones need?

A call is usual where nothing is set in its thread, and nothing is special about its tensors but that some require a
gradient. The node and what it keeps are those of the general way, `recording.record`, which also takes every call that
fails here, and says why.
"""

from __future__ import annotations

from operator import is_
from typing import Any

import numpy as np

from ...declare.fast_calls import PLAIN
from ...derivatives.declaring import FORMULAS, TABLE, find_derivative
from ...dispatch import stations
from ...dispatch.registry import Op
from ...tensor.grad_flag import inference_leaves
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ..binding import bound_arguments
from ..recording import KIND, SPECIAL, edges_of, is_composite, refuse_arguments, with_node
from ..saved import bare

GENERAL, OF_OTHERS, BY_FORMULAS = range(3)
"""How the calls of a row go: the general way, as calls of other rows, or by formulas for most of them."""


def install() -> None:
    """Offer this way to each call that has no shorter one; runs once, when the first tensor requires a gradient."""
    stations.record_usual = record


def record(op: Op, args: tuple, kwargs: dict) -> Any:
    """Make and record a call; None where it has to go the general way."""
    if state.__dict__ or "out" in kwargs or inference_leaves.exist:
        return None
    way = _ways.get(op.name)
    if way is None:
        way = _ways[op.name] = _way_of(op)
    if way == GENERAL or KIND.key in op.kernels:
        return None
    given = _bare(args)
    named = _bare(tuple(kwargs.values())) if kwargs else ()
    if given is None or named is None:
        return None
    if all(map(is_, args, given)) and all(map(is_, kwargs.values(), named)):
        return None  # no tensor here requires a gradient
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
        bound = bound_arguments(op, args, kwargs)
        derivative = find_derivative(op.name, bound)
        if derivative is None or derivative.says != FORMULAS:
            return None
        edges, needed, lists, _ = edges_of(derivative, bound)
        if True not in needed:
            return None
        result = op.plain(*given, **dict(zip(kwargs, named, strict=True)))
    except Exception:  # whatever is wrong, the general way says so
        return None
    if not _is_fresh(result, given) or named and not _is_fresh(result, named):
        return None
    return with_node(op, derivative, args, kwargs, bound, result, (edges, needed, lists))


_ways: dict[str, int] = {}


def _way_of(op: Op) -> int:
    if op.name.endswith("_") or op.name in SPECIAL:
        return GENERAL
    rows = TABLE.get(op.name)
    if rows is None:
        return OF_OTHERS if is_composite(op) else GENERAL
    by_formulas = op.family not in NOT_FRESH and any([one.says == FORMULAS for one in rows])
    return BY_FORMULAS if by_formulas else GENERAL


NOT_FRESH = frozenset(("view", "inplace", "inplace view", "creation", "random"))
"""Families of rows whose results may share memory with an operand, or would be drawn twice if they did."""


def _bare(values: tuple) -> list[Any] | None:
    """The values with tensors that require no gradient; None if one of them is unusual, or hidden in a list."""
    result = list(values)
    for place, value in enumerate(values):
        if isinstance(value, Tensor):
            keys = value._keys
            if keys & ~KEY_AUTOGRAD or type(value) not in PLAIN or type(value._array) is not np.ndarray:
                return None
            if keys:
                result[place] = bare(value)
        elif type(value) in (list, tuple) and not all([type(part) is int for part in value]):
            return None
        elif type(value) in (np.complex64, np.clongdouble):  # read once, which warns
            return None
    return result


def _is_fresh(result: Any, given: list[Any]) -> bool:
    """Whether a result, or each of several, is neither an operand nor a view of one."""
    if isinstance(result, Tensor):
        return result._base is None and not any([result is one for one in given])
    return isinstance(result, tuple) and all([isinstance(one, Tensor) and _is_fresh(one, given) for one in result])
