"""ModuleDict: a dictionary whose modules are registered."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, ValuesView
from typing import Any

from ..module import Module
from .pairs import pairs_of


class ModuleDict(Module):
    """A dictionary of modules, in the order in which they were added.

    >>> from tensorwidgets import nn
    >>> ModuleDict({"act": nn.ReLU()})
    ModuleDict(
      (act): ReLU()
    )
    """

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Any) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Remove all modules."""
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Remove a module and return it."""
        return self._modules.pop(key)

    def keys(self) -> KeysView[str]:
        """The keys."""
        return self._modules.keys()

    def items(self) -> ItemsView[str, Any]:
        """The pairs of key and module."""
        return self._modules.items()

    def values(self) -> ValuesView[Any]:
        """The modules."""
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Add modules from a mapping or from pairs; those of a plain mapping in its order."""
        for key, module in pairs_of(modules, "ModuleDict", (ModuleDict,)):
            self[key] = module
