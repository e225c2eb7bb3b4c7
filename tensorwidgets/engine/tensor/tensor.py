"""The Tensor: a view of a storage.

State and identity only. What a tensor can *do* is added by the rows (`ops/`); this file says what it *is*: an array
whose shape, strides and address are the size, stride and offset, a dtype, the tensor that it is a view of, and the key,
which says whether anything about it is special.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from numpy import ndarray

from ..geometry import Geometry, contiguous_stride
from ..memory import MAIN_MEMORY, MetaArray, Place, address_of
from ..memory import place_of as place_of_array
from ..types import dtypes
from ..types.device import META, device, gpu_is_there
from ..types.dtypes import dtype
from ..types.size import Size
from . import grad_flag
from .members import answer, asks_kinds
from .passed import keys_left
from .storage import TypedStorage, UntypedStorage, refuse_pinning, typed

if TYPE_CHECKING:
    # Only a stub, written from the rows: the methods that they add to the class, for type checkers.
    from .tensor_methods import TensorMethods
else:
    TensorMethods = object

KEY_NAMES, KEY_META, KEY_CONJ, KEY_NEG, KEY_MOVED, KEY_CLASS, KEY_AUTOGRAD, KEY_INFERENCE = (1 << n for n in range(8))
"""What may divert a call, as bits of `Tensor._keys`. Zero is a plain strided tensor on the CPU."""

LAST_KEY = KEY_INFERENCE
"""The bits above this one are given out by `kinds`."""

KEY_PROMISE = KEY_CONJ | KEY_NEG
"""The elements are not what the memory holds, but its conjugates, its negatives, or both."""


_PACKAGE = __name__.partition(".")[0]


class TensorType(type):
    """Prints the class as PyTorch's, so that a lesson reads the same on both."""

    @property
    def __module__(cls) -> str:  # type: ignore[override]
        """Where the class is from. Libraries know PyTorch's tensors by it: it is `torch` where that is this package."""
        module: str = cls.__dict__["__module__"]
        ours = module.partition(".")[0] == _PACKAGE and sys.modules.get("torch") is sys.modules.get(_PACKAGE)
        return "torch" if ours else module

    def __repr__(cls) -> str:
        if cls.__dict__["__module__"].partition(".")[0] != _PACKAGE:
            return type.__repr__(cls)  # a class of the user's own
        return f"<class 'torch.{cls.__name__}'>"


class Tensor(TensorMethods, metaclass=TensorType):
    """A view of a storage, with PyTorch's names for everything that it can do."""

    __slots__ = ("_array", "_dtype", "_base", "_keys", "_place", "__dict__", "__weakref__")

    _array: Any
    _dtype: dtype
    _base: Tensor | None
    _keys: int
    # Where the tensor is in the graph of gradients. Only set, and only read, if `_keys` has KEY_AUTOGRAD.
    _place: Any

    # The rest is rarely set, so it has its resting value on the class and lives in the instance's __dict__.
    _storage: UntypedStorage | None = None
    _counter: Tensor | None = None
    _writes = 0
    _empty_offset = 0
    _lent = False
    _names: tuple[str | None, ...] | None = None
    _grad: Tensor | None = None
    # Whether what is computed from an instance is one, too; so it is with the classes that users make.
    _stays = False
    __array_priority__ = 1000

    def __init_subclass__(cls, stays: bool = True, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._stays = stays

    # -- shape ---------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> Size:
        """The length of each dimension."""
        return _size(Size, self._array.shape)

    @overload
    def size(self) -> Size: ...
    @overload
    def size(self, dim: int) -> int: ...
    def size(self, dim: Any = None) -> Any:
        """The size, or the length of one dimension."""
        if dim is None:
            return _size(Size, self._array.shape)
        return self._array.shape[checked_dim(dim, self._array.ndim, "size(): ", self)]

    @overload
    def stride(self) -> tuple[int, ...]: ...
    @overload
    def stride(self, dim: int) -> int: ...
    @asks_kinds
    def stride(self, dim: Any = None) -> Any:
        """How many elements of storage lie between neighbours along each dimension."""
        if self._keys and (own := answer(self, "stride")) is not None:
            return own(self) if dim is None else own(self, dim)
        itemsize = self._array.itemsize
        if dim is None:
            return tuple([s // itemsize for s in self._array.strides])
        return self._array.strides[checked_dim(dim, self._array.ndim, "stride(): ", self)] // itemsize

    def dim(self) -> int:
        """How many dimensions there are."""
        return self._array.ndim

    def ndimension(self) -> int:
        """How many dimensions there are: another name of `dim`."""
        return self._array.ndim

    ndim = property(dim, doc="How many dimensions there are.")

    def numel(self) -> int:
        """How many elements there are."""
        return self._array.size

    def nelement(self) -> int:
        """How many elements there are: another name of `numel`."""
        return self._array.size

    def __len__(self) -> int:
        if self._array.ndim == 0:
            from ..errors.reasons import refuse

            refuse(
                TypeError,
                "len() of a 0-d tensor",
                "a tensor without dimensions has no first one to measure",
                "x.numel()",
            )
        return self._array.shape[0]

    # -- kind ----------------------------------------------------------------------------------------------------

    @property
    def dtype(self) -> dtype:
        """The kind of number that each element is."""
        return self._dtype

    @property
    def device(self) -> device:
        """Where the bytes are."""
        return META if self._keys & KEY_META else place_of_array(self._array).device

    @property
    def layout(self) -> Any:
        """How the elements are kept: each of them."""
        from ..types.formats import strided

        return strided

    def element_size(self) -> int:
        """Bytes of one element."""
        return self._dtype.itemsize

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self._dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements, as if none were shared."""
        return self._array.size * self._dtype.itemsize

    def is_floating_point(self) -> bool:
        """Whether the elements are floating-point numbers."""
        return self._dtype._kind == dtypes.FLOAT

    def is_complex(self) -> bool:
        """Whether the elements are complex numbers."""
        return self._dtype._kind == dtypes.COMPLEX

    def is_signed(self) -> bool:
        """Whether the elements can be negative."""
        return self._dtype.is_signed

    is_mkldnn = is_mps = is_xla = is_xpu = is_ipu = False
    is_nested = is_vulkan = is_maia = is_mtia = False

    @property
    def is_sparse(self) -> bool:
        """Whether only some elements are kept, by their coordinates."""
        return False

    @property
    def is_sparse_csr(self) -> bool:
        """Whether only some elements are kept, by compressed rows."""
        return False

    @property
    def is_quantized(self) -> bool:
        """Whether the elements are integers that a scale and a zero point turn into values."""
        return False

    @property
    def is_cuda(self) -> bool:
        """Whether the tensor is on a GPU."""
        return False

    @property
    def is_cpu(self) -> bool:
        """Whether the bytes are in main memory."""
        return not self._keys & KEY_META

    @property
    def is_meta(self) -> bool:
        """Whether there are a size and strides, and no bytes."""
        return bool(self._keys & KEY_META)

    def get_device(self) -> int:
        """The number of the GPU; -1 on the CPU."""
        return -1

    # -- storage -------------------------------------------------------------------------------------------------

    def untyped_storage(self) -> UntypedStorage:
        """The bytes that this tensor is a view of."""
        return storage_of(self)

    def storage(self) -> TypedStorage:
        """The storage read as this tensor's dtype; one object for all views of it."""
        return typed(storage_of(self), self._dtype)

    @asks_kinds
    def storage_offset(self) -> int:
        """Where in the storage the first element lies, in elements."""
        if self._keys and (own := answer(self, "storage_offset")) is not None:
            return own(self)
        array = self._array
        if type(array) is MetaArray:
            return array.offset // array.itemsize
        if array.size == 0:
            return self._empty_offset
        if self._base is None and self._storage is None:
            return 0
        return (address_of(array) - storage_of(self)._address()) // array.itemsize

    @asks_kinds
    def data_ptr(self) -> int:
        """The address of the first element."""
        if self._keys and (own := answer(self, "data_ptr")) is not None:
            return own(self)
        return address_of(self._array)

    const_data_ptr = data_ptr

    def storage_type(self) -> type[TypedStorage]:
        """The class of this tensor's storage."""
        return type(self.storage())

    def is_set_to(self, tensor: Tensor) -> bool:
        """Whether both look at the same storage in the same way; numbers that are only promised are computed first."""
        return (
            not (self._keys | tensor._keys) & KEY_PROMISE
            and storage_of(self) is storage_of(tensor)
            and geometry_of(self) == geometry_of(tensor)
        )

    def is_shared(self) -> bool:
        """Whether `share_memory_` was called."""
        return storage_of(self).is_shared()

    def share_memory_(self) -> Tensor:
        """Say that other processes are to see the bytes; they stay in this one, and the storage keeps the word."""
        storage_of(self).share_memory_()
        return self

    def is_pinned(self, device: Any = None) -> bool:
        """Whether the bytes are pinned, so that a GPU can read them by itself."""
        root = self if self._base is None else self._base
        return root._storage is not None and root._storage._pinned

    def pin_memory(self, device: Any = None) -> Any:
        """A copy whose bytes are pinned for a GPU; itself if they are. Refused without a GPU."""
        if type(self._array) is MetaArray or not gpu_is_there():
            refuse_pinning(self._dtype._type_name if type(self._array) is MetaArray else "")
        if self.is_pinned():
            return self
        copy = self.detach().clone()
        storage_of(copy)._pinned = True
        return copy

    # -- views and versions --------------------------------------------------------------------------------------

    def _is_view(self) -> bool:
        return self._base is not None

    @property
    def _version(self) -> int:
        if self._keys & KEY_INFERENCE:
            grad_flag.refuse_version()
        return version_owner(self)._writes

    # -- gradients (what tensors that require them answer instead is in `autograd/members.py`) ---------------------

    @property
    def _requires_grad(self) -> bool:
        return bool(self._keys & KEY_AUTOGRAD)

    @_requires_grad.setter
    def _requires_grad(self, value: bool) -> None:
        set_requires_grad(self, value)

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded, so that `backward` can compute gradients."""
        return bool(self._keys & KEY_AUTOGRAD)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        grad_flag.assign(self, value)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Starts, or stops, recording operations on this tensor."""
        return grad_flag.change(self, requires_grad)

    @property
    def grad(self) -> Tensor | None:
        """The gradient that `backward` has computed for this tensor; None before."""
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        grad_flag.assign_grad(self, value)

    @grad.deleter
    def grad(self) -> None:
        self.__dict__.pop("_grad", None)

    @property
    def grad_fn(self) -> Any:
        """The node of the graph that this tensor is a result of; None for a leaf."""
        return None

    @grad_fn.setter
    def grad_fn(self, value: Any) -> None:
        grad_flag.refuse_setting("grad_fn")

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation computed this tensor."""
        return True

    @is_leaf.setter
    def is_leaf(self, value: Any) -> None:
        grad_flag.refuse_setting("is_leaf")

    @property
    def retains_grad(self) -> bool:
        """Whether `retain_grad` was called on this tensor, which is no leaf."""
        return False

    @property
    def output_nr(self) -> int:
        """Which result of its node this tensor is."""
        return 0

    def backward(
        self, gradient: Any = None, retain_graph: Any = None, create_graph: bool = False, inputs: Any = None
    ) -> None:
        """Computes the gradient of this tensor with respect to the leaves of its graph."""
        grad_flag.refuse_backward(self)

    def retain_grad(self) -> None:
        """Keeps the gradient of this tensor in `.grad` although it is not a leaf."""
        grad_flag.refuse_retain()

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Any:
        """Calls a function with the gradient of this tensor each time it is computed."""
        grad_flag.refuse_hook()

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> Any:
        """Calls a function with this leaf after a gradient was added to its `.grad`."""
        grad_flag.refuse_hook("post accumulate grad ")

    def is_inference(self) -> bool:
        """Whether it was made in inference mode."""
        return bool(self._keys & KEY_INFERENCE)

    # -- iteration and identity ----------------------------------------------------------------------------------

    def __hash__(self) -> int:
        return id(self)

    def __dir__(self) -> list[str]:
        return sorted(
            n for n in set(dir(type(self))) | set(self.__dict__) if not n.startswith("_") or n.startswith("__")
        )


_new = object.__new__
_size = tuple.__new__

NOT_AUTOGRAD = ~KEY_AUTOGRAD
"""What a new tensor keeps of the keys of another: its place in the graph is its own."""


wake_autograd: Callable[[], Any] = lambda: None  # noqa: E731
"""Loads the rooms that compute gradients, at the first tensor that requires one; `dispatch.kinds` puts it here."""


def set_requires_grad(t: Tensor, value: bool) -> None:
    """Make a tensor a leaf that requires a gradient, or one that does not, without any check."""
    if value:
        wake_autograd()
        t._keys |= KEY_AUTOGRAD
        t._place = None
    else:
        t._keys &= NOT_AUTOGRAD


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


def wrap_view(array: Any, of: Tensor, d: dtype | None = None) -> Tensor:
    """A tensor that shares its memory with another, and says so."""
    base = of._base
    t = _new(Tensor)
    t._array = array
    t._dtype = of._dtype if d is None else d
    t._base = of if base is None else base
    t._keys = of._keys & NOT_AUTOGRAD
    if t._keys & _KEYS_WITH_MORE:
        _take_more(t, of)
    return t


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


class LeafOf:
    """The place of a tensor that is the same leaf as another one, under other names."""

    __slots__ = ("leaf",)

    def __init__(self, leaf: Tensor):
        self.leaf = leaf


def share_place(t: Tensor, of: Tensor) -> None:
    """Give a tensor the place in the graph that another one has."""
    if of._keys & KEY_AUTOGRAD:
        t._keys |= KEY_AUTOGRAD
        t._place = LeafOf(of) if of._place is None else of._place


def storage_of(t: Tensor) -> UntypedStorage:
    """The storage of a tensor; made when it is first needed, and then the same for all views."""
    if t._keys & KEY_MOVED:
        # A view that has been set to look at another storage than its base.
        return t._storage  # type: ignore[return-value]
    root = t if t._base is None else t._base
    storage = root._storage
    if storage is None:
        storage = root._storage = UntypedStorage._around(root._array)
        storage._lent = root._lent
    return storage


def geometry_of(t: Tensor) -> Geometry:
    """Size, stride and offset as plain tuples."""
    array = t._array
    itemsize = array.itemsize
    return Geometry(array.shape, tuple([s // itemsize for s in array.strides]), t.storage_offset())


def size_and_stride(t: Tensor) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Size and stride as plain tuples, in elements."""
    array = t._array
    itemsize = array.itemsize
    return array.shape, tuple([s // itemsize for s in array.strides])


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
        alias._counter = version_owner(t)
    return alias


def version_owner(t: Tensor) -> Tensor:
    """The tensor that keeps the version counter for this one and all that share it."""
    root = t if t._base is None else t._base
    return root if root._counter is None else root._counter


on_write: Callable[[Tensor], None] | None = None
"""Called with the owner of the counter after each write, once there are gradients: it records the line of the write."""


def bump_version(t: Tensor) -> None:
    """Count a write: every tensor that shares the counter sees it."""
    root = t if t._base is None else t._base
    if root._counter is not None:
        root = root._counter
    root._writes += 1
    if on_write is not None:
        on_write(root)


def checked_dim(dim: Any, ndim: int, call: str = "", of: Tensor | None = None) -> int:
    """A dimension counted from either end, or named `of` a tensor; or PyTorch's refusal, which names the call."""
    if type(dim) is int and 0 <= dim < ndim:
        return dim
    if isinstance(dim, str) and of is not None and of._keys & KEY_NAMES:
        from ..dimension_names.words import numbers_of

        return numbers_of(of._names or (), dim)
    from ..errors.reasons import Reason, refuse
    from ..geometry import wrap_dim

    if isinstance(dim, bool) or not hasattr(dim, "__index__"):
        where = "'dim' (position 1)" if call else "'dim'"
        message = f"{call}argument {where} must be int, not {type(dim).__name__}"
        refuse(TypeError, message, "a dimension is counted", rule="argument.int")
    dim = dim.__index__()
    if call and not ndim:
        message = f"Dimension specified as {dim} but tensor has no dimensions"
        refuse(IndexError, message, "a number has no dimension to ask for", "x.shape", rule="dim.scalar", dim=dim)
    result = wrap_dim(dim, ndim)
    if isinstance(result, Reason):
        result.refuse()
    return result


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


def is_meta(t: Tensor) -> bool:
    """Whether there are no numbers behind this tensor."""
    return type(t._array) is MetaArray


def any_meta(*tensors: Any) -> bool:
    return any(isinstance(t, Tensor) and type(t._array) is MetaArray for t in tensors)
