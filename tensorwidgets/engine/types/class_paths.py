"""Which module of PyTorch has a class of ours? Names that are printed and messages say PyTorch's."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ..errors.package import PACKAGE_NAME

_ELSEWHERE = {
    "engine.interop.parameter": "nn.parameter",
    "nn.uninitialized": "nn.parameter",
    "nn.modules.multihead_attention": "nn.modules.activation",
    "optim.schedules.averaging": "optim.swa_utils",
    "engine.tensor.grad_mode": "autograd.grad_mode",
    "engine.autograd.anomaly": "autograd.anomaly_mode",
    "engine.autograd.hooks.handles": "utils.hooks",
    "engine.autograd.hooks.on_saved": "autograd.graph",
    "engine.autograd.hooks.on_several": "autograd.graph",
    "engine.compat.amp.autocast_mode": "amp.autocast_mode",
    "engine.compat.amp.grad_scaler": "amp.grad_scaler",
    "engine.compat.cuda": "cuda",
    "engine.compat.streams": "cuda",
}
_FLOORS = ("nn", "optim", "utils", "distributed", "autograd", "amp", "cuda", "cpu")
"""Packages whose files have PyTorch's names; rooms below these names are ours alone."""

_DEEPER = (["nn", "modules"], ["nn", "utils"], ["nn", "attention"], ["utils", "data"])
"""Packages of which names of files are printed, too."""


_ROOMS_IN_C = ("linalg", "fft", "special", "sparse")
"""Rooms whose functions PyTorch writes in C, with the room before their names."""


def module_of(cls: type) -> str:
    """The dotted name of PyTorch's module for a class of ours; of other classes the module that they are from.

    >>> from tensorwidgets import nn, optim
    >>> module_of(nn.ReLU), module_of(optim.lr_scheduler.StepLR)
    ('torch.nn.modules.activation', 'torch.optim.lr_scheduler')
    """
    # Of the class itself, since the metaclass of tensors answers `__module__` in a way of its own.
    module: str = cls.__dict__.get("__module__") or getattr(cls, "__module__", "") or ""
    top, _, path = module.partition(".")
    if top != PACKAGE_NAME:
        return module
    path = _ELSEWHERE.get(path, path)
    steps = path.split(".")
    if steps[0] not in _FLOORS:
        return "torch"
    if steps[:2] == ["optim", "schedules"]:
        return "torch.optim.lr_scheduler"
    return ".".join(["torch", *steps[: 3 if steps[:2] in _DEEPER else 2]])


def path_of(cls: Any) -> str:
    """Module and name of a class or function, as PyTorch prints them.

    >>> from tensorwidgets import linalg, relu
    >>> path_of(int), path_of(relu), path_of(linalg.inv)
    ('int', 'torch._VariableFunctionsClass.relu', 'torch._C._linalg.linalg_inv')
    """
    if isinstance(cls, FunctionType):
        room = cls.__module__.partition(".")[2]
        if cls.__module__ == PACKAGE_NAME and "." not in cls.__qualname__ and hasattr(cls, "__signature__"):
            return f"torch._VariableFunctionsClass.{cls.__name__}"
        if room in _ROOMS_IN_C:
            return f"torch._C._{room}.{cls.__name__}"
    module = module_of(cls)
    return cls.__qualname__ if module in ("", "builtins") else f"{module}.{cls.__qualname__}"


class ShownByPath:
    """Prints an object as PyTorch prints one of the same class, which here lies in another module.

    >>> from tensorwidgets import no_grad
    >>> str(no_grad()).partition(" at ")[0]
    '<torch.autograd.grad_mode.no_grad object'
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{path_of(type(self))} object at {id(self):#x}>"


def shown_class(cls: type) -> str:
    """What `str` of the class is in PyTorch.

    >>> from tensorwidgets import nn
    >>> shown_class(nn.Module)
    "<class 'torch.nn.modules.module.Module'>"
    """
    return f"<class '{path_of(cls)}'>"
