"""Encode tensors, storages, dtypes and devices for a file: which global is called with which arguments.

Each kind of tensor has one function here; its inverse is in `decode`.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from ...interop.copy_and_pickle import warn_if_has_hooks
from ...interop.parameter import Parameter, same_data
from ...tensor.keys import KEY_CONJ, KEY_META, KEY_NAMES, KEY_NEG, KEY_PROMISE
from ...tensor.lookups import size_and_stride, storage_of
from ...tensor.storages.typed import TypedStorage
from ...tensor.storages.untyped import UntypedStorage
from ...tensor.tensor import Tensor
from ...types.device import device
from ...types.dtypes import dtype
from ...types.formats import layout, qscheme
from ...types.size import Size
from ..errors import refuse_record
from .decode import NAMES, OWN_STATE
from .pickle_write import Call, Global, Persistent, View
from .special_tensors import CODECS
from .storage_types import STORAGE_NAMES, UNTYPED

_META = Global("torch._utils", "_rebuild_meta_tensor_no_storage")
_PARAMETER = Global("torch._utils", "_rebuild_parameter")
_PARAMETER_WITH_STATE = Global("torch._utils", "_rebuild_parameter_with_state")
_WITH_STATE = Global("torch._tensor", "_rebuild_from_type_v2")
_TENSOR, _SIZE, _DEVICE = Global("torch", "Tensor"), Global("torch", "Size"), Global("torch", "device")
_LAYOUT = Global("torch.serialization", "_get_layout")
_BYTES = Global(*UNTYPED.rsplit(".", 1))


class Storages:
    """The storages of a file, numbered in order of first use, and how many bytes of each the tensors use."""

    def __init__(self) -> None:
        self.numbers: dict[UntypedStorage, str] = {}
        self._kinds = {d: Global("torch", name) for d, name in STORAGE_NAMES.items()}
        self.dtypes: dict[UntypedStorage, dtype | None] = {}
        self.viewed: dict[UntypedStorage, int] = {}

    def reference(self, storage: UntypedStorage, d: dtype | None, viewed: int) -> Persistent:
        """The pickle's reference to a storage: by a dtype that has a storage class, or as bytes if `d` is None."""
        number = self.numbers.setdefault(storage, str(len(self.numbers)))
        self.viewed[storage] = self.viewed.get(storage, 0) + viewed
        nbytes = storage.nbytes()
        if d is None:
            kind, length = _BYTES, nbytes
        else:
            kind, length = self._kinds[d], nbytes // d.itemsize
        return Persistent(("storage", kind, number, str(storage.device), length))

    def reads_as(self, storage: UntypedStorage, d: dtype) -> bool:
        """Whether the pickle may refer to a storage by this dtype: it has a storage class and is the first one used."""
        return d in STORAGE_NAMES and self.dtypes.setdefault(storage, d) is d


def _hooks() -> OrderedDict:
    """The argument for hooks in PyTorch's calls: always an empty dict, a new one for each tensor."""
    return OrderedDict()


def _plain(t: Tensor, storages: Storages) -> Call | View:
    size, stride = size_and_stride(t)
    storage, d = storage_of(t), t._dtype
    typed = storages.reads_as(storage, d)
    held = storages.reference(storage, d if typed else None, t.nbytes)
    view = View(held, t.storage_offset(), size, stride, t._requires_grad, None if typed else Global("torch", d._name))
    if not t._keys & KEY_PROMISE:
        return view
    return view.call(({name: True for name, key in (("conj", KEY_CONJ), ("neg", KEY_NEG)) if t._keys & key},))


def _meta(t: Tensor, storages: Storages) -> Call:
    size, stride = size_and_stride(t)
    return Call(_META, (t._dtype, size, stride, t._requires_grad))


_ENCODERS = (*[(codec.key, codec.encode) for codec in CODECS], (KEY_META, _meta))
"""Pairs of a key and the function that encodes tensors with it. The first match counts; a plain tensor has none."""


def state_of(t: Tensor) -> dict[str, Any]:
    """The attributes to save: the user's, and the names of dimensions."""
    collected = {name: value for name, value in t._notes.items() if name not in OWN_STATE}
    if t._keys & KEY_NAMES and t._names is not None:
        collected[NAMES] = tuple(t._names)
    return collected


def encode_tensor(t: Tensor, storages: Storages) -> Call | View:
    """The call that rebuilds a tensor."""
    if getattr(type(t), "_is_lazy", False):  # PyTorch writes its class, and then refuses to load the file
        refuse_record(
            "data.pkl",
            f"cannot write a tensor of the class {type(t).__qualname__}",
            "it has no size and no numbers before the first input",
            "model(example)",
            rule="file.class",
            type=type(t).__qualname__,
        )
    if type(t) is not Tensor and not issubclass(type(t), Parameter):
        refuse_record(
            "data.pkl",
            f"cannot write a tensor of the class {type(t).__qualname__}",
            "a file of tensors cannot store a user-defined class",
            "x.as_subclass(torch.Tensor)",
            rule="file.class",
            type=type(t).__qualname__,
        )
    state = state_of(t)
    if issubclass(type(t), Parameter):  # also one of a user's class, as in PyTorch
        bare = same_data(t)
        bare._keys &= ~KEY_NAMES
        inside = _encode_kind(bare, storages)
        if state:
            return Call(_PARAMETER_WITH_STATE, (inside, t._requires_grad, _hooks(), state))
        return Call(_PARAMETER, (inside, t._requires_grad, _hooks()))
    warn_if_has_hooks(t)
    encoded = _encode_kind(t, storages)
    if not state:
        return encoded
    call = encoded.call() if isinstance(encoded, View) else encoded
    return Call(_WITH_STATE, (call.function, _TENSOR, call.args, state))


def _encode_kind(t: Tensor, storages: Storages) -> Call | View:
    return next((encode for key, encode in _ENCODERS if t._keys & key), _plain)(t, storages)


def encode(value: Any, storages: Storages) -> Call | View | Global | Persistent | None:
    """Encode an object of the engine; return None for any other object."""
    if isinstance(value, Tensor):
        return encode_tensor(value, storages)
    kind = type(value)
    if kind is dtype or kind is qscheme:
        return Global("torch", value._name if kind is dtype else value.name)
    if kind is Size:
        return Call(_SIZE, (tuple(value),))
    if kind is device:
        return Call(_DEVICE, (value.type,) if value.index is None else (value.type, value.index))
    if kind is layout:
        return Call(_LAYOUT, (repr(value),))
    if kind is UntypedStorage:
        return storages.reference(value, None, value.nbytes())
    if isinstance(value, TypedStorage):
        storage = value.untyped()
        read_dtype = value.dtype if storages.reads_as(storage, value.dtype) else None
        return storages.reference(storage, read_dtype, storage.nbytes())
    return None
