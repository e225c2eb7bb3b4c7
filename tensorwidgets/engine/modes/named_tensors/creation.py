"""`names=` where tensors are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ...calling.notation import notation
from ...calling.refusals import refusal_of_all
from ...dimension_names import Names, checked, words
from ...dispatch.registry import Op
from ...errors.reasons import refuse, sure
from ...tensor.tensor import Tensor
from ...tensor.type_names import type_name
from .tensors import put_on

_OPTIONS = (
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool pin_memory=False, bool requires_grad=False"
)
_NAMED, _OUT = "IntArrayRef size, *, DimnameList names, {}", "IntArrayRef size, *, Tensor out=None, {}"
_SIZED = (_NAMED, _OUT)
_FORMATTED = tuple(way.replace("{}", "MemoryFormat? memory_format=None, {}") for way in (_NAMED,)) + (
    "IntArrayRef size, *, MemoryFormat? memory_format=None, Tensor out=None, {}",
)
_RANDOM = (
    "IntArrayRef size, *, Generator? generator, DimnameList names, {}",
    "IntArrayRef size, *, Generator? generator, Tensor out=None, {}",
    _OUT,
    _NAMED,
)
WAYS = {
    "zeros": _SIZED, "ones": _SIZED, "empty": _FORMATTED, "rand": _RANDOM, "randn": _RANDOM,
    "full": tuple(way.replace("size, ", "size, Scalar fill_value, ") for way in _SIZED), "tensor": (),
}  # fmt: skip
"""The ops that take names, and how they were called in the last PyTorch that had names."""


def made_with_names(op: Op, plain: Callable, args: tuple, kwargs: dict) -> Tensor:
    """A fresh tensor whose dimensions have names."""
    given = kwargs.get("names")
    rest = {name: value for name, value in kwargs.items() if name != "names"}
    if op.name not in WAYS:
        return op.kernel(**op.notations.read(args, kwargs))  # which refuses names
    if given is None:
        return plain(*args, **rest)
    if not _are_names(given) or rest.get("out") is not None:
        _refuse(op, args, kwargs)
    known: Names = sure(words(given))
    made = plain(*args, **rest)
    return put_on(made, sure(checked(known, made._array.ndim)))


def _are_names(given: Any) -> bool:
    """Whether PyTorch takes something for a tuple of names: it looks at the first."""
    return isinstance(given, (tuple, list)) and (not given or given[0] is None or isinstance(given[0], str))


def _refuse(op: Op, args: tuple, kwargs: dict) -> NoReturn:
    ways = [notation(way.format(_OPTIONS)) for way in WAYS[op.name]]
    if ways:
        message = refusal_of_all(op.name, ways, args, kwargs)
    else:
        message = f"{op.name}(): argument 'names' must be tuple of names, not {type_name(kwargs['names'])}"
    refuse(TypeError, message, "names are words in a tuple or a list", "names=('batch', None)", rule="names.type")
