"""Next-door libraries: NumPy arrays in and out, without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np

from .inference import numpy_dtype_of
from .tensor import Tensor, wrap


def from_numpy(array: np.ndarray) -> Tensor:
    """A tensor that shares the memory of a NumPy array."""
    return wrap(array, numpy_dtype_of(array))


def numpy(self: Tensor, *, force: bool = False) -> np.ndarray:
    """A NumPy array that shares the memory of the tensor."""
    return self._array.view()


def tolist(self: Tensor) -> Any:
    """The numbers in nested lists."""
    return self._array.tolist()


def _array(self: Tensor, dtype: Any = None) -> np.ndarray:
    return self._array.view() if dtype is None else self._array.astype(dtype)


METHODS = {"numpy": numpy, "tolist": tolist, "__array__": _array}
PROPERTIES: dict[str, Any] = {}
FACE: dict[str, Any] = {"from_numpy": from_numpy}
