"""torch.special: error functions, gamma functions, Bessel functions, orthogonal polynomials."""

from __future__ import annotations

from .engine.compat.modules import members

globals().update(members("special"))
__all__ = sorted(members("special"))
