"""torch.utils._contextlib: what contexts such as `no_grad` are made of, which libraries make their own contexts of.

>>> from tensorwidgets.utils._contextlib import _DecoratorContextManager
>>> class telling(_DecoratorContextManager):
...     def __enter__(self):
...         print("before")
...
...     def __exit__(self, *error):
...         print("after")
>>> @telling()
... def double(x):
...     return 2 * x
>>> double(3)
before
after
6
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.errors.reasons import refuse
from ..engine.tensor.grad_mode import _DecoratorContextManager, _NoParamDecoratorContextManager, decorated

__all__ = ["_DecoratorContextManager", "_NoParamDecoratorContextManager", "context_decorator"]


def context_decorator(ctx: Any, func: Callable) -> Callable:
    """A function that runs in a context at each call. `ctx` is the context, or a function that makes one."""
    if callable(ctx) and hasattr(ctx, "__enter__"):
        refuse(
            AssertionError,
            f"Passed in {ctx} is both callable and also a valid context manager (has __enter__), making it ambiguous "
            "which interface to use.  If you intended to pass a context manager factory, rewrite your call as "
            "context_decorator(lambda: ctx()); if you intended to pass a context manager directly, rewrite your call "
            "as context_decorator(lambda: ctx)",
            "a context that can be called may itself be meant, or what it returns",
            rule="argument.type",
        )
    return decorated(ctx if callable(ctx) else lambda: ctx, func)
