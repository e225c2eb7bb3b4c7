"""torch._C: of PyTorch's compiled part, the few questions that libraries ask of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = [
    "_are_functorch_transforms_active",
    "_disabled_torch_function_impl",
    "_get_tracing_state",
    "_log_api_usage_once",
]


def _log_api_usage_once(event: str, /) -> None:
    """Tell those who count which parts of PyTorch are used. Here: nobody."""


def _get_tracing_state() -> None:
    """What is being compiled by following its calls. Here: nothing."""


def _are_functorch_transforms_active() -> bool:
    """Whether a call is made for a whole batch, or forward with its derivative. Here: never."""
    return False


def _disabled_torch_function_impl(cls: type, func: Callable, types: Any, args: tuple = (), kwargs: Any = None) -> Any:
    """The `__torch_function__` of classes that have none of their own: the call as it is."""
    return func(*args, **(kwargs or {}))


def __getattr__(name: str) -> Any:
    from .engine.errors.missing_names import missing

    missing(__name__, name, __all__)
