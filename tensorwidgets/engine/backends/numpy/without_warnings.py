"""Calling NumPy without its floating-point warnings, and without touching the user's NumPy settings.

PyTorch divides by zero in silence. NumPy keeps its settings for such cases in a context variable, so a call that
runs in a context of our own, in which they are set to ignore, costs nothing beside the call and changes nothing
outside.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np

_context = contextvars.copy_context()
_context.run(np.seterr, all="ignore")

CONVERTED = 1024
"""Elements that NumPy converts at a time while it computes: the buffer stays in the innermost cache."""

_context.run(np.setbufsize, CONVERTED)

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

run: Callable[..., Any] = _context.run
"""Call a NumPy function quietly: ``run(np.add, a, b)``. RuntimeError while another thread is inside: see `quietly`."""


def quietly(function: Callable, *args: Any, **named: Any) -> Any:
    """Call a NumPy function quietly, from any thread, and from a finaliser or signal handler in the middle of a call.

    >>> quietly(np.divide, 1.0, 0.0)
    np.float64(inf)
    """
    try:
        return run(function, *args, **named)
    except RuntimeError as error:
        if "cannot enter context" not in str(error):
            raise
        return _context.copy().run(function, *args, **named)


def silent(kernel: Kernel) -> Kernel:
    """Decorate a kernel so that it computes quietly: numbers that are not finite are no reason for a warning.

    >>> silent(np.divide)(1.0, 0.0)
    np.float64(inf)
    """

    @wraps(kernel)
    def quiet(*args: Any, **named: Any) -> Any:
        return quietly(kernel, *args, **named)

    return quiet  # type: ignore[return-value]
