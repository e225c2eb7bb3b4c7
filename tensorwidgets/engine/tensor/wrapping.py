"""How is an array made a tensor: a fresh one, a view, an alias? And where are the arrays of a call?"""

from __future__ import annotations

from typing import Any

from numpy import ndarray

from ..geometry import Geometry, contiguous_stride
from ..memory import MAIN_MEMORY, MetaArray, Place
from ..memory import place_of as place_of_array
from ..types.device import META
from ..types.dtypes import dtype, uint8
from .keys import KEY_AUTOGRAD, KEY_CLASS, KEY_META, KEY_MOVED, KEY_NAMES, NOT_AUTOGRAD
from .lookups import storage_of
from .passed import keys_left
from .storages.typed import TypedStorage
from .tensor import Tensor
from .thread_state import state, unusual_threads
from .versions import counter_for_alias, version_owner

_new = object.__new__


def wrap(array: Any, d: dtype) -> Tensor:
    """A fresh tensor that owns this array. The array's strides must already be PyTorch's."""
    t = _new(Tensor)
    t._array = array
    t._dtype = d
    t._base = None
    t._keys = 0 if type(array) is ndarray else place_of_array(array).key
    return t


def wrap_any(array: Any, d: dtype) -> Tensor:
    """`wrap` for an array that may be on meta."""
    t = wrap(array, d)
    if type(array) is MetaArray:
        t._keys = KEY_META
    return t


def wrap_view(array: ndarray, of: Tensor, d: dtype | None = None) -> Tensor:
    """A tensor that shares its memory with another, and says so."""
    base = of._base
    t = _new(Tensor)
    t._array = array
    t._dtype = of._dtype if d is None else d
    t._base = of if base is None else base
    t._keys = of._keys & NOT_AUTOGRAD
    if t._keys & _KEYS_WITH_MORE:
        _take_more(t, of)
    if unusual_threads or base is not None and of._made:
        note_mode(t, of)
    return t


def note_mode(view: Tensor, of: Tensor) -> None:
    """Note that a view was made while nothing was recorded, or of such a view: a graph may have to know later."""
    made = of._made
    if made != "inference" and not state.enabled:
        made = "inference" if state.inference else "no_grad"
    if made:
        view._made = made
        view._made_at = version_owner(of)._writes


_KEYS_WITH_MORE = KEY_MOVED | KEY_NAMES | KEY_CLASS
"""Keys that belong to more than the array: an attribute in the instance's `__dict__`, or its class."""


def _take_more(t: Tensor, of: Tensor) -> None:
    """What a view takes from its base besides the keys: the storage that it was set to, the names of its dimensions.

    It is a plain tensor; the station of classes makes it one of the user's class.
    """
    t._keys &= ~KEY_CLASS
    if t._keys & KEY_MOVED:
        t._storage = of._storage
    if t._keys & KEY_NAMES:
        if t._array.ndim == of._array.ndim and keys_left(of) & KEY_NAMES:
            t._names = of._names
        else:
            t._keys &= ~KEY_NAMES


def view_of(t: Tensor, g: Geometry, d: dtype | None = None) -> Tensor:
    """The one function that builds a view from a geometry."""
    size, stride, offset = g
    array = storage_of(t)._array(size, stride, offset, (d or t._dtype)._in_numpy)
    view = wrap_view(array, t, d)
    if 0 in size and offset:
        view._empty_offset = offset
    return view


def alias_of(t: Tensor, share_version: bool, array: Any = None, d: dtype | None = None) -> Tensor:
    """A tensor on the same storage that does not count as a view."""
    alias = wrap(t._array if array is None else array, t._dtype if d is None else d)
    alias._keys = keys_left(t) & ~(KEY_MOVED | KEY_CLASS | KEY_AUTOGRAD)
    if alias._keys & KEY_NAMES:
        alias._names = t._names
    alias._storage = storage_of(t)
    if t._array.size == 0:
        alias._empty_offset = t._empty_offset
    if share_version:
        alias._counter = counter_for_alias(t)
    return alias


class LeafOf:
    """The origin of a tensor that is the same leaf as another one, under other names; or of a leaf that was given other
    numbers, while a graph leads to what it was before.
    """

    __slots__ = ("leaf", "accumulator")

    def __init__(self, leaf: Tensor, accumulator: Any = None):
        self.leaf = leaf
        self.accumulator = accumulator
        """A weak reference to the node that stands for the leaf as it was before; see `autograd.leaf_sizes`."""


def share_origin(t: Tensor, of: Tensor) -> None:
    """Give a tensor the origin in the graph that another one has."""
    if of._keys & KEY_AUTOGRAD:
        t._keys |= KEY_AUTOGRAD
        t._origin = LeafOf(of) if of._origin is None or getattr(of._origin, "own", False) else of._origin


def place_of(*operands: Any) -> Place:
    """Where a call on these tensors and numbers computes: in main memory, unless a tensor is elsewhere."""
    for o in operands:
        if isinstance(o, Tensor):
            place = place_of_array(o._array)
            if place is not MAIN_MEMORY:
                return place
    return MAIN_MEMORY


def empty_array(size: tuple[int, ...], stride: tuple[int, ...] | None, d: dtype, place: Place = MAIN_MEMORY) -> Any:
    """Fresh memory in a place for a tensor of this size and stride (contiguous where no stride is named)."""
    numpy_dtype = d._in_numpy
    array = place.empty(size, numpy_dtype)
    if stride is None:
        if array.size:
            return array
        stride = contiguous_stride(size)
    itemsize = numpy_dtype.itemsize
    wanted = tuple([s * itemsize for s in stride])
    if array.strides == wanted:
        return array
    spanned = 0 if 0 in size else 1 + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    if spanned != array.size:
        array = place.empty((spanned,), numpy_dtype)
    return place.view(array, size, wanted, numpy_dtype)


def tensor_on(storage: Any, d: dtype | None = None) -> Tensor:
    """All elements of a storage, which the tensor shares; bytes are read as `d`, or one by one.

    >>> tensor_on(TypedStorage([1.0, 2.0])).tolist()
    [1.0, 2.0]
    """
    if isinstance(storage, TypedStorage):
        d, storage = storage.dtype, storage.untyped()
    d = uint8 if d is None else d
    count = storage.nbytes() // d.itemsize
    t = wrap(storage._array((count,), (1,), 0, d._in_numpy), d)
    if storage.device is META:
        t._keys = KEY_META
    t._storage = storage
    return t
