"""Arrays of the `meta` device: a size and strides, and no numbers."""

from __future__ import annotations

import numpy as np

from ..geometry import contiguous_stride
from ..types.device import META
from .places import Place, register


class MetaArray:
    """An array without elements: a shape, strides, a dtype and an offset (in bytes)."""

    __slots__ = ("shape", "strides", "dtype", "offset", "itemsize", "size", "ndim")

    def __init__(self, shape: tuple[int, ...], strides: tuple[int, ...], numpy_dtype: np.dtype, offset: int = 0):
        self.shape, self.strides, self.dtype, self.offset = shape, strides, numpy_dtype, offset
        self.itemsize, self.ndim, self.size = numpy_dtype.itemsize, len(shape), 1
        for n in shape:
            self.size *= n


class Meta(Place):
    """The place of arrays without numbers. Results there follow from the rule alone."""

    device = META
    has_numbers = False

    def empty(self, size: tuple[int, ...], dtype: np.dtype) -> MetaArray:
        """A row-major array.

        >>> ON_META.empty((2, 3), np.dtype("f4")).strides
        (12, 4)
        """
        itemsize = dtype.itemsize
        return MetaArray(size, tuple([s * itemsize for s in contiguous_stride(size)]), dtype)

    zeros = empty

    def view(
        self, memory: np.ndarray, size: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype, offset: int = 0
    ) -> MetaArray:
        """An array with these strides; there is no memory that it could lie over."""
        return MetaArray(size, strides, dtype, offset)

    def address(self, array: np.ndarray) -> int:
        """Always 0."""
        return 0


ON_META = Meta()
register(MetaArray, ON_META)
