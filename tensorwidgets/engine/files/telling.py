"""How tensors, storages, dtypes and devices are told in a file: which global is called with what.

One entry for each kind of tensor; the entry's twin that rebuilds the tensor stands in `rebuilding`.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from ..interop.parameter import Parameter
from ..tensor.storage import TypedStorage, UntypedStorage
from ..tensor.tensor import (
    KEY_CONJ,
    KEY_META,
    KEY_NAMES,
    KEY_NEG,
    KEY_PROMISE,
    Tensor,
    alias_of,
    size_and_stride,
    storage_of,
)
from ..types.device import device
from ..types.dtypes import dtype
from ..types.formats import layout, qscheme
from ..types.size import Size
from .errors import refuse_record
from .pickle_write import Call, Global, Persistent, View
from .rebuilding import NAMES, OWN_STATE
from .special_kinds import SPECIAL_KINDS
from .storage_types import STORAGE_NAMES, UNTYPED

_META = Global("torch._utils", "_rebuild_meta_tensor_no_storage")
_PARAMETER = Global("torch._utils", "_rebuild_parameter")
_PARAMETER_WITH_STATE = Global("torch._utils", "_rebuild_parameter_with_state")
_WITH_STATE = Global("torch._tensor", "_rebuild_from_type_v2")
_TENSOR, _SIZE, _DEVICE = Global("torch", "Tensor"), Global("torch", "Size"), Global("torch", "device")
_LAYOUT = Global("torch.serialization", "_get_layout")
_BYTES = Global(*UNTYPED.rsplit(".", 1))


class Storages:
    """The storages that a file holds, numbered as they are met, and how much of each is looked at."""

    def __init__(self) -> None:
        self.numbers: dict[UntypedStorage, str] = {}
        self._kinds = {d: Global("torch", name) for d, name in STORAGE_NAMES.items()}
        self.dtypes: dict[UntypedStorage, dtype | None] = {}
        self.looked_at: dict[UntypedStorage, int] = {}

    def reference(self, storage: UntypedStorage, d: dtype | None, looked_at: int) -> Persistent:
        """How the pickle refers to a storage, read as a dtype that has a storage class, or as bytes."""
        number = self.numbers.setdefault(storage, str(len(self.numbers)))
        self.looked_at[storage] = self.looked_at.get(storage, 0) + looked_at
        nbytes = storage.nbytes()
        if d is None:
            kind, length = _BYTES, nbytes
        else:
            kind, length = self._kinds[d], nbytes // d.itemsize
        return Persistent(("storage", kind, number, storage.device.type, length))

    def reads_as(self, storage: UntypedStorage, d: dtype) -> bool:
        """Whether a storage may be told with this dtype: one of each that has a class, and the first that asks."""
        return d in STORAGE_NAMES and self.dtypes.setdefault(storage, d) is d


def _hooks() -> OrderedDict:
    """PyTorch keeps a place for hooks; it is always empty, and there is one for each tensor."""
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


KIND_OF_TENSOR = (*[(kind.key, kind.tell) for kind in SPECIAL_KINDS], (KEY_META, _meta))
"""Keys, and how a tensor with one of them is told. The first that fits tells; a plain tensor fits none."""


def state_of(t: Tensor) -> dict[str, Any]:
    """The attributes that a file keeps: the user's, and the names of dimensions."""
    collected = {name: value for name, value in t.__dict__.items() if name not in OWN_STATE}
    if t._keys & KEY_NAMES and t._names is not None:
        collected[NAMES] = tuple(t._names)
    return collected


def tell_tensor(t: Tensor, storages: Storages) -> Call | View:
    """The call that rebuilds a tensor."""
    if type(t) is not Tensor and type(t) is not Parameter:
        refuse_record(
            "data.pkl",
            f"cannot write a tensor of the class {type(t).__qualname__}",
            "a file of tensors does not say what a class of your own is",
            "x.as_subclass(torch.Tensor)",
            rule="file.class",
            type=type(t).__qualname__,
        )
    state = state_of(t)
    if type(t) is Parameter:
        bare = alias_of(t, share_version=False)
        bare._keys &= ~KEY_NAMES
        inside = _told_by_kind(bare, storages)
        if state:
            return Call(_PARAMETER_WITH_STATE, (inside, t._requires_grad, _hooks(), state))
        return Call(_PARAMETER, (inside, t._requires_grad, _hooks()))
    told = _told_by_kind(t, storages)
    if not state:
        return told
    call = told.call() if isinstance(told, View) else told
    return Call(_WITH_STATE, (call.function, _TENSOR, call.args, state))


def _told_by_kind(t: Tensor, storages: Storages) -> Call | View:
    return next((tell for key, tell in KIND_OF_TENSOR if t._keys & key), _plain)(t, storages)


def tell(value: Any, storages: Storages) -> Call | View | Global | Persistent | None:
    """How an object of the engine is told; None for all others."""
    if isinstance(value, Tensor):
        return tell_tensor(value, storages)
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
        told_as = value.dtype if storages.reads_as(storage, value.dtype) else None
        return storages.reference(storage, told_as, storage.nbytes())
    return None
