"""How large are the gradients of a model? Clip them to a largest norm or value."""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterable
from typing import Any

from numpy import ndarray

from ...engine.declare.fast_calls import PLAIN
from ...engine.derivatives.ops import torch
from ...engine.errors.reasons import refuse
from ...engine.tensor.keys import KEY_AUTOGRAD
from ...engine.tensor.tensor import Tensor

Tensors = Tensor | Iterable[Tensor]


def _listed(tensors: Tensors) -> list[Tensor]:
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def _gradients(parameters: list[Tensor]) -> list[Tensor]:
    """The gradients that there are."""
    return [grad for p in parameters if (grad := p.grad) is not None]


def _norms(tensors: list[Tensor], order: float, device: Any) -> Tensor:
    """The norm of each tensor. Small ones of one size share a call, which adds up each as if it were alone."""
    alike: dict[Any, list[int]] = {}
    if order in (1, 2) and len(tensors) >= SEVERAL:
        for place, each in enumerate(tensors):
            alike.setdefault(_kind_of(each), []).append(place)
    alone = alike.pop(None, [])
    if len(alone) + SEVERAL * len(alike) > len(tensors) or not alike:
        return torch.stack([torch.linalg.vector_norm(each, order).to(device) for each in tensors])
    norms, places = [torch.linalg.vector_norm(tensors[place], order).to(device).reshape(1) for place in alone], alone
    for several in alike.values():
        step = TOGETHER // tensors[several[0]].numel()
        for start in range(0, len(several), step):
            places += (some := several[start : start + step])
            rows = torch.stack([tensors[place] for place in some]).flatten(1)
            norms.append(torch.linalg.vector_norm(rows, order, 1).to(device))
    joined = torch.cat(norms)
    if places == sorted(places):
        return joined
    return torch.empty_like(joined).index_copy_(0, torch.tensor(places, device=device), joined)


SEVERAL, TOGETHER = 4, 1 << 14
"""From how many tensors of a size on, on average, a shared call is quicker, and how many elements it adds up at most:
so many that their order is still that of a single tensor."""


def _kind_of(t: Tensor) -> tuple | None:
    """What small tensors have in common whose norms are computed together; None for others."""
    array = t._array
    if type(t) not in PLAIN or t._keys & ~KEY_AUTOGRAD or type(array) is not ndarray or array.dtype.char not in "fd":
        return None
    fits = array.ndim and 0 < array.size <= TOGETHER and array.flags.c_contiguous
    return (array.shape, array.dtype) if fits else None


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
        total = torch.linalg.vector_norm(_norms(listed, norm_type, listed[0].device), norm_type)
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
    limit, grads = float(max_norm), _gradients(_listed(parameters))
    if not grads:
        return
    with torch.no_grad():
        factor: Any = torch.clamp(limit / (total_norm + 1e-6), max=1.0)
        devices = [grad.device for grad in grads]
        factors = {device: factor.to(device) for device in set(devices)}
        for grad, device in zip(grads, devices, strict=True):
            grad.mul_(factors[device])


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
    grads = _gradients(listed)
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
        grads = _gradients(_listed(parameters))
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
