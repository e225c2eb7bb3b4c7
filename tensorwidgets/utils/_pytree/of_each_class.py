"""How each class of containers is taken apart and put together, under the names that libraries import.

A library registers a class of its own with the functions for the class that it is like.

>>> from collections import namedtuple
>>> Point = namedtuple("Point", "x y")
>>> children, kind = _namedtuple_flatten(Point(1, 2))
>>> _namedtuple_unflatten([10 * child for child in children], kind)
Point(x=10, y=20)
"""

from __future__ import annotations

import warnings
from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable
from typing import Any

from .containers import CONTAINERS, Container, register_pytree_node


def _with_keys(container: Container) -> Callable[[Any], tuple[list[tuple[Any, Any]], Any]]:
    """A function that takes apart a container of a class, into children with the keys that lead to them."""

    def flatten_with_keys(values: Any) -> tuple[list[tuple[Any, Any]], Any]:
        children, context = container.flatten(values)
        assert container.keys is not None
        return list(zip(container.keys(values), children, strict=True)), context

    return flatten_with_keys


_tuple_flatten, _tuple_unflatten, _ = CONTAINERS[tuple]
_list_flatten, _list_unflatten, _ = CONTAINERS[list]
_dict_flatten, _dict_unflatten, _ = CONTAINERS[dict]
_ordereddict_flatten, _ordereddict_unflatten, _ = CONTAINERS[OrderedDict]
_odict_flatten, _odict_unflatten = _ordereddict_flatten, _ordereddict_unflatten
_defaultdict_flatten, _defaultdict_unflatten, _ = CONTAINERS[defaultdict]
_deque_flatten, _deque_unflatten, _ = CONTAINERS[deque]
_namedtuple_flatten, _namedtuple_unflatten, _ = CONTAINERS[namedtuple]
_tuple_flatten_with_keys = _with_keys(CONTAINERS[tuple])
_list_flatten_with_keys = _with_keys(CONTAINERS[list])
_dict_flatten_with_keys = _with_keys(CONTAINERS[dict])
_ordereddict_flatten_with_keys = _with_keys(CONTAINERS[OrderedDict])
_defaultdict_flatten_with_keys = _with_keys(CONTAINERS[defaultdict])
_deque_flatten_with_keys = _with_keys(CONTAINERS[deque])
_namedtuple_flatten_with_keys = _with_keys(CONTAINERS[namedtuple])


def _private_register_pytree_node(cls: type, flatten_fn: Any, unflatten_fn: Any, **more: Any) -> None:
    """`register_pytree_node`, which warns where that one refuses: the class may be registered again."""
    if CONTAINERS.pop(cls, None) is not None:
        message = f"{cls} is already registered as pytree node. Overwriting the previous registration."
        warnings.warn(message, stacklevel=2)
    register_pytree_node(cls, flatten_fn, unflatten_fn, **more)


def _register_pytree_node(
    cls: type,
    flatten_fn: Any,
    unflatten_fn: Any,
    to_str_fn: Any = None,
    maybe_from_str_fn: Any = None,
    **more: Any,
) -> None:
    """The old name of `register_pytree_node`."""
    warnings.warn(
        "`torch.utils._pytree._register_pytree_node` is deprecated. Please use "
        "`torch.utils._pytree.register_pytree_node` instead.",
        FutureWarning,
        stacklevel=2,
    )
    if to_str_fn is not None or maybe_from_str_fn is not None:
        warnings.warn(
            "`to_str_fn` and `maybe_from_str_fn` is deprecated. Please use `to_dumpable_context` and "
            "`from_dumpable_context` instead.",
            FutureWarning,
            stacklevel=2,
        )
    _private_register_pytree_node(cls, flatten_fn, unflatten_fn, **more)
