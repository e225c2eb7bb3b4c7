"""torch.sparse: sums, products and softmax of sparse tensors, and whether their indices are checked.

Beyond PyTorch: `stored_bytes` counts what the parts of a tensor take; `from_scipy` and `to_scipy` share values with it.
"""

from __future__ import annotations

from .engine.autograd.gradcheck.of_sparse import as_sparse_gradcheck
from .engine.compat.modules import members
from .engine.layouts.sparse.accessors import stored_bytes
from .engine.layouts.sparse.members.typed_classes import CLASSES
from .engine.layouts.sparse.parts.invariants import check_sparse_tensor_invariants
from .engine.layouts.sparse.parts.scipy_arrays import from_scipy, to_scipy

globals().update(members("sparse") | CLASSES)
__all__ = [
    "as_sparse_gradcheck", "check_sparse_tensor_invariants", "from_scipy", "stored_bytes", "to_scipy",
    *sorted(members("sparse") | CLASSES),
]  # fmt: skip
