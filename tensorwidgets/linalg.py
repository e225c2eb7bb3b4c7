"""torch.linalg: linear algebra by LAPACK."""

from __future__ import annotations

from .engine.linear import LinAlgError
from .engine.modules import members

globals().update(members("linalg"))
__all__ = ["LinAlgError", *sorted(members("linalg"))]
