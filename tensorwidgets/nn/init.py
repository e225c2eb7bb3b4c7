"""torch.nn.init: which numbers does a layer begin with?"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any

from ..engine.derivatives.ops import torch
from ..engine.errors.warnings import warn
from ..engine.overriding.functions import handle_torch_function, has_torch_function
from ..engine.tensor.tensor import Tensor

_NONLINEARITIES = {
    "linear": 1, "conv1d": 1, "conv2d": 1, "conv3d": 1, "conv_transpose1d": 1, "conv_transpose2d": 1,
    "conv_transpose3d": 1, "sigmoid": 1, "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4,
}  # fmt: skip


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """By how much a layer's results are to be larger to make up for the function behind it."""
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if not isinstance(nonlinearity, str) or nonlinearity not in _NONLINEARITIES:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return _NONLINEARITIES[nonlinearity]


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """How many inputs a result depends on, and how many results an input goes into."""
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.size(1) * field, tensor.size(0) * field


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


def _told_of(function: Callable[..., Tensor]) -> Any:
    """Let the class of the tensor, or a mode, see a call of this function: PyTorch hands all arguments on by name."""

    @wraps(function)
    def told(*args: Any, **kwargs: Any) -> Any:
        tensor = args[0] if args else kwargs.get("tensor")
        if not has_torch_function((tensor,)):
            return function(*args, **kwargs)
        bound = signature(function).bind(*args, **kwargs)
        bound.apply_defaults()
        return handle_torch_function(told, (tensor,), **bound.arguments)

    return told


@_told_of
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Draw from the uniform distribution over [a, b)."""
    with torch.no_grad():
        return tensor.uniform_(a, b, generator=generator)


@_told_of
def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Draw from a uniform distribution that keeps the size of what passes through relu and similar functions."""
    if 0 in tensor.shape:
        warn("Initializing zero-element tensors is a no-op")
        return tensor
    fan = _calculate_correct_fan(tensor, mode)
    bound = math.sqrt(3.0) * (calculate_gain(nonlinearity, a) / math.sqrt(fan))
    return uniform_(tensor, -bound, bound, generator)


@_told_of
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Draw from the normal distribution."""
    with torch.no_grad():
        return tensor.normal_(mean, std, generator=generator)


@_told_of
def constant_(tensor: Tensor, val: float) -> Tensor:
    """Set every element to one value."""
    with torch.no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Set every element to 1."""
    with torch.no_grad():
        return tensor.fill_(1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Set every element to 0."""
    with torch.no_grad():
        return tensor.zero_()


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Draw from a uniform distribution that keeps sizes on the way forward and back."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(fan_in + fan_out)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Draw from a normal distribution that keeps sizes on the way forward and back."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Draw from a normal distribution that keeps the size of what passes through relu and similar functions."""
    if 0 in tensor.shape:
        warn("Initializing zero-element tensors is a no-op")
        return tensor
    fan = _calculate_correct_fan(tensor, mode)
    return normal_(tensor, 0, calculate_gain(nonlinearity, a) / math.sqrt(fan), generator)


def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Tensor:
    """Draw from a normal distribution without what lies outside [a, b]: such numbers are drawn again."""
    if tensor.is_meta:
        return tensor
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be "
            "incorrect.",
            stacklevel=2,
        )
    low, high = ((1.0 + math.erf((bound - mean) / std / math.sqrt(2.0))) / 2.0 for bound in (a, b))
    with torch.no_grad():
        draw = _redrawn_normal if high - low > 0.3 else _rejected_uniform
        draw(tensor, mean, std, a, b, generator)
    return tensor


_no_grad_trunc_normal_ = trunc_normal_  # which libraries import by this name


def _redrawn_normal(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any) -> None:
    """Normal numbers, drawn again where they lie outside: quick if most of them lie inside."""
    low, high = tensor.new_tensor(a).item(), tensor.new_tensor(b).item()
    result = tensor.normal_(mean, std, generator=generator)
    while bool((outside := (result < low) | (result > high)).any()):
        drawn = torch.empty_like(result).normal_(mean, std, generator=generator)
        result = torch.where(outside, drawn, result)
    if result is not tensor:
        tensor.copy_(result)


def _rejected_uniform(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any) -> None:
    """Uniform numbers of [a, b], each kept with a probability in proportion to the normal density."""
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    drawn, chance = torch.empty_like(tensor), torch.empty_like(tensor)

    def rejected() -> Tensor:
        density = drawn.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
        return chance.uniform_(generator=generator).log_().gt(density)

    drawn.copy_(tensor.uniform_(a, b, generator=generator))
    pending, result = rejected(), tensor
    while bool(pending.any()):
        drawn.uniform_(a, b, generator=generator)
        result = torch.where(pending, drawn, result)
        pending = torch.where(pending, rejected(), pending)
    if result is not tensor:
        tensor.copy_(result)


def eye_(tensor: Tensor) -> Tensor:
    """Set a matrix to 1 on the diagonal and 0 elsewhere."""
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with torch.no_grad():
        tensor.copy_(torch.eye(*tensor.shape, dtype=tensor.dtype))
    return tensor


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Set the weight of a convolution so that it passes its input on."""
    if tensor.ndimension() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    size = tensor.size()
    if size[0] % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    each = size[0] // groups
    with torch.no_grad():
        tensor.zero_()
        for group in range(groups):
            for channel in range(min(each, size[1])):
                tensor[(group * each + channel, channel, *(n // 2 for n in size[2:]))] = 1
    return tensor


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Set a matrix to one with orthogonal rows or columns of length `gain`."""
    if tensor.ndimension() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0 or tensor.is_meta:
        return tensor
    rows = tensor.size(0)
    columns = tensor.numel() // rows
    with torch.no_grad():
        drawn = tensor.new_empty((rows, columns)).normal_(0, 1, generator=generator)
        q, r = torch.linalg.qr(drawn.t() if rows < columns else drawn)
        q = q * torch.diag(r, 0).sign()  # the same sign for all bases, so that none is more likely
        tensor.view(rows, columns).copy_(q.t() if rows < columns else q)
        tensor.mul_(gain)
    return tensor


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Draw from the normal distribution, and set a part of each column to 0."""
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    if tensor.is_meta:
        return tensor
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with torch.no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            tensor[torch.randperm(rows)[:zeros], column] = 0
    return tensor


# -- old names ---------------------------------------------------------------------------------------------------


def _old(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The function under its name without the underscore, which warns."""
    new = function.__name__
    old = new[:-1]

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Tensor:
        warnings.warn(f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new}`.", FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    called.__name__ = old
    return called


uniform, normal, constant, eye = _old(uniform_), _old(normal_), _old(constant_), _old(eye_)
xavier_uniform, xavier_normal = _old(xavier_uniform_), _old(xavier_normal_)
kaiming_uniform, kaiming_normal = _old(kaiming_uniform_), _old(kaiming_normal_)
dirac, orthogonal, sparse = _old(dirac_), _old(orthogonal_), _old(sparse_)


# Libraries with initializations of their own call these names of PyTorch's.


def _no_grad_uniform_(tensor: Tensor, a: float, b: float, generator: Any = None) -> Tensor:
    with torch.no_grad():
        return tensor.uniform_(a, b, generator=generator)


def _no_grad_normal_(tensor: Tensor, mean: float, std: float, generator: Any = None) -> Tensor:
    with torch.no_grad():
        return tensor.normal_(mean, std, generator=generator)


def _no_grad_fill_(tensor: Tensor, val: float) -> Tensor:
    with torch.no_grad():
        return tensor.fill_(val)


def _no_grad_zero_(tensor: Tensor) -> Tensor:
    with torch.no_grad():
        return tensor.zero_()
