"""A class for each parametrized module: it computes the tensors that are parametrized when they are read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from ...modules.container import ModuleDict
from ...modules.module import Module

_COMPUTED: dict[tuple[int, str], Any] = {}
"""What was computed since `cached` began."""

_caching = 0


@contextmanager
def cached() -> Iterator[None]:
    """Compute each parametrized tensor once in this block, however often it is read.

    >>> with cached():
    ...     pass
    """
    global _caching
    _caching += 1
    try:
        yield
    finally:
        _caching -= 1
        if not _caching:
            _COMPUTED.clear()


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether a module has a parametrized tensor, or whether the tensor of this name is one.

    >>> import tensorwidgets as torch
    >>> is_parametrized(torch.nn.Linear(2, 2))
    False
    """
    lists = getattr(module, "parametrizations", None)
    if not isinstance(lists, ModuleDict):
        return False
    return len(lists) > 0 if tensor_name is None else tensor_name in lists


def type_before_parametrizations(module: Module) -> type:
    """The class that a module had before a tensor of it was parametrized.

    >>> import tensorwidgets as torch
    >>> type_before_parametrizations(torch.nn.Flatten()).__name__
    'Flatten'
    """
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def _copied(self: Any, memo: dict) -> Any:
    found = memo.get(id(self))
    if found is None:
        found = memo[id(self)] = self.__new__(type(self))
        found.__dict__ = deepcopy(self.__dict__, memo)
    return found


def _not_pickled(self: Any) -> Any:
    raise RuntimeError(
        "Serialization of parametrized modules is only supported through state_dict(). See:\n"
        "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
        "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
    )


def give_own_class(module: Module) -> None:
    """Let a module have a class of its own, to which properties can be added."""
    base = type(module)
    members: dict[str, Any] = {"__getstate__": _not_pickled, "__module__": __name__.rpartition(".")[0]}
    if not hasattr(base, "__deepcopy__"):
        members["__deepcopy__"] = _copied
    module.__class__ = type(f"Parametrized{base.__name__}", (base,), members)


def add_property(module: Module, name: str) -> None:
    """Let a tensor of this module be computed when it is read, and taken apart when it is assigned."""

    def read(self: Any) -> Any:
        steps = self.parametrizations[name]
        if not _caching:
            return steps()
        key = id(self), name
        if key not in _COMPUTED:
            _COMPUTED[key] = steps()
        return _COMPUTED[key]

    def write(self: Any, value: Any) -> None:
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(read, write))
