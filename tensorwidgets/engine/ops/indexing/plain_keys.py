"""How do the most frequent keys read and write with few steps: numbers and slices, and masks?

Each function leaves everything unusual to `getitem` and `setitem`, before anything is written.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.numpy.chunks import FROM
from ...declare.pointwise_calls import unrelated
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from ...types.dtypes import bool_, dtype, float32, float64, int64

_LIMITS = {float32: (1e30, 1 << 53), float64: (1e300, 1 << 53), int64: (0.0, (1 << 63) - 1)}
"""Up to which size a float and a whole number fit for certain, as the element of each dtype."""


def is_simple(key: Any) -> bool:
    """Whether NumPy interprets a key of numbers and slices as PyTorch does.

    >>> is_simple((0, slice(2))), is_simple(slice(None, None, -1)), is_simple(True)
    (True, False, False)
    """
    kind = type(key)
    if kind is int:
        return True
    if kind is slice:
        return key.step is None or type(key.step) is int and key.step > 0
    if kind is not tuple:
        return False
    for part in key:
        if type(part) is slice:
            if part.step is not None and not (type(part.step) is int and part.step > 0):
                return False
        elif type(part) is not int:
            return False
    return True


def read_by_mask(self: Tensor, key: Tensor) -> np.ndarray | None:
    """The elements where a plain mask is true, or the rows where one with fewer dimensions is."""
    array, mask = self._array, key._array
    if key._keys or key._dtype is not bool_ or not mask.ndim or not type(array) is type(mask) is np.ndarray:
        return None
    if mask.shape != array.shape[: mask.ndim] or not array.flags.c_contiguous or not 0 < array.size < FROM:
        return None
    if mask.ndim < array.ndim and 1 in array.shape:
        return None
    found: np.ndarray = array[mask]
    return found if found.size else None


def write_by_plain_key(self: Tensor, key: Any, value: Any) -> bool:
    """Write a number or a plain tensor by numbers and slices, or a number by a mask; whether that was done."""
    array, d, kind = self._array, self._dtype, type(value)
    if type(array) is not np.ndarray or not array.flags.carray or not array.size:
        return False
    numbers: Any = value
    if kind is Tensor:
        if value._dtype is not d or value._keys or not unrelated(self, value) or type(value._array) is not np.ndarray:
            return False
        numbers = value._array
    elif not _fits(value, kind, d):
        return False
    if type(key) is Tensor:
        if kind is Tensor or not _is_mask_of(key, array) or not unrelated(self, key):
            return False
        np.putmask(array, key._array, numbers)
    else:
        if not is_simple(key):
            return False
        try:
            part = array[(*key, ...) if type(key) is tuple else (key, ...)]
            if not part.size:
                return False
            part[...] = numbers
        except (IndexError, ValueError, TypeError, OverflowError):
            return False
    bump_version(self if self._base is None else self._base)
    return True


def _fits(value: Any, kind: type, d: dtype) -> bool:
    """Whether a number is certainly an element of a dtype, converted as NumPy does it."""
    if kind is bool:
        return d is bool_ or d in _LIMITS
    if d not in _LIMITS:
        return False
    most, most_whole = _LIMITS[d]
    if kind is float:  # infinity fits, and what is not a number
        return d is not int64 and (abs(value) <= most or value - value != 0)
    return kind is int and abs(value) <= most_whole


def _is_mask_of(key: Tensor, array: np.ndarray) -> bool:
    mask = key._array
    return not key._keys and key._dtype is bool_ and type(mask) is np.ndarray and mask.shape == array.shape
