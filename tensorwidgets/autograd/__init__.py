"""torch.autograd: gradients."""

from __future__ import annotations

from typing import Any

from ..engine.autograd.anomaly import detect_anomaly, set_detect_anomaly
from ..engine.autograd.backward import backward, grad
from ..engine.autograd.functions import Function
from . import function, grad_mode, graph
from .grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = ["Function", "backward", "detect_anomaly", "function", "graph", "set_detect_anomaly", "enable_grad", "grad", "grad_mode", "inference_mode", "no_grad", "set_grad_enabled"]


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
