"""How are the most frequent calls of layers recorded with few steps in between?

Linear maps, attention, and tables of vectors; normalizations are in `calls_of_norms`.

As in `calls_of_rows`, None leaves a call to the general way. The nodes are those of the ops that the function is
made of.
"""

from __future__ import annotations

from math import sqrt
from sys import _getframe
from typing import Any

import numpy as np

from ...backends.numpy.layers.attention import Settings, attend
from ...backends.numpy.matrix_products import multiply_matrices
from ...backends.numpy.without_warnings import quietly, run
from ...declare.fast_calls import NO_GRAD, PLAIN
from ...derivatives.declaring import TABLE
from ...dispatch.registry import OPS
from ...geometry.fresh import preserve_stride
from ...ops.nn.attention.fused import FUSED
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.lookups import size_and_stride
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ...tensor.wrapping import empty_array, wrap, wrap_view
from ...types.dtypes import float32, float64, int64
from .. import writes
from ..formulas import new_node
from ..origin import Output
from ..saved import ABSENT, keep
from ..saved_facts import like_array
from .calls_of_rows import are_below, edge_if_any, finished, is_simple, record_call, version_of
from .calls_of_views import VIEW, rows_of, viewed

MOST = 1 << 20
"""Results with more elements are computed in several steps."""

ADDMM, T = TABLE["addmm"][0], TABLE["t"][0]
EMBEDDING = TABLE["embedding"][0]
ATTENTION = next(one for one in TABLE[FUSED] if one.formulas)


def install() -> None:
    """Give the rows their quick way; runs once, when the first tensor requires a gradient."""
    assert ADDMM.keeps == ("beta", "mat1_like", "mat2", "alpha", "mat1", "mat2_like") and not T.keeps
    assert EMBEDDING.keeps == ("indices", "weight_shape", "padding_idx", "scale_grad_by_freq", "sparse")
    quick = {"linear": linear, "scaled_dot_product_attention": attention, "embedding": embedding}
    for name, function in quick.items():
        op = OPS[f"nn.functional.{name}"]
        op.quick = op.quick_plain = function


def linear(*args: Any, **more: Any) -> Tensor | None:
    """A matrix times a transposed weight, with a bias: the nodes of `t` and `addmm`."""
    unusual = state.__dict__
    if len(args) != 3 or more or unusual and unusual != NO_GRAD:
        return None
    input, weight, bias = args
    if bias is None:
        return None
    if type(input) not in PLAIN or type(weight) not in PLAIN or type(bias) not in PLAIN:
        return None
    d = input._dtype
    if not (weight._dtype is d is bias._dtype and (d is float32 or d is float64)):
        return None
    x, w, b = input._array, weight._array, bias._array
    if (input._keys | weight._keys | bias._keys) & ~KEY_AUTOGRAD or not type(x) is type(w) is type(b) is np.ndarray:
        return None
    if len(x.shape) > 2:
        return _of_batch(input, weight, bias)
    if len(x.shape) != 2 or len(w.shape) != 2 or b.shape != w.shape[:1] or x.shape[1] != w.shape[1]:
        return None
    size = len(x), len(w)
    if not (x.size and w.size) or size[0] * size[1] > MOST:
        return None
    of_input: Any = None
    of_weight: Any = None
    of_bias: Any = None
    if not unusual:
        of_input = edge_if_any(input)
        of_weight = weight if weight._keys and weight._origin is None else edge_if_any(weight)
        of_bias = bias if bias._keys and bias._origin is None else edge_if_any(bias)
        if of_input is None and input._keys or of_weight is None and weight._keys or of_bias is None and bias._keys:
            return None  # a view that was made under no_grad: its node leads nowhere
    target = np.empty(size, x.dtype)
    turned = w.T
    try:
        run(_affine, x, turned, b, target)
    except RuntimeError:  # another thread computes at this moment
        quietly(_affine, x, turned, b, target)
    result = wrap(target, d)
    if of_input is of_weight is of_bias is None:
        return result
    frame = writes.outside(_getframe(2))  # `long_route` and its caller are ours
    code, at = frame.f_code, frame.f_lasti
    like_input = transposed = kept_input = like_weight = ABSENT
    version = version_of_input = None
    if of_weight is not None:
        kept_input, like_weight, version_of_input = input, like_array(turned, d), version_of(input)
        of_weight = new_node(T, (of_weight,), turned.shape, d)
    if of_input is not None:
        like_input, transposed, version = like_array(x, d), wrap_view(turned, weight), version_of(weight)
        if of_weight is not None:
            transposed._keys |= KEY_AUTOGRAD
            transposed._origin = Output(of_weight, 0, version)
    node = new_node(ADDMM, (of_bias, of_input, of_weight), size, d)
    node.code, node.at = code, at
    node.values = (ABSENT, like_input, transposed, ABSENT, kept_input, like_weight)
    if of_input is not None or of_weight is not None:
        node.versions = (None, None, version, None, version_of_input, None)
    result._keys = KEY_AUTOGRAD
    result._origin = node
    return result


def _of_batch(input: Tensor, weight: Tensor, bias: Tensor) -> Tensor | None:
    """More dimensions than two: all but the last become one, and again several in the result."""
    rows = rows_of(input)
    flat = None if rows is None else linear(rows, weight, bias)
    if flat is None:
        return None
    array = flat._array.reshape(*input._array.shape[:-1], flat._array.shape[1])
    return viewed(flat, array, VIEW, (flat._array.shape,)) if flat._keys else wrap_view(array, flat)


def _affine(x: np.ndarray, w: np.ndarray, b: np.ndarray, target: np.ndarray) -> None:
    multiply_matrices(x, w, target)
    np.add(target, b, target)


def attention(*args: Any, **more: Any) -> Tensor | None:
    """Attention without a mask or dropout, of four dimensions: one node, as in PyTorch."""
    unusual = state.__dict__
    if len(args) != 3 or unusual and unusual != NO_GRAD or more and not _is_plain_attention(more):
        return None
    query, key, value = args
    if not (is_simple(query) and is_simple(key) and is_simple(value)):
        return None
    q, k, v, d = query._array, key._array, value._array, query._dtype
    size, others = q.shape, k.shape
    if key._dtype is not d or value._dtype is not d or len(size) != 4 or others != v.shape or len(others) != 4:
        return None
    if size[:2] != others[:2] or size[3] != others[3] or 1 in size or 1 in others or not (q.size and k.size):
        return None
    if not q.strides[3] == k.strides[3] == v.strides[3] == q.itemsize:
        return None
    edges = tuple([edge_if_any(t) if not unusual else None for t in args])
    needed = tuple([edge is not None for edge in edges])
    if not unusual and needed != (bool(query._keys), bool(key._keys), bool(value._keys)):
        return None  # a view that was made under no_grad: its node leads nowhere
    causal = more.get("is_causal", False)
    batch, heads, steps, width = size
    out = empty_array(size, preserve_stride(*size_and_stride(query)), d)
    sums = empty_array((batch, heads, steps), (steps * heads, 1, heads), d)
    quietly(attend, out, sums, q, k, v, Settings(1 / sqrt(width), causal, None))
    result = wrap(out, d)
    if True not in needed:
        return result
    node = new_node(ATTENTION, edges, (size,), (d,))  # type: ignore[arg-type]
    bound = {"query": query, "key": key, "value": value, "dropout_p": 0.0, "is_causal": causal}
    bound.update(attn_mask=None, scale=None)
    keep(node, ATTENTION, bound, (result, wrap(sums, d)), needed, None)  # type: ignore[arg-type]
    return finished(result, node)


def _is_plain_attention(more: dict[str, Any]) -> bool:
    """Whether the settings of attention are the defaults, except that later keys may be hidden."""
    return (
        more.get("attn_mask") is None
        and more.get("dropout_p", 0.0) == 0.0
        and type(more.get("is_causal", False)) is bool
        and more.get("scale") is None
        and more.get("enable_gqa", False) is False
        and more.keys() <= _OF_ATTENTION
    )


_OF_ATTENTION = frozenset(("attn_mask", "dropout_p", "is_causal", "scale", "enable_gqa"))


def embedding(*args: Any, **more: Any) -> Tensor | None:
    """The rows of a table by their numbers, of which none is left out of the training or limited in length."""
    unusual = state.__dict__
    if not 2 <= len(args) <= 7 or more or unusual and unusual != NO_GRAD:
        return None
    if not all([v is u or type(v) is float and v == u for v, u in zip(args[2:], _ANY_ROW, strict=False)]):
        return None
    indices, weight = args[:2]
    if type(indices) not in PLAIN or indices._keys or indices._dtype is not int64 or not is_simple(weight):
        return None
    numbers, table = indices._array, weight._array
    if type(numbers) is not np.ndarray or table.ndim != 2 or not (numbers.size and table.size):
        return None
    if numbers.size * table.shape[1] > MOST or not are_below(numbers, len(table)):
        return None
    edge = edge_if_any(weight) if not unusual else None
    if edge is None and weight._keys and not unusual:
        return None  # a view that was made under no_grad: its node leads nowhere
    result = wrap(table.take(numbers, 0), weight._dtype)
    if edge is None:
        return result
    values = (indices, table.shape, -1, False, False)
    return record_call(EMBEDDING, result, (edge,), values, (version_of(indices), None, None, None, None))


_ANY_ROW = (None, None, 2.0, False, False)
"""The settings of a table all of whose rows are trained, and of any length."""
