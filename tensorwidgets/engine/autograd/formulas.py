"""Nodes of ops whose derivative is declared as formulas: what they save, and how they apply the formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..derivatives.declaring import Derivative
from ..tensor.tensor import Tensor
from .nodes import Node, NodeType, next_number, zeros_for
from .saved import FREED, KeptResult, has_left, is_result, values_of

if TYPE_CHECKING:
    from ..types.dtypes import dtype


class FormulaNode(Node):
    """The node of an op whose derivative is declared as formulas.

    `values` is what the formulas need, one for each name in `derivative.keeps`; None once it is freed. `versions` has
    the version of each saved tensor, and None for anything else; it is None itself if no tensor was saved.
    `lists` says how many tensors each list of tensors has. `numbers` is what is left of `values` once it is freed: all
    that is no tensor. Only nodes that keep numbers have it.
    """

    __slots__ = ("values", "versions", "lists")

    derivative: Derivative
    values: tuple | None
    versions: tuple | None
    lists: dict[str, int] | None
    numbers: list
    keeps_numbers: bool
    """Whether something is kept that is neither a result nor has a gradient: not so where tensors are multiplied."""

    __init__ = object.__init__  # type: ignore[assignment]  # made by the thousand: who records a call sets the slots

    def apply(self, grads: tuple) -> Any:
        if self.lists is not None:
            return self._apply_to_lists(grads)
        values = values_of(self)
        needed = tuple([edge is not None for edge in self.edges])
        steps = self.derivative.steps.get(needed)
        if steps is None:
            steps = self.derivative.steps[needed] = _steps(self.derivative, needed)
        gradients: list[Any] = [None] * len(needed)
        for function, parameters, defaults, places in steps:
            given: list[Any] = []
            for name, default in zip(parameters, defaults, strict=True):
                if name == "grad":
                    given.append(grads[0] if grads[0] is not None else zeros_for(self, 0))
                elif name == "grads":
                    given.append(grads)
                else:
                    given.append(values.get(name, default))
            answer = function(*given)
            if len(places) == 1:
                gradients[places[0]] = answer
            else:
                for place, one in zip(places, answer, strict=True):
                    if needed[place]:
                        gradients[place] = one
        return gradients

    def _apply_to_lists(self, grads: tuple) -> Any:
        """The gradients where an input is a list of tensors, which has an edge for each."""
        values = values_of(self)
        derivative = self.derivative
        needed = dict.fromkeys(derivative.inputs, False)
        spans = spans_of(self)
        for name, (start, stop) in spans.items():
            needed[name] = any(edge is not None for edge in self.edges[start:stop])
        gradients: list[Any] = [None] * len(self.edges)
        for formula in derivative.in_order:
            if not any(needed[name] for name in formula.inputs):
                continue
            answer = formula.function(*[self._value(p, formula, grads, values, needed) for p in formula.parameters])
            answers = (answer,) if len(formula.inputs) == 1 else answer
            for name, one in zip(formula.inputs, answers, strict=True):
                start, stop = spans[name]
                if needed[name] and one is not None:
                    if name in self.lists:  # type: ignore[operator]
                        gradients[start:stop] = list(one)
                    else:
                        gradients[start] = one
        return gradients

    def unchanged(self) -> bool:
        """Whether everything that was saved is there, and no tensor of it was written to since."""
        values, versions = self.values, self.versions
        if values is None:
            return False
        if versions is None:
            return True
        for value, version in zip(values, versions, strict=True):
            if version is None or version == FREED:
                continue
            if _version_of(value, version) != version or isinstance(value, Tensor) and has_left(value, self):
                return False
        return True

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
        versions, values = self.versions, self.values
        if versions is None or values is None:
            return
        if self.keeps_numbers and None in versions:
            node: Any = self
            node.numbers = [v for v, n in zip(values, versions) if n is None]  # noqa: B905  # often, so quickly
        self.values = None


def _steps(derivative: Derivative, needed: tuple[bool, ...]) -> tuple:
    """The formulas that compute the needed gradients: function, parameters, their defaults, and places of gradients."""
    by_name = dict(zip(derivative.inputs, needed, strict=True))
    steps = []
    for formula in derivative.in_order:
        if any(by_name[name] for name in formula.inputs):
            defaults = [by_name if p == "needed" else formula.defaults.get(p) for p in formula.parameters]
            places = [derivative.inputs.index(name) for name in formula.inputs]
            steps.append((formula.function, formula.parameters, defaults, places))
    return tuple(steps)


def _version_of(value: Any, saved: int) -> int:
    """The version now of something that was saved; -1 for what only `values_of` can check."""
    if isinstance(value, Tensor):
        root = value if value._base is None else value._base
        return (root if root._counter is None else root._counter)._writes
    return value.version(saved) if isinstance(value, KeptResult) else -1


def spans_of(node: FormulaNode) -> dict[str, tuple[int, int]]:
    """Which edges belong to which input."""
    spans = {}
    start = 0
    lists = node.lists or {}
    for name in node.derivative.inputs:
        stop = start + lists.get(name, 1)
        spans[name] = (start, stop)
        start = stop
    return spans


def new_node(derivative: Derivative, edges: tuple, size: tuple[int, ...], dtype: dtype) -> FormulaNode:
    """A node that has saved nothing yet."""
    node = (derivative.classes or class_of(derivative))()
    node.number = next_number()
    node.edges, node.size, node.dtype = edges, size, dtype
    node.code = node.extra = node.versions = node.lists = None
    node.values = ()
    return node


def class_of(derivative: Derivative) -> type[FormulaNode]:
    """The class of the nodes of a derivative."""
    if derivative.classes is None:
        keeps_numbers = any(not (name in derivative.inputs or is_result(name)) for name in derivative.keeps)
        members = {
            "__slots__": ("numbers",) if keeps_numbers else (), "keeps_numbers": keeps_numbers,
            "derivative": derivative, "casts": derivative.casts, "__module__": "tensorwidgets",
        }  # fmt: skip
        derivative.classes = NodeType(derivative.node, (FormulaNode,), members)
    result: type[FormulaNode] = derivative.classes
    return result
