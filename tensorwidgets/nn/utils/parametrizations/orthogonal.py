"""orthogonal: a weight whose columns, or rows, are at right angles and have length 1, whatever is trained."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any

from ....engine.derivatives.ops import torch
from ....engine.tensor.tensor import Tensor
from ...modules.module import Module
from ..parametrize.registering import register_parametrization


class _OrthMaps(Enum):
    matrix_exp = auto()
    cayley = auto()
    householder = auto()


def _is_orthogonal(q: Any) -> bool:
    n, k = q.size(-2), q.size(-1)
    near = 10.0 * n * torch.finfo(q.dtype).eps
    return bool(torch.allclose(q.mH @ q, torch.eye(k, dtype=q.dtype, device=q.device), atol=near))


def _made_orthogonal(a: Any) -> Any:
    x, tau = torch.geqrf(a)
    q = torch.linalg.householder_product(x, tau)
    q *= x.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)
    return q


class _Orthogonal(Module):
    base: Any

    def __init__(self, weight: Any, orthogonal_map: _OrthMaps, *, use_trivialization: bool = True) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map == _OrthMaps.householder:
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape, self.orthogonal_map = weight.shape, orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Any) -> Any:  # noqa: N803
        wide = X.size(-2) < X.size(-1)
        tall = X.mT if wide else X
        q = self._of_reflections(tall) if self.orthogonal_map == _OrthMaps.householder else self._of_turns(tall)
        if hasattr(self, "base"):
            q = self.base @ q
        return q.mT if wide else q

    def _of_turns(self, x: Any) -> Any:
        """A rotation, made of a matrix whose two halves are each other's negative."""
        n, k = x.size(-2), x.size(-1)
        x = x.tril()
        if n != k:
            x = torch.cat([x, x.new_zeros(n, n - k).expand(*x.shape[:-2], -1, -1)], dim=-1)
        a = x - x.mH
        if self.orthogonal_map == _OrthMaps.matrix_exp:
            q = torch.matrix_exp(a)
        else:
            one = torch.eye(n, dtype=a.dtype, device=a.device)
            q = torch.linalg.solve(torch.add(one, a, alpha=-0.5), torch.add(one, a, alpha=0.5))
        return q[..., :k] if n != k else q

    def _of_reflections(self, x: Any) -> Any:
        """A product of reflections, one for each column below the diagonal."""
        a = x.tril(diagonal=-1)
        q = torch.linalg.householder_product(a, 2.0 / (1.0 + (a * a).sum(dim=-2)))
        return q * x.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)

    def right_inverse(self, Q: Any) -> Any:  # noqa: N803
        with torch.no_grad():
            if Q.shape != self.shape:
                raise ValueError(
                    f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {Q.shape}."
                )
            wide = Q.size(-2) < Q.size(-1)
            tall = Q.mT if wide else Q
            if not hasattr(self, "base"):
                return self._reflections_of(tall, wide)
            self._set_base(tall)
            start = torch.zeros_like(Q)
            start.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
            return start

    def _reflections_of(self, q: Any, wide: bool) -> Any:
        if self.orthogonal_map != _OrthMaps.householder:
            raise NotImplementedError(
                "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
                "use_trivialization=False."
            )
        a, tau = torch.geqrf(q)
        a.diagonal(dim1=-2, dim2=-1).sign_()
        a.diagonal(dim1=-2, dim2=-1)[tau == 0.0] *= -1
        return a.mT if wide else a

    def _set_base(self, q: Any) -> None:
        n, k = q.size(-2), q.size(-1)
        if n != k:
            more = torch.randn(*q.size()[:-2], n, n - k, dtype=q.dtype, device=q.device)
            self.base = _made_orthogonal(torch.cat([q, more], dim=-1))
        else:
            self.base = q.clone() if _is_orthogonal(q) else _made_orthogonal(q)


def orthogonal(
    module: Module, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Module:
    """Keep the columns of a matrix at right angles, or its rows if it is wide.

    >>> import tensorwidgets as torch
    >>> layer = orthogonal(torch.nn.Linear(3, 3))
    >>> bool(torch.allclose(layer.weight @ layer.weight.T, torch.eye(3), atol=1e-6))
    True
    """
    weight: Any = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1)
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    chosen = getattr(_OrthMaps, orthogonal_map, None)
    if chosen is None:
        raise ValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    step = _Orthogonal(weight, chosen, use_trivialization=use_trivialization)
    return register_parametrization(module, name, step, unsafe=True)
