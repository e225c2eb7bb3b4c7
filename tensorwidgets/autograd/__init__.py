"""torch.autograd: gradients."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..engine.autograd.anomaly import detect_anomaly, set_detect_anomaly
from ..engine.autograd.backward import backward, grad
from ..engine.autograd.functions.function import Function
from ..engine.autograd.preserving import _unsafe_preserve_version_counter  # noqa: F401  # PyTorch's name
from ..engine.tensor.grad_mode import is_multithreading_enabled
from . import anomaly_mode, function, functional, grad_mode, graph, variable
from .grad_mode import (
    enable_grad,
    enforce_grad_layout_policy,
    inference_mode,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from .gradcheck import gradcheck, gradgradcheck
from .variable import Variable

__all__ = [
    "anomaly_mode",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "enforce_grad_layout_policy",
    "Function",
    "function",
    "functional",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "is_multithreading_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
    "Variable",
    "variable",
]


def __getattr__(name: str) -> Any:
    if name in ("forward_ad", "profiler"):  # they stand in for PyTorch's
        return import_module(f"{__name__}.{name}")
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
