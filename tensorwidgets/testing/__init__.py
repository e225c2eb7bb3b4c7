"""torch.testing: whether results are what was expected."""

from __future__ import annotations

from typing import Any

from .comparison import assert_allclose, assert_close

__all__ = ["assert_allclose", "assert_close"]


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
