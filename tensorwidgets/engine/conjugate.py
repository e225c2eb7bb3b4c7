"""The conjugate that is only promised: `conj()` of a complex tensor is a view with a bit set.

The bit travels with views; an op that needs numbers computes them first.
"""

from __future__ import annotations

import numpy as np

from .dtypes import COMPLEX
from .quiet import quietly
from .tensor import KEY_CONJ, Tensor, empty_array, size_and_stride, wrap, wrap_view


def conj(input: Tensor) -> Tensor:
    """The complex conjugate; for complex tensors a view that promises it, for others the tensor itself."""
    if input._dtype.kind != COMPLEX:
        return input
    view = wrap_view(input._array, input)
    view._keys ^= KEY_CONJ
    return view


def resolve(input: Tensor) -> Tensor:
    """The tensor with its promise kept, in memory of its own."""
    if not input._keys & KEY_CONJ:
        return input
    from .geometry import preserve_stride

    size, stride = size_and_stride(input)
    array = empty_array(size, preserve_stride(size, stride), input._dtype)
    quietly(np.conjugate, input._array, array)
    return wrap(array, input._dtype)
