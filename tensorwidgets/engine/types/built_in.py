"""Classes that look as those that PyTorch writes in C: named with their package, closed, and with fixed attributes.

Python names such a class in its own messages by the name that C gave it, which has the package in front:
``'torch.dtype' object is not callable``. A class of ours gets the same name, and answers ``__name__`` without it.
"""

from __future__ import annotations

import sys
from typing import Any, NoReturn

from ..errors.package import PACKAGE_NAME
from .class_paths import module_of, shown_class


def is_torch() -> bool:
    """Whether this package is imported as `torch`, where libraries may take it for PyTorch."""
    return sys.modules.get("torch") is sys.modules.get(PACKAGE_NAME)


class ShownAsPyTorchs(type):
    """Prints a class as PyTorch's, so that a lesson reads the same on both; not those that users make from it."""

    @property
    def __module__(cls) -> str:  # type: ignore[override]
        """Where the class is from. Libraries know PyTorch's classes by it: in `torch` where that is this package."""
        module: str = cls.__dict__["__module__"]
        return module_of(cls) if module.partition(".")[0] == PACKAGE_NAME and is_torch() else module

    @__module__.setter
    def __module__(cls, name: str) -> None:
        type.__dict__["__module__"].__set__(cls, name)

    def __repr__(cls) -> str:
        if cls.__dict__["__module__"].partition(".")[0] != PACKAGE_NAME:
            return type.__repr__(cls)  # a class of the user's own
        return shown_class(cls)


class BuiltIn(ShownAsPyTorchs):
    """The metaclass of `dtype`, `device`, `Size` and others: ``class Size(tuple, metaclass=BuiltIn)``.

    >>> from tensorwidgets import Size, float32
    >>> Size, Size.__name__
    (<class 'torch.Size'>, 'Size')
    >>> float32 + 1
    Traceback (most recent call last):
        ...
    TypeError: unsupported operand type(s) for +: 'torch.dtype' and 'int'
    >>> class Mine(Size): ...
    Traceback (most recent call last):
        ...
    TypeError: type 'torch.Size' is not an acceptable base type
    """

    def __new__(
        meta, name: str, bases: tuple[type, ...], members: dict[str, Any], *,
        package: str = "torch", closed: bool = True,
    ) -> Any:  # fmt: skip
        for base in bases:
            if isinstance(base, BuiltIn):
                if base._closed:
                    raise TypeError(f"type '{name_in_messages(base)}' is not an acceptable base type")
                return super().__new__(meta, name, bases, members)
        members["__qualname__"] = name
        cls = super().__new__(meta, f"{package}.{name}", bases, members)
        cls._closed = closed
        return cls

    _closed: bool

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        return cls.__qualname__.rpartition(".")[2]

    def __repr__(cls) -> str:
        if cls.__dict__["__module__"].partition(".")[0] != PACKAGE_NAME:
            return type.__repr__(cls)
        return f"<class '{name_in_messages(cls)}'>"


def name_in_messages(cls: type) -> str:
    """The name by which Python calls a class in its messages.

    >>> from tensorwidgets import dtype
    >>> name_in_messages(dtype), dtype.__name__
    ('torch.dtype', 'dtype')
    """
    called: str = type.__dict__["__name__"].__get__(cls)
    return called


def no_more(*classes: Any) -> None:
    """Let nobody make further objects of classes all of whose objects are there."""
    for cls in classes:
        cls.__new__ = _refuse_new


def _refuse_new(cls: type, *args: Any, **named: Any) -> NoReturn:
    raise TypeError(f"cannot create '{name_in_messages(cls)}' instances")


class Fixed:
    """Its attributes are set once, by `__init__` through `object.__setattr__`: all code shares the objects.

    >>> from tensorwidgets import float32
    >>> float32.itemsize = 8
    Traceback (most recent call last):
        ...
    AttributeError: attribute 'itemsize' of 'torch.dtype' objects is not writable
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        _refuse(self, name)

    def __delattr__(self, name: str) -> None:
        _refuse(self, name)


def _refuse(value: Any, name: str) -> NoReturn:
    """The words of Python for the attributes of an object that was made in C."""
    cls: Any = type(value)
    called = name_in_messages(cls)
    member = getattr(cls, name, None)
    if member is None or name.startswith("_") and not name.startswith("__"):
        raise AttributeError(f"'{called}' object has no attribute '{name}'")
    if hasattr(type(member), "__set__"):
        raise AttributeError(f"attribute '{name}' of '{called}' objects is not writable")
    raise AttributeError(f"'{called}' object attribute '{name}' is read-only")
