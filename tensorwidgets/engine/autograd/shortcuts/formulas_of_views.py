"""How do the formulas of views, and of products of batches, run on arrays? See `formulas`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.numpy.matrix_products import matmul
from ...declare.fast_calls import PLAIN
from ...ops.indexing.scattering import fold_at
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.tensor import Tensor
from ...types.dtypes import int64
from ..formulas import FormulaNode
from ..nodes import Node
from ..saved import ABSENT
from .calls_of_views import lies_in_order
from .formulas import EXPANDING, PASSING, READING_STRIDES, Gradients, passing, shortcut


@passing
@shortcut("view", "ViewBackward0")
@shortcut("_unsafe_view", "UnsafeViewBackward0")
@shortcut("_reshape_alias", "ReshapeAliasBackward0")
def view(node: FormulaNode, grad: np.ndarray) -> Gradients:
    size = node.values[0]  # type: ignore[index]
    if not grad.size or (1 in grad.shape or 1 in size) and not lies_in_order(grad):
        return None
    return [grad.reshape(size)]


@passing
@shortcut("transpose", "TransposeBackward0")
def transpose(node: FormulaNode, grad: np.ndarray) -> Gradients:
    dim0, dim1 = node.values  # type: ignore[misc]
    return [grad.swapaxes(dim0, dim1)] if type(dim0) is type(dim1) is int and grad.ndim > 1 else None


@passing
@shortcut("permute", "PermuteBackward0")
def permute(node: FormulaNode, grad: np.ndarray) -> Gradients:
    dims = node.values[0]  # type: ignore[index]
    ndim = grad.ndim
    if type(dims) is not tuple or len(dims) != ndim or not all([type(d) is int for d in dims]):
        return None
    order = [0] * ndim
    for place, dim in enumerate(dims):
        order[dim % ndim] = place
    return [grad.transpose(order)]


@passing
@shortcut("unsqueeze", "UnsqueezeBackward0")
def unsqueeze(node: FormulaNode, grad: np.ndarray) -> Gradients:
    dim = node.values[0]  # type: ignore[index]
    return [grad.squeeze(dim)] if type(dim) is int and grad.size else None


@passing
@shortcut("expand", "ExpandBackward0")
def expand(node: FormulaNode, grad: np.ndarray) -> Gradients:
    # Without dimensions PyTorch takes a sum, which makes 0 of -0.
    return [grad] if node.values[0] == grad.shape and grad.ndim else None  # type: ignore[index]


@passing
@shortcut("clone", "CloneBackward0")
def clone(node: FormulaNode, grad: np.ndarray) -> Gradients:
    return [grad]


@shortcut("select", "SelectBackward0")
def select(node: FormulaNode, grad: np.ndarray) -> Gradients:
    like, dim, number = node.values  # type: ignore[misc]
    if type(dim) is not int or type(number) is not int or not grad.size:
        return None
    whole = np.zeros(like.shape, grad.dtype)
    whole[(*_ALL[: dim % whole.ndim], number)] = grad
    return [whole]


@shortcut("slice", "SliceBackward0")
def slice_of(node: FormulaNode, grad: np.ndarray) -> Gradients:
    like, dim, start, end, step = node.values  # type: ignore[misc]
    if not grad.size:
        return None
    whole = np.zeros(like.shape, grad.dtype)
    whole[(*_ALL[: dim % whole.ndim], slice(start, end, step))] = grad
    return [whole]


def _computes(edge: Any) -> bool:
    """Whether a gradient goes to a node that computes with it, and that has no hooks, which would see its strides."""
    return isinstance(edge, Node) and edge.extra is None and edge.shortcut is not None and edge.shortcut not in PASSING


@shortcut("index", "IndexBackward0", writes=1)
def index(node: FormulaNode, grad: np.ndarray) -> Gradients:
    like, indices = node.values  # type: ignore[misc]
    edge = node.edges[0]
    if not grad.size or grad.dtype.kind != "f" or type(indices) is not tuple:
        return None
    if not (_computes(edge) or isinstance(edge, Tensor)):
        return None  # a leaf's gradient counts what is written into it, also where it was only passed on
    for each in indices:
        if type(each) is not Tensor or each._keys or each._dtype is not int64 or type(each._array) is not np.ndarray:
            return None
    whole = np.zeros(like.shape, grad.dtype)
    fold_at(whole, tuple([each._array for each in indices]), grad, "add")
    return [whole]


_ALL: Any = (slice(None),) * 64


@shortcut("bmm", "BmmBackward0")
def bmm(node: FormulaNode, grad: np.ndarray) -> Gradients:
    mat2, mat1 = node.values  # type: ignore[misc]
    first, second = node.edges
    if grad.dtype.kind != "f" or not grad.size:
        return None
    results: list[Any] = [None, None]
    if first is not None:
        y = _batch(mat2, grad)
        if y is None:
            return None
        results[0] = np.empty((*grad.shape[:2], y.shape[1]), grad.dtype)
        matmul(grad, y.swapaxes(1, 2), results[0])
    if second is not None:
        x = _batch(mat1, grad)
        if x is None:
            return None
        results[1] = np.empty((x.shape[0], x.shape[2], grad.shape[2]), grad.dtype)
        matmul(x.swapaxes(1, 2), grad, results[1])
    return results


def _batch(value: Any, like: np.ndarray) -> Any:
    """A saved batch of matrices as an array; None where the formula has to do it."""
    if type(value) not in PLAIN or value._keys & ~KEY_AUTOGRAD or type(value._array) is not np.ndarray:
        return None
    array = value._array
    fits = array.dtype is like.dtype and array.ndim == 3 and array.shape[0] == like.shape[0] and array.size
    return array if fits else None


# -- joined, and summed along dimensions -------------------------------------------------------------------------


@passing
@shortcut("cat", "CatBackward0")
def cat(node: FormulaNode, grad: np.ndarray) -> Gradients:
    sizes, _, dim = node.values  # type: ignore[misc]
    along = 0 if dim is ABSENT else dim
    if type(along) is not int or not grad.size or grad.dtype.kind != "f":
        return None
    before, at = _ALL[: along % grad.ndim], 0
    parts: list[Any] = []
    for size, edge in zip(sizes, node.edges, strict=True):
        if len(size) != grad.ndim or 0 in size:
            return None
        after = at + size[along]
        parts.append(None if edge is None else grad[(*before, slice(at, after))])
        at = after
    return parts


@passing
@shortcut("stack", "StackBackward0")
def stack(node: FormulaNode, grad: np.ndarray) -> Gradients:
    dim = node.values[1]  # type: ignore[index]
    along = 0 if dim is ABSENT else dim
    if type(along) is not int or not grad.size or grad.dtype.kind != "f":
        return None
    before = _ALL[: along % grad.ndim]
    return [None if edge is None else grad[(*before, place, ...)] for place, edge in enumerate(node.edges)]


@shortcut("sum", "SumBackward1")
def sum_along(node: FormulaNode, grad: np.ndarray) -> Gradients:
    if not _computes(node.edges[0]):
        return None  # a leaf gets a copy of what the formula expands, also where it is only passed on
    if getattr(node.edges[0], "shortcut", None) in READING_STRIDES:
        repeated = _repeated(node, grad)
        return None if repeated is None else [repeated]
    full = _spread(node, grad)
    return None if full is None else [full[...]]  # a view, to which nothing is added in place


EXPANDING.add(sum_along)


@shortcut("mean", "MeanBackward1")
def mean_along(node: FormulaNode, grad: np.ndarray) -> Gradients:
    full = _spread(node, grad)
    if full is None:
        return None
    return [np.divide(full, grad.dtype.type(full.size // grad.size), full)]


def _spread(node: FormulaNode, grad: np.ndarray) -> np.ndarray | None:
    """A gradient of sums along dimensions, repeated along them, in memory of its own."""
    repeated = _repeated(node, grad)
    if repeated is None:
        return None
    full = np.empty(repeated.shape, grad.dtype)
    full[...] = repeated
    return full


def _repeated(node: FormulaNode, grad: np.ndarray) -> np.ndarray | None:
    """The same as a view that reads each number several times."""
    shape, dim, keep = node.values  # type: ignore[misc]
    listed = (dim,) if type(dim) is int else dim
    if (
        grad.dtype.kind != "f"
        or not grad.size
        or not shape
        or 0 in shape
        or type(listed) not in (tuple, list)
        or not listed
    ):
        return None
    if not all([type(d) is int for d in listed]):
        return None
    dims = {d % len(shape) for d in listed}
    one = grad if keep is True else grad.reshape([1 if d in dims else n for d, n in enumerate(shape)])
    return np.broadcast_to(one, shape)
