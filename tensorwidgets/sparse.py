"""torch.sparse: sums, products and softmax of sparse tensors, and whether their indices are checked."""

from __future__ import annotations

from .engine.layouts.sparse.invariants import check_sparse_tensor_invariants
from .engine.modules import members

globals().update(members("sparse"))
__all__ = ["check_sparse_tensor_invariants", *sorted(members("sparse"))]
