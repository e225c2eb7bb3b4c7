"""`GradientEdge`: a place in the graph where a gradient arrives, without the tensor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ..dispatch.asking import HANDLER
from ..errors.reasons import refuse
from ..tensor.tensor import Tensor
from ..tensor.versions import bump_version
from .functions.node import FunctionNode
from .nodes import AccumulateGrad, Node, accumulator_of, edge_to, metadata_of
from .origin import edge_of, tracked


class GradientEdge(NamedTuple):
    """A node and the number of one of its results; `backward` and `grad` take it in place of a tensor."""

    node: Any
    output_nr: int
    ownership_token: Any = None


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge at which the gradient of a tensor arrives. It keeps the graph alive, and not the tensor.

    >>> import tensorwidgets as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> y = x * 3
    >>> edge = get_gradient_edge(y)
    >>> torch.autograd.grad(y.exp().sum(), edge)
    (tensor([20.0855, 20.0855]),)
    """
    if not isinstance(tensor, Tensor):
        raise AttributeError(f"'{type(tensor).__name__}' object has no attribute 'requires_grad'")
    if not tracked(tensor):
        refuse(
            RuntimeError,
            "It is not possible to get the gradient edge for a Tensor that does not require gradients",
            "the tensor is in no graph",
            "x.requires_grad_()",
            rule="autograd.none",
        )
    edge = edge_of(tensor)
    if edge is None:
        refuse(
            AssertionError,
            "Expected gradient function to be set",
            "a view that was made in inference mode has no place in the graph",
            rule="autograd.none",
        )
    if isinstance(edge, Tensor):
        return GradientEdge(accumulator_of(edge), 0)
    node, number = edge if type(edge) is tuple else (edge, 0)
    return GradientEdge(node, number, tensor.view_as(tensor).grad_fn if isinstance(node, FunctionNode) else None)


def as_edge(value: Tensor) -> Any:
    """The edge of a tensor or of a GradientEdge, as nodes have it."""
    if isinstance(value, Tensor):
        return edge_of(value) if tracked(value) else None
    if isinstance(value, GradientEdge) and not isinstance(value.node, Node):
        refuse(
            RuntimeError,
            f"GradientEdge's first object must be an autograd.graph.Node but got {type(value.node).__name__}",
            "an edge leads to a node, and a leaf has none of its own",
            "torch.autograd.graph.get_gradient_edge(x)",
            rule="autograd.inputs",
        )
    if not isinstance(value, GradientEdge):
        refuse(
            RuntimeError,
            f"all inputs have to be Tensors or GradientEdges, but got {type(value).__name__}",
            "a gradient is taken with respect to a tensor, or to a place in the graph",
            rule="autograd.inputs",
        )
    if isinstance(value.node, AccumulateGrad):
        return edge_to(value.node)
    return (value.node, value.output_nr) if value.output_nr else value.node


def as_several(value: Any) -> tuple:
    """One tensor or edge, or several, as a tuple. Values of classes that answer for calls count as tensors."""
    return (value,) if isinstance(value, (Tensor, GradientEdge)) or hasattr(value, HANDLER) else tuple(value)


def inputs_as_several(value: Any) -> tuple:
    """The same for inputs, which may have names."""
    return tuple(value.values()) if type(value) is dict else as_several(value)


def facts_of(value: Tensor) -> tuple[Any, Any]:
    """The size and dtype of a tensor, or of the gradient at an edge."""
    if isinstance(value, Tensor):
        return value.shape, value.dtype
    leaf = isinstance(value.node, AccumulateGrad)
    if leaf and value.node.facts is None:
        return value.node.variable.shape, value.node.variable.dtype
    size, dtype = value.node.facts[:2] if leaf else metadata_of(value.node, value.output_nr)
    from ..types.size import Size

    return Size(size), dtype


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Counts a write that was made behind the engine's back, in one tensor or in several.

    >>> import tensorwidgets as torch
    >>> x = torch.zeros(2)
    >>> x.numpy()[0] = 1
    >>> increment_version(x)
    >>> x._version
    1
    """
    several = isinstance(tensor, Iterable)
    tensors: list[Any] = list(tensor) if several and not isinstance(tensor, Tensor) else [tensor]
    if not all(isinstance(t, Tensor) for t in tensors):
        message = (
            "increment_version expects each element of the iterable to be a tensor"
            if several
            else "increment_version expect a Iterable[Tensor] as input"
        )
        refuse(RuntimeError, message, "only tensors have a version", rule="argument.type")
    for t in tensors:
        if not t.is_inference():
            bump_version(t)


__all__ = [
    "GradientEdge",
    "as_edge",
    "as_several",
    "facts_of",
    "get_gradient_edge",
    "increment_version",
    "inputs_as_several",
]
