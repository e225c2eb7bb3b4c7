"""What is in a model? Its tree of layers and what each keeps, read from ours and PyTorch's alike.

A module is what has `_modules`, `_parameters` and `_buffers`; nothing else of a library is used.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..sources import library_of
from ..values import with_article

KINDS = ("trains", "frozen", "buffer")
"""What a kept tensor is: a parameter that is trained, one that is not, or a buffer."""


class Kept(NamedTuple):
    """A parameter or a buffer of a layer."""

    name: str
    size: tuple[int, ...] | None
    """None of a lazy parameter, which gets its size with the first call."""
    dtype: str
    nbytes: int
    kind: str
    same_as: str = ""
    """The name under which the same tensor was met before: a tied weight."""

    @property
    def numel(self) -> int:
        return math.prod(self.size) if self.size is not None else 0


class Layer(NamedTuple):
    """A module in the tree."""

    path: str
    """Its name from the top: `encoder.0.norm`; an empty text at the top."""
    kind: str
    """Its class."""
    facts: str
    """What it prints besides its class: `in_features=3, out_features=2, bias=True`."""
    parents: tuple[int, ...]
    """The numbers of the layers above it, the topmost first."""
    kept: tuple[Kept, ...]
    same_as: str | None = None
    """The path under which the same module was met before."""

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]


class Model(NamedTuple):
    """A model as facts. The modules themselves are kept beside it, by `walked`."""

    label: str
    library: str
    layers: tuple[Layer, ...]

    def kept(self, kind: str = "") -> list[Kept]:
        """What it keeps, each tensor once."""
        every = [kept for layer in self.layers for kept in layer.kept if not kept.same_as]
        return [kept for kept in every if not kind or kept.kind == kind]


def is_module(thing: Any) -> bool:
    """Whether this is a module of ours, of PyTorch, or of a library that is written like them."""
    if isinstance(thing, type):
        return False
    held = getattr(thing, "__dict__", {})
    return all(isinstance(held.get(name), dict) for name in ("_modules", "_parameters", "_buffers"))


def walked(module: Any, label: str, what: str) -> tuple[Model, list[Any]]:
    """The facts of a model, and its modules in the same order."""
    if not is_module(module):
        kind = with_article(type(module).__name__)
        raise TypeError(f"{what} draws a module such as torch.nn.Linear(3, 2), not {kind}")
    layers: list[Layer] = []
    modules: list[Any] = []
    seen: dict[int, str] = {}
    tensors: dict[Any, str] = {}

    def visit(one: Any, path: str, parents: tuple[int, ...]) -> None:
        again = seen.get(id(one))
        layers.append(Layer(path, type(one).__name__, "" if again is not None else _facts(one), parents, (), again))
        modules.append(one)
        if again is not None:
            return
        seen[id(one)] = path
        number = len(layers) - 1
        kept = tuple(_kept(one, path, tensors))
        layers[number] = layers[number]._replace(kept=kept)
        for name, child in list(one._modules.items()):
            if child is not None:
                visit(child, f"{path}.{name}" if path else name, (*parents, number))

    visit(module, "", ())
    return Model(label, library_of_module(modules), tuple(layers)), modules


def _facts(module: Any) -> str:
    try:
        text = str(module.extra_repr())
        # Several lines are a list of what the module keeps, and that has a column of its own.
        return "" if "\n" in text or "Parameter containing" in text else " ".join(text.split())
    except Exception:  # a module's own code, which may be anything
        return ""


def _kept(module: Any, path: str, tensors: dict[Any, str]) -> Iterator[Kept]:
    for held, is_buffer in ((module._parameters, False), (module._buffers, True)):
        for name, tensor in list(held.items()):
            if tensor is None:
                continue
            full = f"{path}.{name}" if path else name
            kind = "buffer" if is_buffer else "trains" if getattr(tensor, "requires_grad", False) else "frozen"
            size, nbytes = _size(tensor)
            keys = _identities(tensor, nbytes)
            before = next((tensors[key] for key in keys if key in tensors), "")
            tensors.update(dict.fromkeys(keys, before or full))
            yield Kept(name, size, str(tensor.dtype).rpartition(".")[2], nbytes, kind, before)


def _size(tensor: Any) -> tuple[tuple[int, ...] | None, int]:
    try:
        size = tuple(map(int, tensor.shape))
        return size, math.prod(size) * int(tensor.element_size())
    except (RuntimeError, NotImplementedError, ValueError):  # lazy: it has no size before the first call
        return None, 0


def _identities(tensor: Any, nbytes: int) -> list[Any]:
    """What two names of the same numbers share: the object, or the memory from the same start."""
    keys: list[Any] = [id(tensor)]
    try:
        address = tensor.data_ptr() if nbytes and str(tensor.device) != "meta" else 0
    except (RuntimeError, NotImplementedError):
        address = 0
    return [*keys, (str(tensor.device), address, nbytes)] if address else keys


def library_of_module(modules: list[Any]) -> str:
    """The library that a model's tensors are of: that of its first, else that of its classes."""
    for module in modules:
        for tensor in (*module._parameters.values(), *module._buffers.values()):
            if tensor is not None:
                return library_of(tensor)
    for cls in type(modules[0]).__mro__:
        if cls.__module__.partition(".")[0] in ("torch", "tensorwidgets"):
            return "PyTorch" if cls.__module__.startswith("torch") else "tensorwidgets"
    return library_of(modules[0])


def imported(library: str) -> Any:
    """The library's module, which is imported already wherever there is a model of it."""
    return sys.modules.get({"PyTorch": "torch"}.get(library, library))
