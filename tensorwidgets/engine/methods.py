"""What a tensor can do, added to the class: operators, properties, and a method for each row that has one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from types import FunctionType
from typing import Any

import numpy as np
from numpy import ndarray

from . import loaded_later
from .calling.for_users import call_users
from .compat import old_constructors, removed
from .compat.old_constructors import new_tensor
from .declare import fast_calls
from .declare.pointwise import Pointwise
from .dispatch import inference  # noqa: F401  (its station is entered)
from .dispatch.asking import is_default
from .dispatch.called_as import mark_operator, under_name
from .dispatch.kinds import KINDS
from .dispatch.other_classes import answered_by_class, answered_by_left
from .dispatch.registry import OPS, watching
from .errors.reasons import refuse
from .interop import copy_and_pickle, numpy_and_buffers, parameter
from .interop.parameter import Parameter
from .memory import MetaArray
from .ops import linalg, pointwise, random, reductions, spectral  # noqa: F401  (imported for their rows)
from .ops.copies import copying
from .ops.indexing import selecting
from .ops.indexing.getitem import getitem
from .ops.indexing.setitem import delitem, setitem
from .ops.pointwise import rows
from .ops.small import dim_order, module_load
from .ops.views import moving, reshaping
from .overriding import default, functions, mode_members, modes, station  # noqa: F401  (they are entered)
from .overriding.members import add_members
from .printing.printing import tensor_repr
from .tensor import members
from .tensor.grad_flag import refuse_version
from .tensor.handing_on import asks_classes
from .tensor.keys import KEY_AUTOGRAD, KEY_CLASS, KEY_CONJ, KEY_NAMES, KEY_NEG
from .tensor.lazy_conj import resolve
from .tensor.one_number import as_complex, as_float, as_index, item, real_number, truth
from .tensor.tensor import Tensor, on_new_class
from .tensor.wrapping import place_of
from .types import dtypes
from .types.device import BROUGHT_BY

_NUMBERS = (int, float, complex, np.generic)


def _operator(name: str, symbol: str) -> Callable:
    """``a + b``: a stranger on the right is left to Python, which asks the stranger or raises TypeError."""
    row = OPS[name]
    function = row.function
    known = (Tensor,) if name == "matmul" else (Tensor, *_NUMBERS)

    def otherwise(self: Tensor, other: Tensor | complex) -> Any:
        if type(other) is Tensor or isinstance(other, known):
            return function(self, other)
        return _no_matrix(self, other) if name == "matmul" else answered_by_class(name, self, other)

    if isinstance(row.rule, Pointwise):
        return _named(fast_calls.binary(row, otherwise), symbol, row.words, name)
    return _named(otherwise, symbol, row.words, name)


def _reflected(name: str, symbol: str) -> Callable:
    """``2 // a``: the number becomes the first operand. Of sums and products it stays the second."""
    function = OPS[name].function
    if name in ("add", "mul"):
        return _operator(name, symbol)
    numbers = () if name == "matmul" else _NUMBERS
    asked_by = _CALLS.get(symbol, symbol)

    def operate(self: Tensor, other: float | ndarray) -> Any:
        if isinstance(other, numbers):
            return function(other, self)
        if isinstance(other, Tensor):
            answered = answered_by_left(asked_by, self, other) if other._keys & KEY_CLASS else None
            return function(other, self) if answered is None else answered[0]
        return _no_matrix(other, self) if name == "matmul" else answered_by_class(symbol, self, other)

    return _named(operate, symbol, OPS[name].words)


def _subtracted_from() -> Callable:
    """``2 - a``: PyTorch records it as an op of its own."""
    subtract = OPS["sub"].function

    def otherwise(self: Tensor, other: complex) -> Any:
        if isinstance(other, Tensor):
            answered = answered_by_left("__rsub__", self, other) if other._keys & KEY_CLASS else None
            return OPS["rsub"].function(self, other) if answered is None else answered[0]
        if isinstance(other, _NUMBERS):
            if self._keys & KEY_AUTOGRAD:
                return import_module(".derivatives.number_rows", __package__).rsub_number(self, other)
            return subtract(other, self)
        return answered_by_class("__rsub__", self, other)

    return _named(fast_calls.from_number(OPS["sub"], otherwise), "__rsub__", OPS["sub"].words)


def _divided() -> Callable:
    """``2 / a``: PyTorch multiplies the reciprocal, which rounds twice, also by what knows how to multiply a tensor."""
    reciprocal, multiply = OPS["reciprocal"].function, OPS["mul"].function

    def operate(self: Tensor, other: complex) -> Any:
        if isinstance(other, _NUMBERS):
            return multiply(reciprocal(self), other)
        if isinstance(other, Tensor):
            answered = answered_by_left("__rdiv__", self, other) if other._keys & KEY_CLASS else None
            return multiply(reciprocal(self), other) if answered is None else answered[0]
        answer = answered_by_class("__rtruediv__", self, other)
        if answer is NotImplemented:
            with suppress(TypeError):
                return reciprocal(self) * other
        return answer

    return _named(operate, "__rtruediv__", OPS["div"].words)


def _augmented(name: str, function: Callable, symbol: str, words: str) -> Callable:
    """``a += b`` writes into a."""

    def operate(self: Tensor, other: Tensor | complex) -> Any:
        if type(other) is Tensor or isinstance(other, (Tensor, *_NUMBERS)):
            return function(self, other)
        return answered_by_class(symbol, self, other)

    return _named(operate, symbol, words, name)


def _named(function: Callable, name: str, words: str, op: str = "") -> Callable:
    function.__name__ = _OTHER_NAMES.get(name, name)
    function.__qualname__ = f"Tensor.{name}"
    function.__doc__ = words
    mark_operator(function, _CALLS.get(name, name), op, True)
    return function


_OTHER_NAMES = {
    "__truediv__": "__div__", "__rtruediv__": "__rdiv__", "__itruediv__": "__idiv__", "__pow__": "pow",
    "__ipow__": "pow_",
}  # fmt: skip
"""Operators that PyTorch has under the name of another function."""

_CALLS = {
    "__add__": "add", "__radd__": "add", "__iadd__": "add_", "__sub__": "sub", "__isub__": "sub_", "__mul__": "mul",
    "__rmul__": "mul", "__imul__": "mul_", "__truediv__": "div", "__itruediv__": "div_",
    "__ifloordiv__": "floor_divide_", "__mod__": "remainder", "__imod__": "remainder_", "__matmul__": "matmul",
    "__rand__": "bitwise_and", "__ror__": "bitwise_or", "__rxor__": "bitwise_xor", "__lt__": "lt", "__le__": "le",
    "__gt__": "gt", "__ge__": "ge", "__ne__": "ne",
}  # fmt: skip
"""The methods that PyTorch calls for operators; for others it calls one with the operator's own name."""


_OPERATORS = (
    ("add", "add"), ("sub", "sub"), ("mul", "mul"), ("div", "truediv"), ("floor_divide", "floordiv"),
    ("remainder", "mod"),
    ("pow", "pow"), ("bitwise_and", "and"), ("bitwise_or", "or"), ("bitwise_xor", "xor"), ("matmul", "matmul"),
    ("bitwise_left_shift", "lshift"), ("bitwise_right_shift", "rshift"),
)  # fmt: skip


def _add_operators() -> None:
    for name, symbol in _OPERATORS:
        setattr(Tensor, f"__{symbol}__", _operator(name, f"__{symbol}__"))
        setattr(Tensor, f"__r{symbol}__", _reflected(name, f"__r{symbol}__"))
        inplace = rows.INPLACE.get(name + "_")
        if inplace is not None:
            setattr(Tensor, f"__i{symbol}__", _augmented(name + "_", inplace, f"__i{symbol}__", OPS[name].words))
    setattr(Tensor, "__rtruediv__", _divided())  # noqa: B010
    for kind in ("", "r", "i"):  # Python 2 called division so, and PyTorch still has the names
        setattr(Tensor, f"__{kind}div__", getattr(Tensor, f"__{kind}truediv__"))
    setattr(Tensor, "__rsub__", _subtracted_from())  # noqa: B010
    for name in ("lt", "le", "gt", "ge"):
        setattr(Tensor, f"__{name}__", _operator(name, f"__{name}__"))
    for name, same in (("eq", False), ("ne", True)):
        setattr(Tensor, f"__{name}__", _equality(name, same))


def _no_matrix(one: Any, other: Any) -> Any:
    """``a @ 2``: Python's own refusal, with a reason; other strangers are asked by Python."""
    if any(isinstance(x, (int, float, complex)) and not isinstance(x, np.generic) for x in (one, other)):
        refuse(
            TypeError,
            f"unsupported operand type(s) for @: '{type(one).__name__}' and '{type(other).__name__}'",
            "@ multiplies vectors and matrices, and a number is neither",
            "x * 2",
            rule="argument.type",
        )
    if isinstance(one, Tensor):
        return answered_by_class("matmul", one, other)
    return answered_by_class("__rmatmul__", other, one)


def _equality(name: str, otherwise: bool) -> Callable:
    function = OPS[name].function

    def compare(self: Tensor, other: Tensor | int) -> Any:
        if isinstance(other, (Tensor, *_NUMBERS)):
            return function(self, other)
        if isinstance(other, np.ndarray) and not otherwise:  # only ==: PyTorch has no such way for !=
            from .interop.numpy_and_buffers import from_numpy

            try:
                return function(self, from_numpy(other))
            except TypeError:
                return NotImplemented
        return answered_by_class(name, self, other)

    return _named(compare, f"__{name}__", OPS[name].words, name)


def _unary(name: str) -> Callable:
    """``-a``: the op itself, as an operator."""
    function = under_name(OPS[name].function, name)
    return mark_operator(function, name, name)


def _plus(self: Tensor) -> Tensor:
    """The tensor itself."""
    if self._dtype is dtypes.bool_:
        refuse(
            RuntimeError,
            "The `+` operator, on a bool tensor is not supported.",
            "True and False have no sign",
            "x.int()",
            rule="positive.bool",
        )
    return self


def _invert(self: Tensor) -> Tensor:
    if not (self._keys & KEY_CLASS and asks_classes()) or is_default(type(self)):  # other classes are asked first
        rows.invert_refusal(self)
    return OPS["bitwise_not"].function(self)


# -- one number --------------------------------------------------------------------------------------------------


def _iterate(self: Tensor) -> Iterator[Tensor]:
    dims = call_users(self.dim) if watching or self._keys & KEY_CLASS else self._array.ndim  # a class sees this, too
    if dims == 0:
        refuse(
            TypeError,
            "iteration over a 0-d tensor",
            "a tensor without dimensions has no dimension to iterate over",
            "x.item()",
            rule="iterate.zero_dim",
        )
    return iter(OPS["unbind"].function(self, 0))


def _contains(self: Tensor, element: Tensor | float | ndarray) -> bool:
    if isinstance(element, (Tensor, *_NUMBERS)):
        pair = (element, self) if isinstance(element, Tensor) else (self, element)
        return bool(OPS["any"].function(OPS["eq"].function(*pair)))
    refuse(
        RuntimeError,
        f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}.",
        "only a number can be among the elements",
        rule="contains.type",
    )


def _repr(self: Tensor, *, tensor_contents: str | None = None) -> str:
    if self._keys and "_no_counter" in self._notes and self.numel():
        refuse_version()  # PyTorch prints a view
    place = place_of(self)
    shown = resolve(self)._array if place.has_numbers else self._array
    plain = type(self) is Tensor or type(self) is Parameter
    text = tensor_repr(
        place.fetch(shown) if place.has_numbers else shown,
        self._dtype,
        device=None if place.in_main_memory else str(place.device),
        requires_grad=self._requires_grad,
        grad_fn=_shown_node(self),
        names=self._names if self._keys & KEY_NAMES else None,
        prefix="tensor(" if plain else f"{type(self).__name__}(",
        contents=tensor_contents,
    )
    return text if plain or not isinstance(self, Parameter) else f"Parameter({text})"


class Invalid:
    """What is printed for the node of a view that can no longer have one."""


def _shown_node(t: Tensor) -> Any:
    try:
        return t.grad_fn
    except RuntimeError:
        return Invalid()


def _format(self: Tensor, spec: str) -> str:
    if self._array.ndim == 0 and type(self._array) is not MetaArray and type(self) is Tensor:
        return self.item().__format__(spec)
    return object.__format__(self, spec)


def _is_conj(self: Tensor) -> bool:
    """Whether the conjugate of these elements is promised and not yet computed."""
    return bool(self._keys & KEY_CONJ)


def _is_neg(self: Tensor) -> bool:
    """Whether a minus before these elements is promised and not yet computed."""
    return bool(self._keys & KEY_NEG)


def _add_protocols() -> None:
    protocols: dict[str, Any] = {
        "__new__": new_tensor, "__neg__": _unary("neg"), "__abs__": _unary("abs"), "__pos__": _plus,
        "__invert__": mark_operator(_invert, "__invert__", "bitwise_not"),
        "__getitem__": mark_operator(getitem, "__getitem__", "getitem"),
        "__setitem__": mark_operator(setitem, "__setitem__", "setitem"), "__delitem__": delitem,
        "item": item, "__bool__": truth, "__nonzero__": truth, "__index__": as_index,  # as Python 2 called them, too
        "__int__": lambda self: int(real_number(self, dtypes.int64)),
        "__long__": lambda self: int(real_number(self, dtypes.int64)),
        "__float__": as_float, "__complex__": as_complex,
        "__iter__": mark_operator(_iterate, "unbind", "unbind"), "__contains__": _contains,
        "__repr__": _repr,
        "__format__": _format, "__reversed__": lambda self: self.flip(0) if self._array.ndim else self,
        "is_contiguous": copying.is_contiguous,
        "data": property(
            moving.data_of, moving.set_data, moving.keep_data, "The same elements, with a version of their own."
        ),
        "is_conj": _is_conj, "is_neg": _is_neg,
        "real": property(OPS["real"].function, _set_part("real"), doc=OPS["real"].words),
        "imag": property(OPS["imag"].function, _set_part("imag"), doc=OPS["imag"].words),
        **reshaping.transposes(),
    }  # fmt: skip
    for name, member in protocols.items():
        setattr(Tensor, name, member)


def _set_part(name: str) -> Callable:
    function = OPS[name].function

    def assign(self: Tensor, value: Any) -> None:
        if isinstance(value, Tensor):
            OPS["copy_"].function(function(self), value)
        else:
            setitem(function(self), ..., value)

    return assign


def _add_methods() -> None:
    for kind, module in loaded_later.KERNELS.items():
        KINDS[kind].module = module
    BROUGHT_BY.update(loaded_later.DEVICES)
    for module in loaded_later.ROWS:
        import_module(module)
    for op in list(OPS.values()):
        if "method" not in op.forms:
            continue
        for name in (op.name, *op.aliases):
            if name not in Tensor.__dict__ and "." not in name:
                setattr(Tensor, name, op.function)
    for name, function in rows.INPLACE.items():
        op = OPS[name[:-1]]
        for spelled in (op.name, *op.aliases):
            if "." not in spelled:
                setattr(Tensor, spelled + "_", function)


def _add_modules() -> None:
    for room in (
        numpy_and_buffers,
        old_constructors,
        removed,
        copy_and_pickle,
        parameter,
        default,
        selecting,
        dim_order,
        module_load,
    ):
        for name, member in {**getattr(room, "METHODS", {}), **getattr(room, "PROPERTIES", {})}.items():
            setattr(Tensor, name, member)


def _name_methods() -> None:
    """Let special methods, and those that are called otherwise here, have the names that they have in the class."""
    for name, member in vars(Tensor).items():
        own = getattr(member, "__name__", "")
        if type(member) is not FunctionType or own.startswith("__") or own in _OTHER_NAMES.values():
            continue
        if name.startswith("__") or own in ("_is_conj", "_is_neg", "type_"):
            member.__name__, member.__qualname__ = name, f"Tensor.{name}"


def add_to_tensor() -> None:
    """Give the class its methods. Runs once, when the engine is imported."""
    _add_operators()
    _add_protocols()
    _add_methods()
    _add_modules()
    members.opened_for_good.update(loaded_later.MEMBERS)
    for name in loaded_later.MEMBERS:
        members.open_member(Tensor, name)
    _name_methods()
    on_new_class.append(add_members)


add_to_tensor()
