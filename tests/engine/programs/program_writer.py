"""A random program in the making: its lines, its variables as they are by now, the dice, and the small parts of lines.

Lines are written beside a running engine, so that most of them fit what the lines before have made. Every choice is the
seed's; the engine only tells of what size and dtype the variables are. Some parts are wrong on purpose.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from tensorwidgets.engine import geometry
from tests.engine.programs import programs

DTYPES = (
    ["float32"] * 10 + ["int64"] * 7 + ["float64"] * 3 + ["bool"] * 3 + ["uint8"] * 3 + ["complex64"] * 4
    + ["int32", "int16", "int8", "float16", "bfloat16", "complex128"] * 2 + ["uint16", "uint32"]
)  # fmt: skip
SIZES = [0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5]
NAMES = sorted(programs.VARIABLES)
MOST_ELEMENTS = 64
TAME = 30_000

Say = Callable[["Writer", str, Any], str | None]
"""Writes a line about a tensor, given as an expression and as it is now; None where it cannot."""


class Writer:
    """A program in the making: its lines, its variables as they are, and the dice."""

    def __init__(self, seed: int, engine: Any):
        self.dice = random.Random(seed)
        self.engine = engine
        self.lines: list[str] = []
        self.scope: dict[str, Any] = {"torch": engine, "np": np, "grow": programs.grow}
        self.dtypes = self.dice.choices(DTYPES, k=2) + self.dice.choices(["float32", "int64", "bool"], k=1)

    # -- dice ----------------------------------------------------------------------------------------------------

    def often(self, share: float) -> bool:
        return self.dice.random() < share

    def one(self, things: Any) -> Any:
        return self.dice.choice(list(things))

    def among(self, low: int, high: int) -> int:
        return self.dice.randint(low, max(low, high))

    # -- what there is ---------------------------------------------------------------------------------------------

    def tensors(self) -> list[tuple[str, Any]]:
        """Every tensor that a line can name."""
        found = []
        for name in NAMES:
            value = self.scope.get(name)
            if isinstance(value, self.engine.Tensor):
                found.append((name, value))
            elif isinstance(value, (tuple, list)):
                found += [(f"{name}[{i}]", v) for i, v in enumerate(value) if isinstance(v, self.engine.Tensor)][:3]
        return found

    def tensor(self) -> tuple[str, Any]:
        return self.one(self.tensors())

    def like(self, fits: Callable[[Any], bool]) -> tuple[str, Any] | None:
        """Some tensor of a kind, if there is one."""
        found = [pair for pair in self.tensors() if fits(pair[1])]
        return self.one(found) if found else None

    def new_name(self) -> str:
        """A name for a result: a fresh one while there are some, else one that is overwritten."""
        fresh = [n for n in NAMES if n not in self.scope]
        return fresh[0] if fresh and (len(fresh) > 3 or self.often(0.5)) else self.one(NAMES)

    # -- small parts of lines ------------------------------------------------------------------------------------------

    def size(self, most: int = 5) -> tuple[int, ...]:
        while True:
            size = tuple(self.dice.choices(SIZES, k=self.dice.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, min(most, 5)])))
            if prod(size) <= MOST_ELEMENTS:
                return size

    def dim(self, ndim: int) -> str:
        """A dimension; sometimes one that is not there."""
        if self.often(0.04):
            return self.one(["1.5", "'x'", "None", "True", "(0,)"])
        if self.often(0.05) or not ndim:
            return str(self.among(-ndim - 2, ndim + 1))
        return str(self.among(-ndim, ndim - 1))

    def factors(self, count: int) -> tuple[int, ...]:
        """A size for so many elements."""
        if not count:
            size = list(self.size(4))
            if 0 not in size:
                size.insert(self.among(0, len(size)), 0)
            return tuple(size)
        size = []
        while count > 1:
            n = self.one([d for d in range(2, count + 1) if count % d == 0])
            size.append(n)
            count //= n
        for _ in range(self.one([0, 0, 0, 1, 2])):
            size.insert(self.among(0, len(size)), 1)
        return tuple(size[:5]) if prod(size[:5]) == prod(size) else (prod(size),)

    def number(self, dtype: str) -> str:
        """A number that a dtype can hold; sometimes one that clashes."""
        kind = dtype if not self.often(0.12) else self.one(["bool", "int64", "float32", "complex64", "uint8"])
        if kind == "bool":
            return self.one(["True", "False", "1", "0"])
        if kind.startswith("complex"):
            return self.one(["1j", "2-1j", "3", "-0.5", "0j"])
        if kind.startswith(("float", "bfloat")):
            return self.one(["0.5", "-2", "3", "1.25", "0.1", "-0.0", "100", "7", "1e-3"])
        if kind.startswith("uint"):
            return self.one(["1", "2", "7", "200", "0", "3"])
        return self.one(["1", "2", "-3", "7", "0", "5", "-1", "100"])

    def numbers(self, dtype: str, count: int) -> list[str]:
        """Plain numbers of a dtype, all of which it holds."""
        pools = {
            "b": ["True", "False"],
            "u": ["0", "1", "2", "3", "5", "200"],
            "i": ["0", "1", "-2", "3", "4", "-5", "100"],
        }
        pools["c"] = ["1j", "2", "-1+2j", "0.5-1j", "0", "3j"]
        pools["f"] = ["0.", "1.", "-2.", "0.5", "2.25", "3.", "-0.0", "0.1", "100.", "1e-5"]
        pool = pools["b" if dtype == "bool" else {"b": "f"}.get(dtype[0], dtype[0])]
        if self.often(0.3):
            pool = pool[:3]
        return self.dice.choices(pool, k=count)

    def nested(self, size: tuple[int, ...], numbers: list[str]) -> str:
        if not size:
            return numbers[0]
        each = len(numbers) // size[0] if size[0] else 0
        rows = [self.nested(size[1:], numbers[i * each : (i + 1) * each]) for i in range(size[0])]
        return "[" + ", ".join(rows) + "]"

    def fresh(self, size: tuple[int, ...], dtype: str) -> str:
        """An expression for a new tensor."""
        how = self.dice.random()
        kind = f"dtype=torch.{dtype}"
        if 0 in size or how < 0.06:
            name = self.one(["zeros", "ones"])
            return f"torch.{name}({size}, {kind})"
        if how < 0.1:
            return f"torch.full({size}, {self.numbers(dtype, 1)[0]}, {kind})"
        count = prod(size)
        if how < 0.4 and not dtype.startswith(("bool", "complex", "uint16", "uint32")):
            return (
                f"torch.arange({count}, {kind}).reshape({size})" if len(size) != 1 else f"torch.arange({count}, {kind})"
            )
        if how < 0.5 and len(size) > 1:
            flat = self.nested((count,), self.numbers(dtype, count))
            return f"torch.tensor({flat}, {kind}).reshape({size})"
        return f"torch.tensor({self.nested(size, self.numbers(dtype, count))}, {kind})"

    def dtype(self) -> str:
        return self.one(self.dtypes) if self.often(0.8) else self.one(DTYPES)

    def broadcastable(self, size: tuple[int, ...]) -> tuple[int, ...]:
        """A size that stretches to this one; sometimes not quite."""
        if self.often(0.05):
            return self.size()
        own = [1 if self.often(0.25) else n for n in size]
        while own and self.often(0.25):
            own.pop(0)
        return (1, *own) if self.often(0.05) else tuple(own)

    def settled(self, target: str, source: str) -> str | None:
        """What may be written to a target, with a copy where the order of writing would show; None for no target.

        PyTorch refuses to read and write overlapping memory where that is easily told. Where it is not, the outcome
        depends on how its loops run.
        """
        try:
            t = eval(target, dict(self.scope))
            s = eval(source, dict(self.scope))
        except Exception:
            return source
        if not isinstance(t, self.engine.Tensor):
            return source
        written = list(geometry.offsets(_geometry(t)))
        if len(set(written)) < len(written) and geometry.overlap(*_geometry(t)[:2]) != "yes":
            return None
        if not isinstance(s, self.engine.Tensor) or t.untyped_storage().data_ptr() != s.untyped_storage().data_ptr():
            return source
        if t.element_size() == s.element_size() and _geometry(t) == _geometry(s):
            return source
        told = geometry.memory_overlap(_geometry(t), t.element_size(), _geometry(s), s.element_size())
        return source if told != "maybe" else f"({source}).clone()"

    def retyped(self, t: Any) -> bool:
        """Whether the storage of a tensor is read as another dtype by somebody."""
        place = t.untyped_storage().data_ptr()
        return any(o.dtype != t.dtype and o.untyped_storage().data_ptr() == place for _, o in self.tensors())

    def meeting(self, operands: list[str]) -> tuple[int, ...] | None:
        """The size at which operands meet; None where they do not."""
        sizes = [tuple(t.shape) for t in self._tensors_in([eval(x, dict(self.scope)) for x in operands])]
        found = geometry.broadcast(*sizes)
        return found if isinstance(found, tuple) else None

    def exact(self) -> bool:
        """Whether no product or quotient of complex numbers has to be rounded: how it is, differs between machines."""
        parts = []
        for _, t in self.tensors():
            if t.is_complex():
                for z in t.detach().resolve_conj().reshape(-1).tolist():
                    parts += [z.real, z.imag]
        return all(4 * x == int(4 * x) and abs(x) < 1000 for x in parts)

    def share(self, a: str, b: str) -> bool:
        """Whether two variables hold tensors on one storage."""
        pair = [self._tensors_in([eval(x, dict(self.scope))]) for x in (a, b)]
        return any(s.untyped_storage().data_ptr() == t.untyped_storage().data_ptr() for s in pair[0] for t in pair[1])

    # -- running it ----------------------------------------------------------------------------------------------------

    def add(self, line: str) -> None:
        """Take a line into the program, unless it would make something too large to look at, or of complex32."""
        trial = dict(self.scope)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                programs.perform(line, trial)
            except Exception:
                pass
        made = [v for name, v in trial.items() if v is not self.scope.get(name)]
        if all(t.numel() <= 4 * MOST_ELEMENTS and "complex32" not in str(t.dtype) for t in self._tensors_in(made)):
            self.lines.append(line)
            self.scope = trial

    def _tensors_in(self, values: Any) -> list[Any]:
        found = []
        for v in values:
            if isinstance(v, self.engine.Tensor):
                found.append(v)
            elif isinstance(v, (tuple, list)):
                found += self._tensors_in(v)
        return found

    def wild(self) -> bool:
        """Whether a number has got so large that no two machines agree on what integer it casts to."""
        for _, t in self.tensors():
            if t.is_floating_point() or t.is_complex():
                numbers = t.detach().resolve_conj().resolve_neg().reshape(-1).tolist()
                if not all(abs(x) < TAME for x in numbers):
                    return True
        return False


def _geometry(t: Any) -> geometry.Geometry:
    return geometry.Geometry(tuple(t.shape), t.stride(), t.storage_offset())
