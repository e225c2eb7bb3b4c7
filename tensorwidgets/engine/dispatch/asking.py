"""Which classes are asked about a call, in which order, and what becomes of their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..errors.reasons import refuse
from ..errors.warnings import warn
from ..tensor.handing_on import DISABLED
from ..tensor.tensor import Tensor

HANDLER = "__torch_function__"


def is_asked(cls: type) -> bool:
    """Whether a class answers for calls. Plain tensors and parameters do not.

    >>> is_asked(Tensor), is_asked(type("Mine", (Tensor,), {})), is_asked(int)
    (False, True, False)
    """
    return cls is not Tensor and getattr(cls, HANDLER, DISABLED) is not DISABLED


def is_default(cls: type) -> bool:
    """Whether a class answers as `Tensor` does."""
    own = getattr(cls, HANDLER, None)
    return getattr(own, "__func__", None) is Tensor.__torch_function__.__func__  # type: ignore[attr-defined]


def parts_of(args: tuple, kwargs: dict) -> Iterator[Any]:
    """The arguments of a call, those in lists and tuples one by one."""
    for value in (*args, *kwargs.values()):
        if isinstance(value, (list, tuple)):
            yield from value
        else:
            yield value


def asked_among(values: Iterable[Any]) -> list[Any]:
    """One value of each class that is asked, from left to right; a class comes before those that it is made from.

    >>> Mine = type("Mine", (Tensor,), {})
    >>> Nearer = type("Nearer", (Mine,), {})
    >>> x = Tensor([1.0])
    >>> [type(t).__name__ for t in asked_among([x, x.as_subclass(Mine), x.as_subclass(Nearer), x.as_subclass(Mine)])]
    ['Nearer', 'Mine']
    """
    asked: list[Any] = []
    for value in values:
        cls = type(value)
        if is_asked(cls) and all(cls is not type(other) for other in asked):
            later = (i for i, other in enumerate(asked) if issubclass(cls, type(other)))
            asked.insert(next(later, len(asked)), value)
    return asked


def types_among(values: Iterable[Any]) -> tuple[type, ...]:
    """The types that a function written in Python passes to `__torch_function__`: plain tensors are among them.

    >>> Mine = type("Mine", (Tensor,), {})
    >>> x = Tensor([1.0])
    >>> [cls.__name__ for cls in types_among([x, 2, x.as_subclass(Mine), x])]
    ['Mine', 'Tensor']
    """
    types: list[type] = []
    for cls in map(type, values):
        if (cls is Tensor or is_asked(cls)) and cls not in types:
            types.insert(next((i for i, other in enumerate(types) if issubclass(cls, other)), len(types)), cls)
    return tuple(types)


def answer(
    function: Callable, asked: list[Any], types: tuple[type, ...], args: tuple, kwargs: dict | None,
    in_python: bool = False,
) -> Any:  # fmt: skip
    """The answer of the first class that has one, else NotImplemented."""
    for value in asked:
        handler = getattr(value, HANDLER)
        if getattr(handler, "__self__", None) is value:
            warn(
                f"Defining your `__torch_function__{'' if in_python else '`'} as a plain method is deprecated and will "
                "be an error in future, please define it as a classmethod.",
                DeprecationWarning if in_python else UserWarning,
                once=not in_python,
            )
        result = handler(function, types, args, kwargs)
        if result is not NotImplemented:
            return result
    return NotImplemented


def told(function: Callable, *args: Any, in_python: bool = False, **kwargs: Any) -> Any:
    """What the classes of some tensors answer to a call of a method that the engine makes for the user."""
    asked = asked_among(args)
    if not asked:
        return function(*args, **kwargs)
    result = answer(function, asked, tuple(map(type, asked)), args, kwargs or None, in_python)
    if result is NotImplemented:
        refuse_all(f"torch.Tensor.{function.__name__}", tuple(map(type, asked)), in_python)
    return result


def refuse_all(name: str, asked: tuple[type, ...], in_python: bool, mode: Any = None) -> None:
    """Refuse a call that all classes have declined. PyTorch has one message in C and one in Python."""
    because = "each of these classes says that it cannot answer" if asked else "the mode says that it cannot answer"
    if in_python:
        message = f"no implementation found for '{name}' on types that implement __torch_function__: {list(asked)}" + (
            f" nor in mode {mode}" if mode is not None else ""
        )
    else:
        lines = [f"  - mode object {mode!r}\n"] if mode is not None else []
        lines += [f"  - tensor subclass {cls!r}\n" for cls in asked]
        message = (
            f"Multiple dispatch failed for '{name}'; all __torch_function__ handlers returned NotImplemented:\n\n"
            + "".join(lines)
            + "\nFor more information, try re-running with TORCH_LOGS=not_implemented"
        )
    refuse(TypeError, message, because, rule="dispatch.declined")
