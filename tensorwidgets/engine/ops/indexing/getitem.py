"""Reading by index, with PyTorch's rules; `setitem` writes.

Whole numbers, slices, None and Ellipsis are applied first and give a view. Tensors, lists and masks come after, as one
gather over what is left. (NumPy counts whole numbers beside arrays as arrays; PyTorch does not.)
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ... import geometry, memory
from ...backends.numpy.chunks import FROM
from ...declare.rules import Result
from ...dispatch import stations
from ...dispatch.registry import Op, add_row, watching
from ...errors.reasons import Reason
from ...geometry import Gather, Geometry, Indexed
from ...tensor.lazy_conj import values_of
from ...tensor.lookups import size_and_stride
from ...tensor.tensor import Tensor
from ...tensor.thread_state import unusual_threads
from ...tensor.wrapping import _new, empty_array, note_mode, place_of, view_of, wrap, wrap_any, wrap_view
from ...types.dtypes import bool_, int64
from ..views.views import new_dim
from .index_key import MASKS, apply, check_bounds, expanded
from .plain_keys import is_simple, read_by_mask


def getitem(self: Tensor, key: Any) -> Tensor:
    """``x[key]``: a view where the key is made of numbers and slices, a copy where it holds tensors, lists or masks."""
    if not self._keys and not watching and (type(key) is int or is_simple(key)):
        try:
            array = self._array[(*key, ...) if type(key) is tuple else (key, ...)]
        except (IndexError, TypeError, OverflowError):
            return stations.long_route(GETITEM, (self, key), {})
        if array.size:
            base = self._base
            t = _new(Tensor)
            t._array = array
            t._dtype = self._dtype
            t._base = self if base is None else base
            t._keys = 0
            if unusual_threads or base is not None and self._made:
                note_mode(t, self)
            return t
    elif (
        not self._keys
        and not watching
        and (type(key) is Tensor or type(key) is tuple and key and type(key[0]) is Tensor)
    ):
        found = rows_at(self, key) if type(key) is Tensor else elements_at(self, key)  # type: ignore[arg-type]
        if found is not None:
            return wrap(found, self._dtype)
    elif not self._keys and not watching and (key is None or type(key) is tuple and _PARTS.issuperset(map(type, key))):
        found = read_by_parts(self._array, (None,) if key is None else key)
        if found is not None:
            return wrap_view(found, self)
    return stations.long_route(GETITEM, (self, key), {})


_PARTS = {int, slice, type(None), type(Ellipsis)}


def read_by_parts(array: np.ndarray, key: tuple) -> np.ndarray | None:
    """What numbers, slices, None and one Ellipsis read, part by part from the left; None for anything unusual.

    NumPy gives a new dimension the stride 0, and PyTorch one that depends on the parts before it.
    """
    if type(array) is not np.ndarray:
        return None
    dim, whole = 0, array
    for place, part in enumerate(key):
        kind = type(part)
        if part is None:
            new = new_dim(array, dim)
            if new is None:
                return None
            array = new
        elif part is Ellipsis:
            rest = key[place + 1 :]
            following = array.ndim - sum([type(p) is int or type(p) is slice for p in rest])
            if following < dim or any([p is Ellipsis for p in rest]):
                return None
            dim = following
            continue
        elif dim >= array.ndim or not is_simple(part):
            return None
        elif kind is int:
            if not -array.shape[dim] <= part < array.shape[dim]:
                return None
            array = array[(*_ALL[:dim], part, ...)]
            continue
        elif kind is slice and (part.start is not None or part.stop is not None or part.step is not None):
            try:
                array = array[(*_ALL[:dim], part)]
            except TypeError:
                return None
        dim += 1
    return array if array.size and array is not whole else None


_ALL: Any = (slice(None),) * 64


def rows_at(self: Tensor, key: Tensor) -> np.ndarray | None:
    """The rows at the numbers in a plain tensor of int64, or where a mask is true; None for anything unusual."""
    array, places = self._array, key._array
    if key._dtype is bool_:
        return read_by_mask(self, key)
    if key._keys or key._dtype is not int64 or not places.ndim or not array.ndim or not places.size:
        return None
    if type(array) is not np.ndarray or type(places) is not np.ndarray or not array.flags.c_contiguous:
        return None
    if not 0 < array.size < FROM or places.size >= FROM or 1 in array.shape or 1 in places.shape:
        return None
    try:
        return array.take(places, 0)
    except IndexError:
        return None


def elements_at(self: Tensor, key: tuple) -> np.ndarray | None:
    """The elements at the numbers in plain tensors of int64, one for each dimension; None for anything unusual."""
    if type(key[0]) is not Tensor:
        return None
    array, size = self._array, key[0]._array.shape
    if type(array) is not np.ndarray or len(key) != array.ndim or len(size) != 1 or size[0] < 2 or size[0] >= FROM:
        return None
    for each in key:
        if type(each) is not Tensor or each._keys or each._dtype is not int64 or type(each._array) is not np.ndarray:
            return None
        if each._array.shape != size:
            return None
    try:
        found: np.ndarray = array[tuple([each._array for each in key])]
    except IndexError:
        return None
    return found


def read(self: Tensor, key: Any) -> Tensor:
    g, _, tensors = apply(self, key)
    if not tensors:
        return view_of(self, g)
    place = place_of(self, *[index for _, index in tensors])
    if not place.has_numbers:
        result = _gather_rule(self, g, tensors)
        return wrap_any(empty_array(result.size, result.stride, result.dtype, place), result.dtype)
    indices = expanded(g.size, tensors)
    gather = gather_of(g, indices)
    array = values_of(view_of(self, g))
    return wrap(gathered(array, gather, indices), self._dtype)


def gather_of(g: Geometry, indices: list[tuple[int, np.ndarray]]) -> Gather:
    """Check all indices and return the size and strides of the result."""
    gather = broadcast_indices(g.size, g.stride, indices)
    if 0 not in gather.size:
        check_bounds(g.size, indices, gather.steps(gather.stride))
    return gather


def broadcast_indices(size: tuple[int, ...], stride: tuple[int, ...], indices: list[tuple[int, np.ndarray]]) -> Gather:
    """Broadcast the index tensors, or refuse with the reason."""
    asked = [Indexed(dim, places.shape, tuple([s // 8 for s in places.strides])) for dim, places in indices]
    gather = geometry.gather(size, stride, asked)
    if isinstance(gather, Reason):
        gather.refuse()
    return gather


def gathered(array: np.ndarray, gather: Gather, indices: list[tuple[int, np.ndarray]]) -> np.ndarray:
    """Returns the elements at the indices in new memory with PyTorch's strides."""
    itemsize = array.itemsize
    if 0 not in gather.size:
        outcome = memory.as_array(array[numpy_key(array.ndim, indices)])
        if outcome.strides == tuple([s * itemsize for s in gather.stride]) and (
            type(outcome) is not np.ndarray or outcome.base is None
        ):
            return outcome
    place = memory.place_of(array)
    fresh = place.empty((prod(gather.size),), array.dtype)
    result = place.view(fresh, gather.size, tuple([s * itemsize for s in gather.stride]), array.dtype)
    if 0 not in gather.size:
        result[...] = outcome
    return result


def numpy_key(ndim: int, indices: list[tuple[int, np.ndarray]]) -> tuple:
    """The key by which NumPy looks up the same: it puts the dimensions of the answer where PyTorch does."""
    key: list[Any] = [slice(None)] * ndim
    for dim, places in indices:
        key[dim] = places
    return tuple(key)


def looked_up(self: Tensor, key: Any) -> Geometry | Result:
    """The rule of ``x[key]``: the geometry of a view, or what is gathered at the positions that tensors name."""
    g, _, tensors = apply(self, key)
    return _gather_rule(self, g, tensors) if tensors else g


def _gather_rule(self: Tensor, g: Geometry, tensors: list[tuple[int, Tensor]]) -> Result:
    """What is gathered; refused for masks, which say by their numbers how many elements there are."""
    asked = []
    for dim, k in tensors:
        if k._dtype in MASKS:
            from ...dispatch.meta import refuse_values

            refuse_values("nonzero")
        asked.append(Indexed(dim, *size_and_stride(k)))
    result = geometry.gather(g.size, g.stride, asked)
    if isinstance(result, Reason):
        result.refuse()
    return Result(result.size, self._dtype, result.stride)


GETITEM = add_row(
    Op(
        "getitem",
        "index",
        "indexing_slicing_joining_mutating",
        "Returns x[key].",
        rule=looked_up,
        kernel=gathered,
        forms=frozenset(),
    )
)
stations.bind(GETITEM, read)
