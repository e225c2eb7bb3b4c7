"""What nodes keep of a tensor in place of the tensor: its shape, dtype, strides. They keep none of its bytes alive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..tensor.lookups import size_and_stride
from ..tensor.tensor import Tensor
from ..types.device import CPU

if TYPE_CHECKING:
    import numpy as np

    from ..types.dtypes import dtype


class Like(NamedTuple):
    """The facts of a tensor, which keep none of its bytes alive."""

    shape: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: Any
    device: Any
    offset: int = 0

    def new_zeros(self) -> Tensor:
        """Zeros of this shape and dtype."""
        from ..derivatives.ops import torch

        result: Tensor = torch.zeros(self.shape, dtype=self.dtype, device=self.device)
        return result


def like(t: Tensor) -> Like:
    """The facts of a tensor."""
    stride = size_and_stride(t)[1] if hasattr(t._array, "strides") else ()
    return Like(tuple(t._array.shape), stride, t._dtype, t.device)


def placed(t: Tensor) -> Like:
    """The facts of a tensor, with the place of its first element in memory."""
    return like(t)._replace(offset=t.storage_offset())


def like_array(array: np.ndarray, d: dtype) -> Like:
    """The facts of a plain tensor, from its array."""
    itemsize, strides = array.itemsize, array.strides
    if len(strides) == 2:
        stride: tuple[int, ...] = strides[0] // itemsize, strides[1] // itemsize
    else:
        stride = tuple([s // itemsize for s in strides])
    return _tuple(Like, (array.shape, stride, d, CPU, 0))


_tuple = tuple.__new__


def fact_of(value: Tensor, fact: str) -> Any:
    """The shape, the dtype or all facts of a tensor."""
    if not isinstance(value, Tensor):
        return None if fact != "shape" else ()
    return FACTS[fact](value)


FACTS = {
    "shape": lambda t: tuple(t._array.shape),
    "dtype": lambda t: t._dtype,
    "device": lambda t: t.device,
    "layout": lambda t: t.layout,
    "block": lambda t: getattr(t._array, "block", None) or None,
    "offset": lambda t: t.storage_offset(),
    "like": like,
}
"""The facts that a formula may ask for, by the end of a parameter's name."""
