"""An exception that was raised in another thread or process, raised again where the result is wanted."""

from __future__ import annotations

import sys
import traceback
from typing import Any, NoReturn


class KeyErrorMessage(str):
    """Text that a KeyError prints as it is, with its lines."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class ExceptionWrapper:
    """The type of an exception and its whole traceback as text, which can be sent to another process.

    >>> try:
    ...     [].pop()
    ... except IndexError:
    ...     caught = ExceptionWrapper(where="in replica 0 on device 0")
    >>> print(str(caught.error()).split(chr(10))[0])
    Caught IndexError in replica 0 on device 0.
    """

    def __init__(self, exc_info: Any = None, where: str = "in background"):
        kind, error, trace = sys.exc_info() if exc_info is None else exc_info
        self.exc_type: Any = kind
        self.exc_msg = "".join(traceback.format_exception(kind, error, trace))
        self.where = where

    def error(self) -> BaseException:
        """An exception of the same type that holds the traceback."""
        text = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        if self.exc_type is KeyError:
            text = KeyErrorMessage(text)
        try:
            error = self.exc_type(message=text) if getattr(self.exc_type, "message", None) else self.exc_type(text)
        except Exception:
            return RuntimeError(text)
        return error if isinstance(error, BaseException) else RuntimeError(text)

    def reraise(self) -> NoReturn:
        """Raise that exception in this thread."""
        raise self.error() from None
