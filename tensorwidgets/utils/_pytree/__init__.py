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
from .containers import kind_of as _get_node_type
from .containers import register_pytree_node
from .keys import GetAttrKey, KeyPath, MappingKey, SequenceKey
from .mapped import (
    _broadcast_to_and_flatten,
    arg_tree_leaves,
    map_only,
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
from .of_each_class import (
    _defaultdict_flatten,
    _defaultdict_flatten_with_keys,
    _defaultdict_unflatten,
    _deque_flatten,
    _deque_flatten_with_keys,
    _deque_unflatten,
    _dict_flatten,
    _dict_flatten_with_keys,
    _dict_unflatten,
    _list_flatten,
    _list_flatten_with_keys,
    _list_unflatten,
    _namedtuple_flatten,
    _namedtuple_flatten_with_keys,
    _namedtuple_unflatten,
    _odict_flatten,
    _odict_unflatten,
    _ordereddict_flatten,
    _ordereddict_flatten_with_keys,
    _ordereddict_unflatten,
    _private_register_pytree_node,
    _register_pytree_node,
    _tuple_flatten,
    _tuple_flatten_with_keys,
    _tuple_unflatten,
)
from .paths import keystr, tree_flatten_with_path, tree_iter_with_path, tree_leaves_with_path, tree_map_with_path
from .registered import ConstantNode, is_constant_class, register_constant, register_dataclass
from .specs import LeafSpec, TreeSpec
from .tuples_with_names import (
    is_namedtuple,
    is_namedtuple_class,
    is_namedtuple_instance,
    is_structseq,
    is_structseq_class,
    is_structseq_instance,
)

__all__ = [
    "ConstantNode", "GetAttrKey", "KeyPath", "LeafSpec", "MappingKey", "PyTreeSpec", "SUPPORTED_NODES", "SequenceKey",
    "TreeSpec", "_broadcast_to_and_flatten", "_defaultdict_flatten", "_defaultdict_flatten_with_keys",
    "_defaultdict_unflatten", "_deque_flatten", "_deque_flatten_with_keys", "_deque_unflatten", "_dict_flatten",
    "_dict_flatten_with_keys", "_dict_unflatten", "_get_node_type", "_is_namedtuple_instance", "_list_flatten",
    "_list_flatten_with_keys", "_list_unflatten", "_namedtuple_flatten", "_namedtuple_flatten_with_keys",
    "_namedtuple_unflatten", "_odict_flatten", "_odict_unflatten", "_ordereddict_flatten",
    "_ordereddict_flatten_with_keys", "_ordereddict_unflatten", "_private_register_pytree_node",
    "_register_pytree_node", "_tuple_flatten", "_tuple_flatten_with_keys", "_tuple_unflatten", "arg_tree_leaves",
    "is_constant_class", "is_namedtuple", "is_namedtuple_class", "is_namedtuple_instance", "is_structseq",
    "is_structseq_class", "is_structseq_instance", "keystr", "map_only", "register_constant", "register_dataclass",
    "register_pytree_node", "tree_all", "tree_all_only", "tree_any", "tree_any_only", "tree_flatten",
    "tree_flatten_with_path", "tree_is_leaf", "tree_iter", "tree_iter_with_path", "tree_leaves",
    "tree_leaves_with_path", "tree_map", "tree_map_", "tree_map_only", "tree_map_only_", "tree_map_with_path",
    "tree_structure", "tree_unflatten",
]  # fmt: skip
Context = PyTree = Any
PyTreeSpec = TreeSpec
_is_namedtuple_instance = is_namedtuple_instance


def __getattr__(name: str) -> Any:
    from ...engine.errors.missing_names import missing

    missing(__name__, name, __all__)
