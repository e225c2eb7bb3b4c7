"""torch.overrides: of it, the questions about classes that answer for PyTorch's functions by `__torch_function__`.

No function here asks its arguments for that method, so none of them is overridden.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .engine.tensor.tensor import Tensor

__all__ = ["has_torch_function", "has_torch_function_unary", "has_torch_function_variadic", "is_tensor_like"]


def is_tensor_like(inp: Any) -> bool:
    """Whether it is a tensor, or has `__torch_function__` as tensors of other libraries have it."""
    return isinstance(inp, Tensor) or hasattr(inp, "__torch_function__")


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Whether a call has to be handed to one of its arguments. Here: no."""
    return False


def has_torch_function_unary(obj: Any) -> bool:
    """The same for one argument."""
    return False


def has_torch_function_variadic(*args: Any) -> bool:
    """The same for arguments given one by one."""
    return False


def __getattr__(name: str) -> Any:
    from .engine.errors.missing_names import missing

    missing(__name__, name, __all__)
