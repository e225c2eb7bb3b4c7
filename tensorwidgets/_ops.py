"""torch.ops: functions of compiled libraries. None can be loaded here; the engine's own ops are there as `aten`.

Those of a program's own (`torch.library.custom_op`) are there by their namespace.

>>> import tensorwidgets as torch
>>> torch.ops.aten.add.Tensor(torch.ones(2), 1)
tensor([2., 2.])

>>> hasattr(torch.ops.torchvision, "nms")
False
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

from .engine.errors.reasons import refuse

__all__ = ["ops"]


class _OpNamespace:
    """The functions of one library: the engine's, those of a program's own, or none."""

    def __init__(self, name: str):
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        if self.__name__ == "aten" and not name.startswith("__"):
            packet = OpOverloadPacket(name, _function_of(name))
            setattr(self, name, packet)
            return packet
        from .library.operators import DEFINED

        if (own := DEFINED.get(f"{self.__name__}::{name}")) is not None:
            setattr(self, name, OpOverloadPacket(name, own, self.__name__))
            return getattr(self, name)
        message = f"'_OpNamespace' {self.__name__!r} object has no attribute {name!r}"
        refuse(AttributeError, message, "no compiled library is loaded here", rule="name.scope")


class OpOverload:
    """One way to call an op. Here it is the op itself, which finds out how it is called."""

    def __init__(self, packet: OpOverloadPacket, overload: str):
        self.overloadpacket, self._overloadname = packet, overload

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.overloadpacket(*args, **kwargs)

    def __str__(self) -> str:
        return f"{self.overloadpacket}.{self._overloadname}"

    def __repr__(self) -> str:
        return f"<OpOverload(op='{self.overloadpacket}', overload='{self._overloadname}')>"


class OpOverloadPacket:
    """An op of the engine, by PyTorch's name of it; its attributes are the ways to call it."""

    def __init__(self, name: str, function: Callable | None, namespace: str = "aten"):
        self.__name__, self._function, self._namespace = name, function, namespace

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._function is None:
            message = f"torch.ops.{self} is for later"
            refuse(NotImplementedError, message, "no op here goes by this name", rule="name.later")
        return self._function(*args, **kwargs)

    def __getattr__(self, overload: str) -> OpOverload:
        if overload.startswith("_"):
            raise AttributeError(f"The underlying op of '{self}' has no overload name '{overload}'")
        found = OpOverload(self, overload)
        setattr(self, overload, found)
        return found

    def __str__(self) -> str:
        return f"{self._namespace}.{self.__name__}"

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='{self}')>"


def _function_of(name: str) -> Callable | None:
    functions = import_module(__name__.partition(".")[0])
    for room in (functions, functions.nn.functional, functions.Tensor):
        found = getattr(room, name, None)
        if callable(found):
            return found
    return None


class _Ops(ModuleType):
    """Has a namespace for every library, as in PyTorch."""

    loaded_libraries: set[str] = set()

    @staticmethod
    def load_library(path: str) -> NoReturn:
        """Raises an OSError, as PyTorch does for a file that is not a library. Callers go on without it."""
        message = f"Could not load this library: {os.path.realpath(path)}"
        refuse(OSError, message, "a compiled library calls PyTorch's own code", rule="name.scope")

    def __getattr__(self, name: str) -> _OpNamespace:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        namespace = _OpNamespace(name)
        setattr(self, name, namespace)
        return namespace


ops = _Ops("torch.ops")
