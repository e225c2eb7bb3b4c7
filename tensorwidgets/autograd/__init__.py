"""torch.autograd: gradients."""

from __future__ import annotations

from typing import Any

from ..engine.autograd.backward import backward, grad
from . import grad_mode
from .grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = ["backward", "enable_grad", "grad", "grad_mode", "inference_mode", "no_grad", "set_grad_enabled"]


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
