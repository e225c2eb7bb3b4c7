"""Which name have `__init__` and `forward` in a message? The layer's own, also where several layers share one."""

from __future__ import annotations

from types import FunctionType
from typing import Any

_ROOM = __name__.rpartition(".")[0].rpartition(".")[0] + "."
"""Where the layers are: a class of the user's own keeps the `__init__` that it inherits, as in PyTorch."""


class NamedInit:
    """Gives each layer below a shared base a copy of these methods that is called after the layer.

    >>> from tensorwidgets import nn
    >>> nn.Conv2d.__init__.__qualname__, nn.MaxPool2d.forward.__qualname__
    ('Conv2d.__init__', 'MaxPool2d.forward')
    """

    _named_after_layer: tuple[str, ...] = ("__init__", "forward")

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.__name__.startswith("_") or not cls.__module__.startswith(_ROOM):
            return
        for name in cls._named_after_layer:
            if name not in vars(cls):
                type.__setattr__(cls, name, named_after(cls, getattr(cls, name)))


def named_after(cls: type, shared: Any) -> Any:
    """A copy of a method whose messages name another class."""
    code, defaults, closure = shared.__code__, shared.__defaults__, shared.__closure__
    own: Any = FunctionType(code, shared.__globals__, shared.__name__, defaults, closure)
    own.__kwdefaults__, own.__annotations__, own.__doc__ = shared.__kwdefaults__, shared.__annotations__, shared.__doc__
    own.__qualname__ = f"{cls.__name__}.{shared.__name__}"
    return own
