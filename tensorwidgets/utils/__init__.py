"""torch.utils: of it, the exchange of memory with other libraries."""

from __future__ import annotations

from typing import Any

from . import dlpack

__all__ = ["dlpack"]


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
