"""`check_sparse_tensor_invariants`: switch for checking the indices of every sparse tensor at its creation."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from . import checks


class check_sparse_tensor_invariants:
    """Check every sparse tensor when it is created: permanently, within a block, or within a function.

    >>> import tensorwidgets as torch
    >>> with torch.sparse.check_sparse_tensor_invariants():
    ...     torch.sparse.check_sparse_tensor_invariants.is_enabled()
    True
    >>> torch.sparse.check_sparse_tensor_invariants.is_enabled()
    False
    """

    __module__ = "tensorwidgets.sparse"

    @staticmethod
    def is_enabled() -> bool:
        """Whether tensors of every size are checked; small ones always are."""
        return checks.enabled

    @staticmethod
    def enable() -> None:
        """Check every tensor at its creation."""
        checks.enabled = True

    @staticmethod
    def disable() -> None:
        """Check large tensors only on first use."""
        checks.enabled = False

    def __init__(self, enable: bool = True):
        self.state = enable
        self.before: bool | None = None

    def __enter__(self) -> None:
        if self.before is not None:
            raise RuntimeError(
                "This context manager instance is already activated. Use a different context manager instance for "
                "context nesting."
            )
        self.before = checks.enabled
        checks.enabled = self.state

    def __exit__(self, *exception: Any) -> None:
        checks.enabled, self.before = bool(self.before), None

    def __call__(self, function: Callable) -> Callable:
        @wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            with type(self)(self.state):
                return function(*args, **kwargs)

        return checked
