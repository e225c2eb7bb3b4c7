"""Lines that compute, also in place and into other tensors."""

from __future__ import annotations

from typing import Any

from tests.engine.programs.program_steps.indexing import can_be_set
from tests.engine.programs.program_steps.lines import kept, spell, steps
from tests.engine.programs.program_writer import Writer

STEPS, step = steps()


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
    return value and f"{x} {symbol(w, t)}= {value}" if can_be_set(w, x) else None


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
