"""What is raised when a device has too little memory?"""

from __future__ import annotations


class OutOfMemoryError(RuntimeError):
    """Raised when a device has no memory for a tensor.

    >>> issubclass(OutOfMemoryError, RuntimeError)
    True
    """


OutOfMemoryError.__module__ = "torch"
