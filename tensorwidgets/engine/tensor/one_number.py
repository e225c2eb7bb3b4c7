"""The one element of a tensor as a Python number: for `item()`, `int`, `float`, `bool` and as an index."""

from __future__ import annotations

from typing import Any

from ..errors.reasons import refuse
from ..errors.warnings import warn
from ..memory import MetaArray
from ..types import dtypes
from .grad_mode import grad_enabled
from .keys import KEY_AUTOGRAD
from .lazy_conj import resolve
from .members import answer, asks_kinds
from .scalars import check_fits
from .tensor import Tensor


@asks_kinds
def item(self: Tensor) -> Any:
    """The one element as a Python number."""
    array = self._array
    if array.size == 1 and not self._keys:
        number = array.item()
        return number if type(number) in _PYTHON_NUMBERS else float(number)
    own = answer(self, "item")
    return _item(self) if own is None else own(self)


_PYTHON_NUMBERS = frozenset((float, int, bool, complex))


def _item(self: Tensor) -> Any:
    if self._array.size != 1:
        ways = ("x.tolist()", "x[0].item()" if self._array.size else "x.numel() first")
        refuse(
            RuntimeError,
            f"a Tensor with {self._array.size} elements cannot be converted to Scalar",
            f"item() is for one element, and size {list(self._array.shape)} has {self._array.size}",
            *(() if type(self._array) is MetaArray else ways),
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


def only(self: Tensor) -> Any:
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


def real_number(self: Tensor, d: dtypes.dtype) -> Any:
    """The one element, which has to be without an imaginary part."""
    value = only(self)
    if type(value) is complex:
        check_fits(value, d)
        return value.real
    return value


def as_float(self: Tensor) -> float:
    if self._keys & KEY_AUTOGRAD:
        _warn_of_lost_graph()
    return float(real_number(self, dtypes.float64))


def as_complex(self: Tensor) -> complex:
    if self._keys & KEY_AUTOGRAD:
        _warn_of_lost_graph()
    return complex(only(self))


def _warn_of_lost_graph() -> None:
    if grad_enabled():
        warn(
            "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
            "Consider using tensor.detach() first.",
            once=True,
        )


def truth(self: Tensor) -> bool:
    n = self._array.size
    if n == 1:
        return bool(self.item())
    some = "more than one value" if n else "no values"
    refuse(
        RuntimeError,
        f"Boolean value of Tensor with {some} is ambiguous",
        f"each of the {n} elements is true or false, and one answer is needed"
        if n
        else "an empty tensor is neither true nor false",
        "x.any()",
        "x.all()",
        rule="truth.count",
        count=n,
    )


def _elements(count: int) -> str:
    return f"{count} element{'' if count == 1 else 's'}"


def as_index(self: Tensor) -> int:
    if self._array.size == 1 and self._dtype._kind <= dtypes.INTEGER:
        return int(self.item())
    refuse(
        TypeError,
        "only integer tensors of a single element can be converted to an index",
        f"this tensor has {_elements(self._array.size)} of {self._dtype}",
        *(
            ["int(x)"]
            if self._array.size == 1
            else ["torch.stack(tensors), to make one tensor of several", "x.tolist()"]
        ),
        rule="index.convert",
    )
