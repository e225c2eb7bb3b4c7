"""Where in a tree is a leaf? A path of keys, numbers and names leads to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .containers import NAMED, container_of
from .specs import TreeSpec, spec_of


@dataclass(frozen=True)
class SequenceKey:
    """A place in a sequence."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"


@dataclass(frozen=True)
class MappingKey:
    """A key of a dictionary."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@dataclass(frozen=True)
class GetAttrKey:
    """A field of a named tuple."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


KeyPath = tuple[Any, ...]


def _keys(tree: Any, container: Any, count: int) -> list[Any]:
    if container.keyed:
        return [MappingKey(key) for key in tree]
    if container is NAMED:
        return [GetAttrKey(name) for name in tree._fields]
    return [SequenceKey(number) for number in range(count)]


def _walk(tree: Any, is_leaf: Callable[[Any], bool] | None, path: KeyPath) -> Iterator[tuple[KeyPath, Any]]:
    container = None if is_leaf is not None and is_leaf(tree) else container_of(tree)
    if container is None:
        yield path, tree
        return
    children = container.flatten(tree)[0]
    for key, child in zip(_keys(tree, container, len(children)), children, strict=True):
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

    >>> keystr((MappingKey("a"), SequenceKey(0)))
    "['a'][0]"
    """
    return "".join(map(str, kp))
