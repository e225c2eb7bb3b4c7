"""Which tensors does a module own? Parameters are trained, buffers are not."""

from __future__ import annotations

from typing import Any

from ..engine.derivatives.ops import torch
from ..engine.interop.parameter import Parameter
from ..engine.tensor.handing_on import DISABLED
from ..engine.tensor.tensor import Tensor

__all__ = ["Buffer", "Parameter"]


class _BufferType(type):
    """Lets `isinstance(tensor, Buffer)` see which tensors were made as buffers."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor) and bool(getattr(instance, "_is_buffer", False))


class Buffer(metaclass=_BufferType):
    """A tensor that becomes a buffer when it is assigned to a module's attribute.

    >>> import tensorwidgets as torch
    >>> from tensorwidgets import nn
    >>> module = nn.Module()
    >>> module.mean = nn.Buffer(torch.zeros(2))
    >>> list(module.state_dict())
    ['mean']
    """

    __torch_function__ = DISABLED
    persistent: bool

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        data = torch.empty(0) if data is None else data
        tensor = data.detach().requires_grad_(data.requires_grad)
        tensor._is_buffer, tensor.persistent = True, persistent
        return tensor


def __getattr__(name: str) -> Any:
    if name in ("UninitializedParameter", "UninitializedBuffer", "UninitializedTensorMixin", "is_lazy"):
        from . import uninitialized

        return getattr(uninitialized, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
