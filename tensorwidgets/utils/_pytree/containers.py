"""Which classes are containers, how are they taken apart, and how are they put together?"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ...engine.errors.reasons import refuse
from ...engine.types.size import Size
from .keys import fields, keys, places


class Container(NamedTuple):
    """How one class of containers is taken apart, into children and whatever else it is made of."""

    flatten: Callable[[Any], tuple[list[Any], Any]]
    unflatten: Callable[[Iterable[Any], Any], Any]
    keys: Callable[[Any], list[Any]] | None = places
    """The keys that lead to the children; None if the class was registered without them."""

    @property
    def flatten_fn(self) -> Callable[[Any], tuple[list[Any], Any]]:
        """`flatten`, by PyTorch's name."""
        return self.flatten


def _listed(values: Any) -> tuple[list[Any], Any]:
    return list(values), None


def _keyed(values: Any) -> tuple[list[Any], Any]:
    return list(values.values()), list(values)


def _made_of_keys(children: Iterable[Any], names: Any) -> dict[Any, Any]:
    return dict(zip(names, children, strict=True))


CONTAINERS: dict[Any, Container] = {
    tuple: Container(_listed, lambda children, context: tuple(children)),
    list: Container(_listed, lambda children, context: list(children)),
    dict: Container(_keyed, _made_of_keys, keys),
    OrderedDict: Container(_keyed, lambda children, names: OrderedDict(zip(names, children, strict=True)), keys),
    defaultdict: Container(
        lambda values: (list(values.values()), [values.default_factory, list(values)]),
        lambda children, context: defaultdict(context[0], zip(context[1], children, strict=True)),
        keys,
    ),
    deque: Container(
        lambda values: (list(values), values.maxlen), lambda children, maxlen: deque(children, maxlen=maxlen)
    ),
    namedtuple: Container(lambda values: (list(values), type(values)), lambda children, kind: kind(*children), fields),
}
"""Classes of containers, and `namedtuple` for all named tuples. A class that inherits from one of them is a leaf."""

BUILT_IN = frozenset(CONTAINERS)
MAPPINGS = frozenset((dict, OrderedDict, defaultdict))

CONTAINERS[Size] = Container(_listed, lambda children, context: tuple(children))


def kind_of(tree: Any) -> Any:
    """The class of a value; `namedtuple` for named tuples."""
    kind = type(tree)
    if isinstance(tree, tuple) and hasattr(kind, "_fields") and hasattr(kind, "_make"):
        return namedtuple
    return kind


def container_for(kind: Any) -> Container | None:
    """How values of a class are taken apart; None for leaves."""
    found = CONTAINERS.get(kind)
    if found is None and kind.__module__ == "torch.return_types" and issubclass(kind, tuple):
        return Container(_listed, lambda children, context: kind(children))
    return found


def container_of(tree: Any) -> Container | None:
    """How a value is taken apart; None for a leaf."""
    return container_for(kind_of(tree))


def register_pytree_node(
    cls: type,
    flatten_fn: Callable[[Any], tuple[list[Any], Any]],
    unflatten_fn: Callable[[Iterable[Any], Any], Any],
    *,
    serialized_type_name: str | None = None,
    to_dumpable_context: Any = None,
    from_dumpable_context: Any = None,
    flatten_with_keys_fn: Callable[[Any], tuple[list[tuple[Any, Any]], Any]] | None = None,
) -> None:
    """Make a class a container: `flatten_fn` returns its children and a context, from which `unflatten_fn` makes it.

    `flatten_with_keys_fn` returns a key with each child.
    """
    if cls in CONTAINERS:
        message = f"{cls} is already registered as pytree node."
        refuse(ValueError, message, "a class is taken apart in one way", rule="argument.value")
    named = flatten_with_keys_fn
    listed = None if named is None else lambda tree: [key for key, _ in named(tree)[0]]
    CONTAINERS[cls] = Container(flatten_fn, unflatten_fn, listed)
