"""How large may a step of an expression be? Asked before the step is taken, so that `9**9**9` ends in a sentence.

An expression may come from a text box; a slip of a digit must not take the machine with it. Arrays that the caller gave
may be of any size: what is refused is a step that would make far more out of them than they are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from math import ceil, log2, prod
from typing import Any

import numpy as np

from ..reasons import Reason
from ..strangers import CUPY, NUMPY, facts_of, is_array, library_of, shape_of
from .names import FREE

TEXT = 1000
"""Characters of an expression."""
DEPTH = 60
"""How deep parentheses, calls and operators may be nested."""
BITS = 256
"""The largest whole number that Python is asked to make."""
ITEMS = 10_000
"""Items of a list or a tuple."""
ELEMENTS = 2**26
"""Elements that one step may make out of little."""


def too_long(text: str) -> Reason | None:
    """Whether an expression has more characters than are read."""
    if len(text) <= TEXT:
        return None
    return Reason(
        "expression.length",
        ValueError,
        f"the expression has {len(text)} characters, and at most {TEXT} are read",
        "An expression given as text is one line of tensor arithmetic.",
        ("y = ...  # first, in Python", "why('y.view(-1)', y=y)"),
        {"length": len(text), "limit": TEXT},
    )


def whole_number(op: str, a: Any, b: Any) -> Reason | None:
    """Whether Python's own arithmetic on whole numbers would run away.

    >>> whole_number("pow", 9, 9**9).message
    '9 ** 387420489 is a number of about 1228093895 bits, and at most 256 are computed'
    """
    if not (isinstance(a, int) and isinstance(b, int)):
        return None
    bits = max(a.bit_length(), b.bit_length()) + 1
    symbol = {"pow": "**", "lshift": "<<", "mul": "*"}.get(op)
    if op == "pow" and b > 0:
        bits = int(log2(abs(a)) * b) + 1 if abs(a) > 1 else 1
    elif op == "lshift":
        bits = a.bit_length() + max(b, 0)
    elif op == "mul":
        bits = a.bit_length() + b.bit_length()
    if symbol is None or bits <= BITS:
        return None
    return Reason(
        "expression.number",
        ValueError,
        f"{_short(a)} {symbol} {_short(b)} is a number of about {_short(bits)} bits, and at most {BITS} are computed",
        "No size, stride or index needs so large a number.",
        (f"torch.tensor({_short(a)}) {symbol} {_short(b)}, which wraps at 64 bits",) if a.bit_length() < 64 else (),
        {"bits": bits, "limit": BITS},
    )


def repetition(a: Any, b: Any) -> Reason | None:
    """Whether a list times a number would be too long, or a list of lists be repeated at all."""
    items, times = (a, b) if isinstance(a, (list, tuple)) else (b, a)
    if not isinstance(items, (list, tuple)) or not isinstance(times, int):
        return None
    if len(items) * max(times, 0) <= ITEMS and not any(isinstance(i, (list, tuple)) for i in items):
        return None
    return Reason(
        "expression.repetition",
        ValueError,
        f"a {type(items).__name__} of {len(items)} times {_short(times)} is not made: at most {ITEMS} items, and no "
        "lists in them",
        "Repeated lists are Python objects; a tensor can repeat with a stride of 0.",
        ("x.expand(...)",),
        {"items": len(items), "times": times, "limit": ITEMS},
    )


def growth(name: str, args: tuple, kwargs: Mapping[str, Any]) -> Reason | None:
    """Whether a call would make far more elements than its operands have.

    >>> growth("zeros", (10**6, 10**6), {}).message
    'zeros would make 1000000000000 elements, and at most 67108864 are made out of little'
    """
    read = args if name not in FREE else args[1:] if name not in _LIKE_ANOTHER else ()
    arrays = [a for a in _flat((*read, *kwargs.values())) if is_array(a)]
    held = max((f.storage_nbytes // max(f.itemsize, 1) for f in map(facts_of, arrays) if f), default=0)
    made = max((_numel(a) for a in arrays), default=0)
    if made <= max(ELEMENTS, held) and name not in FREE:
        made = max(made, _made(name, args, kwargs))
    if made <= max(ELEMENTS, held):
        return None
    return Reason(
        "expression.growth",
        ValueError,
        f"{name} would make {_short(made)} elements, and at most {ELEMENTS} are made out of little",
        f"The largest operand holds {held} elements." if arrays else "It is made from numbers alone.",
        ("a smaller size", "the same call in Python, outside the text"),
        {"elements": made, "limit": ELEMENTS, "held": held},
    )


def objects(name: str, args: tuple, kwargs: Mapping[str, Any]) -> Reason | None:
    """Whether a call would make very many Python objects: one for each element, or for each part.

    >>> objects("list", (np.zeros(20_000),), {}).message
    'list would make 20000 objects, and at most 10000 are made'
    """
    count = _objects(name, args, kwargs)
    if count <= ITEMS:
        return None
    return Reason(
        "expression.objects",
        ValueError,
        f"{name} would make {_short(count)} objects, and at most {ITEMS} are made",
        "Each of them costs more memory than many elements of a tensor.",
        ("a part of it, such as x[:10]",),
        {"objects": count, "limit": ITEMS},
    )


def _objects(name: str, args: tuple, kwargs: Mapping[str, Any]) -> int:
    if not args:
        return 0
    x, *rest = args
    if name in ("tuple", "list", "tolist") and not is_array(x):
        return len(x) if hasattr(x, "__len__") else 0
    if not is_array(x):
        return 0
    size = shape_of(x) or (1,)
    if name == "tolist":
        return prod(size)
    if name in ("tuple", "list"):
        return size[0]
    if name not in _UNBINDS + _SPLITS:
        return 0
    numbers = _ints(*rest, *kwargs.values())
    dim = kwargs.get("dim", kwargs.get("axis", rest[-1] if len(rest) > (name not in _UNBINDS) else 0))
    length = size[dim] if isinstance(dim, int) and -len(size) <= dim < len(size) else max(size)
    if name in _UNBINDS:
        return length
    by = abs(numbers[0]) if numbers else 1
    counted = name not in ("split", "unsafe_split") or library_of(x) in (NUMPY, CUPY)
    return by if counted else length // max(by, 1)


_LIKE_ANOTHER = ("expand_as", "view_as", "broadcast_tensors", "broadcast_arrays")
"""Views that take no more than a size from their other operands."""
_UNBINDS = ("unbind", "unstack")
_SPLITS = (
    "split", "unsafe_split", "chunk", "unsafe_chunk", "tensor_split", "array_split", "hsplit", "vsplit", "dsplit",
)  # fmt: skip


# -- how many elements a call makes --------------------------------------------------------------------------------


def _flat(values: Any) -> list[Any]:
    found = []
    for v in values:
        if isinstance(v, (list, tuple)):
            found += _flat(v)
        else:
            found.append(v)
    return found


def _ints(*values: Any) -> list[int]:
    found = []
    for v in _flat(values):
        try:
            found.append(operator.index(v))
        except (TypeError, RuntimeError, ValueError):
            continue
    return found


def _numel(x: Any) -> int:
    return prod(shape_of(x)) if is_array(x) else len(x) if isinstance(x, (list, tuple)) else 1


def _sizes(args: tuple, kwargs: Mapping[str, Any], *words: str) -> int:
    return prod(abs(n) for n in _ints(*args, *(kwargs[w] for w in (*words, "size", "shape") if w in kwargs)))


def _span(args: tuple, kwargs: Mapping[str, Any]) -> int:
    given = dict(zip(("start", "end", "step"), args, strict=False)) | dict(kwargs)
    if "end" not in given and "stop" not in given:
        given["end"], given["start"] = given.get("start", 0), 0
    try:
        start, end, step = (float(given.get(k, d)) for k, d in (("start", 0), ("end", 0), ("step", 1)))
        end = float(given.get("stop", end))
        return max(0, ceil((end - start) / step)) + 1 if step else 0
    except (TypeError, ValueError, RuntimeError, OverflowError):
        return 0


def _repeats(args: tuple, kwargs: Mapping[str, Any]) -> int:
    times = [*args[1:2], *(kwargs[k] for k in ("repeats",) if k in kwargs)]
    total = 0
    for t in times:
        if is_array(t):
            total += int(t.sum())
        elif isinstance(t, (list, tuple)):
            total += sum(_ints(t))
        else:
            total += sum(_ints(t)) * _numel(args[0])
    return total


def _einsum(args: tuple) -> int:
    if not args or not isinstance(args[0], str):
        return 0
    inputs, arrow, output = args[0].replace(" ", "").partition("->")
    sizes: dict[str, int] = {}
    for term, operand in zip(inputs.split(","), _flat(args[1:]), strict=False):
        if is_array(operand):
            sizes |= {c: max(n, sizes.get(c, 1)) for c, n in zip(term, shape_of(operand), strict=False)}
    kept = output if arrow else "".join(c for c in inputs if inputs.count(c) == 1)
    return prod(sizes.get(c, 1) for c in kept)


def _product_of_all(args: tuple, kwargs: Mapping[str, Any]) -> int:
    return prod(_numel(a) for a in _flat(args) if is_array(a))


def _rows(args: tuple) -> int:
    """What is left of two operands when their last dimensions meet."""
    return prod(prod(shape_of(a)[:-1]) for a in args[:2] if is_array(a))


def _tensordot(args: tuple, kwargs: Mapping[str, Any]) -> int:
    shapes = [shape_of(a) for a in args if is_array(a)][:2]
    dims = kwargs.get("dims", kwargs.get("axes", args[2] if len(args) > 2 else 2))
    if len(shapes) < 2:
        return 0
    if isinstance(dims, int):
        return prod(shapes[0][: max(len(shapes[0]) - dims, 0)]) * prod(shapes[1][max(dims, 0) :])
    met = prod(shapes[0][d] for d in _ints(dims[0]) if -len(shapes[0]) <= d < len(shapes[0])) if dims else 1
    return prod(prod(s) for s in shapes) // max(met, 1) ** 2


def _matmul(args: tuple) -> int:
    arrays = [shape_of(a) for a in args if is_array(a)]
    if len(arrays) < 2:
        return 0
    a, b = ((1, *s) if len(s) == 1 else s or (1, 1) for s in arrays[-2:])
    b = (b[1], 1) if len(arrays[-1]) == 1 else b
    return _together([a[:-2], b[:-2]]) * a[-2] * b[-1]


def _together(shapes: list[tuple[int, ...]]) -> int:
    """Elements of shapes stretched to one; where they clash, the op will say so."""
    try:
        return prod(np.broadcast_shapes(*shapes))
    except ValueError:
        return 0


def _picked(args: tuple) -> int:
    """Elements of x[key] where the key holds index arrays."""
    x, key = args
    if not is_array(x):
        return 0
    left, indices = list(shape_of(x)), []
    at = 0
    for k in key if isinstance(key, tuple) else (key,):
        if k is Ellipsis:
            at += len(left)
        elif is_array(k) or isinstance(k, list):
            shape = shape_of(k) if is_array(k) else np.shape(k)
            mask = is_array(k) and str(k.dtype).rpartition(".")[2] in ("bool", "uint8")
            indices.append((prod(shape) // max(prod(shape[1:]), 1),) if mask else shape)
            if at < len(left):
                left[at] = 1
            at += 1
        elif k is not None:
            at += 1
    return _together(indices) * prod(left) if indices else 0


_COUNTS: dict[str, Callable[[tuple, Mapping[str, Any]], int]] = {
    **dict.fromkeys(("zeros", "ones", "empty", "rand", "randn"), _sizes),
    **dict.fromkeys(("new_zeros", "new_ones", "new_empty", "resize_"), lambda a, k: _sizes(a[1:], k)),
    **dict.fromkeys(("full", "resize"), lambda a, k: _sizes(a[:1], k)),
    "new_full": lambda a, k: _sizes(a[1:2], k),
    "empty_strided": lambda a, k: sum(_ints(*a[:1])) * max(_ints(*a[1:], *k.values()), default=1) + _sizes(a[:1], k),
    **dict.fromkeys(("eye", "tri"), lambda a, k: max(_ints(*a[:2], *k.values()), default=0) ** 2),
    "identity": lambda a, k: max(_ints(*a, *k.values()), default=0) ** 2,
    "indices": lambda a, k: _sizes(a[:1], k, "dimensions") * 64,
    **dict.fromkeys(("tril_indices", "triu_indices"), lambda a, k: max(_ints(*a, *k.values()), default=0) ** 2),
    "randint": lambda a, k: _sizes(a[-1:], k),
    "randperm": lambda a, k: _sizes(a[:1], k, "n"),
    **dict.fromkeys(("arange", "range"), _span),
    **dict.fromkeys(("linspace", "logspace", "geomspace"), lambda a, k: max(_ints(*a[2:3], *k.values()), default=100)),
    **dict.fromkeys(("repeat_interleave", "repeat"), lambda a, k: max(_repeats(a, k), _tiled(a, k))),
    "tile": lambda a, k: _tiled(a, k),
    "einsum": lambda a, k: _einsum(a),
    **dict.fromkeys(("outer", "ger", "kron", "cartesian_prod", "meshgrid"), _product_of_all),
    **dict.fromkeys(("inner", "cdist"), lambda a, k: _rows(a)),
    "tensordot": _tensordot,
    "block_diag": lambda a, k: sum(_numel(x) for x in _flat(a)) ** 2,
    "combinations": lambda a, k: _numel(a[0]) ** max(_ints(*a[1:2], *k.values()), default=2) if a else 0,
    "vander": lambda a, k: _numel(a[0]) * max(_ints(*a[1:], *k.values()), default=_numel(a[0])) if a else 0,
    **dict.fromkeys(("diag", "diagflat"), lambda a, k: _diagonal(a, k)),
    **dict.fromkeys(
        ("tril", "triu"), lambda a, k: _numel(a[0]) ** (2 if is_array(a[0]) and len(a[0].shape) == 1 else 1)
    ),
    "diag_embed": lambda a, k: _diagonal(a, k),
    **dict.fromkeys(("matmul", "mm", "bmm", "mv", "addmm", "baddbmm", "matvec", "vecmat"), lambda a, k: _matmul(a)),
    "getitem": lambda a, k: _picked(a),
    "index_select": lambda a, k: _numel(a[-1]) * _numel(a[0]) if len(a) > 2 and _numel(a[-1]) > ITEMS else 0,
}


def _tiled(args: tuple, kwargs: Mapping[str, Any]) -> int:
    if not args:
        return 0
    return _numel(args[0]) * prod(abs(n) for n in _ints(*args[1:], *(v for k, v in kwargs.items() if k in _TIMES)))


_TIMES = ("dims", "reps", "repeats", "sizes")


def _diagonal(args: tuple, kwargs: Mapping[str, Any]) -> int:
    if not args or not is_array(args[0]) or len(shape_of(args[0])) > 1 and not kwargs:
        return _numel(args[0]) if args else 0
    shift = sum(abs(n) for n in _ints(*args[1:2], *kwargs.values()))
    return (_numel(args[0]) + shift) ** 2


def _made(name: str, args: tuple, kwargs: Mapping[str, Any]) -> int:
    count = _COUNTS.get(name) or _COUNTS.get(name.rstrip("_"))
    if count is None:
        return _together([shape_of(a) for a in _flat((*args, *kwargs.values())) if is_array(a)])
    try:
        return count(args, kwargs)
    except (TypeError, ValueError, IndexError, RuntimeError, OverflowError):
        return 0  # arguments that cannot be counted cannot be computed with either; the op will say so


def _short(n: int) -> str:
    """A whole number as text, or how long it is."""
    return str(n) if abs(n) < 10**24 else f"a number of {n.bit_length()} bits"
