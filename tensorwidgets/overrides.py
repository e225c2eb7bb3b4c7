"""torch.overrides: of it, the questions about classes that answer for PyTorch's functions by `__torch_function__`.

Functions hand a call to an argument that is not a tensor and has that method. Classes of tensors are not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .engine.dispatch.other_classes import handed_on, is_stranger
from .engine.tensor.tensor import Tensor

__all__ = [
    "handle_torch_function",
    "has_torch_function",
    "has_torch_function_unary",
    "has_torch_function_variadic",
    "is_tensor_like",
]

_PACKAGE = __name__.partition(".")[0]


def is_tensor_like(inp: Any) -> bool:
    """Whether it is a tensor, or has `__torch_function__` as tensors of other libraries have it."""
    return isinstance(inp, Tensor) or hasattr(inp, "__torch_function__")


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Whether a call has to be handed to the class of one of its arguments. Tensors are not asked."""
    return any(map(is_stranger, relevant_args))


def has_torch_function_unary(obj: Any) -> bool:
    """The same for one argument."""
    return is_stranger(obj)


def has_torch_function_variadic(*args: Any) -> bool:
    """The same for arguments given one by one."""
    return has_torch_function(args)


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], /, *args: Any, **kwargs: Any
) -> Any:
    """What the class of an argument answers for a function.

    >>> class Length:
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         return func.__name__, types
    >>> handle_torch_function(sum, (Length(),), Length())
    ('sum', (<class 'tensorwidgets.overrides.Length'>,))
    """
    strangers = [arg for arg in relevant_args if is_stranger(arg)]
    result = handed_on(public_api, strangers, args, kwargs)
    if result is NotImplemented:
        name = f"{public_api.__module__.replace(_PACKAGE, 'torch', 1)}.{public_api.__name__}"
        found = list(dict.fromkeys(map(type, strangers)))
        raise TypeError(f"no implementation found for {name!r} on types that implement __torch_function__: {found}")
    return result


def __getattr__(name: str) -> Any:
    from .engine.errors.missing_names import missing

    missing(__name__, name, __all__)
