"""What a tensor can do, hung on the class: operators, properties, and a method for each row that has one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np

from . import dtypes
from .conjugate import resolve
from .dispatch import OPS
from .indexing import delitem, getitem, setitem
from .kinds import KINDS
from .ops import (  # noqa: F401  (most are imported for their rows)
    added_products,
    arranging,
    blas_lapack,
    clamping,
    closeness,
    comparison,
    copying,
    creation,
    cumulative,
    diagonals,
    distances,
    elementary,
    first_few,
    gathering,
    grids,
    histograms,
    index_writing,
    joining,
    leftovers,
    linalg_eigen,
    linalg_factor,
    linalg_inverse,
    linalg_ldl,
    linalg_least_squares,
    linalg_lowrank,
    linalg_norms,
    linalg_products,
    linalg_reflections,
    linalg_solve,
    linalg_svd,
    moving,
    pointwise,
    polynomials,
    raising,
    random_draws,
    random_sampling,
    reduction,
    reshaping,
    scattering,
    searching,
    selecting,
    short_time,
    softmax,
    sorting,
    special_functions,
    spectral,
    stacking,
    statistics,
    tensor_products,
    tensors_utils,
    three_operands,
    unique,
    view_copies,
    views,
    windows,
)
from .reasons import refuse
from .scalars import check_fits
from .storage import MetaArray
from .tensor import KEY_CONJ, KEY_NAMES, KEY_NEG, Tensor

_NUMBERS = (int, float, complex, np.generic)


def _operator(name: str, symbol: str) -> Callable:
    """``a + b``: a stranger on the right is left to Python, which asks the stranger or raises TypeError."""
    function = OPS[name].function

    def operate(self: Tensor, other: Any) -> Any:
        if type(other) is Tensor or isinstance(other, (Tensor, *_NUMBERS)):
            return function(self, other)
        return NotImplemented

    return _named(operate, symbol, OPS[name].words)


def _reflected(name: str, symbol: str) -> Callable:
    """``2 - a``: the number becomes the first operand."""
    function = OPS[name].function

    def operate(self: Tensor, other: Any) -> Any:
        if isinstance(other, (Tensor, *_NUMBERS)):
            return function(other, self)
        return NotImplemented

    return _named(operate, symbol, OPS[name].words)


def _augmented(function: Callable, symbol: str, words: str) -> Callable:
    """``a += b`` writes into a."""

    def operate(self: Tensor, other: Any) -> Any:
        if type(other) is Tensor or isinstance(other, (Tensor, *_NUMBERS)):
            return function(self, other)
        return NotImplemented

    return _named(operate, symbol, words)


def _named(function: Callable, name: str, words: str) -> Callable:
    function.__name__ = name
    function.__qualname__ = f"Tensor.{name}"
    function.__doc__ = words
    return function


_OPERATORS = (
    ("add", "add"), ("sub", "sub"), ("mul", "mul"), ("div", "truediv"), ("floor_divide", "floordiv"),
    ("remainder", "mod"),
    ("pow", "pow"), ("bitwise_and", "and"), ("bitwise_or", "or"), ("bitwise_xor", "xor"), ("matmul", "matmul"),
    ("bitwise_left_shift", "lshift"), ("bitwise_right_shift", "rshift"),
)  # fmt: skip


def _hang_operators() -> None:
    for name, symbol in _OPERATORS:
        setattr(Tensor, f"__{symbol}__", _operator(name, f"__{symbol}__"))
        setattr(Tensor, f"__r{symbol}__", _reflected(name, f"__r{symbol}__"))
        inplace = pointwise.INPLACE.get(name + "_")
        if inplace is not None:
            setattr(Tensor, f"__i{symbol}__", _augmented(inplace, f"__i{symbol}__", OPS[name].words))
    for name in ("lt", "le", "gt", "ge"):
        setattr(Tensor, f"__{name}__", _operator(name, f"__{name}__"))
    for name, same in (("eq", False), ("ne", True)):
        setattr(Tensor, f"__{name}__", _equality(name, same))


def _equality(name: str, otherwise: bool) -> Callable:
    function = OPS[name].function

    def compare(self: Tensor, other: Any) -> Any:
        if isinstance(other, (Tensor, *_NUMBERS)):
            return function(self, other)
        if isinstance(other, np.ndarray) and not otherwise:  # only ==: PyTorch has no such way for !=
            from .interop import from_numpy

            try:
                return function(self, from_numpy(other))
            except TypeError:
                return NotImplemented
        return NotImplemented

    return _named(compare, f"__{name}__", OPS[name].words)


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
    pointwise.invert_refusal(self)
    return OPS["bitwise_not"].function(self)


# -- one number --------------------------------------------------------------------------------------------------


def item(self: Tensor) -> Any:
    """The one element as a Python number."""
    array = self._array
    if array.size == 1 and not self._keys:
        found = array.item()
        return found if type(found) in _PYTHON_NUMBERS else float(found)
    return _item(self)


_PYTHON_NUMBERS = frozenset((float, int, bool, complex))


def _item(self: Tensor) -> Any:
    if self._array.size != 1:
        refuse(
            RuntimeError,
            f"a Tensor with {self._array.size} elements cannot be converted to Scalar",
            f"item() is for one element, and size {list(self._array.shape)} has {self._array.size}",
            "x.tolist()",
            "x[0].item()" if self._array.size else "x.numel() first",
            rule="item.count",
            count=self._array.size,
        )
    if type(self._array) is MetaArray:
        refuse(
            RuntimeError,
            "Tensor.item() cannot be called on meta tensors",
            "a meta tensor has a size and no numbers",
            rule="meta.item",
        )
    return resolve(self)._array.item()


def _only(self: Tensor) -> Any:
    """The one element, for `int`, `float` and `complex`."""
    if self._array.size != 1:
        refuse(
            ValueError,
            "only one element tensors can be converted to Python scalars",
            f"size {list(self._array.shape)} has {self._array.size} elements",
            "x.tolist()",
            rule="item.count",
            count=self._array.size,
        )
    return self.item()


def _real(self: Tensor, d: dtypes.dtype) -> Any:
    """The one element, which has to be without an imaginary part."""
    value = _only(self)
    if type(value) is complex:
        check_fits(value, d)
        return value.real
    return value


def _truth(self: Tensor) -> bool:
    n = self._array.size
    if n == 1:
        return bool(self.item())
    some = "more than one value" if n else "no values"
    refuse(
        RuntimeError,
        f"Boolean value of Tensor with {some} is ambiguous",
        f"{n} elements have {n} truths" if n else "an empty tensor is neither true nor false",
        "x.any()",
        "x.all()",
        rule="truth.count",
        count=n,
    )


def _index(self: Tensor) -> int:
    if self._array.size == 1 and self._dtype._kind <= dtypes.INTEGER:
        return int(self.item())
    refuse(
        TypeError,
        "only integer tensors of a single element can be converted to an index",
        f"this tensor has {self._array.size} elements of {self._dtype}",
        "int(x)",
        rule="index.convert",
    )


def _iterate(self: Tensor) -> Iterator[Tensor]:
    if self._array.ndim == 0:
        refuse(
            TypeError,
            "iteration over a 0-d tensor",
            "a tensor without dimensions has nothing to go along",
            "x.item()",
            rule="iterate.zero_dim",
        )
    return iter(OPS["unbind"].function(self, 0))


def _contains(self: Tensor, element: Any) -> bool:
    if isinstance(element, (Tensor, *_NUMBERS)):
        return bool(OPS["any"].function(OPS["eq"].function(self, element)))
    refuse(
        RuntimeError,
        f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}.",
        "only a number can be among the elements",
        rule="contains.type",
    )


def _repr(self: Tensor, *, tensor_contents: Any = None) -> str:
    from .printing import tensor_repr

    shown = self if type(self._array) is MetaArray else resolve(self)
    return tensor_repr(
        shown._array,
        self._dtype,
        device="meta" if type(self._array) is MetaArray else None,
        requires_grad=self._requires_grad,
        names=self._names if self._keys & KEY_NAMES else None,
        prefix="tensor(" if type(self) is Tensor else f"{type(self).__name__}(",
    )


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


def _hang_protocols() -> None:
    members: dict[str, Any] = {
        "__neg__": OPS["neg"].function, "__abs__": OPS["abs"].function, "__pos__": _plus,
        "__invert__": _invert, "__getitem__": getitem, "__setitem__": setitem, "__delitem__": delitem,
        "item": item, "__bool__": _truth, "__index__": _index, "__int__": lambda self: int(_real(self, dtypes.int64)),
        "__float__": lambda self: float(_real(self, dtypes.float64)), "__complex__": lambda self: complex(_only(self)),
        "__iter__": _iterate, "__contains__": _contains,
        "__repr__": _repr,
        "__format__": _format, "__reversed__": lambda self: self.flip(0) if self._array.ndim else self,
        "is_contiguous": copying.is_contiguous,
        "data": property(moving.data_of, moving.set_data, doc="The same elements, with a version of their own."),
        "is_conj": _is_conj, "is_neg": _is_neg,
        "real": property(OPS["real"].function, _set_part("real"), doc=OPS["real"].words),
        "imag": property(OPS["imag"].function, _set_part("imag"), doc=OPS["imag"].words),
        **reshaping.transposes(),
    }  # fmt: skip
    for name, member in members.items():
        setattr(Tensor, name, member)


def _set_part(name: str) -> Callable:
    function = OPS[name].function

    def assign(self: Tensor, value: Any) -> None:
        setitem(function(self), ..., value)

    return assign


def _hang_rows() -> None:
    for kind in KINDS.values():
        if kind.rows is not None:
            import_module(kind.rows)
    for op in list(OPS.values()):
        if "method" not in op.forms:
            continue
        for name in (op.name, *op.aliases):
            if name not in Tensor.__dict__ and "." not in name:
                setattr(Tensor, name, op.function)
    for name, function in pointwise.INPLACE.items():
        op = OPS[name[:-1]]
        for spelled in (op.name, *op.aliases):
            if "." not in spelled:
                setattr(Tensor, spelled + "_", function)


def _hang_rooms() -> None:
    from . import interop, legacy, removed, sharing

    for room in (interop, legacy, removed, sharing, selecting, leftovers):
        for name, member in {**getattr(room, "METHODS", {}), **getattr(room, "PROPERTIES", {})}.items():
            setattr(Tensor, name, member)


def hang() -> None:
    """Give the class its methods. Runs once, when the engine is imported."""
    _hang_operators()
    _hang_protocols()
    _hang_rows()
    _hang_rooms()


hang()
