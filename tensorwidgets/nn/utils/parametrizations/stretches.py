"""spectral_norm: a weight is divided by the factor by which it stretches a vector at most."""

from __future__ import annotations

from typing import Any

from ....engine.derivatives.ops import torch
from ....engine.tensor.tensor import Tensor
from ... import functional as F
from ...modules.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from ...modules.module import Module
from ..parametrize.registering import register_parametrization


def rows_of(weight: Any, dim: int) -> Any:
    """The weight with this dimension first."""
    return weight if dim == 0 else weight.permute(dim, *(d for d in range(weight.dim()) if d != dim))


def output_dim(module: Module) -> int:
    """Which dimension of a layer's weight belongs to its results."""
    return 1 if isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)) else 0


def check_rounds(n_power_iterations: int) -> None:
    if n_power_iterations <= 0:
        raise ValueError(f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}")


class _SpectralNorm(Module):
    _u: Any
    _v: Any

    def __init__(self, weight: Any, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        n = weight.ndim
        if not -n <= dim < n:
            raise IndexError(f"Dimension out of range (expected to be in range of [-{n}, {n - 1}] but got {dim})")
        check_rounds(n_power_iterations)
        self.dim, self.eps = dim % n, eps
        if n > 1:
            self.n_power_iterations = n_power_iterations
            matrix = rows_of(weight, self.dim).flatten(1)
            for name, size in zip(("_u", "_v"), matrix.size(), strict=True):
                self.register_buffer(name, matrix.new_empty(size).normal_(0, 1))
            self._u, self._v = (F.normalize(x, dim=0, eps=eps) for x in (self._u, self._v))
            self._power_method(matrix, 15)

    def _power_method(self, matrix: Any, rounds: int) -> None:
        """Turn both vectors towards those that are stretched most."""
        with torch.no_grad():
            for _ in range(rounds):
                self._u = F.normalize(torch.mv(matrix, self._v), dim=0, eps=self.eps, out=self._u)
                self._v = F.normalize(torch.mv(matrix.H, self._u), dim=0, eps=self.eps, out=self._v)

    def forward(self, weight: Any) -> Any:
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = rows_of(weight, self.dim).flatten(1)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()
        return weight / torch.vdot(u, torch.mv(matrix, v))

    def right_inverse(self, value: Any) -> Any:
        return value


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Divide a weight by its largest singular value, which each call in training finds a little better.

    >>> import tensorwidgets as torch
    >>> layer = spectral_norm(torch.nn.Linear(20, 40))
    >>> bool(torch.linalg.matrix_norm(layer.weight, 2) < 1.2)
    True
    """
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    step = _SpectralNorm(weight, n_power_iterations, output_dim(module) if dim is None else dim, eps)
    return register_parametrization(module, name, step)
