"""Keys by which PyTorch's compiled part chooses kernels, as far as libraries name them. Here nothing is chosen by them.

>>> key = DispatchKey.AutocastCPU
>>> DispatchKeySet(key) | DispatchKeySet(DispatchKey.AutocastCUDA)
DispatchKeySet(AutocastCPU, AutocastCUDA)
"""

from __future__ import annotations

import contextlib
from typing import Any


class _Keys(type):
    def __getattr__(cls, name: str) -> Any:
        """A key for each name with a capital letter."""
        if not name[0].isupper():
            raise AttributeError(f"type object 'torch._C.DispatchKey' has no attribute '{name}'")
        key: Any = object.__new__(cls)  # type: ignore[arg-type]
        key.__dict__["name"] = name
        setattr(cls, name, key)
        return key


class DispatchKey(metaclass=_Keys):
    """A name: `DispatchKey.AutocastCPU`."""

    name: str

    def __repr__(self) -> str:
        return f"DispatchKey.{self.name}"


class DispatchKeySet:
    """Some of the keys."""

    def __init__(self, *keys: DispatchKey):
        self._keys = tuple(dict.fromkeys(keys))

    def __or__(self, other: DispatchKeySet) -> DispatchKeySet:
        return DispatchKeySet(*self._keys, *other._keys)

    def has(self, key: DispatchKey) -> bool:
        """Whether a key is one of them."""
        return key in self._keys

    def __repr__(self) -> str:
        return f"DispatchKeySet({', '.join(key.name for key in self._keys)})"


class ExcludeDispatchKeyGuard(contextlib.AbstractContextManager):
    """A block in which some keys choose no kernels. They choose none here."""

    def __init__(self, keys: DispatchKeySet):
        self.keys = keys

    def __exit__(self, *error: object) -> None:
        """There is nothing to end."""
