"""Lines that make views."""

from __future__ import annotations

from typing import Any

from tests.engine.programs.program_steps.lines import kept, spell, steps
from tests.engine.programs.program_writer import DTYPES, Writer

STEPS, step = steps()


@step(4)
def as_strided(w: Writer, x: str, t: Any) -> str:
    return kept(w, spell(w, x, "as_strided", *strided_args(w, t)))


@step(1)
def as_strided_(w: Writer, x: str, t: Any) -> str:
    return spell(w, x, "as_strided_", *strided_args(w, t))


def strided_args(w: Writer, t: Any, within: bool = False) -> list[str]:
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


def size_args(w: Writer, size: tuple[Any, ...]) -> str:
    return ", ".join(map(repr, size)) if size and w.often(0.5) else str(tuple(size))


@step(5)
def view(w: Writer, x: str, t: Any) -> str:
    return kept(w, f"{x}.view({size_args(w, _shape_for(w, t.numel()))})")


@step(4)
def reshape(w: Writer, x: str, t: Any) -> str:
    size = _shape_for(w, t.numel())
    return kept(w, f"torch.reshape({x}, {size})" if w.often(0.2) else f"{x}.reshape({size_args(w, size)})")


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
    return kept(w, f"{x}.permute({size_args(w, tuple(order))})")


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
    return kept(w, f"{x}.expand({size_args(w, tuple(size))})")


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
