"""The Tensor: a view of a storage.

State and identity only. What a tensor can *do* is added by the rows (`ops/`); this file says what it *is*: an array
whose shape, strides and address are the size, stride and offset, a dtype, the tensor that it is a view of, and the key,
which says whether anything about it is special.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from ..errors.reasons import refuse
from ..errors.warnings import warn
from ..memory import MetaArray, address_of
from ..memory import place_of as place_of_array
from ..types import dtypes
from ..types.attributes import UsersAttributes
from ..types.built_in import ShownAsPyTorchs
from ..types.device import META, device, gpu_is_there
from ..types.dtypes import dtype
from ..types.size import Size
from . import grad_flag
from .handing_on import DISABLED
from .keys import KEY_AUTOGRAD, KEY_INFERENCE, KEY_META, KEY_PROMISE
from .lookups import checked_dim, geometry_of, storage_of
from .members import answer, asks_kinds
from .storages.typed import TypedStorage, typed
from .storages.untyped import UntypedStorage, refuse_pinning
from .versions import version_owner

if TYPE_CHECKING:
    # Only a stub, written from the rows: the methods that they add to the class, for type checkers.
    from .tensor_methods import TensorMethods
else:
    TensorMethods = object

_size = tuple.__new__


class TensorBase(TensorMethods):
    """Has a `__dict__`, which `Tensor` shows without what the engine keeps in it."""

    __slots__ = ("__dict__",)


on_new_class: list[Callable[[type[Tensor]], None]] = []
"""Called with each class that is made from `Tensor`; `overriding.members` adds what it needs."""


class Tensor(TensorBase, metaclass=ShownAsPyTorchs):
    """A view of a storage, with PyTorch's names for everything that it can do."""

    __slots__ = ("_array", "_dtype", "_base", "_keys", "_origin", "__weakref__")

    if TYPE_CHECKING:

        def __init__(self, *args: Any, **kwargs: Any) -> None: ...

    _array: Any
    _dtype: dtype
    _base: Tensor | None
    _keys: int
    # Where the tensor comes from in the graph of gradients. Only set, and only read, if `_keys` has KEY_AUTOGRAD.
    _origin: Any

    # The rest is rarely set, so it has its resting value on the class and lives in the instance's dictionary.
    _notes: Any = vars(TensorBase)["__dict__"]
    __dict__: Any = UsersAttributes()
    _storage: UntypedStorage | None = None
    _counter: Any = None
    _writes = 0
    _empty_offset = 0
    _lent = False
    _names: tuple[str | None, ...] | None = None
    _grad: Tensor | None = None
    # Of a view: how it was made, if that forbids writes in a graph: no_grad | inference | multiple | function
    _made = ""
    # Of such a view, and of one that was turned in place or written to: a version of its base before.
    _made_at = 0
    # Whether the class is asked about calls with an instance; so it is with the classes that users make.
    _stays = False
    __array_priority__ = 1000

    if TYPE_CHECKING:  # `overriding.default` has it

        @classmethod
        def __torch_function__(
            cls, func: Callable, types: Any, args: tuple = (), kwargs: dict[str, Any] | None = None
        ) -> Any: ...

    def __init_subclass__(cls, stays: bool | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        says = getattr(cls, "__torch_function__", None)
        cls._stays = says is not DISABLED if stays is None else stays
        for tell in on_new_class:
            tell(cls)

    # -- shape ---------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> Size:
        """The length of each dimension."""
        return _size(Size, self._array.shape)

    @overload
    def size(self) -> Size: ...
    @overload
    def size(self, dim: int) -> int: ...
    def size(self, dim: int | str | None = None) -> Any:
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
            refuse(
                TypeError,
                "len() of a 0-d tensor",
                "a tensor without dimensions has no length",
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

    is_mkldnn = is_mps = is_xla = is_xpu = is_ipu = is_nested = is_vulkan = is_maia = is_mtia = property(
        lambda self: False, doc="Always False: there are no such tensors here."
    )

    @property
    def volatile(self) -> bool:
        """Always False: `no_grad` has replaced it."""
        warn("volatile was removed (Variable.volatile is always False)")
        return False

    @volatile.setter
    def volatile(self, value: Any) -> None:
        warn("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.")

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

    @property
    def _backward_hooks(self) -> Any:
        """What `register_hook` has added, by number; None before. Libraries set it to None, or to a dict."""
        return self._notes.get("_hooks")

    @_backward_hooks.setter
    def _backward_hooks(self, hooks: dict[int, Callable] | None) -> None:
        self._notes.pop("_hooks_of_view", None)
        self._notes["_hooks"] = hooks

    @_backward_hooks.deleter
    def _backward_hooks(self) -> None:
        refuse(
            RuntimeError,
            "Deletion of _backwards_hooks not allowed!",
            "every tensor has hooks, which may be None",
            "x._backward_hooks = None",
            rule="autograd.hook",
        )

    @property
    def _post_accumulate_grad_hooks(self) -> Any:
        """What `register_post_accumulate_grad_hook` has added, by number; None before."""
        return None

    # -- storage -------------------------------------------------------------------------------------------------

    def untyped_storage(self) -> UntypedStorage:
        """The bytes that this tensor is a view of."""
        return storage_of(self)

    def storage(self) -> TypedStorage:
        """The storage read as this tensor's dtype; one object for all views of it."""
        return typed(storage_of(self), self._dtype)

    _typed_storage = storage

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

    def is_same_size(self, other: Tensor) -> bool:
        """Whether both have the same size."""
        return self._array.shape == other._array.shape

    def is_shared(self) -> bool:
        """Whether other processes can read and write the bytes."""
        return storage_of(self).is_shared()

    def share_memory_(self) -> Tensor:
        """Move the storage, and with it all tensors on it, to memory that other processes can read and write."""
        storage_of(self)._share(self)
        return self

    def record_stream(self, s: Any) -> None:
        """Notes that a queue of work on a GPU uses the memory, so that it is not given to others too early."""
        from .recorded_stream import refuse_stream

        refuse_stream(self, s)

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
        return self._base is not None and "_no_view" not in self._notes

    @property
    def _version(self) -> int:
        if self._keys & KEY_INFERENCE and "_counts" not in self._notes:
            grad_flag.refuse_version()
        return version_owner(self)._writes

    # -- gradients (what tensors that require them answer instead is in `autograd/members.py`) ---------------------

    @property
    def _requires_grad(self) -> bool:
        return bool(self._keys & KEY_AUTOGRAD)

    @_requires_grad.setter
    def _requires_grad(self, value: bool) -> None:
        grad_flag.set_requires_grad(self, value)

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded, so that `backward` can compute gradients."""
        return bool(self._keys & KEY_AUTOGRAD)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        grad_flag.assign(self, value)

    @requires_grad.deleter
    def requires_grad(self) -> None:
        grad_flag.assign(self, None)  # PyTorch deletes by setting nothing, which is not a flag

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
        self._notes.pop("_grad", None)

    @property
    def grad_dtype(self) -> dtypes.dtype | None:
        """The dtype of the gradient of this leaf: its own, unless another one was chosen; None for any."""
        return grad_flag.read_grad_dtype(self)

    @grad_dtype.setter
    def grad_dtype(self, value: dtypes.dtype | None) -> None:
        grad_flag.choose_grad_dtype(self, value)

    @property
    def grad_fn(self) -> Any:
        """The node of the graph that this tensor is a result of; None for a leaf."""
        return None

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation computed this tensor."""
        return True

    @property
    def retains_grad(self) -> bool:
        """Whether `retain_grad` was called on this tensor, which is not a leaf."""
        return "_retains" in self._notes

    @property
    def name(self) -> str | None:
        """A name that old programs gave to a tensor; there is none now."""
        return None

    @property
    def output_nr(self) -> int:
        """Which result of its node this tensor is."""
        return 0

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Computes the gradient of this tensor with respect to the leaves of its graph."""
        grad_flag.refuse_backward(self, gradient, inputs)

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
        return bool(self._keys & KEY_INFERENCE) and "_no_counter" not in self._notes

    # -- iteration and identity ----------------------------------------------------------------------------------

    def __hash__(self) -> int:
        return id(self)

    def __dir__(self) -> list[str]:
        known = {n for n in set(dir(type(self))) | set(self._notes) if not n.startswith("_") or n.startswith("__")}
        return sorted(known if self.is_cuda else known - {"__cuda_array_interface__"})
