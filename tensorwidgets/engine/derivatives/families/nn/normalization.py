"""Derivatives of normalizations: layer, batch and group.

A normalized number depends on its neighbors by their mean and their variance. Those of a group norm are results with
gradients of their own, so that a second derivative sees them; the gradients of the others are rows.
"""

from __future__ import annotations

from functools import wraps
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ....backends.numpy.layers import channels_apart, few_channels, few_groups, layer_norm
from ....backends.numpy.layers.channels_apart import lie_apart
from ....backends.numpy.layers.moments import are_few
from ....backends.numpy.without_warnings import quietly
from ....declare.fast_calls import PLAIN
from ....ops.nn.norms.examples import array_of, divided_by_root
from ....tensor.keys import KEY_AUTOGRAD, KEY_INFERENCE
from ....tensor.wrapping import wrap
from ....types.dtypes import HALVES, float32, float64
from ...backward_rows import slope_row
from ...declaring import constant, differentiate, parts
from ...helpers import times
from ...number_rows import add_number
from ...ops import torch
from .norm_rows import (
    check_weight,
    gradients,
    norm_of_batch,
    norm_of_layer,
    order_of,
    recomputed,
    second_gradients,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ....tensor.tensor import Tensor


def _input_gradient(grad: Tensor, normal: Tensor, scale: Tensor, dims: Sequence[int]) -> Any:
    """What is left of a gradient after its mean, and its share along the normalized numbers, are taken off."""
    along = (grad * normal).mean(dims, keepdim=True)
    return (grad - grad.mean(dims, keepdim=True) - normal * along) * scale


def _needed(needed: dict) -> tuple[bool, bool, bool]:
    return needed["input"], needed["weight"], needed["bias"]


def _of_layer_norm(
    grad: Tensor,
    input: Tensor,
    normalized_shape: tuple[int, ...],
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
    result1: Tensor,
    result2: Tensor,
    needed: dict,
) -> tuple:
    """The gradients of layer normalization."""
    check_weight(input, weight, "expected scalar type {Input} but found {Weight}")
    if torch.is_grad_enabled():
        every = native_layer_norm_backward(grad, input, normalized_shape, result1, result2, weight, bias, eps)
        return tuple(g if n else None for g, n in zip(every, _needed(needed), strict=True))
    if not needed["input"] and not needed["weight"]:
        outer = list(range(input.dim() - len(tuple(normalized_shape))))
        return None, None, grad.sum(outer) if outer else grad
    return _by_rows(grad, input, normalized_shape, weight, result1, result2, _needed(needed))


def _widened(function: Callable[..., Any]) -> Callable[..., Any]:
    """Gradients of 16-bit floats are computed in 32 bits and rounded once; those of parameters have their dtype."""

    @wraps(function)
    def gradients_of(grad: Tensor, input: Tensor, parts: Any, weight: Tensor | None, *rest: Any) -> tuple:
        d = grad._dtype
        if d not in HALVES:
            return tuple(function(grad, input, parts, weight, *rest))
        own = d if weight is None else weight._dtype
        mean, scale, needed = rest
        wide = (grad.float(), input.float(), parts, None if weight is None else weight.float())
        found = function(*wide, mean.float(), scale.float(), needed)
        return tuple(None if g is None else g.to(k) for g, k in zip(found, (d, own, own), strict=True))

    return gradients_of


@_widened
def _by_rows(
    grad: Tensor, input: Tensor, shape: tuple[int, ...], weight: Tensor | None, mean: Tensor, scale: Tensor,
    needed: tuple[bool, bool, bool],
) -> Any:  # fmt: skip
    given = [t for t in (grad, input, mean, scale, weight) if t is not None]
    if all(_is_plain(t, input) for t in given) and input.numel():
        arrays = [t._array for t in given[:4]]
        found = quietly(layer_norm.gradients_of_layer, *arrays, array_of(weight), needed, tuple(shape))
        return tuple(None if g is None else wrap(g, input._dtype) for g in found)
    return gradients(grad, weight, norm_of_layer(input, shape, mean, scale), needed)


@slope_row("native_layer_norm_backward", "The gradients of layer normalization.")
def native_layer_norm_backward(
    grad_out: Tensor, input: Tensor, normalized_shape: tuple[int, ...], mean: Tensor, rstd: Tensor,
    weight: Tensor | None, bias: Tensor | None, eps: float,
) -> tuple:  # fmt: skip
    """The gradients of input, weight and bias."""
    needed = True, weight is not None or bias is not None, bias is not None
    return _by_rows(grad_out, input, normalized_shape, weight, mean, rstd, needed)


def _second_of_layer(
    grads: tuple, grad_out: Tensor, input: Tensor, normalized_shape: tuple[int, ...], weight: Any, bias: Any, eps: float
) -> tuple:
    dims = list(range(input.dim() - len(tuple(normalized_shape)), input.dim()))
    norm = recomputed(input, dims, list(range(dims[0])), eps)
    of_grad, of_input, of_weight = second_gradients(grads, grad_out, weight, norm, tuple(normalized_shape))
    return of_grad, of_input, None, None, of_weight, None


differentiate(
    "native_layer_norm_backward", node="NativeLayerNormBackwardBackward0",
    together=("grad_out input mean rstd weight bias", _second_of_layer))  # fmt: skip


differentiate(
    "native_layer_norm", results=(0,), together=("input weight bias", lambda grad, input, normalized_shape, result1,
    result2, eps, needed, weight=None, bias=None: _of_layer_norm(
        grad, input, normalized_shape, weight, bias, eps, result1, result2, needed)))  # fmt: skip


def _of_batch_norm(
    grad: Tensor,
    input: Tensor,
    weight: Tensor | None,
    running_mean: Any,
    running_var: Any,
    training: bool,
    eps: float,
    result1: Tensor,
    result2: Tensor,
    needed: dict,
) -> tuple:
    """The gradients of batch normalization."""
    check_weight(input, weight, "mixed dtype (CPU): expect parameter to have scalar type of Float")
    mean, scale = (result1, result2) if training else (running_mean, None)
    if scale is None and (needed["input"] or needed["weight"]):
        scale = (running_var + eps).rsqrt()
    if torch.is_grad_enabled():
        scale = (running_var + eps).rsqrt() if scale is None else scale
        every = native_batch_norm_backward(grad, input, weight, mean, scale, needed["bias"], training, eps)
        return tuple(g if n else None for g, n in zip(every, _needed(needed), strict=True))
    if scale is None:
        return None, None, grad.sum([0, *range(2, input.dim())])
    spread = (result2, None) if training else (running_var, eps)
    return _by_channels(grad, input, weight, mean, scale, training, spread, _needed(needed))


def _by_channels(
    grad: Tensor, input: Tensor, weight: Tensor | None, mean: Tensor, scale: Tensor, training: bool,
    spread: tuple[Tensor, float | None] | None, needed: tuple[bool, bool, bool],
) -> tuple:  # fmt: skip
    """The gradients of input, weight and bias; `spread` is the scale of a batch, or a given variance and what is added
    to it, if that is known.
    """
    if spread is not None:
        if of_apart := _of_channels_apart(grad, input, weight, mean, *spread, needed):
            return of_apart
        if of_few := _of_few_channels(grad, input, weight, mean, *spread, needed):
            return of_few
    wide = None if weight is None else weight.reshape(-1, *(1,) * (input.dim() - 2))
    return gradients(grad, wide, norm_of_batch(input, mean, scale, training), needed, order_of(input))


@slope_row("native_batch_norm_backward", "The gradients of batch normalization.")
def native_batch_norm_backward(
    grad_out: Tensor, input: Tensor, weight: Tensor | None, save_mean: Tensor, save_invstd: Tensor, bias: bool,
    training: bool, eps: float,
) -> tuple:  # fmt: skip
    """The gradients of input, weight and bias."""
    needed = True, weight is not None or bias, bias
    spread = (save_invstd, None) if training else None
    return _by_channels(grad_out, input, weight, save_mean, save_invstd, training, spread, needed)


def _second_of_batch(
    grads: tuple, grad_out: Tensor, input: Tensor, weight: Any, save_mean: Tensor, save_invstd: Tensor, training: bool,
    eps: float,
) -> tuple:  # fmt: skip
    shape = (-1, *(1,) * (input.dim() - 2))
    norm = norm_of_batch(input, save_mean, save_invstd, training)
    if training:
        norm = recomputed(input, norm.dims, norm.outer, eps)
    wide = None if weight is None else weight.reshape(shape)
    return (*second_gradients(grads, grad_out, wide, norm, shape), None, None)


differentiate(
    "native_batch_norm_backward", node="NativeBatchNormBackwardBackward0",
    together=("grad_out input weight save_mean save_invstd", _second_of_batch))  # fmt: skip


constant("native_batch_norm", "native_batch_norm", "running_mean", "running_var")
differentiate(
    "native_batch_norm", results=(0,), together=("input weight bias", lambda grad, input, training, eps, result1,
    result2, needed, weight=None, running_mean=None, running_var=None: _of_batch_norm(
        grad, input, weight, running_mean, running_var, training, eps, result1, result2, needed)))  # fmt: skip


def _of_recorded_group_norm(
    grads: tuple, input: Tensor, weight: Tensor | None, group: int, result1: Tensor, result2: Tensor, needed: dict
) -> tuple:
    """The same in the ops that PyTorch records, by the sums of each channel; mean and deviation have gradients, too."""
    grad, of_mean, of_deviation = grads
    both = of_mean is not None and of_deviation is not None  # one alone is lost in PyTorch
    if grad is None and not both:
        return None, None, None
    n, channels = input.shape[:2]
    split, each = (n, group, channels // group, prod(input.shape[2:])), (n, group, 1, 1)
    share = 1.0 / (split[2] * split[3])
    mean, scale = result1.reshape(each), result2.reshape(each)
    x = input.reshape(split)
    terms: list[Any] = []
    of_weight = of_bias = None
    if grad is not None:
        y = grad.reshape(split)
        ds, db = (y * x).sum(3).unsqueeze_(-1), y.sum(3).unsqueeze_(-1)
        if needed["input"]:
            gamma = None if weight is None else weight.reshape((1, group, split[2], 1))
            factor = scale if gamma is None else scale * gamma
            ds_all, db_all = ((s if gamma is None else s * gamma).sum(2).unsqueeze_(-2) for s in (ds, db))
            b = times((db_all * mean - ds_all) * (scale * scale * scale), share)
            c = -b * mean - times(db_all * scale, share)
            terms.append(factor * y + b * x + c)
        if needed["weight"]:
            of_weight = ((ds - db * mean) * scale).sum(0).reshape((channels,))
        if needed["bias"]:
            of_bias = db.sum(0).reshape((channels,))
    if not needed["input"]:
        return None, of_weight, of_bias
    if both:
        terms.append(times(of_mean.reshape(each), share).expand(split))
        terms.append(times(of_deviation.reshape(each) * scale * scale * scale, -share) * (x - mean))
    return sum(terms[1:], terms[0]).reshape(input.shape), of_weight, of_bias


def _of_group_norm(
    grads: tuple, input: Tensor, weight: Tensor | None, group: int, eps: float, result1: Any, result2: Any, needed: dict
) -> tuple:
    """The gradients of group normalization."""
    grad, *others = grads
    check_weight(input, weight, "expected scalar type {Input} but found {Weight}")
    if torch.is_grad_enabled() or grad is None or any(g is not None for g in others):
        return _of_recorded_group_norm(grads, input, weight, group, result1, result2, needed)
    of_few = _of_few_groups(grad, input, weight, result1, result2, _needed(needed))
    return of_few or _by_groups(grad, input, group, weight, result1, result2, _needed(needed))


def _of_few_groups(
    grad: Tensor, input: Tensor, weight: Tensor | None, mean: Tensor, scale: Tensor, needed: tuple[bool, bool, bool]
) -> tuple | None:
    """The gradients of few float32, with every rounding of PyTorch; None for anything unusual."""
    arrays = _arrays(grad, input, mean, scale, weight)
    if arrays is None or not are_few(arrays[1]):
        return None
    return _wrapped(quietly(few_groups.gradients, *arrays, needed), input)


def _of_few_channels(
    grad: Tensor, input: Tensor, weight: Tensor | None, mean: Tensor, scale: Tensor, eps: float | None,
    needed: tuple[bool, bool, bool],
) -> tuple | None:  # fmt: skip
    """The same for batch normalization."""
    arrays = _arrays(grad, input, mean, scale, weight)
    if arrays is None or not few_channels.are_few(arrays[1], arrays[1].shape[2] == 1):
        return None
    return _wrapped(quietly(few_channels.gradients, *arrays, needed, eps), input)


def _of_channels_apart(
    grad: Tensor, input: Tensor, weight: Tensor | None, mean: Tensor, scale: Tensor, eps: float | None,
    needed: tuple[bool, bool, bool],
) -> tuple | None:  # fmt: skip
    """The same where the input or its gradient lies neither row by row nor with the channels last."""
    given = [t for t in (grad, input, mean, scale, weight) if t is not None]
    if not all(_is_plain(t, input) for t in given) or not (lie_apart(input._array) or lie_apart(grad._array)):
        return None
    arrays = [t._array for t in given[:4]]
    found = quietly(channels_apart.gradients, *arrays, array_of(weight), needed, eps)
    of_input, *others = _wrapped(found, input)
    return None if of_input is None else of_input.contiguous(memory_format=order_of(input)), *others


def _arrays(grad: Tensor, input: Tensor, mean: Tensor, scale: Tensor, weight: Tensor | None) -> list | None:
    """The arrays of plain tensors of one dtype, the first two as examples, channels and places; None for others."""
    given = [t for t in (grad, input, mean, scale, weight) if t is not None]
    if not all(_is_plain(t, input) for t in given):
        return None
    if not input.is_contiguous() or not input.numel():
        return None
    planes = (*input.shape[:2], input.numel() // (input.shape[0] * input.shape[1]))
    of_numbers = [t._array.reshape(planes) for t in (grad, input)]
    return [*of_numbers, mean._array, scale._array, array_of(weight)]


def _is_plain(t: Tensor, like: Tensor) -> bool:
    """Whether a tensor is a plain one of floats in main memory, of the dtype of another."""
    if type(t) not in PLAIN or t._keys & ~(KEY_AUTOGRAD | KEY_INFERENCE) or type(t._array) is not np.ndarray:
        return False
    return t._dtype is like._dtype and t._dtype in (float32, float64)


def _wrapped(found: tuple, input: Tensor) -> tuple:
    of_input, *others = found
    first = None if of_input is None else wrap(of_input.reshape(input.shape), input._dtype)
    return first, *(None if each is None else wrap(each, input._dtype) for each in others)


@_widened
def _by_groups(
    grad: Tensor, input: Tensor, group: int, weight: Tensor | None, mean: Tensor, deviation: Tensor,
    needed: tuple[bool, bool, bool],
) -> tuple:  # fmt: skip
    n, channels = input.shape[:2]
    outer = [0, *range(2, input.dim())]
    of_input_needed, of_weight_needed, of_bias_needed = needed
    split = (n, group, channels // group, prod(input.shape[2:]))
    of_input = of_weight = of_bias = None
    if of_input_needed or of_weight_needed:
        shape = (n, group, 1, 1)
        scale = deviation.reshape(shape)
        normal = (input.reshape(split) - mean.reshape(shape)) * scale
        if of_input_needed:
            weighted = grad.reshape(split)
            if weight is not None:
                weighted = weighted * weight.reshape(1, group, -1, 1)
            of_input = _input_gradient(weighted, normal, scale, [2, 3]).reshape(input.shape)
            of_input = of_input.contiguous(memory_format=order_of(input))
        if of_weight_needed:
            of_weight = (grad * normal.reshape(input.shape)).sum(outer)
    if of_bias_needed:
        of_bias = grad.sum(outer, dtype=None if weight is None else weight.dtype)
    return of_input, of_weight, of_bias


differentiate(
    "native_group_norm", together=("input weight bias", lambda grads, input, group, eps, result1, result2,
    needed, weight=None, N=0, C=0, HxW=0: _of_group_norm(
        grads, input, weight, group, eps, result1, result2, needed)))  # fmt: skip


@parts("rms_norm")
def _rms_norm(input: Tensor, normalized_shape: tuple[int, ...], weight: Tensor | None = None, eps: Any = None) -> Any:
    """The same ops; the number is added by a node of its own name."""
    return divided_by_root(input, tuple(normalized_shape), weight, eps, add_number)


def _of_weight_norm(grad: Tensor, v: Tensor, g: Tensor, dim: int, lengths: Tensor) -> tuple:
    """The gradients of directions and of lengths: what changes a direction's length is taken off."""
    grad, v, g = (t.to(lengths.dtype) for t in (grad, v, g))
    if torch.is_grad_enabled():
        lengths = torch.norm_except_dim(v, 2, dim)
    others = [d for d in range(v.dim()) if d != dim]
    along = grad * v
    along = (along.sum(others, keepdim=True) if others else along) / lengths
    return (grad - v * (along / lengths)) * (g / lengths), along


differentiate("_weight_norm_interface", results=(0,), together=("v g", lambda grad, v, g, dim, result1: _of_weight_norm(
    grad, v, g, dim, result1)))  # fmt: skip
