"""torch.linalg: linear algebra by LAPACK."""

from __future__ import annotations

from .engine.compat.modules import members
from .engine.declare.linalg import LinAlgError

globals().update(members("linalg"))
__all__ = ["LinAlgError", *sorted(members("linalg"))]
