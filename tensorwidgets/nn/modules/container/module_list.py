"""ModuleList: a list whose modules are registered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import index as as_index
from typing import Any

from ..module import Module


class ModuleList(Module):
    """A list of modules. In a plain list, the modules would not be registered, and an optimizer would not see them.

    >>> from tensorwidgets import nn
    >>> ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])
    ModuleList(
      (0-1): 2 x Linear(in_features=2, out_features=2, bias=True)
    )
    """

    def __init__(self, modules: Iterable[Any] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self += modules

    def _name_at(self, position: Any) -> str:
        position = as_index(position)
        if not -len(self) <= position < len(self):
            raise IndexError(f"index {position} is out of range")
        return str(position % len(self))

    def __getitem__(self, position: Any) -> Any:
        if isinstance(position, slice):
            return type(self)(list(self)[position])
        return self._modules[self._name_at(position)]

    def __setitem__(self, position: int, module: Any) -> None:
        setattr(self, self._name_at(position), module)

    def __delitem__(self, position: Any) -> None:
        modules = list(self)
        if isinstance(position, slice):
            del modules[position]
        else:
            del modules[int(self._name_at(position))]
        self._modules = {str(number): module for number, module in enumerate(modules)}

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __iadd__(self, modules: Iterable[Any]) -> Any:
        return self.extend(modules)

    def __add__(self, other: Iterable[Any]) -> ModuleList:
        return ModuleList([*self, *list(other)])

    def __repr__(self) -> str:
        if not len(self):
            return f"{self._get_name()}()"
        lines, first = [], 0
        for text, alike in groupby(repr(module) for module in self):
            count = len(list(alike))
            label = f"({first})" if count == 1 else f"({first}-{first + count - 1})"
            own = text if count == 1 else f"{count} x {text}"
            lines.append(f"{label}: " + own.replace("\n", "\n  "))
            first += count
        return f"{self._get_name()}(\n  " + "\n  ".join(lines) + "\n)"

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def insert(self, index: int, module: Any) -> None:
        """Add a module before the one at a position."""
        for number in range(len(self), index, -1):
            self._modules[str(number)] = self._modules[str(number - 1)]
        self._modules[str(index)] = module

    def append(self, module: Any) -> Any:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key: int | slice) -> Any:
        """Remove a module and return it."""
        module = self[key]
        del self[key]
        return module

    def extend(self, modules: Iterable[Any]) -> Any:
        """Add several modules at the end."""
        if not isinstance(modules, Iterable):
            raise TypeError(f"ModuleList.extend should be called with an iterable, but got {type(modules).__name__}")
        for module in list(modules):
            self.append(module)
        return self
