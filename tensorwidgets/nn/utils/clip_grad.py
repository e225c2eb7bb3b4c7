"""How large are the gradients of a model? Clip them to a largest norm or value."""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterable
from typing import Any

from ...engine.derivatives.ops import torch
from ...engine.errors.reasons import refuse
from ...engine.tensor.tensor import Tensor

Tensors = Tensor | Iterable[Tensor]


def _listed(tensors: Tensors) -> list[Tensor]:
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def get_total_norm(
    tensors: Tensors, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:
    """The norm of all tensors together, as if they were one vector.

    >>> import tensorwidgets as torch
    >>> get_total_norm([torch.tensor([3.0]), torch.tensor([4.0])])
    tensor(5.)
    """
    listed, norm_type = _listed(tensors), float(norm_type)
    with torch.no_grad():
        if not listed:
            return torch.tensor(0.0)
        device = listed[0].device
        norms = [torch.linalg.vector_norm(t, norm_type).to(device) for t in listed]
        total = torch.linalg.vector_norm(torch.stack(norms), norm_type)
        if error_if_nonfinite and not bool(total.isfinite()):
            raise RuntimeError(
                f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be "
                "clipped. To disable this error and scale the gradients by the non-finite norm anyway, set "
                "`error_if_nonfinite=False`"
            )
    return total


def clip_grads_with_norm_(
    parameters: Tensors, max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Scale gradients, whose norm is known, so that it is at most `max_norm`."""
    limit, grads = float(max_norm), [p.grad for p in _listed(parameters) if p.grad is not None]
    if not grads:
        return
    with torch.no_grad():
        factor: Any = torch.clamp(limit / (total_norm + 1e-6), max=1.0)
        for grad in grads:
            grad.mul_(factor.to(grad.device))


def clip_grad_norm_(
    parameters: Tensors, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:  # fmt: skip
    """Scale the gradients of parameters so that their norm is at most `max_norm`; returns the norm before.

    >>> import tensorwidgets as torch
    >>> x = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> (x * x / 2).sum().backward()
    >>> clip_grad_norm_([x], 1.0)
    tensor(5.)
    >>> x.grad
    tensor([0.6000, 0.8000])
    """
    listed = _listed(parameters)
    if not listed and isinstance(parameters, types.GeneratorType):
        warnings.warn("`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=2)
    grads = [p.grad for p in listed if p.grad is not None]
    total = get_total_norm(grads, norm_type, error_if_nonfinite)
    clip_grads_with_norm_(listed, max_norm, total)
    return total


def clip_grad_norm(*args: Any, **kwargs: Any) -> Any:
    """The old name of `clip_grad_norm_`, which warns."""
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(*args, **kwargs)


def clip_grad_value_(parameters: Tensors, clip_value: float, foreach: bool | None = None) -> None:
    """Limit every element of the gradients to [-clip_value, clip_value]."""
    limit = float(clip_value)
    with torch.no_grad():
        grads = [p.grad for p in _listed(parameters) if p.grad is not None]
        if not grads:
            refuse(
                RuntimeError,
                "Expected !nested_tensorlist[0].empty() to be true, but got false.  (Could this error message be "
                "improved?  If so, please report an enhancement request to PyTorch.)",
                "no parameter has a gradient yet",
                "loss.backward() first",
                rule="autograd.none",
            )
        for grad in grads:
            if foreach is False:
                grad.clamp_(-limit, limit)
            else:  # in two steps, as PyTorch does it for all gradients at once
                grad.clamp_(min=-limit).clamp_(max=limit)
