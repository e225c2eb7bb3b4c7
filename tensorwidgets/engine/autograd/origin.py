"""Where a tensor comes from in the graph of gradients: its origin.

`Tensor._origin` is only read where `_keys` has KEY_AUTOGRAD. It is

- None: a leaf;
- a `Node`: the node's only result;
- an `Output`: one of several results of a node, or a view, which also knows how it was made.
"""

from __future__ import annotations

from typing import Any

from ..tensor.keys import KEY_AUTOGRAD
from ..tensor.tensor import Tensor
from ..tensor.versions import version_owner
from ..tensor.wrapping import LeafOf
from .nodes import Node, stand_in_of


class Output:
    """An origin that takes more than a node: the number of the result, and for a view how it was made."""

    __slots__ = ("node", "number", "version", "made", "own")

    def __init__(
        self, node: Node | None, number: int = 0, version: int | None = None, made: str = "", own: bool = False
    ):
        self.node, self.number = node, number
        self.version = version
        """Of a differentiable view: the version of its base when `node` was made; None if it is no such view."""
        self.made = made
        """Of a view: how it was made, if that forbids writes: no_grad | inference | multiple | function"""
        self.own = own
        """Of a view without a node: whether its own `requires_grad` was set, so that it is a leaf itself."""


def tracked(t: Tensor) -> bool:
    """Whether a tensor requires a gradient."""
    return bool(t._keys & KEY_AUTOGRAD)


def set_origin(t: Tensor, origin: Any) -> None:
    """Say where a tensor comes from in a graph."""
    t._keys |= KEY_AUTOGRAD
    t._origin = origin


def node_of(t: Tensor) -> Node | None:
    """The node that a tensor is a result of; None for a leaf.

    A view whose base was written to since the node was made gets a new node: it is read from the base again.
    """
    origin = t._origin
    if origin is None or isinstance(origin, Node):
        return origin
    if type(origin) is LeafOf:
        return None
    if origin.version is not None and t._base is not None and origin.version != version_owner(t)._writes:
        from .rewriting import read_again

        read_again(t)
        return t._origin.node  # type: ignore[no-any-return]
    return origin.node


def edge_of(t: Tensor) -> Any:
    """What receives the gradient of a tensor: a leaf, a node, or a pair of a node and the number of its result.

    None for a view without a node: it was made under no_grad, or before its base belonged to a graph.
    """
    node = node_of(t)
    if node is None:
        origin = t._origin
        if origin is None or type(origin) is Output and origin.own:
            return t
        return _leaf_of(origin) if type(origin) is LeafOf else None
    origin = t._origin
    number = origin.number if type(origin) is Output else 0
    return (node, number) if number else node


def _leaf_of(origin: LeafOf) -> Tensor:
    """The leaf of an origin, or what stands for the leaf as it was when a graph was recorded that still exists."""
    node = None if origin.accumulator is None else origin.accumulator()
    return origin.leaf if node is None else stand_in_of(node)


def output_number(t: Tensor) -> int:
    """Which result of its node a tensor is."""
    origin = t._origin
    return origin.number if type(origin) is Output else 0
