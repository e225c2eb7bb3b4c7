"""Questions to geometry, drawn at random: the same ones on every machine for the same number.

Only `random.Random` draws and no function under test takes part, so that frozen answers keep their questions.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

from tensorwidgets.engine import geometry as geo
from tensorwidgets.engine.errors.reasons import Reason
from tensorwidgets.engine.geometry import Geometry

Ints = tuple[int, ...]

SIZES = [0, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6]
ITEMSIZES = {"int8": 1, "int16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16}
NAMES = {
    "int8": "Char",
    "int16": "Short",
    "float32": "Float",
    "float64": "Double",
    "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}
"""What PyTorch's messages call these dtypes."""
FORMATS = ["contiguous_format", "channels_last", "channels_last_3d"]


class Case(NamedTuple):
    """One question: what does this function say about this geometry, in a storage of so many elements?"""

    number: int
    function: str
    g: Geometry
    storage: int
    args: tuple[Any, ...]


def case(number: int) -> Case:
    """Question number so and so."""
    rng = random.Random(number)
    function = list(QUESTIONS)[number % len(QUESTIONS)]
    if function == "view_as_complex" and rng.random() < 0.7:
        g = pairs(rng)
    else:
        ranks = [2, 3, 4, 4, 5] if function in OF_LAYOUT else [0, 1, 2, 2, 3, 3, 4, 5]
        g = layout(rng, a_size(rng, rng.choice(ranks)))
    storage = g.offset + span(g.size, g.stride) + rng.choice([0, 0, 1, 5])
    return Case(number, function, g, storage, QUESTIONS[function](rng, g))


def span(size: Ints, stride: Ints) -> int:
    return 1 + sum((n - 1) * step for n, step in zip(size, stride, strict=True)) if prod(size) else 0


def a_size(rng: random.Random, ndim: int) -> Ints:
    return tuple(rng.choice(SIZES) for _ in range(ndim))


def layout(rng: random.Random, size: Ints) -> Geometry:
    """Strides of every kind: row-major, permuted, with gaps, repeating, overlapping, channels last."""
    ndim = len(size)
    order = list(range(ndim))
    kind = rng.choice(["row", "row", "permuted", "permuted", "wild", "wild", "last"])
    if kind == "last" and ndim > 2:
        order = [0, *range(2, ndim), 1]
    elif kind != "row":
        rng.shuffle(order)
    stride = [0] * ndim
    step = 1
    for dim in reversed(order):
        stride[dim] = step
        n = max(size[dim], 1)
        if kind in ("wild", "permuted") and rng.random() < 0.3:
            stride[dim] = rng.choice([0, 1, 2, step + 1, step * 2, step * 3])
        if size[dim] < 2 and rng.random() < 0.2:
            stride[dim] = rng.randrange(9)
        step = max(step, stride[dim]) * n if kind != "wild" else step * n
    return Geometry(size, tuple(stride), rng.choice([0, 0, 0, 1, 2, 4, 7]))


def pairs(rng: random.Random) -> Geometry:
    """A layout that could hold complex numbers, but for a detail or none."""
    g = layout(rng, a_size(rng, rng.randrange(4)))
    factor = rng.choice([2, 2, 2, 1])
    stride = (*[step * factor for step in g.stride], rng.choice([1, 1, 1, 2]))
    return Geometry((*g.size, rng.choice([2, 2, 2, 2, 3])), stride, g.offset * rng.choice([2, 2, 1]))


# --- arguments ---


def a_dim(rng: random.Random, ndim: int) -> int:
    return rng.randrange(-ndim - 1, ndim + 2) if rng.random() < 0.2 or not ndim else rng.randrange(-ndim, ndim)


def an_index(rng: random.Random, g: Geometry, dim: int) -> int:
    """Mostly one that the dimension has."""
    n = g.size[dim] if -len(g.size) <= dim < len(g.size) else 0
    return rng.randrange(-n, n) if n and rng.random() < 0.7 else rng.randrange(-7, 8)


def some_dims(rng: random.Random, ndim: int) -> Ints:
    if rng.random() < 0.3:
        return tuple(a_dim(rng, ndim) for _ in range(rng.randrange(4)))
    return tuple(rng.sample(range(ndim), rng.randint(0, ndim)))


def a_shape(rng: random.Random, g: Geometry) -> Ints:
    """Mostly one that fits: neighbours merged, one split, ones put in; sometimes one that cannot be."""
    shape = list(g.size)
    for _ in range(rng.randrange(4)):
        move = rng.random()
        if move < 0.45 and len(shape) > 1:
            at = rng.randrange(len(shape) - 1)
            shape[at : at + 2] = [shape[at] * shape[at + 1]]
        elif move < 0.7 and shape:
            at = rng.randrange(len(shape))
            divisors = [d for d in range(1, shape[at] + 1) if shape[at] % d == 0] or [rng.randrange(3)]
            d = rng.choice(divisors)
            shape[at : at + 1] = [d, shape[at] // d if d else rng.randrange(4)]
        elif move < 0.85:
            shape.insert(rng.randint(0, len(shape)), 1)
        elif 1 in shape:
            shape.remove(1)
    if shape and rng.random() < 0.3:
        shape[rng.randrange(len(shape))] = -1
    if shape and rng.random() < 0.15:
        shape[rng.randrange(len(shape))] = rng.choice([-1, -2, 0, 1, 2, 3, 7])
    return tuple(shape)


def a_target(rng: random.Random, g: Geometry) -> Ints:
    """A shape to expand to."""
    stretched = [rng.choice(SIZES) if n == 1 and rng.random() < 0.5 else n for n in g.size]
    shape = [rng.choice([-1, n, n]) if n == m else n for n, m in zip(stretched, g.size, strict=True)]
    shape = [rng.choice(SIZES) for _ in range(rng.randrange(3))] + shape
    if shape and rng.random() < 0.25:
        shape[rng.randrange(len(shape))] = rng.choice([-3, -1, 0, 1, 2, 5])
    return tuple(shape[1:]) if rng.random() < 0.1 else tuple(shape)


def a_window(rng: random.Random, g: Geometry) -> tuple[Any, ...]:
    """Size, stride, offset and dtype for `as_strided`."""
    ndim = rng.randrange(4)
    size = [rng.choice([0, 1, 2, 3, 4]) for _ in range(ndim)]
    stride = [rng.choice([0, 1, 1, 2, 3, 5]) for _ in range(ndim)]
    offset = rng.choice([None, 0, 0, 1, 3, 50])
    odd = rng.random()
    if odd < 0.05:
        stride.append(1)
    elif odd < 0.1 and ndim:
        stride[rng.randrange(ndim)] = -1
    elif odd < 0.15:
        offset = -1
    elif odd < 0.2 and ndim:
        size[rng.randrange(ndim)] = rng.choice([-2, -1, 2**40, 2**62])
    elif odd < 0.22 and ndim:
        stride[rng.randrange(ndim)] = 2**62
    return tuple(size), tuple(stride), offset, rng.choice(list(ITEMSIZES))


def sections(rng: random.Random, g: Geometry) -> tuple[Any, int]:
    dim = a_dim(rng, len(g.size))
    if rng.random() < 0.5:
        return rng.choice([-1, 0, 1, 2, 3, 4, 9]), dim
    n = g.size[dim] if -len(g.size) <= dim < len(g.size) else 3
    cut = rng.randint(0, n)
    return tuple(rng.choice([[cut, n - cut], [cut, n - cut], [n], [], [cut, -1], [cut, 2, 1], [n + 1, -1]])), dim


def cuts(rng: random.Random, g: Geometry) -> tuple[Any, int]:
    arg: Any = rng.choice([-1, 0, 1, 2, 3, 4, 9])
    if rng.random() < 0.5:
        arg = tuple(rng.randrange(-7, 9) for _ in range(rng.randrange(4)))
    return arg, a_dim(rng, len(g.size))


def parts(rng: random.Random, g: Geometry) -> tuple[int, Ints]:
    dim = a_dim(rng, len(g.size))
    n = g.size[dim] if -len(g.size) <= dim < len(g.size) else 3
    d = rng.choice([d for d in range(1, n + 1) if n % d == 0] or [2])
    fitting: list[Ints] = [(d, n // d), (d, -1), (1, -1, d), (-1,), (n,)]
    other: list[Ints] = [(), (-1, -1), (2, 2), (-2, -1), (-1, 0), (0, 2)]
    return dim, rng.choice(fitting if rng.random() < 0.6 else other)


def narrowed(rng: random.Random, g: Geometry) -> tuple[int, int, int]:
    dim = a_dim(rng, len(g.size))
    return dim, an_index(rng, g, dim), rng.choice([-1, 0, 0, 1, 1, 1, 2, 3])


def selected(rng: random.Random, g: Geometry) -> tuple[int, int]:
    dim = a_dim(rng, len(g.size))
    return dim, an_index(rng, g, dim)


def windows(rng: random.Random, g: Geometry) -> tuple[int, int, int]:
    dim = a_dim(rng, len(g.size))
    return dim, rng.choice([-1, 0, 1, 1, 2, 2, 3, 4]), rng.choice([-1, 0, 1, 1, 1, 2, 2, 3])


def a_slice(rng: random.Random, g: Geometry) -> tuple[Any, ...]:
    ends = [None, None, 0, 1, 2, 3, 5, 9, -1, -2, -4, -9]
    dim = rng.randrange(len(g.size)) if g.size else 0
    return dim, rng.choice(ends), rng.choice(ends), rng.choice([None, 1, 1, 2, 3, 7, 0, -1, -2])


def operands(rng: random.Random, g: Geometry) -> tuple[Any, ...]:
    """One to three operands that broadcast to the size of g; g itself is the first."""
    result = [(g.size, g.stride)]
    for _ in range(rng.randrange(3)):
        kind = rng.random()
        if kind < 0.35:
            result.append((g.size, g.stride))
            continue
        own = g.size if kind < 0.7 else tuple(rng.choice([1, n]) for n in g.size)
        own = own[rng.randint(0, len(own)) :] if kind > 0.85 else own
        other = layout(rng, own)
        result.append((other.size, other.stride))
    rng.shuffle(result)
    return (tuple(result),)


def pad(rng: random.Random, g: Geometry) -> tuple[Any, ...]:
    """Two to four shapes that may go together."""
    shapes = []
    for _ in range(rng.randint(1, 3)):
        shape = [n if rng.random() < 0.7 else rng.choice([1, 1, 1, 2, 3]) for n in g.size]
        shapes.append(tuple(shape[rng.randint(0, len(shape)) if rng.random() < 0.4 else 0 :]))
    return (tuple(shapes),)


def permutation(rng: random.Random, g: Geometry) -> tuple[Ints]:
    if rng.random() < 0.3:
        return (tuple(a_dim(rng, len(g.size)) for _ in range(max(0, len(g.size) + rng.choice([-1, 0, 0, 0, 1])))),)
    dims = rng.sample(range(len(g.size)), len(g.size))
    return (tuple(d - rng.choice([0, len(g.size)]) for d in dims),)


def moves(rng: random.Random, g: Geometry) -> tuple[Any, Any]:
    ndim = len(g.size)
    if rng.random() < 0.4:
        return a_dim(rng, ndim), a_dim(rng, ndim)
    if rng.random() < 0.3:
        return some_dims(rng, ndim), some_dims(rng, ndim)
    count = rng.randint(0, ndim)
    return tuple(rng.sample(range(ndim), count)), tuple(rng.sample(range(-ndim, 0), count))


def reduced(rng: random.Random, g: Geometry) -> tuple[Ints, bool]:
    dims = tuple(rng.sample(range(len(g.size)), rng.randint(1, len(g.size))))
    return dims, rng.random() < 0.5


def dtypes(rng: random.Random, g: Geometry) -> tuple[str, str]:
    return rng.choice(list(ITEMSIZES)), rng.choice(list(ITEMSIZES))


def squeezed(rng: random.Random, g: Geometry) -> tuple[Any]:
    ndim = len(g.size)
    return (rng.choice([None, a_dim(rng, ndim), a_dim(rng, ndim), some_dims(rng, ndim)]),)


def nothing(rng: random.Random, g: Geometry) -> tuple[()]:
    return ()


def dims(count: int) -> Callable[[random.Random, Geometry], tuple[int, ...]]:
    return lambda rng, g: tuple(a_dim(rng, len(g.size)) for _ in range(count))


def a_format(rng: random.Random, g: Geometry) -> tuple[str]:
    return (rng.choice(FORMATS),)


QUESTIONS: dict[str, Callable[[random.Random, Geometry], tuple[Any, ...]]] = {
    "view": lambda rng, g: (a_shape(rng, g),),
    "view_dtype": dtypes,
    "expand": lambda rng, g: (a_target(rng, g),),
    "transpose": dims(2),
    "t": nothing,
    "permute": permutation,
    "movedim": moves,
    "squeeze": squeezed,
    "unsqueeze": dims(1),
    "narrow": narrowed,
    "select": selected,
    "select_index": lambda rng, g: (an_index(rng, g, 0),),
    "slice": a_slice,
    "diagonal": lambda rng, g: (rng.randrange(-4, 5), a_dim(rng, len(g.size)), a_dim(rng, len(g.size))),
    "unfold": windows,
    "flatten": dims(2),
    "unflatten": parts,
    "as_strided": a_window,
    "unbind": dims(1),
    "split": sections,
    "tensor_split": cuts,
    "chunk": lambda rng, g: (rng.choice([-1, 0, 1, 2, 3, 4, 9]), a_dim(rng, len(g.size))),
    "hsplit": lambda rng, g: cuts(rng, g)[:1],
    "vsplit": lambda rng, g: cuts(rng, g)[:1],
    "dsplit": lambda rng, g: cuts(rng, g)[:1],
    "matrix_transpose": lambda rng, g: (rng.choice(["mT", "mH", "adjoint()", "H"]),),
    "reverse_dims": nothing,
    "view_as_real": nothing,
    "view_as_complex": nothing,
    "real_part": nothing,
    "imag_part": nothing,
    "new_axis": lambda rng, g: (rng.randint(0, len(g.size)),),
    "is_contiguous": a_format,
    "is_non_overlapping_and_dense": nothing,
    "overlap": nothing,
    "preserve_stride": nothing,
    "pointwise_stride": operands,
    "reduction_stride": reduced,
    "memory_format_stride": a_format,
    "broadcast": pad,
    "wrap_dims": lambda rng, g: (tuple(a_dim(rng, len(g.size)) for _ in range(rng.randint(1, 4))),),
}

OF_LAYOUT = {
    "is_contiguous",
    "preserve_stride",
    "pointwise_stride",
    "memory_format_stride",
    "reduction_stride",
}
"""Functions that have something to say about four and five dimensions above all."""

BY_STRIDE = {
    "is_contiguous",
    "is_non_overlapping_and_dense",
    "overlap",
    "preserve_stride",
    "reduction_stride",
}
"""Functions that take size and stride apart."""


def ask(question: Case) -> Any:
    """What our function says."""
    name, g, args = question.function, question.g, question.args
    if name in BY_STRIDE:
        return getattr(geo, name)(g.size, g.stride, *args)
    if name in ("pointwise_stride", "memory_format_stride"):
        return getattr(geo, name)(g.size, *args)
    if name == "broadcast":
        return geo.broadcast(*args[0])
    if name == "wrap_dims":
        return geo.wrap_dims(args[0], len(g.size))
    if name == "view_dtype":
        old, new = args
        return geo.view_dtype(g, ITEMSIZES[old], ITEMSIZES[new], NAMES[old], NAMES[new])
    if name == "as_strided":
        size, stride, offset, dtype = args
        itemsize = ITEMSIZES[dtype]
        return geo.as_strided(g, size, stride, offset, question.storage * itemsize, itemsize)
    if name == "select_index":
        return geo.select(g, 0, args[0], "index")
    return getattr(geo, name)(g, *args)


def our_answer(question: Case) -> Any:
    """The same as JSON has it: lists for tuples, and a refusal as PyTorch's last line."""
    answer = ask(question)
    if question.function == "flatten" and isinstance(answer, Reason) and answer.rule == "view.span":
        return "copies"
    return plain(answer)


def plain(answer: Any) -> Any:
    if isinstance(answer, Reason):
        return f"{answer.error.__name__}: {answer.message}"
    return [plain(part) for part in answer] if isinstance(answer, tuple) else answer
