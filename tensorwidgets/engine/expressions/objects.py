"""What may be asked of which object, and what a function may be given, when an expression is walked."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ..dispatch.registry import OPS
from ..interop.foreign_arrays import (
    CUPY,
    NUMPY,
    OURS,
    class_of,
    is_array,
    is_dtype,
    is_library,
    is_storage,
    known_libraries,
    library_of,
)
from ..types import formats
from ..types.device import device
from ..types.limits import finfo, iinfo
from ..types.size import Size
from . import names as allowed
from .costs import has_rule

NUMBERS = (int, float, complex)
_NOTHING = object()


def is_module(x: Any) -> bool:
    """Whether this is a known library's module, or its linalg."""
    return is_library(x) or any(x is getattr(library, "linalg", _NOTHING) for library in known_libraries())


def is_size(x: Any) -> bool:
    """Whether this is a torch.Size, ours or PyTorch's."""
    theirs = class_of("torch", "Size")
    return type(x) is Size or theirs is not None and type(x) is theirs


def own_ops(form: str) -> frozenset[str]:
    """The names of our own ops of a form (method, function) that compute, and whose cost is known beforehand."""
    return _own_ops(form, len(OPS))


@lru_cache(8)
def _own_ops(form: str, count: int) -> frozenset[str]:
    results = []
    for op in OPS.values():
        if form in op.forms and op.category in allowed.CATEGORIES and op.name not in allowed.LEFT_OUT:
            results += [op.name, *op.aliases]
    return frozenset(name for name in results if not name.startswith("_") and has_rule(name))


def may_be_said(name: str) -> bool:
    """Whether a name may follow a dot.

    >>> may_be_said("reshape"), may_be_said("tofile")
    (True, False)
    """
    return name in allowed.ATTRIBUTES or name in own_ops("method") or name in own_ops("function")


def names_of(owner: Any) -> frozenset[str] | None:
    """What may be asked of an object; None where nothing may."""
    if is_array(owner):
        return allowed.METHODS | own_ops("method") if library_of(owner) == OURS else allowed.METHODS
    if is_library(owner):
        ours = own_ops("function") if owner.__name__ == OURS else frozenset()
        return allowed.FUNCTIONS | allowed.CONSTANTS | ours | {"linalg"}
    if is_module(owner):
        return allowed.LINALG
    if is_storage(owner):
        return allowed.STORAGE_METHODS
    if is_dtype(owner):
        return allowed.DTYPE_FACTS
    if isinstance(owner, tuple):
        return allowed.SIZE_METHODS if is_size(owner) else allowed.PARTS
    if isinstance(owner, (finfo, iinfo, np.finfo, np.iinfo)) or _is_torch(owner, "finfo", "iinfo"):
        return allowed.FINFO_FACTS
    return None


def is_operand(x: Any) -> bool:
    """Whether a function may be given this."""
    if isinstance(x, (*NUMBERS, type(None), type(Ellipsis), slice, range, str, device)):
        return True
    if is_array(x) or is_storage(x) or is_dtype(x):
        return True
    if isinstance(x, type):
        return issubclass(x, (np.number, np.bool_)) or x in (int, float, bool, complex)
    return isinstance(x, (formats.layout, formats.memory_format)) or _is_torch(x, "device", "layout", "memory_format")


def speaks_numpy(owner: Any, args: tuple) -> bool:
    """Whether a call goes to NumPy, which reads more into a text than it says."""
    name = getattr(owner, "__name__", "").partition(".")[0] if is_module(owner) else library_of(owner)
    return name in (NUMPY, CUPY) or any(library_of(a) in (NUMPY, CUPY) for a in args)


def kind_of(x: Any) -> str:
    """An object in words.

    >>> kind_of(3), kind_of(np)
    ('an int', 'the module numpy')
    """
    if x is None:
        return "None"
    if is_module(x):
        return f"the module {getattr(x, '__name__', '?')}"
    name = type(x).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def _is_torch(x: Any, *names: str) -> bool:
    return any(known is not None and isinstance(x, known) for known in (class_of("torch", name) for name in names))
