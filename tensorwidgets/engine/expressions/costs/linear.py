"""Costs of ops that read their operands a few times: pointwise, reductions, sorting, joining."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy import ndarray

from ... import geometry
from ...geometry import Geometry
from ...interop.foreign_arrays import NUMPY, facts_of, is_array, library_of
from ..counting import CAP, arrays, flat, logarithm, numel, shape, times, whole, wholes
from .call import Call, Cost, Rule, Uncounted

if TYPE_CHECKING:
    from ...tensor.tensor import Tensor

_ITEM = 2000
"""Steps for one array in a list, or one row that is taken from an array as if it were a list."""


def free(call: Call) -> Cost:
    """A view or a question: it costs the same for any size. An array in place of a size is read number by number."""
    return Cost(work=_ITEM + 10_000 * sum(map(numel, arrays(call.given[1:]))))


def questions(call: Call) -> Cost:
    """A question about sizes or dtypes, which go into it one by one."""
    return Cost(work=_ITEM + 100 * sum(1 for _ in flat(call.given)))


def memory(call: Call, a: Any, b: Any, max_work: Any) -> Cost:
    """Whether two ranges of memory meet; the exact answer takes ages for some strides."""
    if max_work is not None:
        raise Uncounted("max_work")
    return free(call)


def elementwise(steps: int) -> Rule:
    """One element of the result for each of the stretched operands."""

    def rule(call: Call) -> Cost:
        n = call.stretched
        return Cost(n, n * steps + call.total, n if steps < 40 else 2 * n)

    return rule


def rounded(call: Call) -> Cost:
    """Element by element; NumPy finds the power of ten by as many products as there are places."""
    n, digits = call.stretched, sum(wholes(*call.args[1:], call.kwargs.get("decimals")))
    return Cost(n, n * 20 + digits, n)


def fold(steps: int) -> Rule:
    """Fewer elements than it reads: all of them in one, or one for each index of the other dimensions."""

    def rule(call: Call) -> Cost:
        n = call.stretched
        alone = len(call.args) == 1 and not call.kwargs
        dim = call.dim()
        kept = 1 if alone else n // call.along(dim) if dim is not None else n
        return Cost(kept, n * steps + call.total, n)

    return rule


def ordered(steps: int) -> Rule:
    """What sorts: as many rounds as the count can be halved."""

    def rule(call: Call) -> Cost:
        n = call.total
        return Cost(2 * n, n * logarithm(n) * steps, 2 * n)

    return rule


def joined(call: Call) -> Cost:
    """Operands side by side: what they have together."""
    items = sum(len(v) for v in call.given if isinstance(v, (list, tuple))) + len(call.args)
    rows = max([1, *(shape(v)[0] for v in call.given if is_array(v) and shape(v))])
    n = call.total + sum(numel(v) for v in call.given if isinstance(v, (list, tuple)))
    return Cost(n, n * 4 + items * _ITEM + rows * 5 * _ITEM, n)  # NumPy reads an array as the list of its rows


def converted(call: Call) -> Cost:
    """Lists read as arrays, and arrays copied."""
    n = call.stretched
    items = sum(1 for _ in flat(v for v in call.given if isinstance(v, (list, tuple))))
    return Cost(n, n * 4 + items * 300, n)


def reshaped(call: Call) -> Cost:
    """Nothing where strides can say the new shape, and else a copy."""
    n = numel(call.first)
    return free(call) if _stays(call) else Cost(n, n * 4 + free(call).work, 0)


def _stays(call: Call) -> bool:
    """Whether a change of shape is certainly a view."""
    if not call.args:
        return False
    x, *rest = call.args
    facts = facts_of(x)
    if facts is None or call.kwargs or call.name == "flatten" and library_of(x) == NUMPY:
        return False
    if call.name == "contiguous":
        return not rest and geometry.is_contiguous(facts.geometry.size, facts.geometry.stride)
    if call.name in ("flatten", "ravel"):
        wanted = [-1] if not rest else None
    elif call.name == "reshape_as":
        wanted = list(shape(rest[0])) if rest and is_array(rest[0]) else None
    else:
        wanted = list(rest[0]) if len(rest) == 1 and isinstance(rest[0], (list, tuple)) else rest
    if wanted is None or any(type(n) is not int for n in wanted) or len(wanted) > 64:
        return False
    return isinstance(geometry.view(facts.geometry, wanted), Geometry)


def differences(call: Call, x: Any, n: Any, dim: Any, prepend: Tensor | None, append: Tensor | None) -> Cost:
    """Differences of differences: a round each."""
    size = numel(x) + sum(numel(v) for v in (prepend, append) if is_array(v) or isinstance(v, (list, tuple)))
    size += numel(x)  # a number is stretched to a row of the others
    return Cost(size, min(whole(n, 1) * (size * 4 + 5000), CAP), 2 * size)


def quantiles(call: Call, x: Tensor | ndarray, q: Any) -> Cost:
    """One sort, and a row of results for each quantile."""
    n, many = numel(x), numel(q)
    dim = call.dim(2)
    alone = dim is None and len(call.args) < 3 and "axis" not in call.kwargs and "dim" not in call.kwargs
    kept = many if alone else times(many, n // call.along(dim)) if dim is not None else times(many, n)
    return Cost(kept, n * logarithm(n) * 30 + kept * 50, 3 * n + 4 * kept)


def rolled(call: Call) -> Cost:
    """One copy for each dimension that is named."""
    n, rounds = numel(call.first), len(wholes(*call.args[1:], *call.kwargs.values()))
    return Cost(n, times(n, rounds + 1) * 4 + rounds * _ITEM, 2 * n)


def series(steps: int) -> Rule:
    """Element by element, as many terms as a whole number says: ``mvlgamma(p)``, ``polygamma(n)``."""

    def rule(call: Call) -> Cost:
        terms = max([1, *(whole(v) for v in call.given if not is_array(v))])
        n = call.stretched
        return Cost(n, times(n, terms + 1) * steps, times(n, terms + 1))

    return rule


def places(call: Call) -> Cost:
    """The places of elements: a number for each dimension."""
    n = call.stretched
    size = max([1, *(whole(v) for k, v in call.kwargs.items() if k == "size")])
    many = times(n + size, max([1, *(len(shape(v)) for v in call.arrays)]))
    return Cost(many, n * 8 + many * 8, n)


def where(call: Call) -> Cost:
    """`where`: a choice element by element, or the indices where a condition is true."""
    return places(call) if len(call.given) < 3 else elementwise(10)(call)


def searched(call: Call) -> Cost:
    """One search by halves for each value."""
    n = call.total
    return Cost(n, n * logarithm(n) * 10, 2 * n)


def member(call: Call) -> Cost:
    """`in`: a comparison with each element, or with each item of a list."""
    items = max([1, *(len(v) for v in call.given if isinstance(v, (list, tuple)))])
    return Cost(1, times(call.stretched, 4) + items * _ITEM, call.stretched)


def kept_parts(call: Call) -> Cost:
    """The tensors that a sparse tensor stores, in order."""
    held = sum(numel(part) for part in _parts(call.first))
    return Cost(2 * held, held * logarithm(held) * 20 + _ITEM, 2 * held)


def _parts(x: Tensor) -> list[Any]:
    from ...dispatch.kinds import NonStridedArray

    inside = getattr(x, "_array", None)
    if isinstance(inside, NonStridedArray):
        return inside.tensors()
    try:  # PyTorch's own sparse tensors
        return [x._values(), x._indices()]
    except (AttributeError, RuntimeError, NotImplementedError):
        return [x]


def listed(call: Call) -> Cost:
    """Elements as Python's numbers, rows as Python's objects."""
    x = call.first
    if not is_array(x):
        count = numel(x) if isinstance(x, range) else len(x) if hasattr(x, "__len__") else 0
    elif call.name == "tolist":
        count = numel(x)
    else:
        count = max([1, *shape(x)[:1]])
    return Cost(work=count * _ITEM, objects=count)


def several(call: Call) -> Cost:
    """Views of one tensor, as many as a size or a count says."""
    x, rest = call.first, call.args[1:]
    numbers = [v for k, v in call.kwargs.items() if k not in ("dim", "axis") and v is not x] + [*rest[:1]]
    if call.name in ("unbind", "unstack"):
        count = max([1, *shape(x)]) if rest or call.kwargs else max([1, *shape(x)[:1]])
        if (dim := call.dim()) is not None:
            count = call.along(dim)
    elif numbers and (isinstance(numbers[0], (list, tuple)) or is_array(numbers[0]) and numel(numbers[0]) != 1):
        count = numel(numbers[0]) + 1
    else:
        by = max([1, *map(whole, numbers[:1])])
        longest = max([1, *shape(x)])
        counted = call.name not in ("split", "unsafe_split") or library_of(x) == NUMPY
        count = by if counted else -(-longest // by)
    return Cost(work=count * _ITEM, objects=count)


def together_views(call: Call) -> Cost:
    """One view for each operand."""
    return Cost(work=_ITEM * len(call.arrays), objects=len(call.arrays))


def meta_alone(call: Call) -> bool:
    """Whether all operands are tensors without numbers, so that the result is one as well."""
    return bool(call.arrays) and all(str(getattr(a, "device", "")) == "meta" for a in call.arrays)


def on_meta(call: Call) -> bool:
    """Whether the result is a tensor without numbers: ``device="meta"``."""
    device = call.kwargs.get("device")
    return device is not None and str(getattr(device, "type", device)) == "meta"


ASKING: tuple[Rule, ...] = (questions, together_views)
"""Costs of ops that read no element."""
