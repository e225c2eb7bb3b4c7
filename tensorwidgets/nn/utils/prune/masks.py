"""Which numbers are pruned? The smallest, random ones, those of a mask; or whole rows of a dimension."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

from ....engine.derivatives.ops import torch
from .methods import BasePruningMethod


def check_amount(amount: Any) -> None:
    """Refuse an amount that is neither a count nor a share."""
    if not isinstance(amount, Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if amount < 0 or not isinstance(amount, Integral) and float(amount) > 1.0:
        raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")


def check_count(amount: Any, size: int) -> None:
    """Refuse to prune more than there are."""
    if isinstance(amount, Integral) and amount > size:  # type: ignore[operator]
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")


def number_of(amount: Any, size: int) -> Any:
    """How many of `size` an amount is: a count, or a share of them."""
    return amount if isinstance(amount, Integral) else round(amount * size)


def count_of(amount: Any, size: int) -> Any:
    """How many of `size` are pruned."""
    count = number_of(amount, size)
    check_count(count, size)
    return count


def check_structured(t: Any) -> None:
    """Refuse a tensor that has no rows."""
    if t.dim() <= 1:
        raise ValueError(
            "Structured pruning can only be applied to multidimensional tensors. Found tensor of shape "
            f"{t.shape} with {t.dim()} dims"
        )


def check_dim(t: Any, dim: int) -> None:
    """Refuse a dimension that a tensor lacks."""
    if dim >= t.dim():
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")


def norms_of(t: Any, n: Any, dim: int) -> Any:
    """The norms of the rows of a dimension."""
    own = range(t.dim())[dim]
    return torch.norm(t, p=n, dim=[d for d in range(t.dim()) if d != own])


class Identity(BasePruningMethod):
    """Prunes nothing, and makes the mask."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        return default_mask


class _Unstructured(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def __init__(self, amount: Any) -> None:
        check_amount(amount)
        self.amount = amount

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        count = count_of(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count != 0:
            mask.view(-1)[self._places(t, count)] = 0
        return mask

    def _places(self, t: Any, count: int) -> Any:
        raise NotImplementedError


class RandomUnstructured(_Unstructured):
    """Prunes random numbers."""

    def _places(self, t: Any, count: int) -> Any:
        return torch.topk(torch.rand_like(t).view(-1), k=count).indices


class L1Unstructured(_Unstructured):
    """Prunes the numbers nearest to zero."""

    def _places(self, t: Any, count: int) -> Any:
        return torch.topk(torch.abs(t).view(-1), k=count, largest=False).indices

    @classmethod
    def apply(cls, module: Any, name: str, amount: Any, importance_scores: Any = None) -> Any:  # type: ignore[override]
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class _Structured(BasePruningMethod):
    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, dim: int = -1) -> None:
        check_amount(amount)
        self.amount, self.dim = amount, dim

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        check_structured(t)
        check_dim(t, self.dim)
        size = t.shape[self.dim]
        count = count_of(self.amount, size)
        kept = self._kept(t, size, count)
        if count == 0:
            return default_mask
        mask = torch.zeros_like(t)
        mask.transpose(0, self.dim)[kept] = 1
        mask *= default_mask.to(dtype=mask.dtype)
        return mask

    def _kept(self, t: Any, size: int, count: int) -> Any:
        raise NotImplementedError


class RandomStructured(_Structured):
    """Prunes random rows of a dimension."""

    def _kept(self, t: Any, size: int, count: int) -> Any:
        if count == 0:
            return None
        drawn = torch.rand(size)
        return drawn > torch.kthvalue(drawn, k=count).values

    @classmethod
    def apply(cls, module: Any, name: str, amount: Any, dim: int = -1) -> Any:  # type: ignore[override]
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(_Structured):
    """Prunes the rows of a dimension that have the smallest norms."""

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        super().__init__(amount, dim)
        self.n = n

    def _kept(self, t: Any, size: int, count: int) -> Any:
        return torch.topk(norms_of(t, self.n, self.dim), k=size - count, largest=True).indices

    @classmethod
    def apply(  # type: ignore[override]
        cls, module: Any, name: str, amount: Any, n: Any, dim: int, importance_scores: Any = None
    ) -> Any:
        return super().apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)


class CustomFromMask(BasePruningMethod):
    """Prunes where a mask has zeros."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)
