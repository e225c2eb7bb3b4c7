"""Gradients that are rows of their own, so that a second order has PyTorch's nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from ..backends.numpy.layers import few_activations as few
from ..backends.numpy.softmax import log_softmax_slope, softmax_slope
from ..dispatch import stations
from ..dispatch.kinds import KINDS
from ..dispatch.registry import Op
from ..errors.reasons import refuse
from ..tensor.grad_mode import grad_enabled
from ..tensor.keys import KEY_INFERENCE
from ..tensor.passed import keys_left
from ..tensor.tensor import Tensor
from ..tensor.wrapping import wrap
from ..types.dtypes import HALVES, float16, float32, float64
from .ops import torch


def _threshold_backward(grad_output: Tensor, input: Tensor) -> Any:
    return torch.where(input <= 0, 0, grad_output)


_threshold = Op(
    "threshold_backward", "pointwise", "pointwise", "The gradient of relu, zero where its result is.",
    forms=frozenset(),
)  # fmt: skip
threshold_backward = stations.bind(_threshold, _threshold_backward)


def _sparse_threshold_backward(grad_output: Tensor, input: Tensor) -> Any:
    if input.is_sparse:
        grad_output._nnz()  # which refuses a dense gradient
        values = _threshold_backward(grad_output.sparse_mask(input)._values(), input._values())
        return torch.sparse_coo_tensor(input._indices(), values, tuple(input.shape))
    values = _threshold_backward(grad_output.values(), input.values())
    return torch.sparse_csr_tensor(input.crow_indices(), input.col_indices(), values, tuple(input.shape))


_threshold.kernels[KINDS["sparse"].key] = _threshold.kernels[KINDS["sparse_csr"].key] = _sparse_threshold_backward


def once_rounded(function: Callable[..., Any]) -> Callable[..., Any]:
    """A gradient whose kernel in PyTorch widens 16-bit floats, and rounds them once at the end."""

    @wraps(function)
    def gradient(grad: Tensor, *given: Any) -> Any:
        d = grad._dtype
        if d not in HALVES or _unusual(grad):
            return function(grad, *given)
        wide = [x.float() if isinstance(x, Tensor) and x._dtype in HALVES else x for x in (grad, *given)]
        return function(*wide).to(d)

    return gradient


@once_rounded
def of_tanh(grad_output: Tensor, output: Tensor) -> Any:
    """The gradient of tanh."""
    if _are_usual(grad_output, output) and few.are_few(output._array):
        return wrap(few.tanh_slope(grad_output._array, output._array), output._dtype)
    return grad_output * (1 - output * output).conj()


def of_sigmoid(grad_output: Tensor, output: Tensor) -> Any:
    """The gradient of sigmoid."""
    if output._dtype is float16:  # PyTorch rounds each step of these
        return grad_output * (1 - output) * output
    return _of_sigmoid(grad_output, output)


def _are_usual(grad: Tensor, result: Tensor) -> bool:
    """Whether both are plain tensors of one dtype in main memory, and nothing is recorded."""
    return not _unusual(grad) and not _unusual(result) and grad._dtype is result._dtype


def _unusual(t: Tensor) -> int:
    """What diverts a call with this tensor, below the station that records; inference changes no numbers."""
    return t._keys and keys_left(t) & ~KEY_INFERENCE


@once_rounded
def _of_sigmoid(grad_output: Tensor, output: Tensor) -> Any:
    if output.is_complex():
        return grad_output * ((1 - output) * output).conj()
    return grad_output * (1 - output) * output


@once_rounded
def of_softmax(grad_output: Tensor, output: Tensor, dim: int) -> Any:
    """The gradient of softmax, rounded as PyTorch rounds it."""
    if _are_usual(grad_output, output) and output._dtype in (float32, float64) and output._array.ndim:
        return wrap(softmax_slope(grad_output._array, output._array, dim % output._array.ndim), output._dtype)
    return (grad_output - (grad_output * output).sum(dim, keepdim=True)) * output


@once_rounded
def of_log_softmax(grad_output: Tensor, output: Tensor, dim: int) -> Any:
    """The gradient of log_softmax."""
    alike = _are_usual(grad_output, output) and grad_output._array.shape == output._array.shape
    if alike and output._dtype is float32 and output._array.ndim:
        slope = log_softmax_slope(grad_output._array, output._array, dim % output._array.ndim)
        return wrap(slope, output._dtype).contiguous()
    return (grad_output - output.exp() * grad_output.sum(dim, keepdim=True)).contiguous()


def slope_row(name: str, words: str) -> Callable[[Callable], Callable]:
    """Declare a gradient as a row, which is only called where a graph is recorded: elsewhere its function is."""

    def declare(plain: Callable) -> Callable:
        recorded = stations.bind(Op(name, "gradients", "nn.functional", words, forms=frozenset()), plain)

        def gradient(*given: Any) -> Any:
            return recorded(*given) if grad_enabled() else plain(*given)

        return gradient

    return declare


def _plain(name: str, words: str, run: Callable[..., Any]) -> Callable[..., Any]:
    return stations.bind(Op(name, "pointwise", "pointwise", words, forms=frozenset()), run)


tanh_backward = _plain("tanh_backward", "The gradient of tanh.", of_tanh)
sigmoid_backward = _plain("sigmoid_backward", "The gradient of sigmoid.", of_sigmoid)
softmax_backward_data = _plain("_softmax_backward_data", "The gradient of softmax.", of_softmax)
log_softmax_backward_data = _plain("_log_softmax_backward_data", "The gradient of log_softmax.", of_log_softmax)


def _of_sparse(name: str, words: str, run: Callable[..., Any]) -> Callable[..., Any]:
    """A row of sparse tensors that PyTorch does not differentiate further."""
    op = Op(name, "pointwise", "pointwise", words, forms=frozenset())
    op.kernels[KINDS["sparse"].key] = run
    return stations.bind(op, run)


# -- sums of sparse tensors --------------------------------------------------------------------------------------


def _sum_backward(grad: Tensor, input: Tensor, dim: int | Sequence[int]) -> Any:
    """The gradient of each stored element: that of the sum to which it was added."""
    stored = input.coalesce()
    size, sparse = tuple(stored.shape), stored.sparse_dim()
    dims = {d % len(size) for d in (dim if isinstance(dim, (tuple, list)) else (dim,))}
    indices, kept = stored._indices(), [d for d in range(sparse) if d not in dims]
    if not kept:
        values = grad.unsqueeze(0)
    else:
        if not grad.is_sparse:
            refuse(
                RuntimeError,
                "_sparse_sum_backward_cpu: expected grad_ Tensor to be sparse, but got dense",
                "the sum over some of the sparse dimensions is sparse, and so is its gradient",
                "y.to_dense().backward(grad)",
                rule="autograd.layout",
            )
        empty = grad._values().new_zeros((indices.shape[1], *grad.shape[len(kept) :]))
        values = grad.sparse_mask(torch.sparse_coo_tensor(indices[kept], empty, tuple(grad.shape)))._values()
    for d in sorted(d for d in dims if d >= sparse):
        values = values.unsqueeze(d - sparse + 1)
    values = values.expand(tuple(stored._values().shape)).clone()
    return torch.sparse_coo_tensor(indices, values, size, is_coalesced=True)


sparse_sum_backward = _of_sparse("_sparse_sum_backward", "The gradient of sparse.sum.", _sum_backward)

# -- softmax of sparse tensors -----------------------------------------------------------------------------------


def _softmax_backward(grad: Tensor, output: Tensor, input: Tensor, dim: int) -> Any:
    return _by_group(grad, output, dim, lambda g, y, total: y * (g - total(g * y)))


def _log_softmax_backward(grad: Tensor, output: Tensor, input: Tensor, dim: int) -> Any:
    return _by_group(grad, output, dim, lambda g, y, total: g - y.exp() * total(g))


def _by_group(grad: Tensor, output: Tensor, dim: int, formula: Callable[..., Any]) -> Any:
    """A formula on the values of a gradient and a result, with sums over each group that softmax went over."""
    indices, sparse = output._indices(), output.sparse_dim()
    dim %= output.dim()
    g, y = grad.coalesce().sparse_mask(output)._values(), output._values()
    if dim >= sparse:
        values = formula(g, y, lambda x: x.sum(dim - sparse + 1, keepdim=True))
    else:
        others = torch.zeros_like(indices[0])
        for d in range(sparse):
            others = others if d == dim else others * output.shape[d] + indices[d]
        kinds, group = torch.unique(others, return_inverse=True)

        def total(x: Tensor) -> Any:
            return x.new_zeros((len(kinds), *x.shape[1:])).index_add(0, group, x)[group]

        values = formula(g, y, total)
    return torch.sparse_coo_tensor(indices, values, tuple(output.shape), is_coalesced=True)


sparse_softmax_backward = {
    name: _of_sparse(name, "The gradient of a softmax of stored elements.", run)
    for name, run in (
        ("_sparse_softmax_backward_data", _softmax_backward),
        ("_sparse_log_softmax_backward_data", _log_softmax_backward),
    )
}

__all__ = [
    "log_softmax_backward_data", "of_log_softmax", "of_sigmoid", "of_softmax", "of_tanh", "once_rounded",
    "sigmoid_backward", "slope_row",
    "softmax_backward_data", "sparse_softmax_backward", "sparse_sum_backward", "tanh_backward", "threshold_backward",
]  # fmt: skip
