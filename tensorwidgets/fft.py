"""torch.fft: Fourier transforms."""

from __future__ import annotations

from .engine.compat.modules import members

globals().update(members("fft"))
__all__ = sorted(members("fft"))
