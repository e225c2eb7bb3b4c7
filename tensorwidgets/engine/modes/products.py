"""Which products of matrices, and which convolutions, does a block of code compute, and between what sizes?

`watched(function)` calls the function with the name of each such op, its sizes and its result. A backward pass counts
as well: its nodes call ops, or compute the products of matrices themselves, which their hooks tell.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from math import prod
from typing import Any

import numpy as np

from ..dispatch import stations
from ..dispatch.registry import Op, watching
from ..tensor.keys import KEY_AUTOGRAD
from ..tensor.tensor import Tensor
from . import recording  # its watchers are asked after these

Sizes = tuple[int, ...]
Tell = Callable[[str, int | None, tuple, dict, Any], None]
"""Called with the name of an op of PyTorch's, how many multiplications and additions it takes (None: it is no product),
the arguments and the result."""

_open: contextvars.ContextVar[tuple[Tell, ...]] = contextvars.ContextVar("listeners for products", default=())
_count: contextvars.ContextVar[list[int]] = contextvars.ContextVar("how many products were reported")


def of_matrices(left: Sequence[int], right: Sequence[int]) -> int:
    """Multiplications and additions of a product of two matrices, or of stacks of them.

    >>> of_matrices((2, 3), (3, 4))
    48
    """
    return 2 * prod(left) * right[-1]


def of_convolution(input: Sequence[int], weight: Sequence[int], result: Sequence[int], transposed: bool) -> int:
    """Those of a convolution: each weight is used once for each position, of the result, or of the input.

    >>> of_convolution((2, 3, 4, 4), (8, 3, 3, 3), (2, 8, 4, 4), False)
    13824
    """
    return 2 * input[0] * prod((input if transposed else result)[2:]) * prod(weight)


def of_convolutions_gradients(
    grad: Sequence[int], input: Sequence[int], weight: Sequence[int], transposed: bool, wanted: Sequence[bool]
) -> int:
    """Those of the gradients of a convolution. For that of the weight, groups count as if there were one."""
    positions = prod((input if transposed else grad)[2:])
    of_input = 2 * input[0] * positions * prod(weight)
    of_weight = 2 * input[0] * positions * input[1] * grad[1] * prod(weight[2:])
    return of_input * bool(wanted[0]) + of_weight * bool(wanted[1])


def of_layer(input: Sequence[int], of_inputs: Sequence[int], of_hidden: Sequence[int]) -> int:
    """Those of a layer that goes through a sequence."""
    return 2 * input[0] * input[1] * (prod(of_inputs) + prod(of_hidden))


def _matmul(left: Sequence[int], right: Sequence[int]) -> tuple[str, int] | None:
    """The product that `matmul` is made of; a product with a vector on the right counts for nothing."""
    if len(right) == 1:
        return None
    stack = np.broadcast_shapes(left[:-2], right[:-2])
    rows = left[-2] if len(left) > 1 else 1
    return ("bmm" if len(right) > 2 else "mm"), of_matrices((*stack, rows, left[-1]), right)


def _sizes(args: tuple) -> list[Any]:
    return [tuple(a._array.shape) if isinstance(a, Tensor) else a for a in args]


def _product(name: str, args: tuple, result: Any) -> tuple[str, int] | None:
    """The name of the product that an op computes, as PyTorch's counter lists it, and what it takes."""
    sizes = _sizes(args)
    match name:
        case "mm" | "bmm":
            return name, of_matrices(*sizes[:2])
        case "addmm" | "baddbmm":
            return name, of_matrices(*sizes[1:3])
        case "matmul":
            return _matmul(*sizes[:2])
        case "inner" if len(sizes[0]) > 1 and len(sizes[1]) > 1:
            return "mm", 2 * prod(sizes[0]) * prod(sizes[1][:-1])
        case "convolution":
            return name, of_convolution(sizes[0], sizes[1], tuple(result.shape), bool(args[6]))
        case "convolution_backward":
            return name, of_convolutions_gradients(sizes[0], sizes[1], sizes[2], bool(args[7]), args[10])
    if name.startswith("_nn.") and name.endswith("_layer") and "lstm" not in name:  # PyTorch's LSTM is one op
        return ("addmm" if isinstance(args[3], Tensor) else "mm"), of_layer(*sizes[:3])
    return None


def _watch(op: Op, args: tuple, kwargs: dict) -> Any:
    listeners = _open.get()
    if not listeners:
        return _next(op, args, kwargs)
    said = _count.get()
    before = said[0]
    result = _next(op, args, kwargs)
    found = _product(op.name, args, result) if said[0] == before else None  # or the ops that it is made of said it
    name, taken = found or (op.name.rpartition(".")[2], None)
    said[0] += found is not None
    for tell in listeners:
        tell(name, taken, args, kwargs, result)
    return result


def _watch_pass(name: str, outputs: tuple, into: Sequence[Tensor] | None, compute: Callable[[], Any]) -> Any:
    if not _open.get():
        return _next_pass(name, outputs, into, compute)
    with ExitStack() as stack:
        for node in _behind(outputs):
            if _formula(node) is not None:
                for handle in _hooks(node):
                    stack.callback(handle.remove)
        return _next_pass(name, outputs, into, compute)


def _hooks(node: Any) -> Iterator[Any]:
    """Tell what a node computes itself: nothing, where ops that it called have said it."""
    said, before = _count.get(), [0]

    def at_first(grads: Any) -> None:
        before[0] = said[0]

    def at_last(found: Any, grads: Any) -> None:
        if said[0] == before[0] and grads[0] is not None:
            formula = _formula(node)
            assert formula is not None
            taken = formula([None if g is None else tuple(g.shape) for g in found], tuple(grads[0].shape))
            said[0] += 1
            for tell in _open.get():
                tell("bmm" if "bmm" in node.name().lower() else "mm", taken, (), {}, None)

    yield node.register_prehook(at_first)
    yield node.register_hook(at_last)


def _behind(outputs: tuple) -> list[Any]:
    """The nodes that a backward pass may call."""
    from ..autograd.facts import behind
    from ..autograd.origin import edge_of

    edges = [edge_of(t) for t in outputs if isinstance(t, Tensor) and t._keys & KEY_AUTOGRAD]
    return behind([e[0] if type(e) is tuple else e for e in edges if e is not None])[0]


def _of_mm(found: list[Sizes | None], grad: Sizes) -> int:
    """What the gradients of a product of two matrices take: a product each."""
    left, right = found[-2:]
    return 2 * prod(grad) * ((left[-1] if left else 0) + (right[-2] if right else 0))


def _of_layer(found: list[Sizes | None], grad: Sizes) -> int:
    """What the gradients of a layer take that goes through a sequence: that of the first hidden state is extra."""
    of_inputs, of_hidden = found[1], found[2]
    if of_inputs is None or of_hidden is None:
        return 0
    steps, batch = grad[:2]
    inputs = steps * prod(of_inputs) * (1 + (found[0] is not None))
    return 2 * batch * (inputs + (2 * steps - (found[-1] is None)) * prod(of_hidden))


def _formula(node: Any) -> Callable[[list, Sizes], int] | None:
    """What a node takes that computes products of matrices without calling an op."""
    name = node.name()
    if name in ("MmBackward0", "AddmmBackward0", "BmmBackward0", "BaddbmmBackward0"):
        return _of_mm
    of = getattr(node, "derivative", None)
    return _of_layer if of is not None and of.op in _LAYERS else None


_LAYERS = "_nn.gru_layer", "_nn.rnn_tanh_layer", "_nn.rnn_relu_layer"
"""Layers of one node, where PyTorch has a node for each step: of a whole LSTM it says nothing, either."""


@contextmanager
def watched(tell: Tell) -> Iterator[None]:
    """A block in which a function hears of each op, and of products what they take."""
    token, key = _open.set((*_open.get(), tell)), object()
    count = _count.set([0])
    watching.add(key)
    try:
        yield
    finally:
        watching.discard(key)
        _count.reset(count)
        _open.reset(token)


_next, _next_pass = recording._watch, recording._watch_pass
stations.watcher, stations.pass_watcher = _watch, _watch_pass
