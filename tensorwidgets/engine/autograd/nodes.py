"""Nodes: one for each recorded call. A node knows where the gradients of its inputs go and how to compute them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from ..derivatives.declaring import Derivative
from ..errors.reasons import refuse
from ..tensor.grad_mode import grad_enabled
from ..tensor.tensor import Tensor

next_number: Callable[[], int] = count().__next__
"""Numbers the nodes of all threads. The inputs of a node are always older than the node itself."""


class NodeType(type):
    """Prints the class of a node as PyTorch's."""

    def __repr__(cls) -> str:
        return f"<class '{cls.__name__}'>"


class Node(metaclass=NodeType):
    """One recorded call.

    `edges` has an entry for each input: a leaf, a node, a pair of a node and the number of its result, or None.
    `saved` is what the formulas need, `size` and `dtype` what a gradient has to be: those of the result, or lists of
    them for several results.
    """

    __slots__ = ("number", "edges", "saved", "size", "dtype", "where", "extra", "__weakref__")

    takes_undefined = False
    """Whether `apply` is called if no result has a gradient."""
    number: int
    edges: tuple
    saved: Any
    size: Any
    dtype: Any
    where: Any
    """The place in the user's code that made it; see `writes.here`."""
    extra: Any

    def __init__(self, edges: tuple, size: Any, dtype: Any):
        self.number = next_number()
        self.edges, self.size, self.dtype = edges, size, dtype
        self.saved = self.where = self.extra = None

    def apply(self, grads: tuple) -> Any:
        """The gradients of the inputs, one for each edge, from those of the results."""
        raise NotImplementedError

    def release(self) -> None:
        """Free what was saved."""

    # -- what PyTorch's nodes answer ----------------------------------------------------------------------------

    def name(self) -> str:
        """The name of the node."""
        own = type(self).__name__
        return own if "Backward" in own and own != "CopyBackwards" else f"torch::autograd::{own}"

    @property
    def next_functions(self) -> tuple:
        """The nodes of the inputs, each with the number of its result."""
        return tuple([_as_pair(edge) for edge in self.edges])

    @property
    def metadata(self) -> dict:
        """A dictionary for anything that a user wants to keep with the node."""
        return more(self).metadata

    @property
    def requires_grad(self) -> bool:
        return True

    def _sequence_nr(self) -> int:
        return self.number

    def register_hook(self, hook: Callable) -> Any:
        """Call ``hook(grad_inputs, grad_outputs)`` each time the node has computed gradients."""
        from .hooks import add

        return add(more(self).after, hook)

    def register_prehook(self, hook: Callable) -> Any:
        """Call ``hook(grad_outputs)`` each time before the node computes gradients."""
        from .hooks import add

        return add(more(self).before, hook)

    def __call__(self, *grads: Any) -> Any:
        from .running import apply_alone

        return apply_alone(self, grads)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_") or name.startswith("_raw_saved_"):
            from .saved import attribute

            return attribute(self, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


class More:
    """What few nodes have: hooks, metadata, the line that made them."""

    __slots__ = ("before", "after", "on_results", "retained", "metadata", "trace")

    def __init__(self) -> None:
        self.before: OrderedDict[int, Callable] = OrderedDict()
        self.after: OrderedDict[int, Callable] = OrderedDict()
        self.on_results: dict[int, OrderedDict[int, Callable]] = {}
        """Hooks of tensors, by the number of the result."""
        self.retained: dict[int, Any] = {}
        """Weak references to tensors that keep their gradient, by the number of the result."""
        self.metadata: dict[Any, Any] = {}
        self.trace: Any = None


def more(node: Any) -> More:
    """The rest of a node, made when it is first needed."""
    if node.extra is None:
        node.extra = More()
    return node.extra


def _as_pair(edge: Any) -> tuple:
    if edge is None:
        return (None, 0)
    if isinstance(edge, Tensor):
        return (accumulator_of(edge), 0)
    return edge if type(edge) is tuple else (edge, 0)


def inputs_of(node: Node) -> Iterator[Node]:
    """The nodes that a node sends gradients to, without the leaves."""
    for edge in node.edges:
        if edge is not None and not isinstance(edge, Tensor):
            yield edge[0] if type(edge) is tuple else edge


# -- leaves ------------------------------------------------------------------------------------------------------


class AccumulateGrad(metaclass=NodeType):
    """Stands for a leaf where somebody walks through the graph: it adds gradients to the leaf's `.grad`."""

    __slots__ = ("variable", "extra", "__weakref__")

    next_functions: tuple = ()
    requires_grad = True

    def __init__(self, variable: Tensor):
        self.variable = variable
        self.extra: Any = None

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    @property
    def metadata(self) -> dict:
        return more(self).metadata

    def _sequence_nr(self) -> int:
        return 2**64 - 1

    def register_hook(self, hook: Callable) -> Any:
        """Call ``hook(grad_inputs, grad_outputs)`` each time a gradient was added."""
        from .hooks import add

        self.variable.__dict__["_accumulator"] = self  # it stays while the leaf does
        return add(more(self).after, hook)

    def register_prehook(self, hook: Callable) -> Any:
        """Call ``hook(grad_outputs)`` each time before a gradient is added."""
        from .hooks import add

        self.variable.__dict__["_accumulator"] = self
        return add(more(self).before, hook)

    def __call__(self, grad: Any) -> None:
        from .accumulate import add_to_leaf

        add_to_leaf(self.variable, grad, False)

    def __repr__(self) -> str:
        return f"<AccumulateGrad object at {id(self):#x}>"


def accumulator_of(leaf: Tensor) -> AccumulateGrad:
    """The object that stands for a leaf. The leaf refers to it weakly until it has hooks."""
    import weakref

    kept = leaf.__dict__.get("_accumulator")
    if type(kept) is AccumulateGrad:
        return kept
    made = kept() if kept is not None else None
    if made is None:
        made = AccumulateGrad(leaf)
        leaf.__dict__["_accumulator"] = weakref.ref(made)
    return made


# -- nodes of formulas -------------------------------------------------------------------------------------------


class FormulaNode(Node):
    """The node of an op whose derivative is declared as formulas."""

    __slots__ = ()

    derivative: Derivative
    shortcut: Callable[[Any, Any, tuple], list | None] | None = None
    """The gradients on arrays, for the most frequent ops: see `quick`."""

    def apply(self, grads: tuple) -> Any:
        from .saved import values_of

        if self.shortcut is not None and len(grads) == 1:
            results = self._quickly(grads[0])
            if results is not None:
                return results
        values = values_of(self)
        derivative = self.derivative
        needed = dict.fromkeys(derivative.inputs, False)
        spans = spans_of(self)
        for name, (start, stop) in spans.items():
            needed[name] = any(edge is not None for edge in self.edges[start:stop])
        gradients: list[Any] = [None] * len(self.edges)
        for formula in derivative.formulas:
            if not any(needed[name] for name in formula.inputs):
                continue
            answer = formula.function(*[self._value(p, formula, grads, values, needed) for p in formula.parameters])
            answers = (answer,) if len(formula.inputs) == 1 else answer
            for name, one in zip(formula.inputs, answers, strict=True):
                start, stop = spans[name]
                if needed[name] and one is not None:
                    if self._is_list(name):
                        gradients[start:stop] = list(one)
                    else:
                        gradients[start] = one
        return gradients

    def _quickly(self, grad: Any) -> list | None:
        """The gradients by the shortcut, if nothing is unusual."""
        if grad_enabled() or type(grad) is not Tensor or grad._keys or grad._dtype is not self.dtype:
            return None
        saved = self.saved
        if saved.values is None or grad._array.shape != self.size:
            return None
        for value, version in zip(saved.values, saved.versions, strict=True):
            if version is not None and _version_of(value) != version:
                return None
        return self.shortcut(self, grad, saved.values)  # type: ignore[misc]

    def _is_list(self, name: str) -> bool:
        lists = self.edges_of_lists
        return lists is not None and name in lists

    @property
    def edges_of_lists(self) -> dict[str, int] | None:
        """How many tensors each list of tensors has."""
        saved = self.saved
        return None if saved is None else saved.lists

    def _value(self, parameter: str, formula: Any, grads: tuple, values: dict, needed: dict) -> Any:
        if parameter == "grad":
            return grads[0] if grads[0] is not None else zeros_for(self, 0)
        if parameter == "grads":
            return grads
        if parameter == "needed":
            return needed
        if parameter in values:
            return values[parameter]
        if parameter in formula.defaults:
            return formula.defaults[parameter]
        return None

    def release(self) -> None:
        saved = self.saved
        if saved is not None:
            saved.release()


class NotImplemented_(Node):  # noqa: N801
    """The node of a call that has no derivative: going back through it is refused."""

    __slots__ = ("op",)

    op: str

    def apply(self, grads: tuple) -> Any:
        refuse(
            RuntimeError,
            f"derivative for {self.op} is not implemented",
            "PyTorch has no derivative for this call either",
            "x.detach()",
            rule="autograd.missing",
        )


NotImplemented_.__name__ = NotImplemented_.__qualname__ = "NotImplemented"


def _version_of(value: Any) -> int:
    """The version now of something that was saved; -1 for what only `values_of` can check."""
    if isinstance(value, Tensor):
        root = value if value._base is None else value._base
        return (root if root._counter is None else root._counter)._writes
    owner = getattr(value, "owner", None)
    if owner is None:
        return -1
    t = owner()
    return 0 if t is None else t._writes


def metadata_of(node: Node, number: int) -> tuple[tuple[int, ...], Any]:
    """The size and dtype that a result of a node has, and its gradient too."""
    if type(node.dtype) is tuple:
        return node.size[number], node.dtype[number]
    return node.size, node.dtype


def count_of(node: Node) -> int:
    """How many results a node has."""
    return len(node.dtype) if type(node.dtype) is tuple else 1


def zeros_for(node: Node, number: int) -> Tensor:
    """The gradient of a result that nothing was computed from."""
    from ..derivatives.ops import torch

    size, dtype = metadata_of(node, number)
    result: Tensor = torch.zeros(size, dtype=dtype)
    return result


def spans_of(node: FormulaNode) -> dict[str, tuple[int, int]]:
    """Which edges belong to which input."""
    spans = {}
    start = 0
    lists = node.edges_of_lists or {}
    for name in node.derivative.inputs:
        stop = start + lists.get(name, 1)
        spans[name] = (start, stop)
        start = stop
    return spans


def class_of(derivative: Derivative) -> type[FormulaNode]:
    """The class of the nodes of a derivative."""
    if derivative.classes is None:
        members = {"__slots__": (), "derivative": derivative, "__module__": "tensorwidgets"}
        derivative.classes = NodeType(derivative.node, (FormulaNode,), members)
    result: type[FormulaNode] = derivative.classes
    return result
