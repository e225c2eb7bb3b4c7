"""torch.autograd.gradcheck: gradients held against small steps."""

from __future__ import annotations

from ..engine.autograd.gradcheck.checking import GradcheckError, gradcheck, gradgradcheck

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]
