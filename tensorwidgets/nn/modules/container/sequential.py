"""Sequential: one module after the other."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from operator import index as as_index
from typing import Any

from ....engine.types.class_paths import shown_class
from ..module import Module


class Sequential(Module):
    """Calls its modules in order, each with the result of the one before.

    >>> import tensorwidgets as torch
    >>> from tensorwidgets import nn
    >>> model = Sequential(nn.Linear(3, 2), nn.ReLU())
    >>> model
    Sequential(
      (0): Linear(in_features=3, out_features=2, bias=True)
      (1): ReLU()
    )
    >>> model(torch.ones(4, 3)).shape
    torch.Size([4, 2])
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        named = args[0].items() if len(args) == 1 and isinstance(args[0], OrderedDict) else enumerate(args)
        for name, module in named:
            self.add_module(str(name), module)

    def _name_at(self, position: Any) -> str:
        names, position = list(self._modules), as_index(position)
        if not -len(names) <= position < len(names):
            raise IndexError(f"index {position} is out of range")
        return names[position]

    def _number(self, modules: Iterable[Any]) -> None:
        """Give the modules the names 0, 1, 2 …"""
        self._modules = {str(number): module for number, module in enumerate(modules)}

    def __getitem__(self, position: Any) -> Any:
        if isinstance(position, slice):
            return type(self)(OrderedDict(list(self._modules.items())[position]))
        return self._modules[self._name_at(position)]

    def __setitem__(self, position: Any, module: Any) -> None:
        setattr(self, self._name_at(position), module)

    def __delitem__(self, position: Any) -> None:
        if isinstance(position, slice):
            for name in list(self._modules)[position]:
                delattr(self, name)
        else:
            delattr(self, self._name_at(position))
        self._number(self._modules.values())

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __add__(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        return Sequential(*self, *other)

    def __iadd__(self, other: Any) -> Any:
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        for module in list(other):
            self.append(module)
        return self

    def __mul__(self, times: int) -> Sequential:
        self._check_times(times)
        return Sequential(*[module for _ in range(times) for module in self])

    __rmul__ = __mul__

    def __imul__(self, times: int) -> Any:
        self._check_times(times)
        for module in [module for _ in range(times - 1) for module in self]:
            self.append(module)
        return self

    def _check_times(self, times: Any) -> None:
        if not isinstance(times, int):
            raise TypeError(f"unsupported operand type(s) for *: {shown_class(type(self))} and {type(times)}")
        if times <= 0:
            raise ValueError(f"Non-positive multiplication factor {times} for {shown_class(type(self))}")

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, module: Any) -> Any:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Any) -> Any:
        """Add a module before the one at a position."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {shown_class(Module)}")
        count = len(self)
        if not -count <= index <= count:
            raise IndexError(f"Index out of range: {index}")
        index += count * (index < 0)
        for number in range(count, index, -1):
            self._modules[str(number)] = self._modules[str(number - 1)]
        self._modules[str(index)] = module
        return self

    def extend(self, sequential: Iterable[Any]) -> Any:
        """Add several modules at the end."""
        for module in sequential:
            self.append(module)
        return self

    def pop(self, key: int) -> Any:
        """Remove a module and return it."""
        module = self[key]
        del self[key]
        return module

    def forward(self, input: Any) -> Any:
        for module in self:
            input = module(input)
        return input
