"""Which conversions of tensors that require a gradient change nothing? They return the tensor itself, and no node.
`detach` makes no node either.

Models ask for a dtype, a device or an order of elements that their tensors mostly have. As in `calls_of_rows`, None
leaves a call to the general way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...declare.fast_calls import PLAIN
from ...dispatch.registry import OPS
from ...ops.copies.copying import is_there_already
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ...tensor.wrapping import alias_of
from ...types import dtypes
from ...types.dtypes import dtype


def install() -> None:
    """Give the rows their quick way; runs once, when the first tensor requires a gradient."""
    for name, d in (
        ("double", dtypes.float64), ("float", dtypes.float32), ("half", dtypes.float16), ("bfloat16", dtypes.bfloat16),
    ):  # fmt: skip
        OPS[name].quick = _caster(d)
    OPS["to"].quick = to
    OPS["cpu"].quick = cpu
    OPS["contiguous"].quick = contiguous
    OPS["type_as"].quick = type_as
    OPS["detach"].quick = detach


def _is_usual(t: Any) -> bool:
    """Whether a tensor has numbers in main memory and nothing special but a gradient that it may require."""
    return type(t) in PLAIN and not t._keys & ~KEY_AUTOGRAD and type(t._array) is np.ndarray and not state.__dict__


def _caster(d: dtype) -> Callable[[Any], Any]:
    def cast(input: Any = None, /, *more: Any, **named: Any) -> Tensor | None:
        return input if not more and not named and _is_usual(input) and input._dtype is d else None

    return cast


def to(input: Any = None, /, *wanted: Any, **named: Any) -> Tensor | None:
    """The tensor itself, if one dtype or device is asked for and the tensor has it."""
    usual = len(wanted) == 1 and not named and _is_usual(input)
    return input if usual and is_there_already(input, wanted[0]) else None


def cpu(input: Any = None, /, *more: Any, **named: Any) -> Tensor | None:
    return input if not more and not named and _is_usual(input) else None


def detach(input: Any = None, /, *more: Any, **named: Any) -> Tensor | None:
    """A tensor on the same memory without a history."""
    return alias_of(input, True) if not more and not named and _is_usual(input) else None


def contiguous(input: Any = None, /, *more: Any, **named: Any) -> Tensor | None:
    """The tensor itself, if its elements lie in order."""
    same = not more and not named and _is_usual(input) and input._array.flags.c_contiguous
    return input if same and input.is_contiguous() else None


def type_as(input: Any = None, /, *other: Any, **named: Any) -> Tensor | None:
    """The tensor itself, if the other one is of its dtype."""
    usual = len(other) == 1 and not named and _is_usual(input) and _is_usual(other[0])
    return input if usual and input._dtype is other[0]._dtype else None
