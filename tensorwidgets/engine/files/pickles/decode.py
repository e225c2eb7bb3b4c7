"""Rebuild objects from a pickle: the inverse of `encode`. `allowed` lists the functions that a pickle may name.

Each function checks its arguments, which come from an untrusted file: a view must lie inside its storage, a size must
consist of integers, a storage must be one.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import Any
from weakref import WeakKeyDictionary

from ...geometry import extent
from ...interop.copy_and_pickle import rebuilt
from ...interop.parameter import Parameter, same_data
from ...tensor.classes import in_class
from ...tensor.keys import KEY_CONJ, KEY_NEG
from ...tensor.storages.typed import TypedStorage, storage_class
from ...tensor.storages.untyped import UntypedStorage
from ...tensor.tensor import Tensor
from ...types import formats
from ...types.attributes import HIDDEN
from ...types.device import device
from ...types.dtypes import FLOAT, dtype
from ...types.size import Size
from ..errors import refuse_record
from .nesting import AllowedGlobal, Keys
from .pickle_read import Maker

_PICKLE = "data.pkl"
_MOST_BYTES = 1 << 62
NAMES = "tensorwidgets_names"
"""The attribute that keeps the names of dimensions. PyTorch reads it as an ordinary attribute."""
REBUILDER = "torch._utils._rebuild_"
"""The prefix of all functions that rebuild a tensor."""


OWN_STATE = HIDDEN | {"_requires_grad", "grad"}
"""The engine's attributes in a tensor's `__dict__`. All others belong to the user and are saved and loaded."""


class StorageKind(AllowedGlobal):
    """The value of a name such as `torch.FloatStorage`: the dtype of a storage. A pickle cannot call it."""

    __slots__ = ("name", "dtype")

    def __init__(self, name: str, dtype: dtype | None):
        self.name, self.dtype = name, dtype


RECORDS: WeakKeyDictionary[UntypedStorage, str] = WeakKeyDictionary()
"""The record that a storage was read from, for error messages."""


def read_as(storage: UntypedStorage, d: dtype | None) -> UntypedStorage | TypedStorage:
    """A storage with the dtype that the pickle refers to it by.

    The untyped storage does not cache the typed one here: the reference cycle would keep a large file in memory until
    the garbage collector runs.
    """
    if d is None:
        return storage
    made: TypedStorage = object.__new__(storage_class(d))
    made.dtype, made._untyped_storage = d, storage
    return made


def held_as(held: Any) -> tuple[UntypedStorage, dtype | None]:
    """The untyped storage and dtype of a tensor's storage argument; refuses any other object."""
    if isinstance(held, TypedStorage):
        return held.untyped(), held.dtype
    if type(held) is not UntypedStorage:
        refuse_record(_PICKLE, f"a tensor is built on a {type(held).__name__}, not on a storage", rule="file.tensor")
    return held, None


# -- tensors -----------------------------------------------------------------------------------------------------


def tensor_v2(
    held: Any,
    offset: int,
    size: tuple[int, ...],
    stride: tuple[int, ...],
    requires_grad: bool = False,
    hooks: Any = None,
    metadata: Any = None,
) -> Tensor:
    """A tensor with the dtype of its storage."""
    storage, d = held_as(held)
    _check_plain(d)
    return _view(storage, d, offset, size, stride, requires_grad, metadata)


def tensor_v3(
    held: UntypedStorage,
    offset: int,
    size: tuple[int, ...],
    stride: tuple[int, ...],
    requires_grad: bool,
    hooks: Any,
    d: dtype,
    metadata: Any = None,
) -> Tensor:
    """A tensor on a storage of bytes, with its dtype as an argument."""
    storage, _ = held_as(held)
    _check_plain(d)
    return _view(storage, d, offset, size, stride, requires_grad, metadata)


def meta_tensor(d: dtype, size: tuple[int, ...], stride: tuple[int, ...], requires_grad: bool) -> Tensor:
    """A tensor on the meta device."""
    _check_plain(d)
    whole, steps = whole_numbers("size", size), whole_numbers("stride", stride)
    needed = bytes_needed(d, 0, whole, steps)
    storage = UntypedStorage._meta(needed)
    return rebuilt(storage, d, whole, steps, 0, _flag(requires_grad, d))


def parameter(data: Any, requires_grad: Any, hooks: Any = None) -> Parameter:
    """A parameter around a tensor."""
    _check_tensor(data)
    made: Any = in_class(same_data(data), Parameter)
    made._requires_grad = _flag(requires_grad, data._dtype)
    return made


def parameter_with_state(data: Any, requires_grad: Any, hooks: Any, state: Any) -> Parameter:
    """A parameter with the user's attributes."""
    made = parameter(data, requires_grad)
    set_attributes(made, state)
    return made


def with_state(function: Any, kind: Any, args: Any, state: dict[str, Any]) -> Tensor:
    """A tensor with the user's attributes."""
    if type(function) is not Maker or not function.name.startswith(REBUILDER) or type(args) is not tuple:
        refuse_record(
            _PICKLE, "a tensor with attributes is rebuilt by a function that returns no tensor", rule="file.tensor"
        )
    if kind is not PLAIN_TENSOR and kind is not PARAMETER:
        refuse_record(_PICKLE, "a tensor of an unknown class", rule="file.tensor")
    made = function.make(*args)
    set_attributes(made, state)
    return made


def set_attributes(t: Tensor, state: Any) -> None:
    """Set the user's attributes of a tensor; refuse names that the class defines."""
    if type(state) is tuple and len(state) == 2 and not state[1]:
        state = state[0]
    if state is None:
        return
    if type(state) is not dict:
        refuse_record(_PICKLE, "a tensor's attributes are not a dict", rule="file.state")
    state = dict(state)
    names = state.pop(NAMES, None)
    for name in state:
        check_attribute(t, name)
    t._notes.update(state)
    if names is not None:
        name_dims(t, names)


def name_dims(t: Tensor, names: Any) -> None:
    """Name a tensor's dimensions with names from a file."""
    from ...modes.named_tensors.tensors import put_on

    if type(names) is not tuple or len(names) != t._array.ndim:
        refuse_record(_PICKLE, f"names {names!r} for a tensor of {t._array.ndim} dimensions"[:200], rule="file.names")
    present = [name for name in names if name is not None]
    if any(type(name) is not str or not name.isidentifier() for name in present) or len({*present}) < len(present):
        refuse_record(_PICKLE, f"invalid names of dimensions: {names!r}"[:200], rule="file.names")
    put_on(t, names)


def check_attribute(owner: Any, name: str) -> None:
    """Refuse an attribute that would hide one that the object's class defines."""
    taken = name in OWN_STATE if type(name) is str else True
    if taken or not name.isidentifier() or hasattr(type(owner), name) or name.startswith("__"):
        refuse_record(
            _PICKLE,
            f"would set {str(name)[:60]!r} of a {type(owner).__name__}",
            "an attribute from a file may not hide one that the class defines",
            rule="file.state",
        )


def rebuild_view(held: Any, offset: int, size: tuple[int, ...], stride: tuple[int, ...]) -> Tensor:
    """A plain view of a storage, in the dtype that the pickle refers to it by."""
    storage, d = held_as(held)
    if d is None:
        refuse_record(_PICKLE, "a quantized tensor is built on a storage without a dtype", rule="file.tensor")
    return _view(storage, d, offset, size, stride, False, None)


def _check_plain(d: dtype | None) -> None:
    if type(d) is not dtype:
        refuse_record(_PICKLE, f"a tensor's dtype is {d!r}"[:200], rule="file.tensor")
    if d._is_quantized:
        refuse_record(_PICKLE, f"a plain tensor of {d}, a quantized dtype that needs a scale", rule="file.tensor")


def _view(
    storage: UntypedStorage, d: Any, offset: int, size: Any, stride: Any, requires_grad: Any, metadata: Any
) -> Tensor:  # fmt: skip
    whole, steps = whole_numbers("size", size), whole_numbers("stride", stride)
    if type(offset) is not int or offset < 0:
        refuse_record(_PICKLE, f"a tensor's storage offset is {offset!r}"[:200], rule="file.tensor")
    needed, there = bytes_needed(d, offset, whole, steps), storage.nbytes()
    if needed > there:
        refuse_record(
            RECORDS.get(storage, _PICKLE),
            f"a tensor of size {list(whole)}, stride {list(steps)} and offset {offset} reaches to byte {needed:,}, but "
            f"its storage ends at byte {there:,}",
            "nothing outside the storage is read",
            rule="file.bounds",
            size=whole,
            stride=steps,
            offset=offset,
        )
    return rebuilt(storage, d, whole, steps, offset, _flag(requires_grad, d), _promises(metadata))


def whole_numbers(what: str, values: tuple[int, ...]) -> tuple[int, ...]:
    """A size or a stride, checked."""
    if not isinstance(values, (tuple, list)) or len(values) > 64:
        refuse_record(_PICKLE, f"a tensor's {what} is {values!r}"[:200], rule="file.tensor")
    for n in values:
        if type(n) is not int or not 0 <= n < _MOST_BYTES:
            refuse_record(_PICKLE, f"a tensor's {what} is {list(values)!r}"[:200], rule="file.tensor")
    return tuple(values)


def bytes_needed(d: dtype, offset: int, size: tuple[int, ...], stride: tuple[int, ...]) -> int:
    """How many bytes of storage a tensor needs, from the storage's start."""
    if len(size) != len(stride):
        refuse_record(
            _PICKLE, f"a tensor has {len(size)} dimensions and {len(stride)} strides"[:200], rule="file.tensor"
        )
    numel = 1
    for n in size:
        numel *= n
    needed = (offset + extent(size, stride)) * d.itemsize if numel else 0
    if max(numel * d.itemsize, needed, offset * d.itemsize) >= _MOST_BYTES:
        refuse_record(_PICKLE, f"a tensor of size {list(size)} exceeds any memory"[:200], rule="file.tensor")
    return needed


def _flag(requires_grad: bool, d: dtype) -> bool:
    if type(requires_grad) is not bool or requires_grad and d._kind < FLOAT:
        refuse_record(_PICKLE, f"a tensor's requires_grad is {requires_grad!r}"[:200], rule="file.tensor")
    return requires_grad


def _promises(metadata: Any) -> int:
    if not metadata:
        return 0
    keys = {"conj": KEY_CONJ, "neg": KEY_NEG}
    if type(metadata) is not dict or any(name not in keys or type(v) is not bool for name, v in metadata.items()):
        refuse_record(_PICKLE, f"a tensor's metadata is {metadata!r}"[:200], rule="file.tensor")
    return sum(keys[name] for name, promised in metadata.items() if promised)


def _check_tensor(value: Tensor | None) -> None:
    if not isinstance(value, Tensor):
        refuse_record(_PICKLE, f"has a {type(value).__name__} where a tensor is expected", rule="file.tensor")


# -- other objects -----------------------------------------------------------------------------------------------


def codecs_encode(text: str, encoding: str) -> bytes:
    if type(text) is not str or encoding not in ("latin1", "latin-1"):
        refuse_record(_PICKLE, "bytes are written in an unsupported encoding", rule="file.bytes")
    return text.encode("latin1")


def size_(dims: tuple[int, ...] = ()) -> Size:
    return Size(whole_numbers("size", dims))


def device_(kind: str, index: int | None = None) -> device:
    if type(kind) is not str or index is not None and type(index) is not int:
        refuse_record(_PICKLE, "the name of a device is not text", rule="file.device")
    return device(kind, index)


def layout_(name: str) -> Any:
    result = LAYOUTS.get(name) if type(name) is str else None
    if result is None:
        refuse_record(_PICKLE, f"an unknown layout: {name!r}"[:200], rule="file.layout")
    return result


def ordered_(items: tuple[int, ...] = ()) -> OrderedDict:
    made: OrderedDict = OrderedDict()
    if not isinstance(items, (list, tuple)):
        refuse_record(_PICKLE, "an OrderedDict is built from something that is not a list", rule="file.items")
    keys = Keys(_PICKLE, len(items))
    for pair in items:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            refuse_record(_PICKLE, "an OrderedDict is built from items that are not pairs", rule="file.items")
        keys.check(pair[0], made)
        made[pair[0]] = pair[1]
    return made


def counter_(counts: dict[str, Any] | None = None) -> Counter:
    made: Counter = Counter()
    if counts is not None and type(counts) is not dict:
        refuse_record(_PICKLE, "a Counter is built from something that is not a dict", rule="file.items")
    dict.update(made, counts or {})
    return made


def set_(items: Any = ()) -> set:
    if not isinstance(items, (list, tuple)):
        refuse_record(_PICKLE, "a set is built from something that is not a list", rule="file.items")
    keys, made = Keys(_PICKLE, len(items)), set[Any]()
    for item in items:
        keys.check(item, made)
    made.update(items)
    return made


def frozenset_(items: Any = ()) -> frozenset:
    return frozenset(set_(items))


def complex_(real: float, imaginary: float) -> complex:
    if type(real) not in (int, float) or type(imaginary) not in (int, float):
        refuse_record(_PICKLE, "a complex number is built from something that is not a number", rule="file.number")
    return complex(real, imaginary)


def bytearray_(data: Any = b"", encoding: Any = None) -> bytearray:
    if encoding is not None:
        data = codecs_encode(data, encoding)
    if type(data) is not bytes:
        refuse_record(_PICKLE, "a bytearray is built from something that is not bytes", rule="file.bytes")
    return bytearray(data)


def bytes_() -> bytes:
    return b""


LAYOUTS = {repr(v): v for v in vars(formats).values() if type(v) is formats.layout}
PLAIN_TENSOR, PARAMETER = StorageKind("torch.Tensor", None), StorageKind("torch.nn.parameter.Parameter", None)
