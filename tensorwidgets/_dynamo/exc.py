"""torch._dynamo.exc: the errors of a compiler, by which programs catch them. Nothing is compiled, so none is raised.

>>> import tensorwidgets as torch
>>> from tensorwidgets._dynamo.exc import TorchDynamoException
>>> try:
...     torch.compile(torch.sin)(torch.zeros(2))
... except TorchDynamoException:
...     print("not compiled")
tensor([0., 0.])
"""

from __future__ import annotations

__all__ = [
    "BackendCompilerFailed", "FailOnRecompileLimitHit", "InternalTorchDynamoError", "InvalidBackend", "RecompileError",
    "ResetRequired", "ShortenTraceback", "TorchDynamoException", "TorchRuntimeError", "Unsupported", "UserError",
]  # fmt: skip


class TorchDynamoException(RuntimeError):
    """All that can go wrong while a function is compiled."""


class InternalTorchDynamoError(TorchDynamoException):
    """A mistake of the compiler's own."""


class ResetRequired(TorchDynamoException):
    """Switches changed after something was compiled."""


class InvalidBackend(TorchDynamoException):
    """There is no compiler of this name."""


class ShortenTraceback(TorchDynamoException):
    """An error that is shown without the compiler's own lines."""


class BackendCompilerFailed(ShortenTraceback):
    """The compiler that was chosen raised an error."""


class TorchRuntimeError(TorchDynamoException):
    """A call failed while the compiler followed it."""


class Unsupported(TorchDynamoException):
    """Code that the compiler cannot follow."""


class UserError(TorchDynamoException):
    """Code that the compiler cannot follow, and that its author can change."""


class RecompileError(TorchDynamoException):
    """A function was compiled again where that is not wanted."""


class FailOnRecompileLimitHit(Exception):
    """A function was compiled too often."""
