"""Lines that read and write by an index."""

from __future__ import annotations

from math import prod
from typing import Any

from tests.engine.programs.program_steps.lines import kept, steps
from tests.engine.programs.program_writer import Writer

STEPS, step = steps()


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
    return value and f"{target} {operator} {value}" if target != x or can_be_set(w, x) else None


def can_be_set(w: Writer, x: str) -> bool:
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
