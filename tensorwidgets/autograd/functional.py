"""torch.autograd.functional: Jacobians, Hessians and their products with vectors.

>>> import tensorwidgets as torch
>>> torch.autograd.functional.jacobian(torch.exp, torch.zeros(2))
tensor([[1., 0.],
        [0., 1.]])
"""

from __future__ import annotations

from ..engine.autograd.functional.matrices import hessian, jacobian
from ..engine.autograd.functional.parts import (
    _as_tuple,
    _as_tuple_nocheck,
    _construct_standard_basis_for,
    _grad_postprocess,
    _grad_preprocess,
    _tuple_postprocess,
)
from ..engine.autograd.functional.products import hvp, jvp, vhp, vjp

__all__ = [
    "_as_tuple", "_as_tuple_nocheck", "_construct_standard_basis_for", "_grad_postprocess", "_grad_preprocess",
    "_tuple_postprocess", "hessian", "hvp", "jacobian", "jvp", "vhp", "vjp",
]  # fmt: skip
