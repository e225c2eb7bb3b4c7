"""torch.overrides: for classes and modes that change what PyTorch's functions do, by `__torch_function__`.

>>> import tensorwidgets as torch
>>> class Told(torch.Tensor):
...     @classmethod
...     def __torch_function__(cls, func, types, args=(), kwargs=None):
...         print(func.__name__)
...         return super().__torch_function__(func, types, args, kwargs)
>>> x = torch.ones(2).as_subclass(Told)
>>> y = torch.stack([x, 2 * x])
mul
stack
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from inspect import signature
from typing import Any

from .engine.dispatch.asking import HANDLER
from .engine.overriding import listing as _listing
from .engine.overriding import modes as _modes
from .engine.overriding.default import kept_as_they_are
from .engine.overriding.functions import handle_torch_function, has_torch_function
from .engine.tensor.tensor import Tensor

__all__ = [
    "BaseTorchFunctionMode",
    "TorchFunctionMode",
    "get_default_nowrap_functions",
    "get_ignored_functions",
    "get_overridable_functions",
    "get_testing_overrides",
    "handle_torch_function",
    "has_torch_function",
    "has_torch_function_unary",
    "has_torch_function_variadic",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "resolve_name",
    "wrap_torch_function",
]


@cache
def get_testing_overrides() -> dict[Callable, Callable]:
    """For each function about which classes are asked, one that takes the same arguments and returns -1."""
    found = {}
    for function in (each for functions in _listing.overridable().values() for each in functions):

        def answer(*args: Any, **kwargs: Any) -> int:
            return -1

        try:
            answer.__signature__ = signature(function)  # type: ignore[attr-defined]
        except (TypeError, ValueError):  # it reads its arguments by several notations
            pass
        found[function] = answer
    return found


def is_tensor_like(inp: Any) -> bool:
    """Whether it is a tensor, or has `__torch_function__` as tensors of other libraries have it."""
    return type(inp) is Tensor or hasattr(inp, HANDLER)


def has_torch_function_unary(obj: Any) -> bool:
    """The same for one argument."""
    return has_torch_function((obj,))


def has_torch_function_variadic(*args: Any) -> bool:
    """The same for arguments given one by one."""
    return has_torch_function(args)


def wrap_torch_function(dispatcher: Callable[..., Iterable[Any]]) -> Callable[[Callable], Callable]:
    """Let a function of your own be overridden by the classes of the arguments that `dispatcher` names.

    >>> @wrap_torch_function(lambda a: (a,))
    ... def twice(a):
    ...     return 2 * a
    >>> class Told(Tensor):
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         return func is twice
    >>> twice(3), twice(Told([1.0]))
    (6, True)
    """

    def inner(function: Callable) -> Callable:
        @wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            relevant = tuple(dispatcher(*args, **kwargs))
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return function(*args, **kwargs)

        return wrapped

    return inner


def get_default_nowrap_functions() -> set[Callable]:
    """What `Tensor.__torch_function__` does not put into the class: tensors that are kept somewhere."""
    return set(kept_as_they_are())


def get_overridable_functions() -> dict[Any, list[Callable]]:
    """The functions about which classes are asked, by the module or class that they are in."""
    return _listing.overridable()


def get_ignored_functions() -> set[Callable]:
    """Public functions about which no class is asked."""
    return _listing.ignored()


def resolve_name(f: Callable) -> str | None:
    """The public name of a function that a class was told of.

    >>> resolve_name(Tensor.add), resolve_name(Tensor.shape.__get__)
    ('torch.Tensor.add', 'torch.Tensor.shape.__get__')
    """
    return _listing.name_of(f)


def is_tensor_method_or_property(func: Callable) -> bool:
    """Whether a function that a class was told of is a method of `Tensor`, or reads a property.

    >>> is_tensor_method_or_property(Tensor.add)
    True
    """
    return func in _listing.methods() or func.__name__ == "__get__"


class TorchFunctionMode:
    """A block in which all calls are handed to `__torch_function__`, also those without tensors of a special class.

    >>> import tensorwidgets as torch
    >>> class Told(TorchFunctionMode):
    ...     def __torch_function__(self, func, types, args=(), kwargs=None):
    ...         print(func.__name__)
    ...         return func(*args, **(kwargs or {}))
    >>> with Told():
    ...     x = torch.ones(2) + 1
    ones
    add
    """

    def __torch_function__(self, func: Callable, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        raise NotImplementedError

    def __enter__(self) -> Any:
        _modes.push(self)
        return self

    def __exit__(self, *error: object) -> None:
        _modes.pop()

    @classmethod
    def push(cls, *args: Any, **kwargs: Any) -> Any:
        """What was written before `with Mode():`."""
        message = "`Mode.push()` is no longer necessary and can be replaced with just `with Mode()`"
        warnings.warn(message, stacklevel=2)
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that makes each call as it is."""

    def __torch_function__(self, func: Callable, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        return func(*args, **(kwargs or {}))


def _get_current_function_mode() -> Any:
    return _modes.innermost()


def _get_current_function_mode_stack() -> list[Any]:
    return _modes.all_open()


@contextmanager
def _pop_mode_temporarily() -> Iterator[Any]:
    with _modes.without_innermost() as mode:
        yield mode


def __getattr__(name: str) -> Any:
    from .engine.errors.missing_names import missing

    missing(__name__, name, __all__)
