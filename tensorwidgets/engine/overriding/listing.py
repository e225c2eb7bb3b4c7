"""All functions about which classes are asked, and their public names."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from inspect import getattr_static
from types import FunctionType
from typing import Any

from ..dispatch.called_as import MODULES_OF_ROWS
from ..errors.package import PACKAGE_NAME
from ..tensor.members import StandIn
from ..tensor.tensor import Tensor
from .members import FOR_OWN, FORWARD
from .station import NOT_HANDED_ON

_ROOMS = ("", "nn.functional", "linalg", "fft", "special")
_OPERATORS = (
    "add and eq floordiv ge gt iadd iand ifloordiv ilshift imod imul invert ior ipow irshift isub itruediv ixor "
)
_OPERATORS += "le lshift lt matmul mod mul ne neg abs or pow radd rmul rshift sub truediv xor getitem setitem"


def _rooms() -> Iterator[tuple[str, Any]]:
    for name in _ROOMS:
        yield f"torch.{name}".rstrip("."), import_module(f"{PACKAGE_NAME}.{name}".rstrip("."))


def _is_row(function: Any) -> bool:
    return (
        type(function) is FunctionType and function.__module__ in MODULES_OF_ROWS and hasattr(function, "__signature__")
    )


def _member(name: str) -> Any:
    """A member of `Tensor` as it is written, also while a mode is open."""
    member = getattr_static(Tensor, name)
    return member.plain if isinstance(member, StandIn) else member


def name_of(function: Callable) -> str | None:
    """The public name of a function, a method, or of what reads or sets a property."""
    member = getattr(function, "__self__", None)
    for name in vars(Tensor):
        if member is not None and member is getattr(Tensor, name, None):
            return f"torch.Tensor.{name}.{function.__name__}"
    return _names().get(function)


@cache
def _names() -> dict[Callable, str]:
    """The public name of each function and method."""
    found: dict[Callable, str] = {}
    for room, module in _rooms():
        for name in sorted(dir(module)):
            function = getattr(module, name)
            if type(function) is FunctionType and not name.startswith("_"):
                found.setdefault(function, f"{room}.{name}")
    for name in sorted(dir(Tensor)):
        member = _member(name)
        if type(member) is FunctionType and (member not in found or member.__name__ == name):
            found[member] = f"torch.Tensor.{name}"
    return found


def overridable() -> dict[Any, list[Callable]]:
    """The functions about which classes are asked, by the module or class that they are in."""
    found: dict[Any, list[Callable]] = {}
    for _, module in _rooms():
        functions = [getattr(module, name) for name in dir(module) if not name.startswith("_")]
        found[module] = [f for f in functions if _is_row(f) and f not in ignored()]
    found[Tensor] = []
    for name in dir(Tensor):
        member = _member(name)
        if isinstance(member, property) and name in FOR_OWN:
            found[member] = [member.__get__]
        elif type(member) is FunctionType and member not in ignored() and (_is_row(member) or name in _special()):
            found[Tensor].append(member)
    return found


def _special() -> frozenset[str]:
    return FOR_OWN | FORWARD.keys() | {f"__{name}__" for name in _OPERATORS.split()}


@cache
def methods() -> frozenset[Callable]:
    """The methods of `Tensor` about which classes are asked."""
    return frozenset(overridable()[Tensor])


def ignored() -> set[Callable]:
    """Functions about which no class is asked: they take no tensors, or make one of anything."""
    face = sys.modules[PACKAGE_NAME]
    listed = [getattr(face, name, None) for name in (*NOT_HANDED_ON, *_CREATING.split())]
    listed += [getattr(Tensor, name, None) for name in _OF_TENSOR.split()]
    return {function for function in listed if function is not None}


_CREATING = (
    "arange bartlett_window blackman_window empty empty_permuted empty_strided eye full hamming_window hann_window "
    "kaiser_window linspace logspace ones rand randint randn randperm range scalar_tensor sparse_bsc_tensor "
    "sparse_bsr_tensor sparse_compressed_tensor sparse_coo_tensor sparse_csc_tensor sparse_csr_tensor tril_indices "
    "triu_indices vander zeros is_tensor is_storage can_cast promote_types result_type manual_seed"
)
_OF_TENSOR = (
    "as_subclass set_ stride new new_empty new_empty_strided new_full new_ones new_tensor new_zeros unflatten "
    "__delitem__ __dir__ __hash__ __iter__ __new__"
)
"""Methods that PyTorch lists as ignored, although it asks classes about some of them."""
