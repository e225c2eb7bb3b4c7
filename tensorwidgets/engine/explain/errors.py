"""Explain an error of PyTorch or NumPy by repeating the step in this engine on tensors of the same geometry.

Each foreign tensor or array is mirrored by a tensor with its size, stride, offset and dtype that holds zeros, or no
data if it is large. The engine's explanation for the mirrors holds for the originals.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..dispatch.registry import FACE
from ..errors.reasons import Reason
from ..interop.foreign_arrays import NUMPY, facts_of, is_array, library_of
from ..tensor.tensor import Tensor
from .library_calls import reason_of_call
from .messages.patterns import reason_from_message
from .mirrors import flat, mirrored_call
from .unknown_names import reason_of_name

_OPERATORS: dict[str, Callable] = {
    "lshift": operator.lshift, "rshift": operator.rshift, "not": operator.not_, "and": bool, "or": bool,
    "in": lambda a, b: a in b, "neg": operator.neg, "positive": operator.pos, "bitwise_not": operator.invert,
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "pow": operator.pow,
    "floor_divide": operator.floordiv, "remainder": operator.mod, "matmul": operator.matmul,
    "bitwise_and": operator.and_, "bitwise_or": operator.or_, "bitwise_xor": operator.xor,
    "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge, "eq": operator.eq, "ne": operator.ne,
}  # fmt: skip

_SAME_IN_NUMPY = """
reshape stack matmul broadcast_to swapaxes squeeze sum mean prod argmax argmin all any cumsum add getitem T einsum flip
vstack hstack
""".split()

_FROM_NUMPY = {name: name for name in _SAME_IN_NUMPY} | {
    "concatenate": "cat", "concat": "cat", "transpose": "permute", "permute_dims": "permute", "dot": "matmul",
    "expand_dims": "unsqueeze", "subtract": "sub", "multiply": "mul", "divide": "div", "power": "pow", "max": "amax",
    "min": "amin", "moveaxis": "movedim", "broadcast_arrays": "broadcast_tensors",
}  # fmt: skip
"""NumPy's functions and the PyTorch ops that do the same. A function is missing if its PyTorch namesake differs."""


def reason_for(error: Exception, kind: str, callee: str, args: tuple, kwargs: Mapping[str, Any]) -> Reason:
    """Why a step failed: the error's own `Reason`, else this engine's for the same step, else one from the message."""
    reason = getattr(error, "reason", None)
    if isinstance(reason, Reason):
        return reason if reason.because else reason_from_message(error) or reason_of_name(error, callee) or reason
    numpy = _of_numpy(args, kwargs)
    result = mirrored_refusal(error, kind, callee, args, kwargs)
    if (
        result is None
        and (result := reason_from_message(error)) is not None
        and numpy
        and isinstance(error, IndexError)
    ):
        result = replace(result, instead=tuple(way.replace("dim=", "axis=") for way in result.instead))
    result = result or reason_of_name(error, callee, numpy=numpy)
    return result or Reason(f"{callee}.error", type(error), str(error), _arguments(args, kwargs))


def reason_of(error: BaseException) -> Reason:
    """Why an error was raised, if nothing but the error and its traceback are known."""
    reason = getattr(error, "reason", None)
    if isinstance(reason, Reason) and reason.because:
        return reason
    found = reason_of_call(error) if reason is None else None
    if found is not None:
        return found
    kind = type(error) if isinstance(error, Exception) else RuntimeError
    return reason_from_message(error) or reason or Reason("unknown", kind, str(error))


def _arguments(args: tuple, kwargs: Mapping[str, Any]) -> str:
    """A sentence that lists the array arguments of a step."""
    arrays = [f"{f.dtype} {list(f.geometry.size)}" for f in map(facts_of, (*args, *kwargs.values())) if f is not None]
    return f"The arguments were {', '.join(arrays)}." if arrays else ""


def mirrored_refusal(error: Exception, kind: str, callee: str, args: tuple, kwargs: Mapping[str, Any]) -> Reason | None:
    """This engine's `Reason` for the same step on mirrors of its operands; None if the engine accepts the step."""
    numpy = _of_numpy(args, kwargs)
    name = callee
    if numpy and kind != "operator":
        name = _FROM_NUMPY.get(callee, "")
        kwargs = {
            {"axis": "dim", "keepdims": "keepdim"}.get(k, k): v for k, v in kwargs.items() if k not in _NUMPY_ONLY
        }
        if callee in ("squeeze", "expand_dims") and kind == "call":
            kind = "function"
    if numpy and kind == "operator":
        args = tuple(np.asarray(a) if isinstance(a, (list, tuple)) else a for a in args)  # as NumPy reads them
    for do in _steps(kind, name, args):
        reason = mirrored_call(error, do, args, kwargs, numpy)
        if reason is not None:
            return reason
    return None


def _of_numpy(args: tuple, kwargs: Mapping[str, Any]) -> bool:
    """Whether there are NumPy arrays among the arguments of a step."""
    return any(library_of(a) == NUMPY for a in flat((*args, *kwargs.values())))


_NUMPY_ONLY = ("order", "out", "where", "casting", "subok", "like")


def _steps(kind: str, name: str, args: tuple) -> list[Callable[..., Any]]:
    """This engine's functions for a step, called with all operands: a call may be that of a method or of a function."""
    found: list[Any] = []
    if kind == "operator":
        found = [_OPERATORS.get(name)]
    elif kind in ("index", "setitem"):
        found = [getattr(operator, "getitem" if kind == "index" else "setitem")]
    elif kind == "attribute":
        found = [lambda x: getattr(x, name)] if isinstance(getattr(Tensor, name, None), property) else []
    else:
        method = getattr(Tensor, name, None) if args and is_array(args[0]) else None
        found = [method, FACE.get(name)]
    return [do for do in found if callable(do)]
