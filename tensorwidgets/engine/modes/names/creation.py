"""`names=` where tensors are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ...calling.arguments import refusal_of_all, signature
from ...declare.creation import OPTIONS
from ...dispatch.registry import Op
from ...errors.reasons import refuse
from ...naming import Names, checked, words
from ...naming.words import sure
from ...tensor.tensor import Tensor
from ...tensor.type_names import type_name
from .tensors import put_on

_SIZED = ("tuple of ints size, *, tuple of names names, {}", "tuple of ints size, *, Tensor out = None, {}")
_FORMATTED = tuple(way.replace("{}", "torch.memory_format memory_format = None, {}") for way in (_SIZED[0],)) + (
    "tuple of ints size, *, torch.memory_format memory_format = None, Tensor out = None, {}",
)
_RANDOM = (
    "tuple of ints size, *, torch.Generator generator, tuple of names names, {}",
    "tuple of ints size, *, torch.Generator generator, Tensor out = None, {}",
    "tuple of ints size, *, Tensor out = None, {}",
    "tuple of ints size, *, tuple of names names, {}",
)
WAYS = {
    "zeros": _SIZED, "ones": _SIZED, "empty": _FORMATTED, "rand": _RANDOM, "randn": _RANDOM,
    "full": tuple(way.replace("size, ", "size, Number fill_value, ") for way in _SIZED), "tensor": (),
}  # fmt: skip
"""The ops that take names, and how PyTorch says that they are called."""


def made_with_names(op: Op, plain: Callable, args: tuple, kwargs: dict) -> Tensor:
    """A fresh tensor whose dimensions have names."""
    given = kwargs.get("names")
    rest = {name: value for name, value in kwargs.items() if name != "names"}
    if op.name not in WAYS:
        return op.kernel(**op.signature.read(args, kwargs))  # which refuses names
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
    ways = tuple([signature(way.format(OPTIONS.replace("bool?", "bool"))) for way in WAYS[op.name]])
    if ways:
        message = refusal_of_all(op.name, ways, args, kwargs)
    else:
        message = f"{op.name}(): argument 'names' must be tuple of names, not {type_name(kwargs['names'])}"
    refuse(TypeError, message, "names are words in a tuple or a list", "names=('batch', None)", rule="names.type")
