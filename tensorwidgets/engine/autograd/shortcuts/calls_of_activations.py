"""How are activations recorded with few steps in between? The curves of few elements, with their numbers.

As in `calls_of_rows`, None leaves a call to the general way.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np

from ...backends.numpy.without_warnings import quietly, run
from ...declare.fast_calls import NO_GRAD
from ...derivatives.declaring import FORMULAS, TABLE
from ...dispatch.registry import OPS
from ...ops.nn.activations.elementwise import CURVES, PIECE, Curve
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ...tensor.wrapping import wrap
from ..saved import ABSENT
from .calls_of_rows import edge_if_any, is_simple, record_call, version_of

ROWS = {
    "leaky_relu": "_nn.leaky_relu", "elu": "_nn.elu", "celu": "celu", "selu": "selu", "gelu": "nn.functional.gelu",
    "silu": "_nn.silu", "mish": "_nn.mish", "softplus": "nn.functional.softplus", "threshold": "threshold",
    "softshrink": "nn.functional.softshrink", "hardtanh": "_nn.hardtanh", "relu6": "_nn.hardtanh",
    "hardsigmoid": "_nn.hardsigmoid", "hardswish": "_nn.hardswish", "logsigmoid": "nn.functional.logsigmoid",
}  # fmt: skip
"""Functions of `nn.functional`, and the rows that they call."""

GIVEN = {"relu6": (0, 6)}
"""The numbers with which a function calls its row, where they are not its own arguments."""

LARGE = 1e30
"""Numbers of at least this size may not fit, which the general way says."""


def install() -> None:
    """Give the functions their quick way; runs once, when the first tensor requires a gradient."""
    for name, row in ROWS.items():
        op = OPS[f"nn.functional.{name}"]
        op.quick = op.quick_plain = _activation(op.plain, row, GIVEN.get(name, ()))


def _activation(function: Callable, row: str, given: tuple) -> Callable[..., Tensor | None]:
    """The quick way of a function that calls a row with its own arguments, or with those that are given."""
    curve, numbers = CURVES[row]
    derivative = next(one for one in TABLE[row] if one.says == FORMULAS)
    parameters = [p for p in signature(function).parameters.values() if p.name not in ("input", "out")]
    in_place = bool(parameters) and parameters[-1].name == "inplace"
    by_position = sum(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters)
    usual = [ABSENT if p.default is p.empty else p.default for p in parameters]
    places = {p.name: place for place, p in enumerate(parameters)}
    limited = row == "_nn.hardtanh"
    called = [*signature(numbers).parameters][1:]
    keeps = [-1 if name == "input" else [*called, name].index(name) for name in derivative.keeps]
    assert keeps.count(-1) == 1

    def record(*args: Any, **more: Any) -> Tensor | None:
        unusual = state.__dict__
        if not 0 < len(args) <= 1 + by_position or unusual and unusual != NO_GRAD or not is_simple(args[0]):
            return None
        input = args[0]
        x = input._array
        size = x.shape
        if not 0 < x.size <= PIECE or not size or 1 in size or not x.flags.c_contiguous:
            return None
        values: Any = usual
        if len(args) > 1 or more:
            values = [*args[1:], *usual[len(args) - 1 :]]
            for key, value in more.items():
                place = places.get(key)
                if place is None or place < len(args) - 1:
                    return None
                values[place] = value
        if in_place:
            if values[-1] is not False:
                return None
            values = values[:-1]
        if not all([_is_usual(value) for value in values]) or limited and values and values[0] > values[1]:
            return None
        values = values or given
        edge = edge_if_any(input) if not unusual else None
        if edge is None and input._keys and not unusual:
            return None  # a view that was made under no_grad: its node leads nowhere
        try:
            of_curve = numbers(input, **dict(zip(called, values, strict=False)))
            if not all([_is_usual(number) for number in of_curve]):
                return None
            found = _computed(curve, x, of_curve)
        except Exception:  # whatever is wrong, the general way says so
            return None
        result = wrap(found, input._dtype)
        if edge is None:
            return result
        kept = [input if k < 0 else values[k] if k < len(values) else ABSENT for k in keeps]
        versions = [version_of(input) if k < 0 else None for k in keeps]
        return record_call(derivative, result, (edge,), tuple(kept), tuple(versions))

    return record


def _is_usual(value: Any) -> bool:
    """Whether a value is a number of a usual size, or a word."""
    kind = type(value)
    return (kind is float or kind is int) and -LARGE < value < LARGE or kind is str


def _computed(curve: Curve, x: np.ndarray, numbers: tuple) -> np.ndarray:
    """The curve in memory of its own."""
    try:
        found = run(curve, x, *numbers)
    except RuntimeError:  # another thread computes at this moment
        found = quietly(curve, x, *numbers)
    return found if found.base is None and found.dtype is x.dtype and found is not x else np.array(found, x.dtype)
