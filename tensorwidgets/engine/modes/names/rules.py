"""What becomes of the names in each kind of call. A rule is given the `Call` and answers with the names of its result.

One tuple of names is for all results; a list has one for each. None means that the results have no dimensions to name.
A rule may put other arguments into the call: numbers in the place of names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from ...naming import Names, listed, matmul, position, unify, without, words
from ...reasons import Reason, refuse
from ...tensor import Tensor, checked_dim
from .calls import Call
from .tensors import names_of, sure

Rule = Callable[[Call], Any]


def numbers(names: Names, dims: Any) -> Any:
    """Dimensions that are given by name as numbers; numbers, and whatever else, as they are.

    >>> numbers(("batch", "channel"), "channel"), numbers(("batch", "channel"), ["batch"]), numbers(("batch",), -1)
    (1, [0], -1)
    """
    if isinstance(dims, str):
        return sure(position(names, dims))
    if isinstance(dims, (tuple, list)) and dims and isinstance(dims[0], str):
        sure(words(dims))
        return type(dims)([sure(position(names, "*" if name is None else name)) for name in dims])
    return dims


def by_number(call: Call, *parameters: str) -> list[Any]:
    """The dimensions that a call is about, as numbers, which are put into the call, too."""
    names, found = names_of(call.input), []
    for parameter in parameters:
        given = call.get(parameter)
        counted = numbers(names, given)
        if counted is not given:
            call.put(parameter, counted)
        found.append(counted)
    return found


def dimension(call: Call, parameter: str, otherwise: Any = None) -> int | None:
    """One dimension of the input, counted from the left; None where the call names none that is there."""
    (dim,) = by_number(call, parameter)
    dim = otherwise if dim is None else dim
    ndim = call.input._array.ndim
    return dim % ndim if type(dim) is int and -ndim <= dim < ndim else None


# -- one tensor --------------------------------------------------------------------------------------------------


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


def removes(call: Call) -> Names:
    """The names of the dimensions that are left."""
    names = names_of(call.input)
    (dims,) = by_number(call, "dim")
    if isinstance(dims, Tensor):
        return unifies(call)
    if dims is None or type(dims) is bool or isinstance(dims, (tuple, list)) and not dims:
        dims = tuple(range(len(names)))
    if "keepdim" in call.parameters and call.get("keepdim"):
        return names
    return without(names, _there(dims, len(names)))


def _there(dims: Any, ndim: int) -> list[int]:
    """The dimensions of a call that are there; about the others the op has its own words."""
    listed_dims = dims if isinstance(dims, (tuple, list)) else (dims,)
    return [d for d in listed_dims if type(d) is int and -ndim <= d < ndim]


def removes_one(call: Call) -> Names:
    """The names without that of one dimension, the first if none is mentioned."""
    names = names_of(call.input)
    dim = dimension(call, "dim", 0)
    return names if dim is None else without(names, (dim,))


def squeezes(call: Call) -> Names:
    """The names of the dimensions that are not of size 1, or not among those mentioned."""
    names, size = names_of(call.input), call.input._array.shape
    (dims,) = by_number(call, "dim")
    asked = range(len(size)) if dims is None else _there(dims, len(size))
    return without(names, [d for d in asked if size[d] == 1])


def unsqueezes(call: Call) -> Names:
    """A new dimension, which has no name."""
    names = names_of(call.input)
    dim, ndim = call.get("dim"), len(names)
    if type(dim) is not int or not -ndim - 1 <= dim <= ndim:
        return names
    at = dim % (ndim + 1)
    return (*names[:at], None, *names[at:])


def permutes(call: Call) -> Names:
    """The names go with their dimensions: two change places."""
    names = list(names_of(call.input))
    by_number(call, "dim0", "dim1")
    one, other = dimension(call, "dim0"), dimension(call, "dim1")
    if one is not None and other is not None:
        names[one], names[other] = names[other], names[one]
    return tuple(names)


def turns(call: Call) -> Names:
    """The last two names change places."""
    names = names_of(call.input)
    return (*names[:-2], *reversed(names[-2:]))


def reverses(call: Call) -> Names:
    """The names in reverse order."""
    return names_of(call.input)[::-1]


def reorders(call: Call) -> Names:
    """The names go with their dimensions: into any order, given by names or numbers."""
    names, given = names_of(call.input), call.args[1:]
    dims = call.kwargs["dims"] if "dims" in call.kwargs else given
    one_by_one = not (len(dims) == 1 and isinstance(dims[0], (tuple, list)))
    order = tuple(dims) if one_by_one else tuple(dims[0])
    order = tuple([numbers(names, d) for d in order])
    if "dims" in call.kwargs:
        call.kwargs["dims"] = order
    else:
        call.args[1:] = order if one_by_one else [order]
    there = _there(order, len(names))
    return tuple([names[d] for d in there]) if len(there) == len(names) else names


def moves(call: Call) -> Names:
    """The names go with their dimensions: some are moved, the others keep their order."""
    names = names_of(call.input)
    ndim = len(names)
    source, destination = by_number(call, "source", "destination")
    sources, destinations = _there(source, ndim), _there(destination, ndim)
    order: list[Any] = [None] * ndim
    for s, d in zip(sources, destinations, strict=False):
        order[d % ndim] = s % ndim
    rest = iter([d for d in range(ndim) if d not in order])
    order = [next(rest, 0) if d is None else d for d in order]
    return tuple([names[d] for d in order])


def diagonal(call: Call) -> Names:
    """The two dimensions go, and that of the diagonal has no name, or the one that is given for it."""
    names, ndim = names_of(call.input), call.input._array.ndim
    first, second = dimension(call, "dim1", 0), dimension(call, "dim2", 1)
    outdim = call.kwargs.pop("outdim", None)
    if first is None or second is None or ndim < 2:
        return names
    out = sure(words([outdim]))
    return (*without(names, (first, second)), *out)


def expands(call: Call) -> Names:
    """New dimensions in front have no names."""
    names = names_of(call.input)
    if "other" in call.parameters:
        width = call.get("other")._array.ndim
    else:
        size = call.kwargs.get("size", call.args[1:])
        width = len(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else len(size)
    return (*(None,) * (width - len(names)), *names)


def flattens(call: Call) -> Names:
    """Several dimensions become one: with a name of its own if the call gives one."""
    names, given = names_of(call.input), call.args[1:]
    ndim = len(names)
    dims = call.kwargs.pop("dims", None)
    if dims is None and given and isinstance(given[0], (tuple, list)):
        dims = given.pop(0)
    out_given = "out_dim" in call.kwargs or len(given) == 3 or dims is not None and bool(given)
    out = call.kwargs.pop("out_dim", None) if "out_dim" in call.kwargs else given.pop() if out_given else None
    if dims is not None:
        start, end = _run_of(names, dims)
    else:
        start = call.kwargs.pop("start_dim", given[0] if given else 0)
        end = call.kwargs.pop("end_dim", given[1] if len(given) > 1 else -1)
        start, end = numbers(names, start), numbers(names, end)
    call.args[1:] = [start, end]
    merged = sure(words([out]))
    if not ndim:
        return merged
    first, last = checked_dim(start, ndim), checked_dim(end, ndim)
    if first == last and not out_given:
        return names
    return checked_names((*names[:first], *merged, *names[last + 1 :]))


def checked_names(names: Names) -> Names:
    """Names that differ from each other, or the refusal."""
    from ...naming import checked

    return sure(checked(names, len(names)))


def _run_of(names: Names, dims: Iterable[Any]) -> tuple[int, int]:
    """The first and the last of dimensions that stand next to each other, in order."""
    places = [numbers(names, d) for d in dims]
    if not places:
        refuse(
            RuntimeError,
            "flatten(tensor, dims, out_dim): dims cannot be empty",
            "there is nothing to merge",
            rule="names.flatten",
        )
    if places != list(range(places[0], places[0] + len(places))):
        refuse(
            RuntimeError,
            f"flatten(tensor, dims, out_dim): dims {listed(tuple(dims))} must be consecutive in Tensor{listed(names)}",
            "dimensions merge where one goes on when the next one has come to its end",
            f"x.align_to(..., {', '.join(map(repr, dims))})",
            rule="names.flatten",
            names=tuple(dims),
        )
    return places[0], places[-1]


def unflattens(call: Call) -> Names:
    """One dimension becomes several, each with the name that is given for it."""
    names = names_of(call.input)
    sizes = call.get("sizes")
    pairs = isinstance(sizes, (tuple, list)) and sizes and isinstance(sizes[0], (tuple, list))
    given = [name for name, _ in sizes] if pairs else call.kwargs.pop("names", None)
    if given is None and len(call.args) > 3:
        given = call.args.pop()
    dim = dimension(call, "dim")
    if given is None:
        if not sizes:
            return names
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
        return names
    _check_product(call, names, dim, sizes)
    return checked_names((*names[:dim], *sure(words(given)), *names[dim + 1 :]))


def _check_product(call: Call, names: Names, dim: int, sizes: Any) -> None:
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


# -- several tensors ---------------------------------------------------------------------------------------------


def unifies(call: Call) -> Names:
    """The names of all operands, lined up from the right."""
    return reduce(lambda one, other: sure(unify(one, other)), map(names_of, call.operands()))


def contracts(call: Call) -> Names:
    """The names of a product of matrices or vectors."""
    return sure(matmul(*map(names_of, call.operands())))


def contracts_all(call: Call) -> Names:
    """The dimensions of both vectors are summed away."""
    return ()


def adds_product(call: Call) -> Names:
    """The names of a product, met by those of what is added to it."""
    added, one, other = map(names_of, call.operands())
    return sure(unify(sure(matmul(one, other)), added))


def masked(call: Call) -> Names:
    """What a mask chooses stands in one dimension without a name."""
    unifies(call)
    return (None,)


def fills(call: Call) -> Names:
    """The names of the input; those of the mask meet them."""
    input, mask = names_of(call.input), names_of(call.get("mask"))
    if call.op.name.endswith("_"):
        return sure(unify(mask, input))
    return sure(unify(input, mask))


def joins(call: Call) -> Names:
    """Tensors one after the other: their names have to agree, and a name wins over none."""
    tensors = [t for t in call.args[0] if isinstance(t, Tensor)] if call.args else list(call.operands())
    given = call.get("dim", 0)
    counted = numbers(names_of(tensors[0]), given)
    if counted is not given:
        call.put("dim", counted)
    found = names_of(tensors[0])
    for t in tensors[1:]:
        met = unify(found, names_of(t))
        if isinstance(met, Reason):
            message = met.message.replace("attempting to broadcast", "attempting to cat")
            refuse(met.error, message, met.because, *met.instead, rule=met.rule, **met.facts)
        found = met
    return found


def stacks(call: Call) -> Names:
    """Tensors along a new dimension, which has no name; their own names meet."""
    names = unifies(call)
    dim = call.get("dim", 0)
    at = dim % (len(names) + 1) if type(dim) is int else 0
    return (*names[:at], None, *names[at:])


def each_its_own(call: Call) -> list[Names]:
    """Every result has the names of its own input."""
    width = max(t._array.ndim for t in call.operands())
    return [(*(None,) * (width - t._array.ndim), *names_of(t)) for t in call.operands()]


def stays(call: Call) -> Names:
    """A tensor keeps its names while it is written to."""
    return names_of(call.input)
