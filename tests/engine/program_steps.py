"""The kinds of lines that random programs are made of, each with its share; `write(seed, engine)` chooses."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from tests.engine import programs
from tests.engine.program_writer import DTYPES, NAMES, Say, Writer

STEPS: list[tuple[int, Say]] = []


def step(weight: int) -> Callable[[Say], Say]:
    """Enter a kind of line, with its share."""

    def enter(say: Say) -> Say:
        STEPS.append((weight, say))
        return say

    return enter


def write(seed: int, engine: Any, steps: int = 8) -> programs.Program:
    """A program of so many lines: one or two that make tensors, then others that use them."""
    w = Writer(seed, engine)
    says, weights = [say for _, say in STEPS], [weight for weight, _ in STEPS]
    for name in NAMES[: w.one([1, 1, 2])]:
        w.add(f"{name} = {w.fresh(w.size(), w.dtypes[0] if w.often(0.7) else w.dtype())}")
    while len(w.lines) < steps and not w.wild():
        line = w.dice.choices(says, weights)[0](w, *some_tensor(w)) if w.tensors() else make(w, "", None)
        if line is not None:
            w.add(line)
    return w.lines


PLACES = [
    ".t()", ".T", ".mT", "[0]", "[-1]", "[..., 0]", "[:, None]", "[::2]", "[1:]", "[None]", ".view(-1)",
    ".unsqueeze(0)", ".detach()", ".conj()", ".real", ".imag", ".diagonal()", ".expand(2, *[-1] * {x}.dim())",
]  # fmt: skip


def some_tensor(w: Writer) -> tuple[str, Any]:
    """A variable, or a view of one that has no name."""
    x, t = w.tensor()
    if w.often(0.85):
        return x, t
    place = x + w.one(PLACES).format(x=x)
    try:
        return place, eval(place, dict(w.scope))
    except Exception:
        return x, t


def spell(w: Writer, x: str, name: str, *args: str, function: bool = True) -> str:
    """A call, as a method or as a function."""
    if function and w.often(0.25):
        return f"torch.{name}({', '.join([x, *args])})"
    return f"{x}.{name}({', '.join(args)})"


def kept(w: Writer, expression: str) -> str:
    """A line that gives the result a name."""
    return f"{w.new_name()} = {expression}"


# -- making ------------------------------------------------------------------------------------------------------


@step(4)
def make(w: Writer, x: str, t: Any) -> str:
    return kept(w, w.fresh(w.size(), w.dtype()))


@step(2)
def make_like(w: Writer, x: str, t: Any) -> str:
    dtype = f", dtype=torch.{w.dtype()}" if w.often(0.3) else ""
    return kept(w, f"torch.{w.one(['zeros_like', 'ones_like'])}({x}{dtype})")


# -- views -------------------------------------------------------------------------------------------------------


@step(4)
def as_strided(w: Writer, x: str, t: Any) -> str:
    return kept(w, spell(w, x, "as_strided", *_strided(w, t)))


@step(1)
def as_strided_(w: Writer, x: str, t: Any) -> str:
    return spell(w, x, "as_strided_", *_strided(w, t))


def _strided(w: Writer, t: Any, within: bool = False) -> list[str]:
    """Sizes, strides and an offset that mostly stay within the storage."""
    room = t.untyped_storage().nbytes() // t.element_size()
    if not room:
        return [str((0, w.among(0, 3))), str((1, 1))]
    offset = w.among(0, min(3, max(room - 1, 0)))
    size, stride, left = [], [], max(room - offset - 1, 0)
    for _ in range(w.one([0, 1, 1, 2, 2, 3])):
        by = w.one([0, 1, 1, 1, 2, 3, 4])
        most = left // by + 1 if by else 3
        n = w.among(1, min(most, 4)) if within or w.often(0.95) else w.among(0, 5)
        left -= (n - 1) * by
        size.append(n)
        stride.append(by if within or w.often(0.98) else -1)
    if w.often(0.03):
        stride = stride[1:]
    return [str(tuple(size)), str(tuple(stride)), *([str(offset)] if w.often(0.6) else [])]


def _shape_for(w: Writer, count: int) -> tuple[Any, ...]:
    size: list[Any] = list(w.factors(count)) if w.often(0.93) else list(w.size())
    if size and w.often(0.3):
        size[w.among(0, len(size) - 1)] = -1
    if w.often(0.02):
        size.append(w.one([-1, 1.5, "x", None]))
    return tuple(size)


def _size_args(w: Writer, size: tuple[Any, ...]) -> str:
    return ", ".join(map(repr, size)) if size and w.often(0.5) else str(tuple(size))


@step(5)
def view(w: Writer, x: str, t: Any) -> str:
    return kept(w, f"{x}.view({_size_args(w, _shape_for(w, t.numel()))})")


@step(4)
def reshape(w: Writer, x: str, t: Any) -> str:
    size = _shape_for(w, t.numel())
    return kept(w, f"torch.reshape({x}, {size})" if w.often(0.2) else f"{x}.reshape({_size_args(w, size)})")


WITHOUT_BOOL = [d for d in DTYPES if d != "bool"]
"""What bytes are read as: other bytes than 0 and 1 are no truth values."""


@step(4)
def view_dtype(w: Writer, x: str, t: Any) -> str | None:
    if t.dtype == w.engine.bool:
        return None
    return kept(w, f"{x}.view({w.one(['', 'dtype='])}torch.{w.one(WITHOUT_BOOL)})")


@step(3)
def as_another(w: Writer, x: str, t: Any) -> str:
    name = w.one(["view_as", "reshape_as", "expand_as", "type_as"])
    same = w.like(lambda o: o.numel() == t.numel()) if name in ("view_as", "reshape_as") else None
    other, _ = same or w.tensor()
    return kept(w, f"{x}.{name}({other})")


@step(3)
def flatten(w: Writer, x: str, t: Any) -> str:
    dims = sorted([w.among(0, max(t.dim() - 1, 0)) for _ in range(2)])
    args = w.one([[], [w.dim(t.dim())], [str(d) for d in dims], [w.dim(t.dim()), w.dim(t.dim())]])
    return kept(w, spell(w, x, "flatten", *args))


@step(2)
def unflatten(w: Writer, x: str, t: Any) -> str:
    dim = w.among(0, max(t.dim() - 1, 0))
    size = _shape_for(w, t.shape[dim] if t.dim() else 1)
    # Without sizes, the function and the method refuse in another order.
    return kept(
        w, spell(w, x, "unflatten", str(dim) if w.often(0.9) else w.dim(t.dim()), str(size), function=bool(size))
    )


@step(2)
def ravel(w: Writer, x: str, t: Any) -> str:
    return kept(w, spell(w, x, "ravel"))


@step(6)
def swap(w: Writer, x: str, t: Any) -> str:
    name = w.one(["transpose", "transpose", "swapaxes", "swapdims"])
    if w.often(0.2):
        return f"{x}.{name}_({w.dim(t.dim())}, {w.dim(t.dim())})"
    return kept(w, spell(w, x, name, w.dim(t.dim()), w.dim(t.dim())))


@step(8)
def turn(w: Writer, x: str, t: Any) -> str:
    if w.often(0.15):
        return f"{x}.t_()"
    how = w.one(["t()", "t()", "T", "mT", "H", "mH", "adjoint()"])
    return kept(w, f"{x}.{how}" if w.often(0.8) or "()" not in how else f"torch.{how[:-1]}{x})")


@step(5)
def permute(w: Writer, x: str, t: Any) -> str:
    order = list(range(t.dim()))
    w.dice.shuffle(order)
    if w.often(0.2):
        order = [d - t.dim() for d in order]
    if w.often(0.05) and order:
        order[0] = w.among(-3, 5)
    if w.often(0.2):
        return kept(w, f"torch.permute({x}, {tuple(order)})")
    return kept(w, f"{x}.permute({_size_args(w, tuple(order))})")


@step(3)
def movedim(w: Writer, x: str, t: Any) -> str:
    name = w.one(["movedim", "moveaxis"])
    if w.often(0.5) or t.dim() < 2:
        return kept(w, spell(w, x, name, w.dim(t.dim()), w.dim(t.dim())))
    count = w.among(1, t.dim())
    dims = list(range(t.dim()))
    pairs = [str(tuple(w.dice.sample(dims, count))) for _ in range(2)]
    return kept(w, spell(w, x, name, *pairs))


@step(4)
def squeeze(w: Writer, x: str, t: Any) -> str:
    dims = [d for d in range(t.dim()) if t.shape[d] == 1]
    args: list[str] = [] if w.often(0.3) else [str(w.one(dims))] if dims and w.often(0.6) else [w.dim(t.dim())]
    if dims and w.often(0.2):
        args = [str(tuple(w.dice.sample(dims, w.among(1, len(dims)))))]
    if w.often(0.25) and not t.is_conj():  # there PyTorch resizes the tensor, and mixes up what is in it
        return f"{x}.squeeze_({', '.join(args)})"
    return kept(w, spell(w, x, "squeeze", *args))


@step(4)
def unsqueeze(w: Writer, x: str, t: Any) -> str:
    dim = str(w.among(-t.dim() - 1, t.dim())) if w.often(0.85) else w.dim(t.dim())
    if w.often(0.25):
        return f"{x}.unsqueeze_({dim})"
    return kept(w, spell(w, x, "unsqueeze", dim))


@step(6)
def expand(w: Writer, x: str, t: Any) -> str:
    size = [(w.among(0, 3) if n == 1 and w.often(0.7) else n) for n in t.shape]
    size = [-1 if w.often(0.15) else n for n in size]
    for _ in range(w.one([0, 0, 1, 2])):
        size.insert(0, w.among(1, 3))
    if w.often(0.06):
        size = list(w.size())
    if w.often(0.25):
        return kept(w, spell(w, x, "broadcast_to", str(tuple(size))))
    return kept(w, f"{x}.expand({_size_args(w, tuple(size))})")


@step(4)
def narrow(w: Writer, x: str, t: Any) -> str:
    dim = w.among(0, max(t.dim() - 1, 0))
    n = t.shape[dim] if t.dim() else 1
    start = w.among(0, n)
    length = w.among(0, n - start) if w.often(0.92) else w.among(-1, n + 2)
    first = str(start if w.often(0.85) else start - n) if w.often(0.95) else f"torch.tensor({start})"
    return kept(w, spell(w, x, "narrow", str(dim) if w.often(0.9) else w.dim(t.dim()), first, str(length)))


@step(4)
def select(w: Writer, x: str, t: Any) -> str:
    dim = w.among(0, max(t.dim() - 1, 0))
    n = t.shape[dim] if t.dim() else 1
    index = w.among(-n, n - 1) if w.often(0.92) else w.among(-n - 2, n + 2)
    return kept(w, spell(w, x, "select", str(dim) if w.often(0.9) else w.dim(t.dim()), str(index)))


@step(3)
def diagonal(w: Writer, x: str, t: Any) -> str:
    args = [] if w.often(0.4) else [str(w.among(-2, 2))]
    if args and w.often(0.5):
        args += [w.dim(t.dim()), w.dim(t.dim())]
    return kept(w, spell(w, x, "diagonal", *args))


@step(4)
def unfold(w: Writer, x: str, t: Any) -> str:
    dim = w.among(0, max(t.dim() - 1, 0))
    n = t.shape[dim] if t.dim() else 1
    size = w.among(0, n) if w.often(0.92) else w.among(-1, n + 2)
    where = str(dim) if w.often(0.9) else w.dim(t.dim())
    return kept(w, f"{x}.unfold({where}, {size}, {w.among(1, 3) if w.often(0.95) else w.among(-1, 1)})")


@step(7)
def pieces(w: Writer, x: str, t: Any) -> str:
    name = w.one(
        [
            "unbind",
            "split",
            "split",
            "tensor_split",
            "tensor_split",
            "chunk",
            "hsplit",
            "vsplit",
            "dsplit",
            "split_with_sizes",
        ]
    )
    dim = w.among(0, max(t.dim() - 1, 0))
    if name in ("hsplit", "vsplit", "dsplit"):
        dim = {"hsplit": 1 if t.dim() > 1 else 0, "vsplit": 0, "dsplit": 2}[name]
    n = t.shape[dim] if dim < t.dim() else 1
    if name == "unbind":
        args = []
    elif name == "chunk":
        args = [str(w.among(1, n + 1) if w.often(0.95) else w.among(-1, 1))]
    elif name == "split_with_sizes" or name == "split" and w.often(0.4):
        args = [str(_parts(w, n))]
    elif name == "split":
        args = [str(w.among(1, n + 1) if w.often(0.95) else w.among(-1, 1))]
    elif w.often(0.5):
        cuts = sorted(w.among(-1, n + 1) for _ in range(w.among(0, 3)))
        args = [str(tuple(cuts)) if w.often(0.7) else str(cuts)]
        if name == "tensor_split" and w.often(0.2):
            args = [f"torch.tensor({cuts}, dtype=torch.int64)"]
    else:
        even = [d for d in range(1, n + 1) if n % d == 0] or [1]
        args = [str(w.one(even) if name != "tensor_split" or w.often(0.5) else w.among(0, n + 2))]
    if name not in ("hsplit", "vsplit", "dsplit") and (dim or w.often(0.2)):
        args.append(str(dim) if w.often(0.9) else w.dim(t.dim()))
    return kept(w, spell(w, x, name, *args))


def _parts(w: Writer, n: int) -> list[int]:
    """Lengths that mostly add up."""
    found = []
    while n > 0:
        found.append(w.among(0, n))
        n -= found[-1]
    return [*found, 1] if w.often(0.06) else found


@step(4)
def numbers_in_parts(w: Writer, x: str, t: Any) -> str:
    how = w.one(["real", "imag", "view_as_real", "view_as_complex"])
    found = w.like(lambda o: o.is_complex() if how != "view_as_complex" else o.shape[-1:] == (2,))
    if found is not None and w.often(0.9):
        x, t = found
    if how in ("real", "imag"):
        return kept(w, f"{x}.{how}" if w.often(0.7) else f"torch.{how}({x})")
    return kept(w, f"torch.{how}({x})")


@step(4)
def promises(w: Writer, x: str, t: Any) -> str:
    found = w.like(lambda o: o.is_complex())
    if found is not None and w.often(0.9):
        x, t = found
    return kept(w, spell(w, x, w.one(["conj"] * 4 + ["conj_physical", "resolve_conj", "resolve_neg"])))


@step(4)
def handles(w: Writer, x: str, t: Any) -> str:
    how = w.one(["detach()", "detach()", "data", "[...]", "[:]", "detach_()"])
    if how == "detach_()":
        return f"{x}.detach_()"
    return kept(w, f"{x}{how}" if how[0] == "[" else f"{x}.{how}")


# -- copies and casts --------------------------------------------------------------------------------------------

FORMATS = ["contiguous_format", "preserve_format", "channels_last", "channels_last_3d"]


@step(6)
def copy(w: Writer, x: str, t: Any) -> str:
    fitting = {4: ["channels_last"] * 4, 5: ["channels_last_3d"] * 4}.get(t.dim(), [])
    how = f"memory_format=torch.{w.one(FORMATS[:2] + fitting if w.often(0.95) else FORMATS)}" if w.often(0.5) else ""
    return kept(w, f"{x}.{w.one(['contiguous', 'clone'])}({how})")


@step(6)
def cast(w: Writer, x: str, t: Any) -> str:
    d = f"torch.{w.dtype()}"
    other, _ = w.tensor()
    method = w.one(
        ["float", "double", "long", "int", "short", "char", "byte", "bool", "half", "bfloat16", "cfloat", "cdouble"]
    )
    return kept(
        w,
        w.one(
            [
                f"{x}.{method}()",
                f"{x}.to({d})",
                f"{x}.to(dtype={d})",
                f"{x}.to('cpu', {d})",
                f"{x}.to({other})",
                f"{x}.to('cpu')",
                f"{x}.to({d}, copy=True)",
                f"{x}.to({d}, memory_format=torch.contiguous_format)",
                f"{x}.cpu()",
                f"{x}.to({d}, False, True)",
                f"{x}.type_as({other})",
            ]
        ),
    )


# -- indexing ----------------------------------------------------------------------------------------------------


@step(22)
def read(w: Writer, x: str, t: Any) -> str:
    return kept(w, f"{x}[{index(w, tuple(t.shape))}]")


@step(22)
def put(w: Writer, x: str, t: Any) -> str | None:
    key = index(w, tuple(t.shape))
    if any(w.share(name, x) for name in set(key) & set(w.scope)):
        return None  # an index that changes while it is followed
    value = w.settled(f"{x}[{key}]" if _makes_view(w, x, key) else x, written(w, x, t, key))
    return value and f"{x}[{key}] = {value}"


@step(6)
def put_and_compute(w: Writer, x: str, t: Any) -> str | None:
    key = index(w, tuple(t.shape))
    if any(w.share(name, x) for name in set(key) & set(w.scope)):
        return None
    return w.settled(x, "1") and f"{x}[{key}] {w.one(['+=', '-=', '*='])} {w.number(str(t.dtype)[6:])}"


@step(5)
def shift_onto_itself(w: Writer, x: str, t: Any) -> str | None:
    if not t.dim():
        return None
    by = w.among(1, 2)
    target, operator, source = w.one(
        [
            (f"{x}[{by}:]", "=", f"{x}[:-{by}]"),
            (f"{x}[:-{by}]", "=", f"{x}[{by}:]"),
            (f"{x}[{by}:]", "+=", f"{x}[:-{by}]"),
            (f"{x}[..., {by}:]", "=", f"{x}[..., :-{by}]"),
            (x, "+=", f"{x}[..., :1]"),
            (x, "+=", f"{x}.T"),
            (f"{x}[:]", "=", f"{x}.T"),
            (x, "*=", f"{x}[0]"),
            (f"{x}[0]", "=", f"{x}[-1]"),
            (f"{x}[:, 0]", "=", f"{x}[0]"),
        ]
    )
    value = w.settled(target, source)
    return value and f"{target} {operator} {value}" if target != x or _can_be_set(w, x) else None


def _can_be_set(w: Writer, x: str) -> bool:
    """Whether Python can assign to an expression: a name, or a place in a tensor."""
    return "(" not in x and "." not in x and (len(x) == 1 or isinstance(w.scope[x[0]], w.engine.Tensor))


def _makes_view(w: Writer, x: str, key: str) -> bool:
    """Whether an index picks a part of the storage, not copies of elements."""
    try:
        place, t = eval(f"({x}[{key}], {x})", dict(w.scope))
    except Exception:
        return False
    return place.untyped_storage().data_ptr() == t.untyped_storage().data_ptr()


def written(w: Writer, x: str, t: Any, key: str) -> str:
    """What an index is set to: a number, a tensor that stretches to the place, or something that does not fit."""
    dtype = str(t.dtype)[6:]
    kind = dtype if w.often(0.8) else w.dtype()
    how = w.dice.random()
    if how < 0.4:
        return w.number(kind)
    if how < 0.6:
        return w.tensor()[0]
    if how < 0.63:
        return w.one(
            ["[1, 2]", "[[1], [2]]", "'x'", "None", "np.array([1, 2])", "np.float32(2)", "[]", "np.ones((1, 2))"]
        )
    try:
        place = eval(f"t[{key}]", {**w.scope, "t": t})
        size = tuple(place.shape)
    except Exception:
        size = w.size(2)
    return w.fresh(w.broadcastable(size), kind)


def index(w: Writer, size: tuple[int, ...]) -> str:
    """The text between the brackets."""
    if w.often(0.04):
        return w.one(
            [
                "1.5",
                "'x'",
                "1j",
                "None",
                "...",
                "()",
                "True",
                "False",
                "[]",
                "[[]]",
                "{}",
                "slice(None)",
                "[slice(0, 1)]",
                "[None]",
                "[...]",
                "[0, slice(None)]",
                "[[0], [0]]",
                "[True]",
                "(0, None, ...)",
                "range(1)",
                "[1.5]",
                "['x']",
            ]
        )
    parts: list[str] = []
    left = list(size)
    dim = 0
    ellipsis = False
    while left and len(parts) < 5:
        if w.often(0.12):
            parts.append(w.one(["None", "None", "None", "True", "False"] if w.often(0.5) else ["None"]))
        if not ellipsis and w.often(0.15):
            parts.append("...")
            ellipsis = True
            keep = w.among(0, len(left))
            dim += keep
            left = left[keep:]
            if not left:
                break
        part, used = one_index(w, left, dim)
        parts.append(part)
        dim += used
        left = left[used:]
        if w.often(0.3):
            break
    if w.often(0.05) or not parts:
        parts.append(w.one(["None", "...", "0", ":", "None"]))
    return ", ".join(parts) + ("," if len(parts) == 1 and w.often(0.1) else "")


def one_index(w: Writer, left: list[int], dim: int) -> tuple[str, int]:
    """One part of a key, and how many dimensions it takes."""
    n = left[0]
    how = w.dice.random()
    if how < 0.3:
        i = w.among(-n, n - 1) if w.often(0.95) and n else w.among(-n - 2, n + 2)
        return w.one(
            [str(i)] * 12 + [f"torch.tensor({i})", f"np.int64({i})", f"torch.tensor({i}, dtype=torch.int32)"]
        ), 1
    if how < 0.62:
        return slice_text(w, n), 1
    if how < 0.75:
        return _places(w, n), 1
    if how < 0.85:
        count = w.among(1, min(len(left), 3)) if w.often(0.5) else 1
        return _mask(w, tuple(left[:count])), count
    if how < 0.93:
        rows = w.one([(2,), (1,), (2, 2), (1, 2), (2, 1), (0,), (3,), (1, 1, 2)])
        numbers = [str(w.among(-n, n - 1) if n and w.often(0.98) else w.among(-n - 1, n)) for _ in range(prod(rows))]
        nested = w.nested(rows, numbers) if prod(rows) else "[]"
        made = [f"torch.tensor({nested}, dtype=torch.int64)"] * 4
        made += [
            f"torch.tensor({nested}, dtype=torch.{w.one(['int32', 'uint8', 'int16', 'int8', 'float32'])})",
            f"np.array({nested}, int)",
        ]
        return w.one(made), 1
    found = w.like(lambda o: str(o.dtype) in ("torch.int64", "torch.int32", "torch.bool", "torch.uint8"))
    if found is not None:
        return found[0], found[1].dim() if str(found[1].dtype) in ("torch.bool", "torch.uint8") else 1
    return slice_text(w, n), 1


def slice_text(w: Writer, n: int) -> str:
    bounds = [str(w.among(-n - 1, n + 1)) if w.often(0.6) else "" for _ in range(2)]
    if w.often(0.3):
        bounds.append(
            str(w.one([1, 2, 2, 3, 4])) if w.often(0.94) else w.one(["-1", "0", "-2", "1.5", "'x'", "torch.tensor(2)"])
        )
    if w.often(0.02) and len(bounds) < 3:
        bounds[0] = w.one(["torch.tensor(1)", "1.5", "np.int64(1)", "True", "torch.tensor([1])", "'x'"])
    return ":".join(bounds)


def _places(w: Writer, n: int) -> str:
    """A list of places."""
    if w.often(0.3):
        return str([w.often(0.5) for _ in range(n if w.often(0.92) else n + 1)])
    places = [w.among(-n, n - 1) if n and w.often(0.98) else w.among(-n - 1, n) for _ in range(w.among(0, 3))]
    how = w.dice.random()
    if how < 0.7:
        return str(places)
    if how < 0.85:
        return str([[p] for p in places] or [places])
    return w.one([f"({', '.join(map(str, places))},)" if places else "()", f"np.array({places}, int)", str([places])])


def _mask(w: Writer, size: tuple[int, ...]) -> str:
    if w.often(0.06):
        size = w.size(3)
    if 0 in size:
        return f"torch.zeros({size}, dtype=torch.bool)"
    nested = w.nested(size, [w.one(["True", "False"]) for _ in range(prod(size))])
    kind = w.one(["bool"] * 9 + ["uint8"])
    return f"np.array({nested})" if w.often(0.15) and len(size) == 1 else f"torch.tensor({nested}, dtype=torch.{kind})"


# -- computing and writing ---------------------------------------------------------------------------------------

PAIRS = [
    "add",
    "sub",
    "mul",
    "add",
    "sub",
    "mul",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "logical_and",
    "logical_or",
    "logical_xor",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "floor_divide",
    "remainder",
    "fmod",
    "div",
]
CLOSED = [name for name in PAIRS if name not in ("floor_divide", "remainder", "fmod", "div")]
"""Those that make no nan of numbers. (Which bits a nan has is left to the machine, and a view shows them.)"""

SINGLES = [
    "neg",
    "abs",
    "square",
    "sign",
    "floor",
    "ceil",
    "trunc",
    "logical_not",
    "bitwise_not",
    "conj_physical",
]
SYMBOLS = ["+", "-", "*", "&", "|", "^", "//", "%", "+", "*"]


def single(w: Writer, t: Any) -> str:
    """An op of one operand that no machine rounds in its own way; PyTorch's -0 of a complex 0 depends on its place."""
    return w.one([name for name in SINGLES if name not in ("neg", "square", "abs")] if t.is_complex() else SINGLES)


def pair(w: Writer, t: Any) -> str:
    """An op of two operands that no machine rounds in its own way."""
    names = CLOSED if w.retyped(t) else PAIRS
    if any_complex(w):
        names = [n for n in names if n != "div" and (n != "mul" or w.exact())]
    return w.one(names)


def symbol(w: Writer, t: Any) -> str:
    """The like, as an operator."""
    names = SYMBOLS[:6] if w.retyped(t) else SYMBOLS
    return w.one([n for n in names if n not in "*"] if any_complex(w) and not w.exact() else names)


def any_complex(w: Writer) -> bool:
    return any(t.is_complex() for _, t in w.tensors())


def operand(w: Writer, t: Any) -> str:
    """The second operand of a computation."""
    how = w.dice.random()
    dtype = str(t.dtype)[6:]
    if how < 0.4:
        return w.number(dtype)
    if how < 0.7:
        return w.tensor()[0]
    return w.fresh(w.broadcastable(tuple(t.shape)), dtype if w.often(0.75) else w.dtype())


@step(14)
def compute_in_place(w: Writer, x: str, t: Any) -> str | None:
    name, other = pair(w, t), w.settled(x, operand(w, t))
    alpha = f", alpha={w.one(['2', '-1', '0.5'])}" if name in ("add", "sub") and w.often(0.15) else ""
    return other and f"{x}.{name}_({other}{alpha})"


@step(4)
def compute_one_in_place(w: Writer, x: str, t: Any) -> str | None:
    return w.settled(x, "1") and f"{x}.{single(w, t)}_()"


@step(10)
def augment(w: Writer, x: str, t: Any) -> str | None:
    value = w.settled(x, operand(w, t))
    return value and f"{x} {symbol(w, t)}= {value}" if _can_be_set(w, x) else None


@step(6)
def compute(w: Writer, x: str, t: Any) -> str:
    how = w.dice.random()
    if how < 0.3:
        return kept(w, spell(w, x, single(w, t)))
    if how < 0.6:
        return kept(w, f"{x} {w.one([symbol(w, t), symbol(w, t), '<', '==', '!=', '>='])} {operand(w, t)}")
    return kept(w, spell(w, x, pair(w, t), operand(w, t)))


@step(5)
def compute_into(w: Writer, x: str, t: Any) -> str | None:
    found = w.like(lambda o: o.shape == t.shape) if w.often(0.7) else None
    out, o = found or w.tensor()
    operands = [x] if w.often(0.3) else [x, operand(w, t)]
    read = [w.settled(out, source) for source in operands]
    if None in read:
        return None
    if w.meeting(operands) != o.shape:  # what is resized would lie on what is read
        read = [f"({source}).clone()" if source != out and w.share(out, source) else source for source in operands]
    name = single(w, t) if len(read) == 1 else pair(w, o)
    return f"torch.{name}({', '.join(map(str, read))}, out={out})"


@step(6)
def overwrite(w: Writer, x: str, t: Any) -> str | None:
    dtype = str(t.dtype)[6:]
    if w.often(0.2):
        return f"{x}.zero_()"
    if w.often(0.35):
        return f"{x}.fill_({w.number(dtype) if w.often(0.85) else w.tensor()[0]})"
    if w.often(0.4):
        source = w.settled(x, w.tensor()[0])
        return source and f"{x}.copy_({source})"
    return (
        w.settled(x, "1")
        and f"{x}.copy_({w.fresh(w.broadcastable(tuple(t.shape)), dtype if w.often(0.7) else w.dtype())})"
    )


@step(3)
def join(w: Writer, x: str, t: Any) -> str:
    found = w.like(lambda o: o.shape == t.shape and o is not t) if w.often(0.8) else w.tensor()
    other, _ = found or (x, t)
    dim = f", {w.dim(t.dim())}" if w.often(0.6) else ""
    return kept(w, f"torch.{w.one(['cat', 'stack'])}([{x}, {other}]{dim})")


@step(3)
def choose(w: Writer, x: str, t: Any) -> str:
    mask = w.like(lambda o: o.dtype == w.engine.bool)
    condition = mask[0] if mask and w.often(0.5) else w.fresh(w.broadcastable(tuple(t.shape)), "bool")
    return kept(w, f"torch.where({condition}, {x}, {operand(w, t)})")


@step(3)
def loop(w: Writer, x: str, t: Any) -> str | None:
    what = w.one(["v.zero_()", "v.neg_()", "v.t_()", "v.fill_(1)", "v.mul_(2)", "v.unsqueeze_(0)", "v"])
    return f"[{what} for v in {x}]" if t.dim() and len(t) < 4 and w.settled(x, "1") and not t.is_complex() else None


@step(3)
def copies(w: Writer, x: str, t: Any) -> str | None:
    other, o = w.tensor()
    if not t.numel() or not o.numel() or "uint" in f"{t.dtype}{o.dtype}".replace("uint8", ""):
        return None  # PyTorch pickles no unsigned numbers, and forgets what shares an empty storage
    how = ["copy.copy({x})", "copy.deepcopy({x})", "copy.deepcopy([{x}, {other}])", "pickle.loads(pickle.dumps({x}))"]
    return kept(w, w.one(how).format(x=x, other=other))


# -- another storage, another size -------------------------------------------------------------------------------


@step(4)
def resize(w: Writer, x: str, t: Any) -> str:
    if w.often(0.2):
        return f"{x}.resize_({_size_args(w, tuple(t.shape) if w.often(0.5) else (0,))})"
    size = w.size(4) if w.often(0.5) else w.factors(t.numel())
    return f"grow({x}, {_size_args(w, size)})"


@step(3)
def look_elsewhere(w: Writer, x: str, t: Any) -> str:
    other, o = w.like(lambda o: o.dtype == t.dtype) or w.tensor() if w.often(0.9) else w.tensor()
    how = w.dice.random()
    if how < 0.35:
        return f"{x}.set_({other})"
    if how < 0.45:
        return f"{x}.set_()"
    if how < 0.65 and o.dtype == t.dtype:
        strided = _strided(w, o, within=True)
        offset = strided[2] if len(strided) > 2 else "0"
        return f"{x}.set_({other}.untyped_storage(), {offset}, {strided[0]}, {strided[1]})"
    return f"{x}.data = {other}"


@step(2)
def write_to_storage(w: Writer, x: str, t: Any) -> str | None:
    count = t.untyped_storage().nbytes()
    if not count or t.dtype == w.engine.bool or t.is_floating_point() or t.is_complex():
        return None
    return f"{x}.untyped_storage()[{w.among(0, count - 1)}] = {w.among(0, 100)}"


@step(2)
def ask(w: Writer, x: str, t: Any) -> str:
    other, _ = w.tensor()
    return w.one(
        [
            f"{x}.is_set_to({other})",
            f"{x}.tolist()",
            f"list({x})",
            f"len({x})",
            f"{x}.item()",
            f"bool({x})",
            f"{x}.size({w.dim(t.dim())})",
            f"{x}.stride({w.dim(t.dim())})",
            f"{x}.equal({other})",
            f"{x}.element_size(), {x}.nbytes",
            f"3 in {x}",
            f"int({x})",
        ]
    )
