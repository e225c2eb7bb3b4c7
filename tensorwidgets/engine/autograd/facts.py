"""What may be known of a node without using it: the results that it belongs to, and the tensors that it keeps.

Nothing here runs a hook, checks a version by an error or makes a new node.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..tensor.grad_mode import no_grad
from ..tensor.keys import KEY_AUTOGRAD
from ..tensor.passed import hide_again, shown_again
from ..tensor.tensor import Tensor
from ..tensor.versions import version_owner
from ..tensor.wrapping import wrap
from ..types.dtypes import int64
from . import writes
from .foreign import CHANGED, FREED, HOOKED, KEPT, Kept, in_attributes
from .formulas import FormulaNode
from .functions.node import FunctionNode
from .leaf_sizes import leaf_behind
from .nodes import Node, count_of, metadata_of
from .saved import KeptResult, Packed, bare
from .saved_names import torch_names
from .sums import fitted


def results_of(node: Any) -> list[tuple[tuple[int, ...], Any]]:
    """The size and dtype of each result of a node that has a gradient, so without indices."""
    if not isinstance(node, Node) or node.dtype is None:
        return []
    pairs = zip(node.size, node.dtype, strict=True) if type(node.dtype) is tuple else [(node.size, node.dtype)]
    return [(tuple(size), dtype) for size, dtype in pairs
            if dtype is not None and (dtype.is_floating_point or dtype.is_complex)]  # fmt: skip


def kept_by(node: Any) -> list[Kept]:
    """The tensors that a node keeps: those saved for the backward pass by name, then those in a Function's `ctx`.

    >>> import tensorwidgets as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> [(kept.name, kept.state) for kept in kept_by((x * x.exp()).grad_fn)]
    [('other', 'kept'), ('self', 'kept')]
    """
    if isinstance(node, FunctionNode):
        return [*_saved_by_function(node), *in_attributes(node.__dict__.get("own", {}))]
    if not isinstance(node, FormulaNode):
        return []
    if node.values is None:
        return [Kept("", FREED, None)]
    if node.versions is None:
        return []
    found = []
    for name, value, version in zip(node.derivative.keeps, node.values, node.versions, strict=True):
        if type(value) is tuple and type(version) is tuple:
            label = _torch_name(name, value, node)
            pairs = enumerate(zip(value, version, strict=True))
            found += [_one(f"{label}[{k}]", v, n) for k, (v, n) in pairs if isinstance(v, FORMS)]
        elif version is not None and isinstance(value, FORMS):
            found.append(_one(_torch_name(name, value, node), value, version))
    return sorted(found, key=lambda kept: kept.name.partition("[")[0])


def _saved_by_function(node: FunctionNode) -> list[Kept]:
    own = node._kept
    if own is None:
        return []
    if own.values is None:
        return [Kept("", FREED, None)]
    pairs = enumerate(zip(own.values, own.versions, strict=True))
    return [_one(f"saved_tensors[{k}]", v, n) for k, (v, n) in pairs if v is not None]


FORMS = (Tensor, KeptResult, Packed)
"""The forms in which a node keeps a tensor; anything else is a number or a size."""


def _torch_name(name: str, value: Any, node: FormulaNode) -> str:
    if name == "result1" and type(value) is KeptResult and value.dtype is int64:
        return "indices"
    return next(iter(torch_names(name, node.derivative)), name)


def _one(name: str, value: Any, version: int) -> Kept:
    if type(value) is Packed:
        held = value.held
        return Kept(name, KEPT, bare(held)) if isinstance(held, Tensor) else Kept(name, HOOKED, None)
    if isinstance(value, KeptResult):
        t = wrap(value.array, value.dtype)
        t._keys = value.keys
        now = value.version(version)
    else:
        t, now = value, version_owner(value)._writes
    return Kept(name, KEPT if now == version else CHANGED, t, version, now)


def unpackers_of(node: Any) -> list[Any]:
    """The functions of the user's that give back what a node keeps in another form."""
    kept = node._kept.values if isinstance(node, FunctionNode) and node._kept else getattr(node, "values", None)
    flat = [one for value in kept or () for one in (value if type(value) is tuple else (value,))]
    return [one.unpack for one in (*(kept or ()), *flat) if type(one) is Packed]


def line_of(node: Any) -> tuple[int, str, str] | None:
    """The line that made a node: number, text and file; None if it is not known."""
    return writes.line_of(getattr(node, "where", None))


def writes_of(t: Tensor) -> list[tuple[int, tuple[int, str, str] | None]]:
    """The last writes of a tensor's memory, each with the version that it made and its line.

    >>> import tensorwidgets as torch
    >>> x = torch.ones(2, requires_grad=True).exp()
    >>> _ = x.mul_(2)
    >>> [version for version, line in writes_of(x)]
    [1]
    """
    return [(version, writes.line_of(where)) for version, where in writes.lines_of(version_owner(t))]


def behind(nodes: Iterable[Any], since: int = -1) -> tuple[list[Node], list[Tensor]]:
    """The nodes that gradients go to from some nodes, themselves included, and their leaves; those made `since`."""
    found: dict[int, Node] = {}
    leaves: dict[int, Tensor] = {}
    left = list(nodes)
    while left:
        node = left.pop()
        if isinstance(node, Tensor):
            leaf = leaf_behind(node)
            leaves[id(leaf)] = leaf
        elif node.number > since and node.number not in found:
            found[node.number] = node
            left += [edge[0] if type(edge) is tuple else edge for edge in node.edges if edge is not None]
    return list(found.values()), list(leaves.values())


def sent_by(node: Any, grads: tuple) -> list[Any]:
    """What a node sends to its inputs, given the gradients of its results: one for each edge, or None.

    Nothing is freed, nothing is added to a leaf, and hooks of tensors and nodes are not run.
    """
    before = shown_again(KEY_AUTOGRAD)
    try:
        with no_grad():
            results = node.apply((*grads, *[None] * (count_of(node) - len(grads))))
            return [None if grad is None or edge is None else _fitted(edge, grad, node, number)
                    for number, (edge, grad) in enumerate(zip(node.edges, results, strict=True))]  # fmt: skip
    finally:
        hide_again(before)


def _fitted(edge: Any, grad: Any, by: Any, number: int) -> Any:
    if isinstance(edge, Tensor):
        return fitted(grad, edge._array.shape, edge._dtype, by, number)
    node, result = edge if type(edge) is tuple else (edge, 0)
    return fitted(grad, *metadata_of(node, result), by, number)
