"""torch.autograd.gradcheck: gradients compared with small steps."""

from __future__ import annotations

from ..engine.autograd.gradcheck.checking import GradcheckError, gradcheck, gradgradcheck

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]
