"""Where in a tree is a leaf? A path of keys, numbers and names leads to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...engine.errors.reasons import refuse
from .containers import Container, container_of
from .keys import KeyPath
from .specs import TreeSpec, spec_of


def _keys(tree: Any, container: Container) -> list[Any]:
    if container.keys is None:
        refuse(
            ValueError,
            f"Did not find a flatten_with_keys_fn for type: {type(tree)}. Please pass a flatten_with_keys_fn argument "
            "to register_pytree_node.",
            "no function says by which keys the children of this class are reached",
            rule="argument.value",
        )
    return container.keys(tree)


def _walk(tree: Any, is_leaf: Callable[[Any], bool] | None, path: KeyPath) -> Iterator[tuple[KeyPath, Any]]:
    container = None if is_leaf is not None and is_leaf(tree) else container_of(tree)
    if container is None:
        yield path, tree
        return
    children = container.flatten(tree)[0]
    for key, child in zip(_keys(tree, container), children, strict=True):
        yield from _walk(child, is_leaf, (*path, key))


def tree_iter_with_path(tree: Any, is_leaf: Any = None) -> Iterator[tuple[KeyPath, Any]]:
    """The leaves of a tree, each with the path to it."""
    return _walk(tree, is_leaf, ())


def tree_leaves_with_path(tree: Any, is_leaf: Any = None) -> list[tuple[KeyPath, Any]]:
    """The leaves of a tree as a list, each with the path to it."""
    return list(_walk(tree, is_leaf, ()))


def tree_flatten_with_path(tree: Any, is_leaf: Any = None) -> tuple[list[tuple[KeyPath, Any]], TreeSpec]:
    """The leaves with their paths, and the tree without them.

    >>> leaves, spec = tree_flatten_with_path({"a": [5, 6]})
    >>> [(keystr(path), leaf) for path, leaf in leaves]
    [("['a'][0]", 5), ("['a'][1]", 6)]
    """
    return tree_leaves_with_path(tree, is_leaf), spec_of(tree, lambda leaf: None, is_leaf)


def tree_map_with_path(func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Any = None) -> Any:
    """The tree with `func` of the path and the leaf, and of what the other trees have in the same place."""
    leaves, spec = tree_flatten_with_path(tree, is_leaf)
    others = [spec.flatten_up_to(rest) for rest in rests]
    return spec.unflatten(func(path, leaf, *more) for (path, leaf), *more in zip(leaves, *others, strict=True))


def keystr(kp: KeyPath) -> str:
    """A path as Python would write it after the tree.

    >>> from tensorwidgets.utils._pytree import MappingKey, SequenceKey
    >>> keystr((MappingKey("a"), SequenceKey(0)))
    "['a'][0]"
    """
    return "".join(map(str, kp))
