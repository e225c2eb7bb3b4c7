"""torch.utils._pytree: containers in containers, taken apart into their leaves and put together again.

>>> from tensorwidgets.utils._pytree import tree_flatten, tree_unflatten
>>> leaves, spec = tree_flatten({"a": [1, 2], "b": 3})
>>> leaves
[1, 2, 3]
>>> tree_unflatten([10 * leaf for leaf in leaves], spec)
{'a': [10, 20], 'b': 30}
"""

from __future__ import annotations

from typing import Any

from .containers import CONTAINERS as SUPPORTED_NODES
from .containers import _keyed as _dict_flatten
from .containers import _keyed_with_keys as _dict_flatten_with_keys
from .containers import _made_of_keys as _dict_unflatten
from .containers import kind_of as _get_node_type
from .containers import register_pytree_node
from .keys import GetAttrKey, KeyPath, MappingKey, SequenceKey
from .mapped import (
    _broadcast_to_and_flatten,
    arg_tree_leaves,
    tree_all,
    tree_all_only,
    tree_any,
    tree_any_only,
    tree_flatten,
    tree_is_leaf,
    tree_iter,
    tree_leaves,
    tree_map,
    tree_map_,
    tree_map_only,
    tree_map_only_,
    tree_structure,
    tree_unflatten,
)
from .paths import keystr, tree_flatten_with_path, tree_iter_with_path, tree_leaves_with_path, tree_map_with_path
from .registered import ConstantNode, is_constant_class, register_constant, register_dataclass
from .specs import LeafSpec, TreeSpec

__all__ = [
    "ConstantNode", "GetAttrKey", "KeyPath", "LeafSpec", "MappingKey", "SUPPORTED_NODES", "SequenceKey", "TreeSpec",
    "_broadcast_to_and_flatten", "_dict_flatten", "_dict_flatten_with_keys", "_dict_unflatten", "_get_node_type",
    "arg_tree_leaves", "is_constant_class", "keystr", "register_constant", "register_dataclass",
    "register_pytree_node", "tree_all", "tree_all_only", "tree_any", "tree_any_only",
    "tree_flatten", "tree_flatten_with_path", "tree_is_leaf", "tree_iter",
    "tree_iter_with_path", "tree_leaves", "tree_leaves_with_path", "tree_map", "tree_map_", "tree_map_only",
    "tree_map_only_", "tree_map_with_path", "tree_structure", "tree_unflatten",
]  # fmt: skip
Context = PyTree = Any


def __getattr__(name: str) -> Any:
    from ...engine.errors.missing_names import missing

    missing(__name__, name, __all__)
