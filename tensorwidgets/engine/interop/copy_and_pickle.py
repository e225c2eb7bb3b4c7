"""copy, deepcopy and pickle of tensors: what shares memory before shares it after.

A tensor consists of its storage, size, stride and offset. The storage is an object of its own, copied or written once
and whole however many tensors look at it; so two views in one list come back as two views of one memory.
"""

from __future__ import annotations

import copy
import copyreg
from typing import Any

from ..errors.reasons import refuse
from ..errors.warnings import warn
from ..geometry import Geometry
from ..geometry.memory import extent
from ..memory import MetaArray
from ..tensor.classes import in_class
from ..tensor.grad_mode import inference_enabled
from ..tensor.handing_on import WithoutClasses
from ..tensor.keys import KEY_INFERENCE, KEY_META, KEY_NAMES, KEY_PROMISE
from ..tensor.lazy_conj import resolve
from ..tensor.lookups import geometry_of, storage_of
from ..tensor.storages.untyped import UntypedStorage
from ..tensor.tensor import Tensor
from ..tensor.wrapping import wrap_any
from ..types import dtypes
from ..types.attributes import OWN
from .parameter import Parameter

_TRAVEL = KEY_PROMISE | KEY_NAMES
"""The keys that are copied; the names themselves are copied like the user's attributes."""


def rebuilt(
    storage: UntypedStorage, dtype: dtypes.dtype, size: tuple[int, ...], stride: tuple[int, ...], offset: int,
    requires_grad: bool = False, promises: int = 0, cls: type[Tensor] = Tensor,
) -> Tensor:  # fmt: skip
    """A tensor that looks at a storage in a certain way."""
    t = in_class(wrap_any(storage._array(size, stride, offset, dtype._in_numpy), dtype), cls)
    t._storage = storage
    t._keys |= promises
    if 0 in size:
        t._empty_offset = offset
    if requires_grad:
        t._requires_grad = True
    if inference_enabled():
        t._keys |= KEY_INFERENCE
    if not t._keys & KEY_META:
        t._writes = 1  # PyTorch counts the moment when a tensor is given its storage as a write
    return t


def _parts(t: Tensor, storage: UntypedStorage) -> tuple:
    g = geometry_of(t)
    if t._keys & KEY_META:  # whose copies have no memory to share: each spans its own elements
        g = g._replace(offset=0)
        storage = UntypedStorage._meta(extent(g.size, g.stride) * t._dtype.itemsize)
    cls = (
        Parameter if issubclass(type(t), Parameter) else type(t)
    )  # a user's class of parameters stays behind in PyTorch
    return (storage, t._dtype, g.size, g.stride, g.offset, t._requires_grad, t._keys & _TRAVEL, cls)


def attributes_of(t: Tensor) -> dict[str, Any]:
    """The attributes that the user has given a tensor, those in slots of the user's class among them."""
    found = {name: value for name, value in t._notes.items() if name not in OWN}
    if type(t) is not Tensor:
        for name in copyreg._slotnames(type(t)):  # type: ignore[attr-defined]
            if name not in Tensor.__slots__ and hasattr(t, name):
                found[name] = getattr(t, name)
    return found


def _give(t: Tensor, attributes: dict[str, Any]) -> None:
    """Set attributes of the user's."""
    for name, value in attributes.items():
        if name in t._notes or name not in copyreg._slotnames(type(t)):  # type: ignore[attr-defined]
            t._notes[name] = value
        else:
            setattr(t, name, value)


_STATE = ("__reduce_ex__", "__reduce__", "__getstate__", "__setstate__")
"""By these a class says itself what is copied and pickled."""


def _defines(cls: type, *names: str) -> bool:
    """Whether the user's class, or one that it is made from, has one of some methods of its own."""
    for base in cls.__mro__:
        if base in (Tensor, Parameter):
            return False
        own = [vars(base)[name] for name in names if name in vars(base)]
        if any(not hasattr(method, "__wrapped__") for method in own):
            return True
    return False


def warn_if_has_hooks(tensor: Tensor) -> None:
    """Warn that the hooks of a tensor are not written with it, unless they say so themselves."""
    hooks = tensor._notes.get("_hooks")
    for hook in hooks.values() if hooks else ():
        if not hasattr(hook, "__torch_unserializable__"):
            warn(
                f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, you can decorate the "
                "function with @torch.utils.hooks.unserializable_hook to suppress this warning"
            )


def _warn_of_hooks(tensor: Tensor) -> None:
    """The same, except that of a parameter's hooks PyTorch says nothing."""
    if not issubclass(type(tensor), Parameter):
        warn_if_has_hooks(tensor)


def _copy(self: Tensor) -> Tensor:
    """Another tensor on the same storage."""
    if type(self) is not Tensor and _defines(type(self), *_STATE):
        way = self.__reduce_ex__(4)
        return self if isinstance(way, str) else copy._reconstruct(self, None, *way)  # type: ignore[attr-defined]
    _warn_of_hooks(self)
    result = rebuilt(*_parts(self, storage_of(self)))
    if issubclass(type(self), Parameter):
        result._notes.pop("_writes", None)  # a parameter is a tensor's detached copy in PyTorch, and begins anew
    _give(result, attributes_of(self))
    return result


def _must_make_its_own(t: Tensor) -> None:
    """Refuse a tensor of a user's class that does not make tensors of this class: PyTorch fills one that it makes."""
    with WithoutClasses():
        if t._keys & KEY_META:
            made, way, kind, which = t.clone(), "clone()", "wrapper", "cloning"
        else:
            made, way, kind, which = t.new_empty([]), "new_empty()", "non-wrapper", "that function"
    if type(made) is not type(t):
        refuse(
            RuntimeError,
            f"The default implementation of __deepcopy__() for {kind} subclasses only works for subclass types that "
            f"implement {way} and for which {which} returns another instance of the same subclass. You should either "
            f"properly implement {way} for your subclass or override __deepcopy__() if it is intended behavior for "
            f"{way} to return an instance of a different type.",
            f"{way} of {type(t).__name__} returns a tensor of {type(made).__name__}",
            "x.detach().clone()",
            rule="deepcopy.class",
        )


def _deepcopy(self: Tensor, memo: dict) -> Tensor:
    """A tensor on a copy of the storage, which is shared with what else is copied in the same go."""
    result = memo.get(id(self))
    if result is not None:
        return result
    if not self.is_leaf:
        refuse(
            RuntimeError,
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
            "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, "
            "see https://github.com/pytorch/pytorch/pull/103001",
            "the graph behind this tensor cannot be copied with it",
            "x.detach().clone()",
            rule="deepcopy.graph",
        )
    if type(self) is not Tensor:
        _must_make_its_own(self)
    if self._keys & KEY_META:
        result = in_class(Tensor.clone(self.detach()), type(self))
        result._requires_grad = self._requires_grad
    elif self._keys & KEY_PROMISE:
        result = in_class(resolve(self), type(self))
        result._keys |= self._keys & KEY_NAMES
        result._requires_grad = self._requires_grad
    else:
        result = rebuilt(*_parts(self, copy.deepcopy(storage_of(self), memo)))
    memo[id(self)] = result
    if self._grad is not None:
        result._notes["_grad"] = copy.deepcopy(self._grad, memo)
    _give(result, copy.deepcopy(attributes_of(self), memo))
    return result


def _reduce(self: Tensor, protocol: int) -> tuple:
    """How pickle writes a tensor: its storage, once, and how it looks at it. Classes of users add to the two parts."""
    _warn_of_hooks(self)
    own = type(self) is not Tensor and _defines(type(self), "__getstate__")
    parts, state = _parts(self, storage_of(self)), self.__getstate__() if own else attributes_of(self)  # type: ignore[attr-defined]
    return (_rebuilt_with, (parts, state)) if state else (rebuilt, parts)


def _rebuilt_with(parts: tuple, state: Any) -> Tensor:
    """A tensor with the attributes that the user gave it, or with what its class makes of the state."""
    result = rebuilt(*parts)
    if _defines(type(result), "__setstate__"):
        result.__setstate__(state)
    else:
        for given in state if isinstance(state, tuple) else (state,):  # of the instance, and of its slots
            _give(result, given or {})
    return result


def _setstate(self: Tensor, state: Any) -> None:
    """Attributes from a dict; or, as in old pickles, (storage, offset, size, stride)."""
    if isinstance(state, dict):
        self._notes.update(state)
        return
    if len(state) < 4:
        refuse(
            ValueError,
            f"not enough values to unpack (expected 4, got {len(state)})",
            "the state holds a storage, an offset, a size and a stride",
            rule="pickle.state",
        )
    from ..tensor.moving.resizing import look_at

    storage, offset, size, stride = state[:4]
    bytes_of = storage if isinstance(storage, UntypedStorage) else storage.untyped()
    dtype = getattr(storage, "dtype", self._dtype)
    look_at(self, bytes_of, Geometry(tuple(size), tuple(stride), offset), dtype)
    if type(self._array) is not MetaArray and len(state) > 4:
        self._requires_grad = bool(state[4])


METHODS = {
    "__copy__": _copy, "__deepcopy__": _deepcopy, "__reduce_ex__": _reduce,
    "__setstate__": _setstate,
}  # fmt: skip
PROPERTIES: dict[str, Any] = {}
