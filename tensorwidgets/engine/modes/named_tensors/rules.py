"""What becomes of the names where a call has one tensor.

A rule is given the `Call` and answers with the names of its result.

One tuple of names is for all results; a list has one for each. None means that no name is put on anything: the result
has no dimensions of the input, or the call is about a dimension that is not there, for which the op has its own words.
A rule may put other arguments into the call: numbers in the place of names.
"""

from __future__ import annotations

from typing import Any, NoReturn

from ...dimension_names import Names, checked, without, words
from ...dimension_names.words import numbers_of
from ...errors.reasons import refuse, sure
from ...tensor.tensor import Tensor
from .calls import Call
from .dims import by_number, dimension, present, with_new
from .refusals import not_supported
from .tensors import names_of


def keeps(call: Call) -> Names:
    """The names of the input."""
    if "dim" in call.parameters:
        by_number(call, "dim")
    elif "dims" in call.parameters:
        by_number(call, "dims")
    return names_of(call.input)


def drops(call: Call) -> None:
    """No names: no dimension of the result is one of the input's."""
    return None


def removes(call: Call) -> Names | None:
    """The names of the dimensions that are left."""
    names = names_of(call.input)
    if any(isinstance(a, str) for a in call.args[call.parameters.index("dim") + 1 :]):
        _refuse_loose(call)
    (dims,) = by_number(call, "dim")
    if isinstance(dims, Tensor):
        if call.op.name in ("max", "min"):
            not_supported(f"{call.op.name}imum")
        dims = int(dims)
    if dims is None or type(dims) is bool or isinstance(dims, (tuple, list)) and not dims:
        dims = tuple(range(len(names)))
    if call.get("keepdim"):
        return names
    there = present(dims, len(names))
    return None if there is None else without(names, there)


def _refuse_loose(call: Call) -> NoReturn:
    """Refuse the names of several dimensions that are given one by one."""
    name, dims = call.op.name, tuple([a for a in call.args[1:] if isinstance(a, str)])
    refuse(
        TypeError,
        f"{name}() received an invalid combination of arguments - got ({', '.join(['str'] * len(call.args[1:]))}), but "
        "expected one of:",
        "several dimensions are named together, in a tuple",
        f"x.{name}({dims})",
        rule="names.loose",
    )


def removes_last(call: Call) -> Names | None:
    """The names of the dimensions that are left: the last one goes, if none is mentioned."""
    if call.get("dim") is not None:
        return removes(call)
    return names_of(call.input) if call.get("keepdim") else names_of(call.input)[:-1]


def removes_one(call: Call) -> Names | None:
    """The names without that of one dimension, the first if none is mentioned."""
    dim = dimension(call, "dim", 0)
    return None if dim is None else without(names_of(call.input), (dim,))


def squeezes(call: Call) -> Names | None:
    """The names of the dimensions that are not of size 1, or not among those mentioned."""
    names, size = names_of(call.input), call.input._array.shape
    (dims,) = by_number(call, "dim")
    asked = range(len(size)) if dims is None else present(dims, len(size))
    return None if asked is None else without(names, [d for d in asked if size[d] == 1])


def unsqueezes(call: Call) -> Names | None:
    """A new dimension, which has no name."""
    return with_new(names_of(call.input), call.get("dim"))


def permutes(call: Call) -> Names | None:
    """The names go with their dimensions: two change places."""
    names = list(names_of(call.input))
    by_number(call, "dim1", "dim0")
    one, other = dimension(call, "dim0"), dimension(call, "dim1")
    if one is None or other is None:
        return tuple(names) if not names else None
    names[one], names[other] = names[other], names[one]
    return tuple(names)


def turns(call: Call) -> Names:
    """The last two names change places."""
    names = names_of(call.input)
    return (*names[:-2], *reversed(names[-2:]))


def reverses(call: Call) -> Names:
    """The names in reverse order."""
    return names_of(call.input)[::-1]


def reorders(call: Call) -> Names | None:
    """The names go with their dimensions: into any order, given by names or numbers."""
    names, given = names_of(call.input), call.args[1:]
    dims = call.kwargs["dims"] if "dims" in call.kwargs else given
    one_by_one = not (len(dims) == 1 and isinstance(dims[0], (tuple, list)))
    order = tuple(dims) if one_by_one else tuple(dims[0])
    order = tuple([numbers_of(names, d) for d in order])
    if "dims" in call.kwargs:
        call.kwargs["dims"] = order
    else:
        call.args[1:] = order if one_by_one else [order]
    there = present(order, len(names))
    return tuple([names[d] for d in there]) if there is not None and len(there) == len(names) else None


def moves(call: Call) -> Names | None:
    """The names go with their dimensions: some are moved, the others keep their order."""
    names = names_of(call.input)
    ndim = len(names)
    source, destination = by_number(call, "source", "destination")
    sources, destinations = present(source, ndim), present(destination, ndim)
    if sources is None or destinations is None:
        return None
    order: list[Any] = [None] * ndim
    for s, d in zip(sources, destinations, strict=False):
        order[d % ndim] = s % ndim
    rest = iter([d for d in range(ndim) if d not in order])
    order = [next(rest, 0) if d is None else d for d in order]
    return tuple([names[d] for d in order])


def diagonal(call: Call) -> Names | None:
    """The two dimensions go, and that of the diagonal has no name, or the one that is given for it."""
    names = names_of(call.input)
    first, second = dimension(call, "dim1", 0), dimension(call, "dim2", 1)
    outdim = call.kwargs.pop("outdim", None)
    if first is None or second is None or first == second:
        return None
    result = (*without(names, (first, second)), *sure(words([outdim])))
    return sure(checked(result, len(result)))


def matrix_diagonal(call: Call) -> Names | None:
    """The last two dimensions go, if no others are mentioned."""
    call.kwargs = {"dim1": -2, "dim2": -1, **call.kwargs} if len(call.args) < 3 else call.kwargs
    return diagonal(call)


def raises(call: Call) -> Any:
    """Dimensions without names in front; of three, the last one is behind."""
    least = int(call.op.name[-2])
    results = []
    for t in call.operands():
        names = names_of(t)
        behind = (None,) if least == 3 and len(names) == 2 else ()
        results.append((*(None,) * (least - len(names) - len(behind)), *names, *behind))
    return results[0] if len(results) == 1 else results


def expands(call: Call) -> Names:
    """New dimensions in front have no names."""
    names = names_of(call.input)
    if "other" in call.parameters:
        width = call.get("other")._array.ndim
    else:
        size = call.kwargs.get("size", call.args[1:])
        width = len(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else len(size)
    return (*(None,) * (width - len(names)), *names)
