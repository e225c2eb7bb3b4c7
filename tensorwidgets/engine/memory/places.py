"""Where is an array, and how is another one made beside it?

Every array that becomes the memory of a tensor is made by a `Place`, which is found by an array that is there or by a
`device`. Main memory is one place; `meta` is another, whose arrays have a size and strides and no numbers. A device is
supported by writing a `Place` and registering it with its class of arrays.

>>> import numpy as np
>>> a = np.ones((2, 3), np.float32)
>>> empty((4,), a.dtype, like=a).shape
(4,)
>>> place_of(a).device, is_in_main_memory(a)
(device(type='cpu'), True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..types.device import CPU, PRESENT, device


class Place:
    """A kind of memory: how arrays are made in it, and what may be done with them."""

    device: device
    """What `Tensor.device` returns for arrays that are there."""
    has_numbers = True
    """Whether arrays have elements, so that kernels run."""
    in_main_memory = False
    """Whether NumPy can read the elements where they are."""
    key = 0
    """The key of tensors there, which leads their calls to the device's own kernels."""
    streams: Any = None
    """The queues of its work, on a GPU."""
    several = False
    """Whether its class of arrays serves several places, which `of` tells apart."""

    def empty(self, size: tuple[int, ...], dtype: np.dtype) -> Any:
        """A row-major array with arbitrary elements."""
        raise NotImplementedError

    def zeros(self, size: tuple[int, ...], dtype: np.dtype) -> Any:
        """A row-major array of zeros."""
        raise NotImplementedError

    def view(
        self, memory: Any, size: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype, offset: int = 0
    ) -> Any:
        """An array over the memory of another one; strides and offset are in bytes."""
        raise NotImplementedError

    def address(self, array: np.ndarray) -> int:
        """The address of the first element of an array that has elements."""
        raise NotImplementedError

    def owner(self, array: Any) -> Any:
        """What keeps the memory of an array of a device and is referred to once by each array over it; None if that is
        not known."""
        return None

    def fetch(self, array: np.ndarray) -> np.ndarray:
        """The elements in main memory, with the same strides."""
        raise NotImplementedError

    def bring(self, values: np.ndarray) -> Any:
        """The elements of an array in main memory, here, in an array with the same strides if these are dense."""
        raise NotImplementedError

    def record_stream(self, array: np.ndarray, number: int) -> None:
        """Note that a queue of work uses an array's memory."""

    def fill(self, array: np.ndarray, fill: Callable[[Any], Any], name: str) -> None:
        """Let a function fill a new array; `name` is the op that it is for."""
        fill(array)

    def of(self, array: np.ndarray) -> Place:
        """The place of an array of the class that this place is registered for: one class may serve several GPUs."""
        return self


_main_memory: Place = Place()
"""The place of all arrays whose class is not registered: that of NumPy's arrays, once it is registered."""

_BY_ARRAY: dict[type, Place] = {}
_BY_DEVICE: dict[device, Place] = {}
_ELSEWHERE: set[type] = set()
"""The classes of arrays that are not in main memory."""


def register(array_type: type, place: Place) -> None:
    """Add a place, known by its class of arrays and by its device."""
    global _main_memory
    _BY_ARRAY[array_type] = place
    _BY_DEVICE[place.device] = place
    if array_type is np.ndarray:
        _main_memory = place
    if place.device.index is None:
        PRESENT[place.device.type] = place.device
    if place.device is not CPU:
        _ELSEWHERE.add(array_type)


def forget(array_type: type, place: Place) -> None:
    """Remove a place that was added."""
    _BY_ARRAY.pop(array_type, None)
    _BY_DEVICE.pop(place.device, None)
    PRESENT.pop(place.device.type, None)


def place_of(array: Any) -> Place:
    """The place of an array. Every class that is not registered is in main memory, as subclasses of NumPy's are."""
    place = _BY_ARRAY.get(type(array), _main_memory)
    return place.of(array) if place.several else place


def as_array(value: Any) -> Any:
    """What a function returned as an array, wherever it is: NumPy returns plain numbers where no dimension is left.

    >>> as_array(np.float32(2)).shape
    ()
    """
    return value if type(value) in _BY_ARRAY else np.asarray(value)


def contiguous(array: np.ndarray) -> Any:
    """An array in row-major order: the array itself if it is, and a copy beside it if it is not.

    >>> contiguous(np.ones((2, 3)).T).strides
    (16, 8)
    """
    return np.ascontiguousarray(array) if type(array) is np.ndarray else np.ascontiguousarray(array, like=array)


def number_of(array: Any) -> Any:
    """A NumPy array without dimensions as a number, which arrays on every device meet; other arrays as they are."""
    return array[()] if type(array) is np.ndarray and not array.ndim else array


def owner_of(array: Any) -> Any:
    """What the memory of an array belongs to: an array of NumPy that is no view, or what a device has for it.

    >>> a = np.ones((2, 3))
    >>> owner_of(a[1:].T) is a
    True
    """
    if type(array) is not np.ndarray:
        return place_of(array).owner(array)
    while type(array.base) is np.ndarray:
        array = array.base
    return array


def place_among(values: Iterable[Any]) -> Place:
    """The place of the arrays among some values: main memory, unless one of them is elsewhere."""
    for value in values:
        kind = type(value)
        if kind in _ELSEWHERE:
            return _BY_ARRAY[kind].of(value)
        if (kind is tuple or kind is list) and value and type(value[0]) is not int:
            place = place_among(value)
            if not place.in_main_memory:
                return place
    return _main_memory


def moved(array: Any, place: Place) -> Any:
    """An array with the same elements in another place; the array itself if it is there."""
    here = place_of(array)
    if here is place:
        return array
    if here.streams is None or place.streams is None:
        return place.bring(here.fetch(array))
    with here.streams.not_waiting(), place.streams.not_waiting():  # GPUs copy from one another
        return place.bring(here.fetch(array))


def place_at(wanted: device) -> Place:
    """The place of a device."""
    return _BY_DEVICE[wanted]


def empty(size: tuple[int, ...], dtype: np.dtype, like: np.ndarray) -> Any:
    """A row-major array with arbitrary elements, in the place of another array."""
    return place_of(like).empty(size, dtype)


def eye(rows: int, columns: int, like: np.ndarray) -> Any:
    """Ones on the diagonal and zeros elsewhere, in the place and the type of another array.

    >>> eye(1, 2, np.ones(3, np.int8))
    array([[1, 0]], dtype=int8)
    """
    result = np.zeros((rows, columns), like.dtype, like=like)
    diagonal = list(range(min(rows, columns)))
    result[diagonal, diagonal] = 1
    return result


def address_of(array: np.ndarray) -> int:
    """The address of the first element of an array; 0 if there is none."""
    return place_of(array).address(array) if array.size else 0


def is_in_main_memory(array: np.ndarray) -> bool:
    """Whether NumPy can read the elements of an array."""
    return place_of(array).in_main_memory
