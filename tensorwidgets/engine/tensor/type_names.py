"""How PyTorch names the type of a value in its refusals."""

from __future__ import annotations

from types import MethodType
from typing import Any

from ..errors.reasons import refuse
from ..types import dtypes
from .storages.typed import TypedStorage
from .storages.untyped import UntypedStorage
from .tensor import Tensor

OF_C = {
    name: f"torch.{name}"
    for name in ("Size", "device", "dtype", "finfo", "iinfo", "layout", "memory_format", "qscheme")
} | {"Generator": "torch._C.Generator", "BuiltIn": "type", "StorageType": "_LegacyStorageMeta"}
"""PyTorch's types that are written in C, whose names have the package before them, and ours that have others."""
OF_PYTHON = frozenset(
    "backward dim_order index istft module_load norm register_hook register_post_accumulate_grad_hook reinforce resize "
    "resize_as share_memory_ split stft storage storage_type to_sparse_coo unflatten unique unique_consecutive".split()
)
"""Methods of tensors that are written in Python there."""


def type_name(value: Any) -> str:
    """How PyTorch names the type of a value: as C names it, which is with the package for most types made there.

    >>> from tensorwidgets import float32
    >>> type_name(3), type_name([]), type_name(float32)
    ('int', 'list', 'torch.dtype')
    """
    kind = type(value)
    if isinstance(value, (TypedStorage, UntypedStorage)):
        return "torch.storage.UntypedStorage" if isinstance(value, UntypedStorage) else "torch.storage.TypedStorage"
    if value is Tensor:
        return "torch._C._TensorMeta"
    if kind is MethodType and isinstance(value.__self__, Tensor) and is_ours(value) and value.__name__ not in OF_PYTHON:
        return "builtin_function_or_method"  # x.sum where x.sum() was meant
    if is_ours(kind):
        return OF_C.get(kind.__name__, kind.__name__)
    if kind is slice:
        return "slice"
    try:
        slice.indices(value, 0)
    except TypeError as error:  # "descriptor 'indices' for 'slice' objects doesn't apply to a 'numpy.float64' object"
        return str(error).rpartition(" object")[0].rpartition(" a ")[2].strip("'")
    return kind.__name__


def class_name(kind: type) -> str:
    """How PyTorch names a class: as C names it.

    >>> class_name(list), class_name(bool)
    ('list', 'bool')
    """
    if is_ours(kind):
        return OF_C.get(kind.__name__, kind.__name__)
    try:
        bool.__new__(kind)  # type: ignore[type-var]
    except TypeError as error:  # "bool.__new__(numpy.float64): numpy.float64 is not a subtype of bool"
        return str(error).partition("(")[2].partition(")")[0]
    return kind.__name__


def dtype_of_type(wanted: Any) -> dtypes.dtype:
    """The dtype that is meant by a dtype, a tensor type or the name of one, as `x.type(…)` takes them.

    >>> dtype_of_type("torch.sparse.DoubleTensor")
    torch.float64
    """
    if isinstance(wanted, dtypes.dtype):
        return wanted
    if hasattr(wanted, "is_sparse") and not isinstance(wanted, Tensor):  # a tensor type
        own: dtypes.dtype = wanted.dtype
        return own
    if not isinstance(wanted, (str, type)):
        message, why = "dtype must be a type, str, or dtype object", f"{wanted!r} is none of these"
        refuse(TypeError, message, why, "x.type(torch.float64)", rule="type.kind")
    name = wanted if isinstance(wanted, str) else wanted.__name__
    for d in dtypes.ALL:
        if name in (f"torch.{d._type_name}Tensor", f"torch.sparse.{d._type_name}Tensor"):
            return d
    why = "the names are torch.FloatTensor, torch.LongTensor and so on"
    refuse(ValueError, f"invalid type: '{name}'", why, "x.type(torch.float64)", rule="type.name")


def is_ours(value: Any) -> bool:
    """Whether a class or a function is made by this package."""
    module = value.__module__
    return isinstance(module, str) and module.partition(".")[0] == __name__.partition(".")[0]


def described(value: Any) -> str:
    """The name of a value's type; of a list or tuple, with those of its items."""
    if isinstance(value, (list, tuple)):
        items = ", ".join(map(type_name, value))
        comma = "," if len(value) == 1 else ""
        return f"{type_name(value)} of " + (f"[{items}]" if isinstance(value, list) else f"({items}{comma})")
    return type_name(value)
