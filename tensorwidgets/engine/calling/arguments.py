"""Values of arguments: which each type of PyTorch's notation accepts, and how they become numbers, sizes and dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors.reasons import refuse
from ..tensor.generator import Generator
from ..tensor.storages.typed import TypedStorage
from ..tensor.storages.untyped import UntypedStorage
from ..tensor.tensor import Tensor
from ..tensor.type_names import type_name
from ..types import dtypes
from ..types.device import device
from ..types.dtypes import dtype
from ..types.formats import layout, memory_format

_REALS = (int, float, np.number, np.bool_)


def is_number(x: Any) -> bool:
    """Whether this is a Python or NumPy number, or a tensor without dimensions that needs no gradient."""
    return isinstance(x, (*_REALS, complex)) or _is_single(x)


def is_real(x: Any) -> bool:
    """Whether this is a number and not a Python or NumPy complex one."""
    return isinstance(x, _REALS) or _is_single(x)


def _is_single(x: Any) -> bool:
    """Whether a tensor is accepted in place of a number: it has no dimension and needs no gradient."""
    return isinstance(x, Tensor) and x._array.ndim == 0 and not x._requires_grad


def is_python_int(x: Any) -> bool:
    """Whether this is a Python or NumPy integer; True and False are not."""
    return type(x) is int or isinstance(x, (int, np.integer)) and not isinstance(x, bool)


def is_int(x: Any) -> bool:
    """Whether this is an integer, also as a tensor without dimensions; True and False are not."""
    return is_python_int(x) or _is_single(x) and x._dtype._kind == dtypes.INTEGER


def counts(x: Any) -> bool:
    """Whether a value is valid in a size: it converts to an index, and is neither True nor False."""
    if type(x) is int:
        return True
    if isinstance(x, (bool, float, str)):
        return False
    if isinstance(x, Tensor):
        return x._array.size == 1 and x._dtype._kind <= dtypes.INTEGER
    try:
        x.__index__()
    except (AttributeError, TypeError):
        return False
    return True


def is_dtype(x: Any) -> bool:
    """Whether this is a dtype, or one of Python's types of numbers."""
    return isinstance(x, dtype) or isinstance(x, type) and x in dtypes.NUMBER_TYPES


def _are_counts(x: Any, count: int, index: int) -> bool:
    if isinstance(x, (tuple, list)):
        return not x or counts(x[0])
    return count > 0 and counts(x)


def _are_tensors(x: Any, count: int, index: int) -> bool:
    if not isinstance(x, (tuple, list)):
        return False
    for position, each in enumerate(x):
        if not isinstance(each, Tensor):
            refuse(
                TypeError,
                f"expected Tensor as element {position} in argument {index}, but got {type_name(each)}",
                f"every element of this list must be a tensor, and element {position} is none",
                "torch.as_tensor(x), for that element",
                rule="argument.tensors",
            )
    return True


ACCEPTS: dict[str, Callable[[Any, int, int], bool]] = {
    "Tensor": lambda x, count, index: isinstance(x, Tensor),
    "Tensor or number": lambda x, count, index: isinstance(x, (Tensor, *_REALS, complex)),
    "Scalar": lambda x, count, index: is_number(x),
    "int64_t": lambda x, count, index: is_int(x),
    "SymInt": lambda x, count, index: counts(x),
    "double": lambda x, count, index: is_real(x),
    "TensorList": _are_tensors,
    "c10::List<::std::optional<Tensor>>": _are_tensors,
    "IntArrayRef": _are_counts,
    "SymIntArrayRef": _are_counts,
    "ArrayRef<double>": lambda x, count, index: isinstance(x, (tuple, list)) and all(map(is_number, x[:1])),
    "ScalarList": lambda x, count, index: isinstance(x, (tuple, list)) and all(map(is_number, x)),
    "bool": lambda x, count, index: isinstance(x, bool),
    "Generator": lambda x, count, index: isinstance(x, Generator),
    "Storage": lambda x, count, index: isinstance(x, (TypedStorage, UntypedStorage)),
    "PyObject*": lambda x, count, index: True,
    "ScalarType": lambda x, count, index: is_dtype(x),
    "Layout": lambda x, count, index: isinstance(x, layout),
    "MemoryFormat": lambda x, count, index: isinstance(x, memory_format),
    "Device": lambda x, count, index: isinstance(x, (str, bytes, device)) or is_python_int(x),
    "DeviceIndex": lambda x, count, index: is_int(x),
    **dict.fromkeys(
        ("c10::string_view", "std::string_view", "std::string"), lambda x, count, index: isinstance(x, (str, bytes))
    ),
    **dict.fromkeys(("Stream", "DispatchKeySet", "DimnameList"), lambda x, count, index: False),
}
"""Whether a type accepts a value; called with the length that a list must have and the number of the parameter."""


def plain(p: Any, value: Any) -> Any:
    """The number or the text that a parameter is given, where something else stands for it: a tensor without
    dimensions, an object that is an index, bytes. NumPy's numbers stay what they are, except those that PyTorch takes
    for floats although they are wider, or complex.
    """
    kind = type(value)
    if kind is int or kind is float or kind is bool:
        return value
    if isinstance(value, np.generic):
        if p.kind in _NUMBERS:
            return float(value.real) if isinstance(value, _AS_FLOATS) else value
        narrow = isinstance(value, np.integer) and value.itemsize < 8 and (p.kind in _WHOLE or p.kind in _DIMS)
        return int(value) if narrow else value  # small ones overflow where we count with them
    if p.kind in _WHOLE or p.kind in _DIMS:
        if isinstance(value, Tensor):
            if p.kind in _DIMS:
                return int(value.item()) if value._dtype._kind <= dtypes.INTEGER and value._array.size == 1 else value
            return value.item() if value._dtype._kind == dtypes.INTEGER else value
        return value.__index__() if hasattr(value, "__index__") else value
    if p.kind in _REAL_OR_COMPLEX:
        if isinstance(value, Tensor) and not (p.kind == "double" and value.is_complex()):
            return value.item()
    elif p.kind in _TEXTS and kind is bytes:
        return value.decode(errors="replace")
    return value


_AS_FLOATS = (np.longdouble, np.complex64, np.clongdouble)
_NUMBERS = frozenset(("Scalar", "double", "Tensor or number"))
_WHOLE, _REAL_OR_COMPLEX = frozenset(("int64_t", "SymInt", "DeviceIndex")), frozenset(("Scalar", "double"))
_DIMS = frozenset(("IntArrayRef", "SymIntArrayRef"))
_TEXTS = frozenset(("c10::string_view", "std::string_view", "std::string", "Device"))


# -- conversion --------------------------------------------------------------------------------------------------


def as_dtype(d: Any) -> dtype:
    """A dtype argument; Python types are converted."""
    if not isinstance(d, dtype):
        return dtypes.NUMBER_TYPES[d]
    if d._is_quantized:
        dtypes.refuse_quantized(d)
    return d


def as_size(op_name: str, size: Any, name: str = "size") -> tuple[int, ...]:
    """The numbers of a size; the first is known to be one.

    >>> as_size("zeros", [2, True])
    (2, 1)
    """
    for n in size:
        if type(n) is not int or not -(1 << 63) <= n < 1 << 63:
            return tuple([_as_count(op_name, n, i, name) for i, n in enumerate(size)])
    return tuple(size)


def _as_count(op_name: str, n: Any, place: int, name: str) -> int:
    if isinstance(n, Tensor) and n._dtype is dtypes.bool_ and n._array.size == 1:
        refuse(
            RuntimeError,
            "Expected scalar.isIntegral( false) to be true, but got false.  (Could this error message be improved?  "
            "If so, "
            "please report an enhancement request to PyTorch.)",
            "a tensor of True or False is not a count",
            rule="argument.int",
        )
    if not (counts(n) or isinstance(n, bool)):
        _no_count(op_name, name, place, f'type must be tuple of ints,but got {type_name(n)}"', n)
    n = n.__index__()
    if not -(1 << 63) <= n < 1 << 63:
        _no_count(op_name, name, place, "Overflow when unpacking long long", n)
    return n


def _no_count(op_name: str, name: str, place: int, why: str, n: Any) -> None:
    refuse(
        TypeError,
        f"{op_name}(): argument '{name}' failed to unpack the object at pos {place + 1} with error \"{why}",
        f"a size is made of integers, and {n!r} is not one" if "type" in why else f"{n} does not fit into 64 bits",
        rule="argument.int",
    )


def as_int(value: Any) -> int:
    """A whole-number argument as an int of 64 bits."""
    n = value.__index__()
    if not -(1 << 63) <= n < 1 << 63:
        refuse(
            ValueError,
            "Overflow when unpacking long long",
            f"{n} does not fit into 64 bits",
            rule="argument.int",
        )
    return n


def _is_complex(value: Any) -> bool:
    return isinstance(value, complex)  # as only NumPy's complex128 is


def as_number(value: Any) -> Any:
    """A number argument as Python's int, float, complex or bool; whole numbers have 64 bits."""
    if isinstance(value, Tensor):
        value = value.item()
    elif isinstance(value, np.generic):  # NumPy warns of an imaginary part that is lost
        value = int(value) if isinstance(value, np.integer) else complex(value) if _is_complex(value) else float(value)
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        refuse(
            OverflowError,
            "int too big to convert" if value > 0 else "can't convert negative int to unsigned",
            f"{value} does not fit into 64 bits",
            "a float",
            rule="number.overflow",
        )
    return value
