"""Rules of names for ops on several tensors."""

from __future__ import annotations

from functools import reduce

from ...dimension_names import Names, matmul, unify, without
from ...dimension_names.words import numbers_of
from ...errors.reasons import Reason, refuse, sure
from ...tensor.tensor import Tensor
from .calls import Call
from .dims import by_number, present, with_new
from .tensors import names_of


def unifies(call: Call) -> Names:
    """The names of all operands, lined up from the right."""
    return reduce(lambda one, other: sure(unify(one, other)), map(names_of, call.operands()))


def contracts(call: Call) -> Names:
    """The names of a product of matrices or vectors; a target of a product without names keeps its own."""
    return _or_those_of_out(call, sure(matmul(*map(names_of, call.operands()))))


def _or_those_of_out(call: Call, names: Names) -> Names:
    out = call.kwargs.get("out")
    bare = not any(any(names_of(t)) for t in call.operands())
    return names_of(out) if isinstance(out, Tensor) and bare else names


def distances(call: Call) -> Names:
    """The names of distances between rows: those of the rows of both."""
    one, other = map(names_of, call.operands())
    return sure(matmul(one, (*other[:-2], *reversed(other[-2:]))))


def unifies_and_removes(call: Call) -> Names | None:
    """The names of the operands, without that of the dimension that is summed away: the last one."""
    names = unifies(call)
    dim = numbers_of(names, call.get("dim", -1))
    return without(names, (dim,)) if present(dim, len(names)) else None


def agrees(call: Call) -> None:
    """Only tensors with the same names can be equal."""
    one, other = call.operands()
    if names_of(one) != names_of(other):
        call.answer = False


def contracts_all(call: Call) -> Names:
    """The dimensions of both vectors are summed away."""
    return ()


def adds_product(call: Call) -> Names:
    """The names of a product, met by those of what is added to it."""
    added, one, other = map(names_of, call.operands())
    return _or_those_of_out(call, sure(unify(sure(matmul(one, other)), added)))


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


def joins(call: Call) -> Names | None:
    """Tensors one after the other: their names have to agree, and a name wins over none."""
    by_number(call, *call.parameters[1:])
    tensors = [t for t in call.operands() if t._array.shape != (0,)] or list(call.operands())
    if any(t._array.ndim != tensors[0]._array.ndim for t in tensors):
        return None
    result = names_of(tensors[0])
    for t in tensors[1:]:
        met = unify(result, names_of(t))
        if isinstance(met, Reason):
            message = met.message.replace("attempting to broadcast", "attempting to cat")
            refuse(met.error, message, met.because, *met.instead, rule=met.rule, **met.facts)
        result = met
    return result


def joins_below(call: Call) -> Names | None:
    """Tensors one below the other: those of one dimension are rows."""
    result = joins(call)
    return (None, *result)[-2:] if result is not None and call.input._array.ndim == 1 else result


def joins_beside(call: Call) -> Names | None:
    """Tensors side by side: those of one dimension are columns."""
    result = joins(call)
    return (*result, None)[:2] if result is not None and call.input._array.ndim == 1 else result


def stacks(call: Call) -> Names | None:
    """Tensors along a new dimension, which has no name; their own names meet."""
    return with_new(unifies(call), call.get("dim", 0))


def each_its_own(call: Call) -> list[Names]:
    """Every result has the names of its own input."""
    width = max(t._array.ndim for t in call.operands())
    return [(*(None,) * (width - t._array.ndim), *names_of(t)) for t in call.operands()]


def stays(call: Call) -> Names:
    """A tensor keeps its names while it is written to."""
    return names_of(call.input)


def resizes(call: Call) -> Names:
    """A tensor takes the names, too, of the one whose size it takes; one that has names keeps its size."""
    own, *others = call.operands()
    if not others or any(names_of(own)) and own._array.shape != others[0]._array.shape:
        return names_of(own)
    return names_of(others[0])
