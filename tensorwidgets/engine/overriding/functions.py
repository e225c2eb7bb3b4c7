"""Functions written in Python that hand a call on to a mode or to the classes of some of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..dispatch import stations
from ..dispatch.asking import answer, asked_among, is_asked, refuse_all, types_among
from ..errors.package import PACKAGE_NAME
from ..tensor.handing_on import asks_classes
from . import modes


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Whether a call has to be handed to the class of one of its arguments, or to a mode.

    Exact tensors and parameters are not asked.

    >>> from tensorwidgets import Tensor
    >>> class Mine(Tensor): ...
    >>> has_torch_function((Tensor([1.0]), 2)), has_torch_function((2, Mine([1.0])))
    (False, True)
    """
    if modes.count():
        return True
    if not isinstance(relevant_args, Iterable):
        raise TypeError("expected a sequence")
    return asks_classes() and any(is_asked(type(value)) for value in relevant_args)


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], /, *args: Any, **kwargs: Any
) -> Any:
    """What the innermost mode or the class of an argument answers for a function.

    >>> class Length:
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         return func.__name__, types
    >>> handle_torch_function(sum, (Length(),), Length())
    ('sum', (<class 'tensorwidgets.engine.overriding.functions.Length'>,))
    """
    relevant = list(relevant_args) if asks_classes() else []
    asked = asked_among(relevant)
    types = types_among(relevant)
    if modes.count():
        with modes.without_innermost() as mode:
            result = mode.__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    if types and not asked:  # plain tensors answer by making the call
        return public_api(*args, **kwargs)
    result = answer(public_api, asked, types, args, kwargs, True)
    if result is NotImplemented:
        name = f"{public_api.__module__.replace(PACKAGE_NAME, 'torch', 1)}.{public_api.__name__}"
        refuse_all(name, types, True, modes.innermost())
    return result


stations.has_torch_function, stations.handle_torch_function = has_torch_function, handle_torch_function
