"""Which kinds of tensor there are besides the plain one, and what each of them brings.

A plain tensor is strided, on the CPU, with `_keys == 0`. A *kind* is one bit of `_keys`. All that it brings stands in a
file of its own, its *room*, which is imported when the first tensor of the kind is made; until then it costs nothing:

- an object in the array's place, with at least `shape`, `ndim`, `size` and `itemsize` (see `Parts`);
- *kernels*: what an op does with such a tensor (`@kernel("add", "sparse")`), looked up by key in `Op.kernels`;
- a *fallback* for the ops that it has no kernel for; without one they are refused as PyTorch refuses them;
- *members*: what the class `Tensor` itself answers for it (`layout`, `is_sparse`, `stride`, `__repr__`, `__deepcopy__`,
  `__reduce_ex__` …); of other tensors the answer stays what it was.

Ops that only this kind has are rows like all others, in a light module that is imported with the engine (`rows`).
So a layout or a device is added by a line at the end of this file and a room that nobody else knows of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from inspect import getattr_static
from types import FunctionType
from typing import Any

from .dtypes import dtype
from .reasons import refuse
from .tensor import KEY_CLASS, KEY_NAMES, LAST_KEY, Tensor, wrap


class Kind:
    """What is special about some tensors: a bit of the key, and what comes with it."""

    __slots__ = ("name", "key", "backend", "words", "room", "rows", "fallback", "refusal", "way_out", "passes", "wraps")

    def __init__(
        self, name: str, key: int, backend: str, words: str, room: str | None, rows: str | None, wraps: bool = False
    ):
        self.name, self.key, self.backend, self.words = name, key, backend, words
        self.room, self.rows = room, rows
        self.fallback: Callable[[Any, tuple, dict], Any] | None = None
        """Called as `fallback(op, args, kwargs)` where the op has no kernel for this kind: a way for all ops."""
        self.refusal: Callable[[Any, tuple, dict], Any] | None = None
        """Called likewise where there is no such way, to refuse in words of the kind's own."""
        self.way_out: tuple[str, ...] = ()
        """What to write instead where an op has no kernel."""
        self.passes: Callable[[Any, tuple, dict], tuple[str, bool]] | None = None
        """Says what happens here to a call, and whether the fallback then sends it on to the next station."""
        self.wraps = wraps
        """Whether it only wraps a call, whose numbers are computed further on; such kinds are asked first."""

    def __repr__(self) -> str:
        return f"<kind {self.name}: {self.words}>"

    def wake(self) -> Kind:
        """Load what the kind brings, unless it is loaded.

        The import itself makes other threads wait. If an interrupt ends it, the next call imports again.
        """
        room = self.room
        if room is not None:
            module = import_module(room)
            if not getattr(module.__spec__, "_initializing", False):  # else the room itself asks, while it is loading
                self.room = None
        return self

    def wrap(self, array: Any, d: dtype) -> Tensor:
        """A fresh tensor of this kind around what stands in its array's place."""
        t = wrap(array, d)
        t._keys = self.key
        if self.room is not None:
            self.wake()
        return t

    def members(self, answers: Mapping[str, Any]) -> None:
        """Let the class `Tensor` answer otherwise for this kind: methods, properties, or constants by name."""
        for name, own in answers.items():
            setattr(Tensor, name, _by_key(self.key, name, own, getattr_static(Tensor, name, None)))


KINDS: dict[str, Kind] = {}
"""Every kind by its name, in the order in which they are asked: the first that is found takes the call."""

_last = LAST_KEY
"""The last bit that was given out."""


def add_kind(
    name: str, words: str, *, backend: str = "", room: str | None = None, rows: str | None = None, key: int = 0,
    wraps: bool = False,
) -> Kind:  # fmt: skip
    """Enter a kind.

    `room` is the module that brings its kernels and members, `rows` the one that declares ops of its own; `backend` is
    what PyTorch calls it in refusals, and `key` a bit that nobody else has if none is named. A kind that `wraps` does
    something around a call and leaves the numbers to the stations after it.

    >>> add_kind("spare", "only for this example").key > max(k.key for k in KINDS.values() if k.name != "spare")
    True
    >>> forget_kind("spare")
    """
    global _last
    if name in KINDS:
        refuse(
            ValueError,
            f"there is a kind called {name!r} already",
            f"the kinds are {', '.join(KINDS)}",
            rule="kind.name",
            name=name,
        )
    own = key
    if not own:
        own = _last = 2 * _last  # never one that was in use, for kernels may still be entered under it
    kind = KINDS[name] = Kind(name, own, backend or name, words, room, rows, wraps)
    return kind


def forget_kind(name: str) -> None:
    """Take a kind out again; its tensors are then refused nothing and promised nothing."""
    KINDS.pop(name)


def layout_keys() -> int:
    """The keys of the kinds that say how elements are kept; those that only wrap a call are left out."""
    keys = 0
    for kind in list(KINDS.values()):
        if not kind.wraps:
            keys |= kind.key
    return keys


class Parts:
    """What stands in an array's place where a tensor is told by several parts: it has a shape, and no strides.

    What is made for arrays finds none here, and says so.
    """

    __slots__ = ("shape", "ndim", "size", "itemsize")

    def __init__(self, shape: tuple[int, ...], itemsize: int):
        self.shape, self.ndim, self.itemsize, self.size = tuple(shape), len(shape), itemsize, 1
        for n in shape:
            self.size *= n

    def tensors(self) -> list[Tensor]:
        """The plain tensors that it is told by: their storages are its own."""
        return [part for name in type(self).__slots__ if isinstance(part := getattr(self, name), Tensor)]


def plain_parts(t: Tensor) -> list[Tensor]:
    """The plain tensors that a tensor is told by: itself, if it has strides."""
    return t._array.tensors() if isinstance(t._array, Parts) else [t]


def _by_key(key: int, name: str, own: Any, otherwise: Any) -> Any:
    """A member of the class that asks for the key first."""
    if isinstance(own, FunctionType):

        @wraps(otherwise or own)
        def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
            if self._keys & key:
                return own(self, *args, **kwargs)
            if otherwise is None:
                raise _missing(name)
            return otherwise(self, *args, **kwargs)

        return method

    def get(self: Tensor) -> Any:
        return _read(own if self._keys & key else otherwise, self, name)

    def set_(self: Tensor, value: Any) -> None:
        _write(own if self._keys & key else otherwise, self, name, value)

    told = otherwise if isinstance(otherwise, property) else own
    getter = getattr(told, "fget", None)
    get.__annotations__ = getattr(getter, "__annotations__", {})
    writable = any(getattr(member, "fset", None) is not None for member in (own, otherwise))
    return property(get, set_ if writable else None, doc=told.__doc__ if isinstance(told, property) else None)


def _read(member: Any, t: Tensor, name: str) -> Any:
    if member is None:
        raise _missing(name)
    return member.fget(t) if isinstance(member, property) and member.fget is not None else member


def _write(member: Any, t: Tensor, name: str, value: Any) -> None:
    if not isinstance(member, property) or member.fset is None:
        raise AttributeError(f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable")
    member.fset(t, value)


def _missing(name: str) -> AttributeError:
    return AttributeError(f"'Tensor' object has no attribute '{name}'")


_SPARSE = "tensorwidgets.engine.layouts.sparse."
_QUANTIZED = "tensorwidgets.engine.layouts.quantized."

# A room stands here by its full name: rows="tensorwidgets.engine.layouts.…", room="tensorwidgets.engine.layouts.…".
add_kind("subclass", "of a class of the user's own", key=KEY_CLASS, wraps=True, room="tensorwidgets.engine.subclasses")
add_kind("names", "dimensions with names", key=KEY_NAMES, wraps=True, rows="tensorwidgets.engine.modes.names.rows")
add_kind("autograd", "a record of how it was made")
add_kind("sparse_csr", "rows (or columns) in compressed form", backend="SparseCsrCPU", room=_SPARSE + "kernels")
add_kind("sparse", "coordinates and values", backend="SparseCPU", rows=_SPARSE + "rows", room=_SPARSE + "kernels")
add_kind(
    "quantized", "whole numbers with a scale and a zero point", backend="QuantizedCPU",
    rows=_QUANTIZED + "rows", room=_QUANTIZED + "tensors",
)  # fmt: skip
add_kind("device", "on another device")
