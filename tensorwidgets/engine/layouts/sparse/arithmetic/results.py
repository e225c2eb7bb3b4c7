"""What sums, products and quotients of sparse tensors share: the dtypes of results, numbers, how kernels register."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ....declare.pointwise import common_dtype
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.keys import KEY_META
from ....tensor.tensor import Tensor
from ....types.promotion import can_cast
from ..copies import cast
from ..parts.tensors import compressed_kernel, coo_kernel, is_coo, is_sparse


def is_number(x: Tensor | complex) -> bool:
    """Whether an operand is one number: of Python, or a dense tensor without dimensions."""
    return not isinstance(x, Tensor) or not is_sparse(x) and x._array.ndim == 0


def fitted(value: Tensor, out: Tensor | None, name: str) -> Tensor:
    """A result in the dtype of `out=`."""
    if out is None or not is_coo(out) or out._dtype is value._dtype:
        return value
    if not can_cast(value._dtype, out._dtype):
        one, two = value._dtype._type_name, out._dtype._type_name
        refuse(
            RuntimeError,
            f"Can't convert result type {one} to output {two} in {name} operation",
            f"the result is of {value._dtype}",
            f"out= of {value._dtype}",
            rule="out.dtype",
        )
    return cast(value, out._dtype)


def check_result(input: Tensor, other: Tensor, where: str = "") -> None:
    """Refuse to write the result of two operands into the first, where its dtype cannot hold it."""
    d = common_dtype((input, other))
    if not can_cast(d, input._dtype):
        refuse(
            RuntimeError,
            f"Can't convert result type {d._type_name} to output {input._dtype._type_name}{where}",
            f"the result is of {d}",
            "x + y" if where == " in add operation" else "x * y",
            rule="write.dtype",
        )


def with_kind_of_indices(t: Tensor, like: Tensor) -> Tensor:
    """A compressed tensor whose indices have the dtype of those of another: int32 stays int32."""
    d = like._array.outer._dtype
    if t._array.outer._dtype is not d:
        t._array.outer, t._array.inner = (OPS["to"].function(p, d) for p in (t._array.outer, t._array.inner))
    return t


def _on_one_device(kernel: Callable) -> Callable:
    """A kernel of two operands that refuses one with numbers beside one without."""

    @wraps(kernel)
    def checked(input: Any, other: Any, *args: Any, **named: Any) -> Any:
        if isinstance(input, Tensor) and isinstance(other, Tensor) and (input._keys ^ other._keys) & KEY_META:
            message = "Values and crow_indices need to be on the same device."
            because = "one of the tensors is on the meta device, and has no numbers"
            refuse(RuntimeError, message, because, "x.to('meta'), for both of them", rule="sparse.meta")
        return kernel(input, other, *args, **named)

    return checked


def register(**kernels: Callable) -> None:
    """These kernels of two operands serve tensors by coordinates and compressed ones."""
    for name, kernel in kernels.items():
        coo_kernel(name)(kernel)
        compressed_kernel(name)(_on_one_device(kernel))
