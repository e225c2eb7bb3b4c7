"""How are the most frequent calls of normalizations recorded with few steps in between?

As in `calls_of_rows`, None leaves a call to the general way. The nodes are those of the ops that the functions are made
of.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...backends.numpy.layers.layer_norm import normalize
from ...backends.numpy.without_warnings import quietly
from ...declare.fast_calls import NO_GRAD
from ...derivatives.declaring import TABLE, Derivative
from ...dispatch.registry import OPS
from ...ops.nn.layouts import suggested_stride
from ...ops.nn.norms.batches import fill_batch_norm
from ...ops.nn.norms.examples import array_of, fill_group_norm, kept_stride
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ...tensor.wrapping import empty_array, wrap
from ...types.dtypes import dtype
from .. import writes
from ..formulas import new_node
from ..origin import edge_of, set_origin
from ..saved import kept_result
from .calls_of_rows import is_simple, version_of

LAYER_NORM, GROUP_NORM = TABLE["native_layer_norm"][0], TABLE["native_group_norm"][0]
BATCH_NORM = next(one for one in TABLE["native_batch_norm"] if one.formulas)

Edges = tuple[Any, ...]


def install() -> None:
    """Give the rows their quick way; runs once, when the first tensor requires a gradient."""
    for name, function in (("layer_norm", layer_norm), ("batch_norm", batch_norm), ("group_norm", group_norm)):
        op = OPS[f"nn.functional.{name}"]
        op.quick = op.quick_plain = function
    op = OPS["batch_norm"]
    op.quick = op.quick_plain = torch_batch_norm


def layer_norm(*args: Any, **more: Any) -> Tensor | None:
    """Rows with mean 0 and variance 1, times a weight, plus a bias: the node of `native_layer_norm`."""
    unusual = state.__dict__
    if not 4 <= len(args) <= 5 or more or unusual and unusual != NO_GRAD:
        return None
    input, shape, weight, bias, eps = args if len(args) == 5 else (*args, 1e-5)
    if not (is_simple(input) and is_simple(weight) and is_simple(bias)) or type(shape) is not tuple or not shape:
        return None
    x, w, b = input._array, weight._array, bias._array
    d, size = input._dtype, x.shape
    if weight._dtype is not d or bias._dtype is not d or size[-len(shape) :] != shape or type(eps) is not float:
        return None
    if not (w.shape == b.shape == shape and x.size) or not (
        x.flags.c_contiguous and w.flags.c_contiguous and b.flags.c_contiguous
    ):
        return None
    edges = _edges((input, weight, bias))
    if edges is None:
        return None
    count = w.size
    rows = x.reshape(-1, count)
    out, mean, scale = (
        np.empty(rows.shape, x.dtype),
        np.empty((len(rows), 1), x.dtype),
        np.empty((len(rows), 1), x.dtype),
    )
    quietly(normalize, rows, w.reshape(-1), b.reshape(-1), eps, out, mean, scale)
    result = wrap(out.reshape(size), d)
    if edges is _NOWHERE:
        return result
    outer = (*size[: len(size) - len(shape)], *(1,) * len(shape))
    bound = {"input": input, "normalized_shape": shape, "weight": weight, "bias": bias, "eps": eps}
    return _recorded(LAYER_NORM, edges, bound, (result, wrap(mean.reshape(outer), d), wrap(scale.reshape(outer), d)))


def batch_norm(*args: Any, **more: Any) -> Tensor | None:
    """Channels with mean 0 and variance 1 over a batch: the node of `native_batch_norm`."""
    try:
        given = _arguments_of_batch_norm(*args, **more)
    except TypeError:  # arguments that do not fit: the general way refuses them
        return None
    return _normalized_batch(*given)


def torch_batch_norm(*args: Any, **more: Any) -> Tensor | None:
    """The same for `torch.batch_norm`, which takes its arguments in another order."""
    if len(args) != 9 or more or type(args[8]) is not bool:
        return None
    input, weight, bias, running_mean, running_var, training, momentum, eps, _ = args
    return _normalized_batch(input, running_mean, running_var, weight, bias, training, momentum, eps)


def _normalized_batch(
    input: Any, running_mean: Any, running_var: Any, weight: Any, bias: Any, training: Any, momentum: Any, eps: Any
) -> Tensor | None:
    """What both names of batch normalization compute and record."""
    if state.__dict__ and state.__dict__ != NO_GRAD:
        return None
    if not is_simple(input) or type(training) is not bool or type(momentum) is not float or type(eps) is not float:
        return None
    x, d, size = input._array, input._dtype, input._array.shape
    if not 2 <= len(size) <= 5 or 0 in size or eps <= 0 or prod(size[2:], start=size[0]) == 1:
        return None
    channels = size[1:2]
    if not _have_a_number_each(channels, d, (running_mean, running_var, weight, bias)):
        return None
    if running_mean is None or running_var is None:
        if not training or running_mean is not running_var:
            return None
    elif running_mean._keys or running_var._keys:
        return None
    elif training and not (running_mean._array.flags.writeable and running_var._array.flags.writeable):
        return None
    edges = _edges((input, weight, bias))
    if edges is None:
        return None
    result = empty_array(size, kept_stride(input), d)
    saved = channels if training else (0,)
    mean, scale = empty_array(saved, None, d), empty_array(saved, None, d)
    w, b, m, v = [array_of(t) for t in (weight, bias, running_mean, running_var)]
    fill_batch_norm((result, mean, scale), x, w, b, m, v, training, momentum, eps, x.dtype)
    whole = wrap(result, d)
    if edges is _NOWHERE:
        return whole
    bound = {
        "input": input, "weight": weight, "bias": bias, "running_mean": running_mean, "running_var": running_var,
        "training": training, "momentum": momentum, "eps": eps,
    }  # fmt: skip
    return _recorded(BATCH_NORM, edges, bound, (whole, wrap(mean, d), wrap(scale, d)))


def _arguments_of_batch_norm(
    input: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: Any = False,
    momentum: Any = 0.1, eps: Any = 1e-5,
) -> tuple:  # fmt: skip
    """All arguments of batch normalization in order."""
    return input, running_mean, running_var, weight, bias, training, momentum, eps


def group_norm(*args: Any, **more: Any) -> Tensor | None:
    """Groups of channels with mean 0 and variance 1: the node of `native_group_norm`, which has three results."""
    if state.__dict__ and state.__dict__ != NO_GRAD:
        return None
    try:
        input, groups, weight, bias, eps = _arguments_of_group_norm(*args, **more)
    except TypeError:  # arguments that do not fit: the general way refuses them
        return None
    if not is_simple(input) or type(groups) is not int or type(eps) is not float:
        return None
    x, d, size = input._array, input._dtype, input._array.shape
    if len(size) < 2 or 0 in size or groups <= 0 or size[1] % groups or x.size == groups:
        return None
    if not x.flags.c_contiguous or suggested_stride(input, size) is not None:
        return None
    if not _have_a_number_each(size[1:2], d, (weight, bias)):
        return None
    if not all([t is None or t._array.flags.c_contiguous for t in (weight, bias)]):
        return None
    edges = _edges((input, weight, bias))
    if edges is None:
        return None
    outer = size[0], groups
    result, mean, scale = np.empty(size, x.dtype), np.empty(outer, x.dtype), np.empty(outer, x.dtype)
    w, b = [array_of(t) for t in (weight, bias)]
    fill_group_norm((result, mean, scale), x, groups, w, b, eps, x.dtype)
    whole = wrap(result, d)
    if edges is _NOWHERE:
        return whole
    bound = {
        "input": input, "weight": weight, "bias": bias, "N": size[0], "C": size[1], "HxW": prod(size[2:]),
        "group": groups, "eps": eps,
    }  # fmt: skip
    return _recorded(GROUP_NORM, edges, bound, (whole, wrap(mean, d), wrap(scale, d)), 3)


def _arguments_of_group_norm(
    input: Any, num_groups: Any, weight: Any = None, bias: Any = None, eps: Any = 1e-5
) -> tuple:
    """All arguments of group normalization in order."""
    return input, num_groups, weight, bias, eps


def _have_a_number_each(channels: tuple[int, ...], d: dtype, given: tuple[Any, ...]) -> bool:
    """Whether the tensors that are given are plain ones of this dtype, with one number for each channel."""
    return all([t is None or is_simple(t) and t._dtype is d and t._array.shape == channels for t in given])


_NOWHERE = (None, None, None)


def _edges(inputs: tuple[Tensor | None, ...]) -> Edges | None:
    """What receives the gradient of each input: `_NOWHERE` if none requires one; None if one is a view that was made
    under no_grad, whose node leads nowhere.
    """
    if state.__dict__:
        return _NOWHERE
    edges: list[Any] = []
    needed = False
    for t in inputs:
        edge = edge_of(t) if t is not None and t._keys else None
        if edge is not None:
            needed = True
        elif t is not None and t._keys:
            return None
        edges.append(edge)
    return tuple(edges) if needed else _NOWHERE


def _recorded(
    derivative: Derivative, edges: Edges, bound: dict[str, Any], results: tuple[Tensor, ...], count: int = 1
) -> Tensor:
    """The first of the results, with the node of a normalization; so many of them have a gradient."""
    result, several = results[0], results[:count]
    sizes, dtypes = tuple([t._array.shape for t in several]), tuple([t._dtype for t in several])
    node = new_node(derivative, edges, sizes, dtypes)  # type: ignore[arg-type]
    values, versions = [], []
    for name in derivative.keeps:
        if name in bound:
            value = bound[name]
            versions.append(version_of(value) if isinstance(value, Tensor) else None)
        else:  # result1 or result2
            value = kept_result(results[int(name[-1])])
            versions.append(0)
        values.append(value)
    node.values, node.versions = tuple(values), tuple(versions)
    node.code, node.at = writes.here()
    set_origin(result, node)
    return result
