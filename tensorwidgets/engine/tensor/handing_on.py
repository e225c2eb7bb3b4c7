"""Whether this thread hands calls on to the classes of their arguments, and to modes.

While it does not, every tensor of a class of the user's own is treated as a plain one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .keys import KEY_CLASS
from .thread_state import state


class WithoutClasses:
    """A block in which no class is asked: `torch._C.DisableTorchFunctionSubclass`.

    >>> with WithoutClasses():
    ...     asks_classes()
    False
    """

    def __enter__(self) -> None:
        self._before = state.of_all
        state.put("of_all", self._before | KEY_CLASS)

    def __exit__(self, *error: object) -> None:
        state.put("of_all", self._before)


class WithoutAny(WithoutClasses):
    """The same, and no mode is asked either: `torch._C.DisableTorchFunction`."""

    def __enter__(self) -> None:
        super().__enter__()
        self._modes = state.modes
        state.put("modes", ())

    def __exit__(self, *error: object) -> None:
        state.put("modes", self._modes)
        super().__exit__(*error)


def asks_classes() -> bool:
    """Whether calls are handed on to classes."""
    return not state.of_all & KEY_CLASS


class Disabled:
    """The `__torch_function__` of classes that are not asked: the call as it is.

    It is no function, because a function in a class would become a method.
    """

    __name__ = __qualname__ = "_disabled_torch_function_impl"

    def __call__(
        self, func: Callable[..., Any], types: Any, args: tuple = (), kwargs: dict[str, Any] | None = None, /
    ) -> Any:
        with WithoutClasses():
            return func(*args, **(kwargs or {}))

    def __repr__(self) -> str:
        return f"<built-in function {self.__name__}>"

    def __reduce__(self) -> str:
        return "DISABLED"


DISABLED = Disabled()
