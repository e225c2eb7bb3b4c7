"""How do the most frequent formulas run on arrays?

A shortcut computes what the formulas of its op compute, with fewer steps. The backward pass uses it where no second
order is asked for and nothing is unusual: it gets the node, whose saved tensors nobody has changed, and the gradient as
an array of the result's size and dtype. It returns one array for each edge, or None where the formulas have to do it.
NumPy gives no warnings while it runs. A test holds each shortcut against its formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import ndarray

from ...backends.numpy.layers import few_activations as few
from ...backends.numpy.matrix_products import product
from ...backends.numpy.sums.float_sum import sum_of_rows
from ...declare.fast_calls import PLAIN, decides
from ...derivatives.declaring import TABLE
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.tensor import Tensor
from ..formulas import FormulaNode, class_of
from ..nodes import Node
from ..saved import ABSENT, KeptResult

if TYPE_CHECKING:
    from ...autograd.saved_facts import Like

Gradients = list | None

SHORTCUTS: dict[str, Callable[[FormulaNode, np.ndarray], Gradients]] = {}
"""The shortcuts by the names of their nodes."""

_ndarray = np.ndarray
_multiply = np.multiply
_UNUSUAL = ~KEY_AUTOGRAD


def shortcut(name: str, node: str, writes: int = 0) -> Callable[[Callable], Callable]:
    """Declare the shortcut of a row's derivative, by the name of the node.

    `writes` is how often the memory of the gradient was written to, as its version counts.
    """

    def declare(function: Callable) -> Callable:
        for derivative in TABLE[name]:
            if derivative.node == node:
                SHORTCUTS[node] = function
                own = class_of(derivative)
                own.shortcut, own.writes = staticmethod(function), writes  # type: ignore[assignment]
        return function

    return declare


PASSING: set[Callable] = set()
"""Shortcuts that pass the gradient on, whole and in the memory in which it came."""


EXPANDING: set[Callable] = set()
"""Shortcuts of formulas that expand a gradient, of which a leaf gets a copy."""


READING_STRIDES: set[Callable] = set()
"""Shortcuts whose results depend on how a gradient lies in memory, as PyTorch's do."""


def passing(function: Callable) -> Callable:
    """Declare that a shortcut computes nothing."""
    PASSING.add(function)
    return function


def saved_array(value: Any, like: np.ndarray) -> Any:
    """A saved tensor as an array of the same size and dtype as a gradient, or a number; None for anything else."""
    kind = type(value)
    if kind in PLAIN:
        if value._keys & _UNUSUAL:
            return None
        array = value._array
    elif kind is KeptResult:
        if value.keys:
            return None
        array = value.array
    elif kind is float or kind is int:
        return value
    else:
        return None
    if type(array) is not _ndarray or array.shape != like.shape or array.dtype is not like.dtype:
        return None
    if array.ndim > 1 and not (array.flags.c_contiguous and like.flags.c_contiguous):
        return None  # the order of the result's dimensions is for the op to say
    return array


def factor_of(value: Any, like: np.ndarray) -> Any:
    """A saved tensor of floats as an array for a product or quotient with a gradient: as large, or broadcast to it."""
    found = saved_array(value, like)
    if found is not None or type(value) not in PLAIN or value._keys & _UNUSUAL:
        return found
    array = value._array
    if type(array) is not _ndarray or array.dtype is not like.dtype or like.dtype.kind != "f":
        return None
    return array if array.size and decides(like, array) else None


def _conjugate(factor: float | ndarray) -> Any:
    """The conjugate of an array, which is itself where it is real."""
    return np.conjugate(factor) if type(factor) is _ndarray and factor.dtype.kind == "c" else factor


# -- sums and products -------------------------------------------------------------------------------------------


def _passed_on(node: FormulaNode) -> bool:
    """Whether `alpha` is 1."""
    alpha = node.values[0]  # type: ignore[index]
    return alpha is ABSENT or type(alpha) is int and alpha == 1


@passing
@shortcut("add", "AddBackward0")
def add(node: FormulaNode, grad: np.ndarray) -> Gradients:
    if not _passed_on(node):
        return None
    first, second = node.edges
    if isinstance(first, Tensor) and second is not None and _size_of(second) != grad.shape:
        return None  # what is summed first leaves the gradient to the leaf alone
    if isinstance(second, Tensor) and first is not None and _size_of(first) != grad.shape:
        return None
    return [None if first is None else grad, None if second is None else _of_rows(grad, second)]


def _size_of(edge: Any) -> Any:
    return (
        edge._array.shape if isinstance(edge, Tensor) else edge[0].size[edge[1]] if type(edge) is tuple else edge.size
    )


def _of_rows(grad: np.ndarray, edge: Any) -> np.ndarray:
    """The gradient of what may be smaller than the result: of a vector that was added to each row, their sum."""
    if grad.ndim != 2 or not grad.size or grad.dtype.kind != "f":
        return grad
    return _summed(grad, edge)


@passing
@shortcut("sub", "SubBackward0")
def sub(node: FormulaNode, grad: np.ndarray) -> Gradients:
    if not _passed_on(node):
        return None
    first, second = node.edges
    return [None if first is None else grad, None if second is None else _of_rows(np.negative(grad), second)]


@shortcut("rsub_number", "RsubBackward1")
@shortcut("neg", "NegBackward0")
def neg(node: FormulaNode, grad: np.ndarray) -> Gradients:
    return None if grad.dtype.kind == "c" else [np.negative(grad)]  # zeros lose their signs then


@shortcut("mul", "MulBackward0")
def mul(node: FormulaNode, grad: np.ndarray) -> Gradients:
    other, input = node.values  # type: ignore[misc]
    first, second = node.edges
    if type(other) is Tensor and type(input) is Tensor and not (other._keys | input._keys) & _UNUSUAL:
        a, b, d, shape = other._array, input._array, grad.dtype, grad.shape  # both factors, looked at only once
        if len(shape) < 2 and a.shape == shape == b.shape and a.dtype is d is b.dtype and d.kind == "f":
            if type(a) is _ndarray is type(b):
                return [_multiply(grad, a), _multiply(grad, b)]
    complex_too = grad.dtype.kind == "c"
    if first is not None:
        first = factor_of(other, grad)
        if first is None:
            return None
        first = _multiply(grad, _conjugate(first) if complex_too else first)
    if second is not None:
        second = factor_of(input, grad)
        if second is None:
            return None
        second = _multiply(grad, _conjugate(second) if complex_too else second)
    return [first, second]


# -- functions of one operand ------------------------------------------------------------------------------------


@shortcut("exp", "ExpBackward0")
def exp(node: FormulaNode, grad: np.ndarray) -> Gradients:
    result = saved_array(node.values[0], grad)  # type: ignore[index]
    return None if result is None else [np.multiply(grad, _conjugate(result))]


@shortcut("pow", "PowBackward0")
def square(node: FormulaNode, grad: np.ndarray) -> Gradients:
    base, exponent = node.values  # type: ignore[misc]
    if type(exponent) not in (int, float) or exponent != 2:
        return None
    factor = saved_array(base, grad)
    return None if factor is None else [np.multiply(grad, np.multiply(_conjugate(factor), 2))]


@shortcut("relu", "ReluBackward0")
def relu(node: FormulaNode, grad: np.ndarray) -> Gradients:
    result = saved_array(node.values[0], grad)  # type: ignore[index]
    if result is None:
        return None
    if grad.size <= FEW:
        slope = grad.copy("K")
        zero = _ZERO[grad.dtype.itemsize]
        np.putmask(slope, np.less_equal(result, zero), zero)
        return [slope]
    # All bits of a gradient, or none: a processor waits for each choice that it guesses wrong.
    whole = _WHOLE[grad.dtype.itemsize]
    bits = np.subtract(np.less_equal(result, 0), 1, dtype=whole)
    slope = np.empty_like(grad)  # which owns its memory, so that it can become `.grad`
    np.bitwise_and(grad.view(whole), bits, out=slope.view(whole))
    return [slope]


FEW = 1024
"""Up to this many elements one step less is worth more."""

_WHOLE = {4: np.int32, 8: np.int64}
_ZERO: dict[int, np.ndarray] = {4: np.zeros((), np.float32), 8: np.zeros(())}


def _result_of(node: FormulaNode, grad: np.ndarray) -> Any:
    """The saved result of a real function; None for the formula."""
    return saved_array(node.values[0], grad) if grad.dtype.kind == "f" else None  # type: ignore[index]


@shortcut("tanh", "TanhBackward0")
def tanh(node: FormulaNode, grad: np.ndarray) -> Gradients:
    result = _result_of(node, grad)
    return None if result is None else [_of_tanh(grad, result)]


def _of_tanh(grad: np.ndarray, result: np.ndarray) -> Any:
    if few.are_few(result):
        return few.tanh_slope(grad, result)
    return np.multiply(grad, np.subtract(1, np.multiply(result, result)))


@shortcut("sigmoid", "SigmoidBackward0")
def sigmoid(node: FormulaNode, grad: np.ndarray) -> Gradients:
    result = _result_of(node, grad)
    return None if result is None else [_of_sigmoid(grad, result)]


def _of_sigmoid(grad: np.ndarray, result: np.ndarray) -> Any:
    return np.multiply(np.multiply(grad, np.subtract(1, result)), result)


@shortcut("log", "LogBackward0")
def log(node: FormulaNode, grad: np.ndarray) -> Gradients:
    input = _result_of(node, grad)
    return None if input is None else [np.true_divide(grad, input)]


@shortcut("sqrt", "SqrtBackward0")
def sqrt(node: FormulaNode, grad: np.ndarray) -> Gradients:
    result = _result_of(node, grad)
    return None if result is None else [_of_sqrt(grad, result)]


def _of_sqrt(grad: np.ndarray, result: np.ndarray) -> Any:
    return np.true_divide(grad, np.multiply(result, 2))


@shortcut("div", "DivBackward0")
def div(node: FormulaNode, grad: np.ndarray) -> Gradients:
    if grad.dtype.kind != "f":
        return None
    kept = dict(zip(node.derivative.keeps, node.values, strict=True))  # type: ignore[arg-type]
    other = kept["other"]
    divisor = None if other is ABSENT else factor_of(other, grad)
    if divisor is None or type(divisor) is int:
        return None
    first, second = node.edges
    result: list[Any] = [None if first is None else np.true_divide(grad, divisor), None]
    if second is not None:
        input = factor_of(kept["input"], grad)
        if input is None:
            return None
        result[1] = np.multiply(np.negative(grad), np.true_divide(np.true_divide(input, divisor), divisor))
    return result


# -- means and products of matrices ------------------------------------------------------------------------------


@shortcut("mean", "MeanBackward0")
def mean(node: FormulaNode, grad: np.ndarray) -> Gradients:
    shape = node.values[0]  # type: ignore[index]
    if 0 in shape:
        return None
    result = np.empty(shape, grad.dtype)
    result[...] = np.true_divide(grad, grad.dtype.type(result.size))
    return [result]


@shortcut("mm", "MmBackward0")
def mm(node: FormulaNode, grad: np.ndarray) -> Gradients:
    input_like, mat2, input, mat2_like = node.values  # type: ignore[misc]
    first = second = None
    if node.edges[0] is not None:
        first = _product(input_like, grad, _matrix(mat2, grad), False)
    if node.edges[1] is not None:
        second = _product(mat2_like, grad, _matrix(input, grad), True)
    if first is None and node.edges[0] is not None or second is None and node.edges[1] is not None:
        return None
    return [first, second]


@shortcut("sum", "SumBackward0")
def sum(node: FormulaNode, grad: np.ndarray) -> Gradients:
    edge, shape = node.edges[0], node.values[0]  # type: ignore[index]
    if 0 in shape:
        return None
    follows = edge.shortcut if isinstance(edge, Node) and edge.extra is None else None
    expanded = follows is None or follows in PASSING or follows in READING_STRIDES
    if not expanded and len(shape) > 1:  # whose formulas make a result that lies as what is saved does
        expanded = not _lie_in_order(edge.values)  # type: ignore[union-attr]
    if expanded or follows in EXPANDING and isinstance(edge.edges[0], Tensor):  # type: ignore[union-attr]
        return [ndarray(shape, grad.dtype, grad, 0, (0,) * len(shape))]  # as it is expanded: a leaf gets a copy of it
    # A view, to which nothing is added in place: PyTorch expands, and then adds into new memory.
    return [np.full(shape, grad, grad.dtype)[...]]


def _lie_in_order(saved: tuple | None) -> bool:
    """Whether all arrays of saved tensors are in one piece, in order."""
    for value in saved or ():
        array = value.array if type(value) is KeptResult else value._array if type(value) in PLAIN else None
        if type(array) is _ndarray and not array.flags.c_contiguous:
            return False
    return True


@passing
@shortcut("t", "TBackward0")
def t(node: FormulaNode, grad: np.ndarray) -> Gradients:
    return [grad.T]


@shortcut("addmm", "AddmmBackward0")
def addmm(node: FormulaNode, grad: np.ndarray) -> Gradients:
    beta, mat1_like, mat2, alpha, mat1, mat2_like = node.values  # type: ignore[misc]
    if beta is not ABSENT or alpha is not ABSENT or grad.dtype.kind != "f":
        return None
    of_input, first, second = node.edges
    results: list[Any] = [None, None, None]
    if first is not None:
        results[1] = _product(mat1_like, grad, _matrix(mat2, grad), False)
    if second is not None:
        results[2] = _product(mat2_like, grad, _matrix(mat1, grad), True)
    if first is not None and results[1] is None or second is not None and results[2] is None:
        return None
    if of_input is not None:
        results[0] = _summed(grad, of_input)
    return results


def _summed(grad: np.ndarray, edge: Any) -> np.ndarray:
    """The gradient of a matrix for a vector that was added to each row, if that is what it is for."""
    size = edge.size if isinstance(edge, Node) else edge._array.shape if type(edge) is not tuple else None
    return grad if size != grad.shape[1:] else sum_of_rows(grad)[...]  # a view as in PyTorch: nothing is added to it


def _matrix(value: Any, like: np.ndarray) -> Any:
    """A saved matrix as an array; None where the formula has to do it."""
    if type(value) not in PLAIN or value._keys & ~KEY_AUTOGRAD or value._array.dtype is not like.dtype:
        return None
    return value._array if like.dtype.kind == "f" else None


def _product(like: Like, grad: np.ndarray, other: np.ndarray | None, left: bool) -> Any:
    """A gradient as a product in the order of its matrix, column by column where that lies so, otherwise row by row."""
    size = like.shape
    if other is None or not grad.size or size[0] * size[1] < 2 or other.ndim != 2:
        return None
    if grad.shape != ((other.shape[0], size[1]) if left else (size[0], other.shape[1])):
        return None  # a leaf was given other data
    if like.stride == (1, size[0]):  # column by column: the transposed gradient lies in order
        return (product(grad.T, other) if left else product(other, grad.T)).T
    return product(other.T, grad) if left else product(grad, other.T)
