"""torch.nn.functional: what layers compute, as functions."""

from __future__ import annotations

from typing import Any

from ..engine import FACE
from ..engine.compat.modules import members

globals().update(members("nn.functional") | {"relu_": FACE["relu_"]})  # the one method among these functions
__all__ = sorted(members("nn.functional"))


def __getattr__(name: str) -> Any:
    if name == "grad":
        from . import grad

        return grad
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
