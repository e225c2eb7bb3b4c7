"""What becomes of the names where dimensions merge into one, or one becomes several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...dimension_names import Names, checked, listed, words
from ...dimension_names.words import numbers_of
from ...errors.reasons import refuse, sure
from .calls import Call
from .dims import dimension, present
from .tensors import names_of


def flattens(call: Call) -> Names | None:
    """Several dimensions become one: with a name of its own if the call gives one."""
    names, given = names_of(call.input), call.args[1:]
    ndim = len(names)
    dims = call.kwargs.pop("dims", None)
    if dims is None and given and isinstance(given[0], (tuple, list)):
        dims = given.pop(0)
    out_given = "out_dim" in call.kwargs or len(given) == 3 or dims is not None and bool(given)
    out = call.kwargs.pop("out_dim", None) if "out_dim" in call.kwargs else given.pop() if out_given else None
    sure(words([name for name in (*(dims or ()), out) if isinstance(name, str)]))
    if dims is not None:
        start, end = _run_of(names, dims)
    else:
        start = call.kwargs.pop("start_dim", given[0] if given else 0)
        end = call.kwargs.pop("end_dim", given[1] if len(given) > 1 else -1)
        sure(words([given for given in (start, end) if isinstance(given, str)]))
        start, end = numbers_of(names, start), numbers_of(names, end)
    call.args[1:] = [start, end]
    merged = sure(words([out]))
    if not ndim:
        return merged
    there = present((start, end), ndim)
    if there is None or there[0] % ndim > there[1] % ndim:
        return None
    first, last = there[0] % ndim, there[1] % ndim
    if first == last and not out_given:
        return names
    return checked_names((*names[:first], *merged, *names[last + 1 :]))


def checked_names(names: Names) -> Names:
    """Names that differ from each other, or the refusal."""
    return sure(checked(names, len(names)))


def _run_of(names: Names, dims: Iterable[Any]) -> tuple[int, int]:
    """The first and the last of dimensions that stand next to each other, in order."""
    places = [numbers_of(names, d) for d in dims]
    if not places:
        refuse(
            RuntimeError,
            "flatten(tensor, dims, out_dim): dims cannot be empty",
            "there is nothing to merge",
            rule="names.flatten",
        )
    told = ", ".join(map(repr, dims))
    if places != list(range(places[0], places[0] + len(places))):
        refuse(
            RuntimeError,
            f"flatten(tensor, dims, out_dim): dims [{told}] must be consecutive in Tensor{listed(names)}",
            "dimensions merge where one goes on when the next one has come to its end",
            f"x.align_to(..., {told})",
            rule="names.flatten",
            names=tuple(dims),
        )
    return places[0], places[-1]


def unflattens(call: Call) -> Names | None:
    """One dimension becomes several, each with the name that is given for it."""
    names = names_of(call.input)
    sizes = call.get("sizes")
    pairs = isinstance(sizes, (tuple, list)) and sizes and isinstance(sizes[0], (tuple, list))
    given = [name for name, _ in sizes] if pairs else call.kwargs.pop("names", None)
    if given is None and len(call.args) > 3:
        given = call.args.pop()
    if not sizes:
        return None
    sure(words(given or ()))
    dim = dimension(call, "dim")
    if given is None:
        refuse(
            RuntimeError,
            "unflatten: input is a named tensor but no names were given for unflattened sizes",
            "the new dimensions need a name each, or None",
            f"x.unflatten({call.get('dim')!r}, (('height', {sizes[0]}), …))",
            rule="names.unflatten",
        )
    if pairs:
        sizes = tuple([n for _, n in sizes])
        call.put("sizes", sizes)
    if dim is None:
        return None
    _check_product(call, names, dim, sizes)
    return checked_names((*names[:dim], *sure(words(given)), *names[dim + 1 :]))


def _check_product(call: Call, names: Names, dim: int, sizes: tuple[int, ...]) -> None:
    """Refuse sizes that do not multiply to that of the dimension, by its name."""
    product, length = 1, call.input._array.shape[dim]
    if any(type(n) is not int for n in sizes) or any(n < 0 for n in sizes):
        return
    for n in sizes:
        product *= n
    if product != length:
        refuse(
            RuntimeError,
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} "
            f"({'None' if names[dim] is None else repr(names[dim])}: {length}) in Tensor{listed(names)}",
            f"{' * '.join(map(str, sizes))} = {product}, and the dimension has {length}",
            rule="names.unflatten",
            dim=dim,
            size=length,
        )
