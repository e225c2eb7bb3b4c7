"""Choosing elements by yes or no: where, nonzero, and the masked ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dispatch, dtypes, geometry
from ..arguments import Signatures
from ..dispatch import Op, add_row
from ..dtypes import dtype
from ..numbers import cast, number_array
from ..pointwise import common_dtype
from ..reasons import refuse
from ..reduce import finish, must_be_tensor
from ..tensor import Tensor, size_and_stride, wrap
from ..warn import warn
from .reshaping import broadcast_size, is_meta

CATEGORY = "indexing_slicing_joining_mutating"


def selects(
    name: str,
    words: str,
    *aliases: str,
    forms: str = "function method",
    kind: str = "gather",
    category: str = CATEGORY,
    signature: str = "",
) -> Callable[[Callable], Callable]:
    """Declare an op that moves elements, by the function that runs it."""

    def declare(plain: Callable) -> Callable:
        row = Op(
            name,
            kind,
            category,
            words,
            kernel=plain,
            aliases=aliases,
            forms=frozenset(forms.split()),
            signature=signature,
        )
        return dispatch.bind(add_row(row), plain)

    return declare


_WHERE = Signatures(
    "where",
    "Tensor condition",
    "Tensor condition, Tensor input, Tensor other, *, Tensor out = None",
    "Tensor condition, Number self, Tensor other",
    "Tensor condition, Tensor input, Number other",
    "Tensor condition, Number self, Number other",
)


@selects(
    "where",
    "Elements of one tensor where a condition holds, else of another; with a condition alone, the places where it holds.",
    signature="(condition, input, other, *, out=None)",
)
def where(*args: Any, **named: Any) -> Any:
    given = _WHERE.read(args, named)
    condition = given["condition"]
    if "other" not in given:
        return places(condition)
    return chosen(condition, given["self"] if "self" in given else given["input"], given["other"], given.get("out"))


def chosen(condition: Tensor, input: Any, other: Any, out: Tensor | None) -> Tensor:
    """The result of `where` with three arguments."""
    operands = (input, other)
    d = common_dtype(operands)
    _check_condition(condition)
    tensors = [condition, *[o for o in operands if isinstance(o, Tensor)]]
    size = broadcast_size(*[t._array.shape for t in tensors])
    layouts = [size_and_stride(o) if isinstance(o, Tensor) else ((), ()) for o in (condition, *operands)]
    _check_kernel("where_cpu", d, dtypes.FLOAT8)

    def fill(target: np.ndarray) -> None:
        yes, no = [cast(o._array, d) if isinstance(o, Tensor) else number_array(o, d) for o in operands]
        mask = condition._array if condition._dtype is dtypes.bool_ else condition._array.astype(bool)
        if out is not None and any(np.may_share_memory(target, a) for a in (yes, no, mask)):
            target[...] = np.where(mask, yes, no)
        else:
            target[...] = no
            np.copyto(target, yes, where=mask)

    meta = any(is_meta(t) for t in tensors)
    return finish(size, d, out, fill, meta, geometry.pointwise_stride(size, layouts))


def _check_condition(condition: Tensor) -> None:
    if condition._dtype is dtypes.uint8:
        warn("where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future "
             "version of PyTorch. Use a boolean condition instead.")  # fmt: skip
    elif condition._dtype is not dtypes.bool_:
        refuse(
            RuntimeError,
            f"where expected condition to be a boolean tensor, but got a tensor with dtype {condition._dtype.type_name}",
            "a condition is true or false at each place",
            "condition.bool()",
            "condition != 0",
            rule="where.condition",
            dtype=condition._dtype,
        )


def _check_kernel(name: str, d: dtype, missing: frozenset[dtype]) -> None:
    if d in missing:
        refuse(
            NotImplementedError,
            f"\"{name}\" not implemented for '{d.type_name}'",
            f"PyTorch has no kernel for {d} here, so there is none to agree with",
            "x.float()",
            rule="select.dtype",
            dtype=d,
        )


def places(input: Tensor) -> tuple[Tensor, ...]:
    """The places of all elements that are not 0, one tensor for each dimension."""
    if not input._array.ndim:
        return tuple([wrap(found, dtypes.int64) for found in np.nonzero(input._array.reshape(1))])
    table = places_table(input._array)
    return tuple([wrap(np.ascontiguousarray(table[:, d]), dtypes.int64) for d in range(table.shape[1])])


def places_table(array: np.ndarray) -> np.ndarray:
    """The places of all elements that are not 0, a row each."""
    return np.ascontiguousarray(np.transpose(np.nonzero(array)))


def where_method(self: Tensor, condition: Any, other: Any) -> Any:
    """This tensor's elements where a condition holds, else another's."""
    must_be_tensor("where", self)
    return dispatch.OPS["where"].function(condition, self, other)


METHODS = {"where": where_method}
