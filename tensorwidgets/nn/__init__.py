"""torch.nn: layers, models and losses."""

from __future__ import annotations

from typing import Any

from .modules import Module
from .parameter import Buffer, Parameter

__all__ = ["Buffer", "Module", "Parameter"]


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
