"""The leaves of trees: listed, replaced, asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import UnionType
from typing import Any

from ...engine.errors.reasons import refuse
from .containers import container_of
from .specs import TreeSpec, spec_of

Question = Callable[[Any], bool]


def tree_flatten(tree: Any, is_leaf: Question | None = None) -> tuple[list[Any], TreeSpec]:
    """The leaves of a tree, and the tree without them.

    >>> tree_flatten([1, (2, None)])
    ([1, 2, None], TreeSpec(list, None, [*,
      TreeSpec(tuple, None, [*,
        *])]))
    """
    leaves: list[Any] = []
    return leaves, spec_of(tree, leaves.append, is_leaf)


def tree_unflatten(leaves: Iterable[Any], treespec: TreeSpec) -> Any:
    """The tree that `tree_flatten` took apart, with these leaves."""
    if not isinstance(treespec, TreeSpec):
        message = f"Expected `treespec` to be an instance of PyTreeSpec but got item of type {type(treespec)}."
        refuse(TypeError, message, "tree_flatten returns the leaves and the spec", rule="argument.type")
    return treespec.unflatten(leaves)


def tree_iter(tree: Any, is_leaf: Question | None = None) -> Iterator[Any]:
    """The leaves of a tree, one after the other."""
    container = None if is_leaf is not None and is_leaf(tree) else container_of(tree)
    if container is None:
        yield tree
    else:
        for child in container.flatten(tree)[0]:
            yield from tree_iter(child, is_leaf)


def tree_leaves(tree: Any, is_leaf: Question | None = None) -> list[Any]:
    """The leaves of a tree as a list."""
    return list(tree_iter(tree, is_leaf))


def tree_is_leaf(tree: Any, is_leaf: Question | None = None) -> bool:
    """Whether a tree is a leaf itself.

    >>> tree_is_leaf(None), tree_is_leaf([1]), tree_is_leaf([1], is_leaf=lambda x: x == [1])
    (True, False, True)
    """
    return is_leaf is not None and is_leaf(tree) or container_of(tree) is None


def arg_tree_leaves(*args: Any, **kwargs: Any) -> list[Any]:
    """The leaves of all arguments."""
    return [leaf for tree in (*args, *kwargs.values()) for leaf in tree_iter(tree)]


def _broadcast_to_and_flatten(tree: Any, treespec: TreeSpec, is_leaf: Question | None = None) -> list[Any] | None:
    """For each leaf of a spec, the leaf of a tree above it; None if the two do not fit."""
    found: list[Any] = []

    def add(leaf: Any, under: Any) -> None:
        found.extend([leaf] * tree_structure(under, is_leaf).num_leaves)

    try:
        tree_map_(add, tree, tree_unflatten([0] * treespec.num_leaves, treespec), is_leaf=is_leaf)
    except ValueError:
        return None
    return found


def tree_structure(tree: Any, is_leaf: Question | None = None) -> TreeSpec:
    """The tree without its leaves."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Question | None = None) -> Any:
    """The tree with `func` of each leaf, and of what the other trees have in the same place.

    >>> tree_map(lambda a, b: a + b, {"x": 1, "y": [2]}, {"x": 10, "y": [20]})
    {'x': 11, 'y': [22]}
    """
    leaves, spec = tree_flatten(tree, is_leaf)
    return spec.unflatten(map(func, leaves, *(spec.flatten_up_to(rest) for rest in rests)))


def tree_map_(func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Question | None = None) -> Any:
    """Call `func` with each leaf, and return the tree as it was."""
    leaves, spec = tree_flatten(tree, is_leaf)
    for given in zip(leaves, *(spec.flatten_up_to(rest) for rest in rests), strict=True):
        func(*given)
    return tree


def map_only(type_or_types_or_pred: Any, /) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Makes of a function one that leaves a value as it is unless it has one of some types, or a function chooses it.

    >>> half = map_only(float)(lambda number: number / 2)
    >>> half(3.0), half(3)
    (1.5, 3)
    """
    return lambda func: _only(type_or_types_or_pred, func)


def _only(kinds: Any, func: Callable[[Any], Any]) -> Callable[[Any], Any]:
    asked: Question
    if isinstance(kinds, (type, tuple, UnionType)):
        asked = lambda leaf: isinstance(leaf, kinds)  # noqa: E731
    elif callable(kinds):
        asked = kinds
    else:
        message = "Argument must be a type, a tuple of types, or a callable."
        refuse(TypeError, message, "it chooses the leaves", "int", rule="argument.type")
    return lambda leaf: func(leaf) if asked(leaf) else leaf


def tree_map_only(
    type_or_types_or_pred: Any, func: Callable[[Any], Any], tree: Any, is_leaf: Question | None = None
) -> Any:
    """The tree with `func` of the leaves of some types, or of those that a function chooses; the others stay.

    >>> tree_map_only(int, lambda number: -number, [1, 2.0, "x"])
    [-1, 2.0, 'x']
    """
    return tree_map(_only(type_or_types_or_pred, func), tree, is_leaf=is_leaf)


def tree_map_only_(
    type_or_types_or_pred: Any, func: Callable[[Any], Any], tree: Any, is_leaf: Question | None = None
) -> Any:
    """Call `func` with the leaves of some types, and return the tree as it was."""
    return tree_map_(_only(type_or_types_or_pred, func), tree, is_leaf=is_leaf)


def tree_all(pred: Question, tree: Any, is_leaf: Question | None = None) -> bool:
    """Whether a question has the answer yes for all leaves."""
    return all(map(pred, tree_iter(tree, is_leaf)))


def tree_any(pred: Question, tree: Any, is_leaf: Question | None = None) -> bool:
    """Whether a question has the answer yes for any leaf."""
    return any(map(pred, tree_iter(tree, is_leaf)))


def tree_all_only(type_or_types: Any, pred: Question, tree: Any, is_leaf: Question | None = None) -> bool:
    """Whether a question has the answer yes for all leaves of some types."""
    return all(pred(leaf) for leaf in tree_iter(tree, is_leaf) if isinstance(leaf, type_or_types))


def tree_any_only(type_or_types: Any, pred: Question, tree: Any, is_leaf: Question | None = None) -> bool:
    """Whether a question has the answer yes for any leaf of some types."""
    return any(pred(leaf) for leaf in tree_iter(tree, is_leaf) if isinstance(leaf, type_or_types))
