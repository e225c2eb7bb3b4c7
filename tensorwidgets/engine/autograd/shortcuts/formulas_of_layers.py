"""How do the formulas of losses and of softmax run on arrays? The shortcuts of layers; see `formulas`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...backends.numpy.layers import channels_apart, few_channels
from ...backends.numpy.layers.attention import Settings
from ...backends.numpy.layers.attention import gradients as gradients_of_attention
from ...backends.numpy.layers.batch_norm import gradients as gradients_of_channels
from ...backends.numpy.layers.class_loss import slope_of_logarithms, slope_of_loss
from ...backends.numpy.layers.layer_norm import gradients_of_layer
from ...backends.numpy.softmax import log_softmax_slope, softmax_slope
from ...backends.numpy.sums.added_rows import add_rows, can_add_rows
from ...declare.fast_calls import PLAIN
from ...ops.nn.attention.fused import FUSED
from ...ops.nn.losses.reduction import MEAN
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.tensor import Tensor
from ..formulas import FormulaNode
from ..passes.running import under_way
from ..saved import ABSENT, KeptResult
from .calls_of_losses import KeptLogarithms, are_classes
from .formulas import READING_STRIDES, Gradients, saved_array, shortcut


@shortcut("log_softmax", "LogSoftmaxBackward0")
def log_softmax(node: FormulaNode, grad: np.ndarray) -> Gradients:
    kept, dim = node.values  # type: ignore[misc]
    if type(kept) is KeptLogarithms:
        return [slope_of_logarithms(kept.shares, grad, not under_way.passes[-1].retain)]
    result = saved_array(kept, grad) if grad.dtype.kind == "f" and grad.ndim == 2 else None
    if result is None or 1 in grad.shape or type(dim) is not int:
        return None
    return [log_softmax_slope(grad, result, dim % 2)]


@shortcut("_nn.nll_loss", "NllLossBackward0")
def nll_loss(node: FormulaNode, grad: np.ndarray) -> Gradients:
    input, target, weight, reduction, ignored = node.values  # type: ignore[misc]
    if weight is not None or type(reduction) is not int or type(ignored) is not int or grad.dtype.kind != "f":
        return None
    if type(target) not in PLAIN or target._keys & ~KEY_AUTOGRAD:
        return None
    if type(input) is KeptLogarithms:
        shares = input.shares
        return [slope_of_loss(shares, target._array, -grad[()] / grad.dtype.type(shares.shape[0]))]
    if type(input) not in PLAIN or input._keys & ~KEY_AUTOGRAD:
        return None
    x = input._array
    if x.dtype is not grad.dtype or not x.flags.c_contiguous:
        return None
    classes = target._array
    if reduction != MEAN or classes.dtype != np.int64 or x.ndim != 2 or not are_classes(classes, x.shape[1], ignored):
        return None
    result = np.zeros(x.shape, x.dtype)
    result[np.arange(len(x)), classes] = np.divide(np.negative(grad), x.dtype.type(len(x)))
    return [result]


@shortcut("_nn.mse_loss", "MseLossBackward0")
def mse_loss(node: FormulaNode, grad: np.ndarray) -> Gradients:
    input, target, reduction = node.values  # type: ignore[misc]
    if type(reduction) is not int or not reduction or grad.dtype.kind != "f" or grad.ndim:
        return None
    x, wanted = _plain(input, grad.dtype), _plain(target, grad.dtype)
    if x is None or wanted is None or x.shape != wanted.shape or not x.size or not x.ndim:
        return None
    if not x.flags.c_contiguous or not wanted.flags.c_contiguous:
        return None
    share = grad.dtype.type(2 / x.size if reduction == MEAN else 2)
    first, second = node.edges
    return [
        None if first is None else _scaled(x - wanted, share, grad),
        None if second is None else _scaled(wanted - x, share, grad),
    ]


def _scaled(apart: np.ndarray, share: np.floating, grad: np.ndarray) -> np.ndarray:
    apart *= share
    apart *= grad
    return apart


@shortcut("_safe_softmax", "SafeSoftmaxBackward0")
@shortcut("softmax", "SoftmaxBackward0")
def softmax(node: FormulaNode, grad: np.ndarray) -> Gradients:
    kept, dim = node.values[:2]  # type: ignore[index]
    result = saved_array(kept, grad) if grad.dtype.kind == "f" and grad.ndim else None
    if result is None or 1 in grad.shape or type(dim) is not int or not result.flags.c_contiguous:
        return None
    return [softmax_slope(grad, result, dim % grad.ndim)]


# -- normalization -----------------------------------------------------------------------------------------------


@shortcut("native_layer_norm", "NativeLayerNormBackward0")
def layer_norm(node: FormulaNode, grad: np.ndarray) -> Gradients:
    saved = dict(zip(node.derivative.keeps, node.values, strict=True))  # type: ignore[arg-type]
    x, mean, scale = (_plain(saved[name], grad.dtype) for name in ("input", "result1", "result2"))
    weight = _plain(saved["weight"], grad.dtype) if isinstance(saved["weight"], Tensor) else None
    if x is None or mean is None or scale is None or not x.size:
        return None
    if weight is None and isinstance(saved["weight"], Tensor) or x.shape != grad.shape:
        return None
    of_x, of_factor, of_shift = [edge is not None for edge in node.edges]
    needed = (of_x, of_factor, of_shift)
    return list(gradients_of_layer(grad, x, mean, scale, weight, needed, tuple(saved["normalized_shape"])))


@shortcut("native_batch_norm", "NativeBatchNormBackward0")
def batch_norm(node: FormulaNode, grad: np.ndarray) -> Gradients:
    saved = dict(zip(node.derivative.keeps, node.values, strict=True))  # type: ignore[arg-type]
    x, training = _plain(saved["input"], grad.dtype), bool(saved["training"])
    names = ("result1", "result2") if training else ("running_mean", "running_var")
    mean, scale = (_plain(saved[name], grad.dtype) for name in names)
    weight = _plain(saved["weight"], grad.dtype) if isinstance(saved["weight"], Tensor) else None
    if x is None or mean is None or scale is None or not mean.size:
        return None
    if weight is None and isinstance(saved["weight"], Tensor) or x.shape != grad.shape:
        return None
    if not x.flags.c_contiguous:
        return None
    needed = (node.edges[0] is not None, node.edges[1] is not None, node.edges[2] is not None)
    if channels_apart.lie_apart(grad):
        of_input, *others = channels_apart.gradients(
            grad, x, mean, scale, weight, needed, None if training else saved["eps"]
        )
        return [None if of_input is None else np.ascontiguousarray(of_input), *others]
    planes = (*x.shape[:2], x.size // (x.shape[0] * x.shape[1]))
    given = grad.reshape(planes), x.reshape(planes), mean, scale, weight
    if few_channels.are_few(given[1], planes[2] == 1):
        found = few_channels.gradients(*given, needed, None if training else saved["eps"])
    elif training and x.ndim > 2:
        found = gradients_of_channels(np.ascontiguousarray(given[0]), *given[1:], needed)
    else:
        return None
    of_input, of_weight, of_bias = found
    return [None if of_input is None else of_input.reshape(x.shape), of_weight, of_bias]


READING_STRIDES.add(batch_norm)


@shortcut(FUSED, "ScaledDotProductFlashAttentionForCpuBackward0")
def attention(node: FormulaNode, grad: np.ndarray) -> Gradients:
    saved = dict(zip(node.derivative.keeps, node.values, strict=True))  # type: ignore[arg-type]
    query, key, value, out, sums = (
        _plain(saved[name], grad.dtype) for name in ("query", "key", "value", "result", "result1")
    )
    if query is None or key is None or value is None or out is None or sums is None:
        return None
    if saved["attn_mask"] not in (ABSENT, None) or not query.size or not key.size or grad.dtype.kind != "f":
        return None
    scale = saved["scale"]
    factor = 1 / math.sqrt(query.shape[3]) if scale is ABSENT or scale is None else scale
    how = Settings(factor, saved["is_causal"] is True, None)
    results = []
    for batch, heads, steps, width in (query.shape, key.shape, value.shape):
        results.append(np.empty((batch, steps, heads, width), grad.dtype).swapaxes(1, 2))
    of_query, of_key, of_value = results
    gradients_of_attention(grad, query, key, value, out, sums, how, (of_query, of_key, of_value))
    return results


@shortcut("embedding", "EmbeddingBackward0")
def embedding(node: FormulaNode, grad: np.ndarray) -> Gradients:
    saved = dict(zip(node.derivative.keeps, node.values, strict=True))  # type: ignore[arg-type]
    indices = saved["indices"]
    if saved["padding_idx"] not in (ABSENT, -1) or type(indices) is not Tensor or indices._keys:
        return None
    if saved["scale_grad_by_freq"] not in (ABSENT, False) or saved["sparse"] not in (ABSENT, False):
        return None
    table = np.zeros(saved["weight_shape"], grad.dtype)
    numbers, rows = indices._array.reshape(-1), grad.reshape(-1, grad.shape[-1])
    if not can_add_rows(table, numbers, rows) or numbers.max() >= len(table):
        return None
    add_rows(table, numbers, rows)
    return [table]


def _plain(value: Any, dtype: np.dtype) -> Any:
    """The array of a saved tensor; None for anything unusual."""
    if type(value) is KeptResult:
        array = value.array if not value.keys else None
    else:
        array = value._array if type(value) in PLAIN and not value._keys & ~KEY_AUTOGRAD else None
    return array if type(array) is np.ndarray and array.dtype == dtype and dtype.kind == "f" else None
