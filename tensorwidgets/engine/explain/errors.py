"""Explain an error of PyTorch or NumPy by repeating the step in this engine on tensors of the same geometry.

Each foreign tensor or array is mirrored by a tensor with its size, stride, offset and dtype that holds zeros, or no
data if it is large. The engine's explanation for the mirrors holds for the originals.
"""

from __future__ import annotations

import operator
import re
import warnings
from collections.abc import Callable, Mapping
from math import prod
from typing import Any

import numpy as np

from ..dispatch.registry import FACE
from ..errors import reasons
from ..errors.reasons import Reason
from ..interop.foreign_arrays import NUMPY, OURS, Facts, facts_of, is_array, is_dtype, library_of
from ..memory import MetaArray
from ..tensor.generator import get_rng_state, set_rng_state
from ..tensor.tensor import Tensor
from ..tensor.wrapping import view_of, wrap, wrap_any
from ..types import dtypes
from .messages.patterns import reason_from_message

LARGEST = 2**20
"""The most bytes that a mirror allocates; a larger array is mirrored by a meta tensor, which has no data."""

_DTYPES = {d._name: d for d in dtypes.ALL}

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

_IN_NUMPY = (
    (".unsqueeze(-1)", "[..., None]"), (".unsqueeze(0)", "[None]"), (".t()", ".T"), ("torch.cat(", "np.concatenate("),
    ("dim=", "axis="), (".contiguous()", ".copy()"), (".clone()", ".copy()"), ("torch.", "np."),
    (".long()", ".astype(int)"), (".float()", ".astype(float)"),
)  # fmt: skip
"""How to turn a suggestion in PyTorch's spelling into NumPy's."""


def reason_for(error: Exception, kind: str, callee: str, args: tuple, kwargs: Mapping[str, Any]) -> Reason:
    """Why a step failed: the error's own `Reason`, else this engine's for the same step, else one from the message."""
    reason = getattr(error, "reason", None)
    if isinstance(reason, Reason):
        return reason if reason.because else reason_from_message(error) or reason
    result = mirrored_refusal(error, kind, callee, args, kwargs) or reason_from_message(error)
    return result or Reason(f"{callee}.error", type(error), str(error), _arguments(args, kwargs))


def reason_of(error: BaseException) -> Reason:
    """Why an error was raised, if nothing but the error and its traceback are known."""
    from .library_calls import reason_of_call

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
    numpy = any(library_of(a) == NUMPY for a in flat((*args, *kwargs.values())))
    name = callee
    if numpy and kind != "operator":
        name = _FROM_NUMPY.get(callee, "")
        kwargs = {
            {"axis": "dim", "keepdims": "keepdim"}.get(k, k): v for k, v in kwargs.items() if k not in _NUMPY_ONLY
        }
        if callee in ("squeeze", "expand_dims") and kind == "call":
            kind = "function"
    for do in _steps(kind, name, args):
        reason = mirrored_call(error, do, args, kwargs, numpy)
        if reason is not None:
            return reason
    return None


def mirrored_call(
    error: Exception, do: Callable[..., Any], args: tuple, kwargs: Mapping[str, Any], numpy: bool = False
) -> Reason | None:
    """Why a function of this engine refuses mirrors of the operands; None if it does not, or for another reason.

    No warning is shown, nothing is drawn, and the last error stays the last one.
    """
    kept = reasons.latest
    drawn = get_rng_state()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            do(*(_mirror(a) for a in args), **{k: _mirror(v) for k, v in kwargs.items()})
    except Exception as result:
        reason = getattr(result, "reason", None)
        if isinstance(reason, Reason) and reason.because and (numpy or _same_refusal(result, error)):
            ways = tuple(_for_numpy(way) for way in reason.instead) if numpy else reason.instead
            return Reason(reason.rule, type(error), str(error), reason.because, ways, reason.facts)
    finally:
        reasons.latest = kept
        set_rng_state(drawn)
    return None


def _same_refusal(ours: Any, theirs: Exception) -> bool:
    """Whether two errors say the same: else ours may be about something else. PyTorch's devices are its own."""
    one, other = (str(error).partition("\n")[0].strip() for error in (ours, theirs))
    return isinstance(theirs, type(ours)) and one == other and not ours.reason.rule.startswith("device.")


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


def _for_numpy(way: str) -> str:
    for torch_text, numpy_text in _IN_NUMPY:
        way = way.replace(torch_text, numpy_text)
    return re.sub(r"\bx\.repeat\((.*?)\)", r"np.tile(x, (\1))", way)


def flat(values: Any) -> list[Any]:
    results: list[Any] = []
    for v in values:
        results += flat(v) if isinstance(v, (list, tuple)) else [v]
    return results


# -- mirrors ---------------------------------------------------------------------------------------------------------


def _mirror(value: Any) -> Any:
    """An argument with every foreign array and dtype replaced by this engine's."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(_mirror, value)) if type(value) in (list, tuple) else tuple(map(_mirror, value))
    if is_array(value):
        return value if library_of(value) == OURS else mirror_of(value)
    if is_dtype(value):
        return _DTYPES.get(getattr(value, "name", None) or str(value).rpartition(".")[2], value)
    return value


def mirror_of(array: np.ndarray) -> Any:
    """A tensor of this engine with the size, stride, offset and dtype of another library's array.

    >>> mirror_of(np.arange(6.0).reshape(2, 3).T).stride()
    (1, 3)
    """
    facts = facts_of(array)
    if facts is None:
        return array
    d = _DTYPES.get(facts.dtype)
    if d is None:
        return array
    if d._kind <= dtypes.INTEGER and facts.start and facts.nbytes <= LARGEST:
        base = _with_numbers(array, facts, d)  # integers and masks may be indices, so their values matter
    else:
        base = _empty(facts, d)
    mirror = view_of(base, facts.geometry)
    if getattr(array, "requires_grad", False):
        mirror._requires_grad = True
    return mirror


def _empty(facts: Facts, d: dtypes.dtype) -> Tensor:
    count = max(facts.storage_nbytes // facts.itemsize, 1)
    without_data = not facts.start and facts.nbytes > 0
    if not without_data and facts.storage_nbytes <= LARGEST and prod(facts.geometry.size) * facts.itemsize <= LARGEST:
        return wrap(np.zeros(count, d._in_numpy), d)
    return wrap_any(MetaArray((count,), (facts.itemsize,), d._in_numpy), d)


def _with_numbers(array: np.ndarray, facts: Facts, d: dtypes.dtype) -> Tensor:
    numbers = np.asarray(array.tolist(), d._in_numpy).reshape(facts.geometry.size)
    base = np.zeros(max(facts.storage_nbytes // facts.itemsize, 1), d._in_numpy)
    if numbers.size:
        view = view_of(wrap(base, d), facts.geometry)
        view._array[...] = numbers
    return wrap(base, d)
