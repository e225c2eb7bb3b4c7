"""torch.nn: layers, models and losses."""

from __future__ import annotations

from typing import Any

from . import functional, init, modules, utils
from .modules import *  # noqa: F403
from .parameter import Buffer, Parameter

__all__ = ["Buffer", "Parameter", "functional", "init", "modules", "utils", *modules.__all__]


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
