"""torch.nn: layers, models and losses."""

from __future__ import annotations

from typing import Any

from . import functional, init, modules
from .modules import Linear, Module, ReLU
from .parameter import Buffer, Parameter

__all__ = ["Buffer", "Linear", "Module", "Parameter", "ReLU", "functional", "init", "modules"]


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
