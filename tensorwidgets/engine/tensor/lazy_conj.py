"""Lazy conjugates and negatives: `conj()` is a view whose elements are the conjugates of what the memory holds.

The imaginary part of such a view is one of negatives. Both promises are bits of a tensor's key. They travel with views;
an op that needs numbers computes them first, and one that writes puts the promise of what it wrote into the memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ..backends.numpy.without_warnings import quietly
from ..memory import MetaArray
from ..types.dtypes import BOOL, COMPLEX
from .keys import KEY_AUTOGRAD, KEY_CLASS, KEY_CONJ, KEY_META, KEY_MOVED, KEY_NAMES, KEY_NEG, KEY_PROMISE
from .lookups import size_and_stride
from .tensor import Tensor
from .wrapping import empty_array, place_of, wrap, wrap_view


def conj(input: Tensor) -> Tensor:
    """The complex conjugate; for complex tensors a view that promises it, for others the tensor itself."""
    if input._dtype._kind != COMPLEX:
        return input
    view = wrap_view(input._array, input)
    view._keys ^= KEY_CONJ
    view._empty_offset = input._empty_offset
    return view


def fulfilled(array: np.ndarray, promises: int) -> np.ndarray:
    """Conjugate or negate an array as the keys say; a second application undoes the first.

    >>> fulfilled(np.array([1 + 2j]), KEY_CONJ)
    array([1.-2.j])
    """
    if promises & KEY_CONJ and array.dtype.kind == "c":
        array = np.conjugate(array)
    if promises & KEY_NEG and array.dtype.kind != "b":
        array = quietly(np.negative, array)
    return array


def resolve(input: Tensor, promises: int = KEY_PROMISE) -> Tensor:
    """The tensor with these of its promises kept, in memory of its own; itself if it makes none of them."""
    kept = input._keys & promises
    if not kept:
        return input
    from ..geometry import preserve_stride

    size, stride = size_and_stride(input)
    strides = preserve_stride(size, stride)
    if input._keys & KEY_META:
        itemsize = input._dtype.itemsize
        array: Any = MetaArray(size, tuple([s * itemsize for s in strides]), input._dtype._in_numpy)
    else:
        array = empty_array(size, strides, input._dtype, place_of(input))
        array[...] = fulfilled(input._array, kept)
    t = wrap(array, input._dtype)
    t._keys = input._keys & ~(kept | KEY_NAMES | KEY_MOVED | KEY_CLASS | KEY_AUTOGRAD)
    return t


def values_of(input: Tensor) -> Any:
    """The numbers of a tensor as an array to read from: its own array, unless it makes a promise."""
    promises = input._keys & KEY_PROMISE
    return fulfilled(input._array, promises) if promises else input._array


def promised(values: ndarray, target: Tensor) -> Any:
    """The values to write into a tensor's memory so that its elements are these values."""
    promises = target._keys & KEY_PROMISE
    if not promises or target._dtype._kind == BOOL:
        return values
    return fulfilled(values, promises)
