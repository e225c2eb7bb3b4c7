"""Which kinds of tensor there are besides the plain one, and what each of them brings.

A plain tensor is strided, on the CPU, with `_keys == 0`. A *kind* is one bit of `_keys`. All that it brings is in a
module of its own, which is imported when the first tensor of the kind is made; until then it costs nothing:

- an object in the array's place, with at least `shape`, `ndim`, `size` and `itemsize` (see `NonStridedArray`);
- *kernels*: what an op does with such a tensor (`@kernel("add", "sparse")`), looked up by key in `Op.kernels`;
- a *fallback* for the ops that it has no kernel for; without one they are refused as PyTorch refuses them;
- *members*: what the class `Tensor` itself answers for it (`layout`, `is_sparse`, `stride`, `__repr__`, `__deepcopy__`,
  `__reduce_ex__` …); of other tensors the answer stays what it was.

Ops that only one kind has are rows like all others, in a light module that is imported with the engine. So a layout or
a device takes a line here, one in `engine/loaded_later.py`, and a room that no other room imports.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NoReturn

from ..errors.reasons import refuse
from ..tensor import grad_flag
from ..tensor.keys import KEY_AUTOGRAD, KEY_CLASS, KEY_INFERENCE, KEY_NAMES, LAST_KEY
from ..tensor.members import add_answers, take_answers
from ..tensor.tensor import Tensor
from ..tensor.wrapping import wrap
from ..types.dtypes import dtype


class TensorKind:
    """A kind of tensor: a bit of the key, and what comes with it."""

    __slots__ = (
        "name", "key", "backend", "words", "module", "fallback", "refusal", "way_out", "wraps",
        "describe_station",
    )  # fmt: skip

    def __init__(self, name: str, key: int, backend: str, words: str, module: str | None, wraps: bool = False):
        self.name, self.key, self.backend, self.words = name, key, backend, words
        self.module = module
        self.fallback: Callable[[Any, tuple, dict], Any] | None = None
        """Called as `fallback(op, args, kwargs)` if the op has no kernel for this kind."""
        self.refusal: Callable[[Any, tuple, dict], Any] | None = None
        """Called in the same way if there is no fallback, to raise an error of the kind's own."""
        self.way_out: tuple[str, ...] = ()
        """What to write instead if an op has no kernel."""
        self.describe_station: Callable[[Any, tuple, dict], tuple[str, bool]] | None = None
        """Returns what happens to a call here, and whether the fallback sends it on to the next station."""
        self.wraps = wraps
        """Whether it only wraps a call and a later station computes the numbers; such kinds come first."""

    def __repr__(self) -> str:
        return f"<kind {self.name}: {self.words}>"

    def wake(self) -> TensorKind:
        """Load what the kind brings, unless it is loaded.

        The import itself makes other threads wait. If an interrupt ends it, the next call imports again.
        """
        if self.module is not None:
            module = import_module(self.module)
            if not getattr(module.__spec__, "_initializing", False):  # else the module itself asks, while it is loading
                self.module = None
        return self

    def wrap(self, array: Any, d: dtype) -> Tensor:
        """A fresh tensor of this kind around an array or an object in its place."""
        t = wrap(array, d)
        t._keys = self.key
        if self.module is not None:
            self.wake()
        return t

    def members(self, answers: Mapping[str, Any]) -> None:
        """Set the members of `Tensor` for this kind: methods, properties, or constants by name."""
        add_answers(Tensor, self.key, dict(answers))


KINDS: dict[str, TensorKind] = {}
"""Every kind by its name, in the order in which a call meets them: the first that matches takes it."""

_last = LAST_KEY
"""The last bit in use."""


def add_kind(
    name: str, words: str, *, backend: str = "", module: str | None = None, key: int = 0, wraps: bool = False
) -> TensorKind:  # fmt: skip
    """Enter a kind.

    `module` brings its kernels and members and is imported with the first such tensor. `backend` is what PyTorch calls
    the kind in refusals, and `key` a bit that is free if none is named. A kind that `wraps` does something around a
    call and leaves the numbers to the stations after it.

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
    bit = key
    if not bit:
        bit = _last = 2 * _last  # never one that was in use, for kernels may still be entered under it
    kind = KINDS[name] = TensorKind(name, bit, backend or name, words, module, wraps)
    return kind


def forget_kind(name: str) -> None:
    """Remove a kind and its members of `Tensor`. Tensors of the kind are then dispatched as plain ones."""
    take_answers(Tensor, KINDS.pop(name).key)


class NonStridedArray:
    """Stands in the array's place for a tensor that consists of several parts: it has a shape and no strides.

    Code for strided arrays raises an error on it.
    """

    __slots__ = ("shape", "ndim", "size", "itemsize")

    def __init__(self, shape: tuple[int, ...], itemsize: int):
        self.shape, self.ndim, self.itemsize, self.size = tuple(shape), len(shape), itemsize, 1
        for n in shape:
            self.size *= n

    def tensors(self) -> list[Tensor]:
        """The plain tensors that it consists of: their storages are its own."""
        return [part for name in type(self).__slots__ if isinstance(part := getattr(self, name), Tensor)]


def plain_parts(t: Tensor) -> list[Tensor]:
    """The plain tensors that a tensor consists of: itself, if it has strides."""
    return t._array.tensors() if isinstance(t._array, NonStridedArray) else [t]


# In the order in which a call passes them. What each brings is loaded as `engine/loaded_later.py` says.
add_kind("subclass", "of a class of the user's own", key=KEY_CLASS, wraps=True)
add_kind("names", "dimensions with names", key=KEY_NAMES, wraps=True)
add_kind("autograd", "requires a gradient", key=KEY_AUTOGRAD, wraps=True)
grad_flag.wake_autograd = KINDS["autograd"].wake
add_kind("inference", "made in inference mode", key=KEY_INFERENCE, wraps=True)
add_kind("sparse_csr", "rows (or columns) in compressed form", backend="SparseCsrCPU")
add_kind("sparse", "coordinates and values", backend="SparseCPU")
add_kind("quantized", "whole numbers with a scale and a zero point", backend="QuantizedCPU")
add_kind("device", "on another device")

IN_MAIN_MEMORY_ALONE = KINDS["sparse_csr"].key | KINDS["sparse"].key | KINDS["quantized"].key
"""The keys of kinds whose tensors no GPU has."""


def refuse_on_device(called: str) -> NoReturn:
    """Refuse a sparse or quantized tensor on a GPU."""
    refuse(
        NotImplementedError,
        f"{called}: sparse and quantized tensors on a GPU are for later",
        "their parts are in main memory",
        "x.cpu()",
        rule="device.layout",
    )
