"""What is left of a tree without its leaves?"""

from __future__ import annotations

import textwrap
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from typing import Any

from ...engine.errors.reasons import refuse
from ...engine.errors.warnings import warn
from ...engine.types.class_paths import path_of
from .containers import BUILT_IN, MAPPINGS, container_for, container_of, kind_of


class TreeSpec:
    """A tree of containers with a place for each leaf.

    >>> from tensorwidgets.utils._pytree import tree_structure
    >>> spec = tree_structure(((1, 2), 3))
    >>> spec.num_leaves, spec.num_nodes, spec.num_children
    (3, 5, 2)
    """

    num_nodes: int
    num_leaves: int
    __slots__ = ("_children", "context", "num_children", "num_leaves", "num_nodes", "type")

    def __init__(self, type: Any, context: Any, children_specs: list[TreeSpec]) -> None:
        self.type, self.context, self._children = type, context, children_specs
        self.num_children = len(children_specs)
        self.num_nodes = 1 + sum(child.num_nodes for child in children_specs)
        self.num_leaves = sum(child.num_leaves for child in children_specs) if type is not None else 1

    def is_leaf(self) -> bool:
        """Whether this is the place of one leaf."""
        return self.type is None

    def children(self) -> list[TreeSpec]:
        """The specs of the children."""
        return list(self._children)

    def child(self, index: int) -> TreeSpec:
        """The spec of one child."""
        return self._children[index]

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """The tree with these leaves."""
        given = list(leaves)
        if len(given) != self.num_leaves:
            refuse(
                ValueError,
                f"treespec.unflatten(leaves): `leaves` has length {len(given)} but the spec refers to a pytree that "
                f"holds {self.num_leaves} items ({self}).",
                "each place takes one leaf",
                rule="argument.value",
            )
        return self._filled(iter(given))

    def _filled(self, leaves: Any) -> Any:
        if self.type is None:
            return next(leaves)
        container = container_for(self.type)
        assert container is not None
        return container.unflatten([child._filled(leaves) for child in self._children], self.context)

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """What a tree has at the places of the leaves: leaves, or trees of its own."""
        found: list[Any] = []
        self._collect(tree, found.append)
        return found

    def _collect(self, tree: Any, add: Callable[[Any], None]) -> None:
        if self.type is None:
            return add(tree)
        kind, built_in = kind_of(tree), self.type in BUILT_IN
        mappings = self.type in MAPPINGS and kind in MAPPINGS
        if kind is not self.type and not mappings:
            what = "Node type" if built_in else "Type"
            _mismatch(f"{what} mismatch; expected {_named(self.type)}, but got {_named(kind)}.")
        container = container_for(kind)
        assert container is not None
        children, context = container.flatten(tree)
        if len(children) != self.num_children:
            _mismatch(f"Node arity mismatch; expected {self.num_children}, but got {len(children)}.")
        if mappings:
            children = self._in_order(tree)
        elif context != self.context and kind is not deque:
            _mismatch(
                f"Node context mismatch for node type {_named(kind)}; expected {self.context!r}, but got {context!r}."
                if built_in
                else f"Node context mismatch for custom node type {_named(kind)}."
            )
        for spec, child in zip(self._children, children, strict=True):
            spec._collect(child, add)

    def _in_order(self, tree: Any) -> list[Any]:
        """The values of a dictionary in the order of this spec's keys."""
        keys = self.context[1] if self.type is defaultdict else self.context
        if set(keys) != set(tree):
            text = "".join(
                f" {name} key(s): {names};"
                for name, names in (("missing", set(keys) - set(tree)), ("extra", set(tree) - set(keys)))
                if names
            )
            _mismatch(f"Node keys mismatch;{text[:-1]}.")
        return [tree[key] for key in keys]

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, TreeSpec):
            return NotImplemented
        return (self.type, self.context, self._children) == (other.type, other.context, other._children)

    def __hash__(self) -> int:
        return hash((self.type, self.num_leaves, self.num_nodes))

    def __repr__(self) -> str:
        if self.type is None:
            return "*"
        children = ",\n".join(map(str, self._children))
        first, _, rest = children.partition("\n")
        children = first + ("\n" + textwrap.indent(rest, "  ") if rest else "")
        return f"TreeSpec({self.type.__name__}, {self.context}, [{children}])"


class LeafSpec(TreeSpec):
    """The place of one leaf."""

    __slots__ = ()

    def __init__(self) -> None:
        warn(
            "`isinstance(treespec, LeafSpec)` is deprecated, "
            "use `isinstance(treespec, TreeSpec) and treespec.is_leaf()` instead.",
            FutureWarning,
        )
        super().__init__(None, None, [])


_LEAF = object.__new__(LeafSpec)
TreeSpec.__init__(_LEAF, None, None, [])


def _named(kind: Any) -> str:
    return f"<class '{path_of(kind)}'>" if isinstance(kind, type) else repr(kind)


def _mismatch(message: str) -> None:
    refuse(ValueError, message, "the trees must have the same containers", rule="argument.value")


def spec_of(tree: Any, add: Callable[[Any], None], is_leaf: Callable[[Any], bool] | None = None) -> TreeSpec:
    """The spec of a tree; its leaves are handed to `add`."""
    container = None if is_leaf is not None and is_leaf(tree) else container_of(tree)
    if container is None:
        add(tree)
        return _LEAF
    children, context = container.flatten(tree)
    return TreeSpec(kind_of(tree), context, [spec_of(child, add, is_leaf) for child in children])
