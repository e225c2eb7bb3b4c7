"""Which classes are containers, how are they taken apart, and how are they put together?"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ...engine.errors.reasons import refuse
from ...engine.types.size import Size


class Container(NamedTuple):
    """How one class of containers is taken apart, into children and whatever else it is made of."""

    flatten: Callable[[Any], tuple[list[Any], Any]]
    unflatten: Callable[[Iterable[Any], Any], Any]
    keyed: bool = False


def _listed(values: Any) -> tuple[list[Any], Any]:
    return list(values), None


def _keyed(values: Any) -> tuple[list[Any], Any]:
    return list(values.values()), list(values)


CONTAINERS: dict[type, Container] = {
    tuple: Container(_listed, lambda children, context: tuple(children)),
    list: Container(_listed, lambda children, context: list(children)),
    dict: Container(_keyed, lambda children, keys: dict(zip(keys, children, strict=True)), True),
    OrderedDict: Container(_keyed, lambda children, keys: OrderedDict(zip(keys, children, strict=True)), True),
    defaultdict: Container(
        lambda values: (list(values.values()), [values.default_factory, list(values)]),
        lambda children, context: defaultdict(context[0], zip(context[1], children, strict=True)),
        True,
    ),
    Size: Container(_listed, lambda children, context: Size(children)),
    deque: Container(
        lambda values: (list(values), values.maxlen), lambda children, maxlen: deque(children, maxlen=maxlen)
    ),
}
"""Classes of containers; a class that inherits from one of them is a leaf, except for named tuples."""

NAMED = Container(lambda values: (list(values), type(values)), lambda children, kind: kind(*children))


def is_named_tuple(kind: type) -> bool:
    """Whether a class was made by `collections.namedtuple` or `typing.NamedTuple`."""
    return issubclass(kind, tuple) and hasattr(kind, "_fields") and hasattr(kind, "_make")


def container_of(tree: Any) -> Container | None:
    """How a value is taken apart; None for a leaf."""
    kind = type(tree)
    found = CONTAINERS.get(kind)
    if found is None and isinstance(tree, tuple):
        if is_named_tuple(kind):
            return NAMED
        if kind.__module__ == "torch.return_types":
            return Container(_listed, lambda children, context: kind(children))
    return found


def register_pytree_node(
    cls: type,
    flatten_fn: Callable[[Any], tuple[list[Any], Any]],
    unflatten_fn: Callable[[Iterable[Any], Any], Any],
    **settings: Any,
) -> None:
    """Make a class a container: `flatten_fn` returns its children and a context, of which `unflatten_fn` makes it."""
    if cls in CONTAINERS:
        message = f"{cls} is already registered as pytree node."
        refuse(ValueError, message, "a class is taken apart in one way", rule="argument.value")
    CONTAINERS[cls] = Container(flatten_fn, unflatten_fn)
