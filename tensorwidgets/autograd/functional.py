"""torch.autograd.functional: Jacobians, Hessians and their products with vectors.

>>> import tensorwidgets as torch
>>> torch.autograd.functional.jacobian(torch.exp, torch.zeros(2))
tensor([[1., 0.],
        [0., 1.]])
"""

from __future__ import annotations

from ..engine.autograd.functional.matrices import hessian, jacobian
from ..engine.autograd.functional.products import hvp, jvp, vhp, vjp

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
