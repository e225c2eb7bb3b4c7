"""Where the engine calls a function that a user gave it: what that function calls is the user's call, not the engine's.

`checkpoint(torch.sin, x)` calls `torch.sin` for the user, so a class with `__torch_function__` and a mode see it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def call_users(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call a function for the user who gave it.

    >>> call_users(max, 2, 3)
    3
    """
    return function(*args, **kwargs)
