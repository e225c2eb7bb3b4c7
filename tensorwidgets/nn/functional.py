"""torch.nn.functional: what layers compute, as functions."""

from __future__ import annotations

from ..engine.compat.modules import members

globals().update(members("nn.functional"))
__all__ = sorted(members("nn.functional"))
