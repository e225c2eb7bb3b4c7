"""Random programs of leaves, operations, views, in-place writes, modes, hooks and backward.

Lines are written beside a running engine, so that most of them fit what the lines before have made; every choice is the
seed's. Numbers are short and operations tame, so that the printed form does not depend on how a sum is rounded.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from math import prod
from typing import Any

from tests.gradients.programs.running import VARIABLES, Program, execute, scope_for

NAMES = sorted(VARIABLES)
MOST_ELEMENTS = 24
TAME = 2_000
DTYPES = ["float64"] * 12 + ["float32"] * 3 + ["complex128"] * 2 + ["int64"]

UNARY = (
    "sin cos tanh sigmoid exp relu neg abs square sqrt clone log1p erf floor sign expm1 atan positive reciprocal "
    "contiguous round frac"
).split()
INPLACE_UNARY = "neg_ sin_ relu_ tanh_ sigmoid_ square_ abs_ zero_ cos_ exp_ floor_ sqrt_".split()
BINARY = ["+", "-", "*", "*", "*", "/"]
INPLACE_BINARY = ["mul_", "add_", "sub_", "copy_", "mul_", "add_", "div_"]


class Writer:
    """A program in the making: its lines, its variables as they are, and the dice."""

    def __init__(self, seed: int, engine: Any):
        self.dice = random.Random(seed)
        self.torch = engine
        self.scope = scope_for(engine)
        self.lines: Program = []
        self.handles = 0

    # -- dice --------------------------------------------------------------------------------------------------------

    def often(self, share: float) -> bool:
        return self.dice.random() < share

    def one(self, things: Any) -> Any:
        return self.dice.choice(list(things))

    # -- what there is -----------------------------------------------------------------------------------------------

    def tensors(self, fits: Callable[[Any], bool] = lambda t: True) -> list[tuple[str, Any]]:
        """Every tensor that a line can name, and that fits."""
        found = []
        for name in NAMES:
            value = self.scope.get(name)
            if isinstance(value, self.torch.Tensor):
                found.append((name, value))
            elif isinstance(value, (tuple, list)):
                found += [(f"{name}[{i}]", v) for i, v in enumerate(value) if isinstance(v, self.torch.Tensor)][:3]
        return [pair for pair in found if fits(pair[1])]

    def tensor(self, fits: Callable[[Any], bool] = lambda t: True) -> tuple[str, Any]:
        """Some tensor that fits; a tracked one more often than not, and late ones rather than early ones."""
        found = self.tensors(fits) or self.tensors()
        some = [pair for pair in found if tracked(pair[1])]
        return self.one(some if some and self.often(0.7) else found)

    def name(self) -> str:
        fresh = [n for n in NAMES if n not in self.scope]
        return fresh[0] if fresh and (len(fresh) > 2 or self.often(0.5)) else self.one(NAMES)

    # -- parts of lines ----------------------------------------------------------------------------------------------

    def size(self) -> tuple[int, ...]:
        size = tuple(self.dice.choices([1, 2, 2, 3, 3, 4], k=self.one([0, 1, 1, 2, 2, 2, 3])))
        return size if prod(size) <= MOST_ELEMENTS else size[:1]

    def numbers(self, size: tuple[int, ...], dtype: str) -> str:
        def one() -> str:
            if dtype == "int64":
                return str(self.dice.randint(-3, 4))
            if dtype.startswith("complex"):
                return f"{self.dice.randint(-8, 8) / 4:g}{self.dice.randint(-8, 8) / 4:+g}j"
            return f"{self.one([-8, -6, -5, -3, -2, -1, 1, 2, 3, 4, 6, 7, 9]) / 4:g}"

        def nested(size: tuple[int, ...]) -> str:
            return f"[{', '.join(nested(size[1:]) for _ in range(size[0]))}]" if size else one()

        return nested(size)

    def fresh(self, size: tuple[int, ...] | None = None, tracked: bool = False, dtype: str = "") -> str:
        size = self.size() if size is None else size
        dtype = dtype or self.one(DTYPES)
        flag = ", requires_grad=True" if tracked else ""
        how = self.dice.random()
        if how < 0.12:
            return f"torch.{self.one(['ones', 'zeros'])}({size}, dtype=torch.{dtype}{flag})"
        return f"torch.tensor({self.numbers(size, dtype)}, dtype=torch.{dtype}{flag})"

    def number(self) -> str:
        return self.one(["2", "0.5", "-1", "3", "1.5", "-0.25", "0"])

    def dim(self, t: Any) -> int:
        return self.dice.randint(-t.dim(), t.dim() - 1) if t.dim() else 0

    def like(self, t: Any) -> str:
        """Something to combine with a tensor: a number, a tensor that broadcasts, a fresh one."""
        how = self.dice.random()
        if how < 0.2:
            return self.number()
        size = tuple(t.shape)
        fits = self.tensors(lambda s: _stretches(tuple(s.shape), size))
        if fits and how < 0.75:
            return self.one(fits)[0]
        if how < 0.8:
            return self.tensor()[0]
        own = tuple(1 if self.often(0.2) else n for n in size)[self.one([0, 0, 0, 1]) :]
        return self.fresh(own, self.often(0.2), _dtype(t))

    def index(self, t: Any) -> str:
        """An index into a tensor that gives a view."""
        parts = []
        for n in tuple(t.shape)[: self.one([1, 1, 2, 3])]:
            how = self.dice.random()
            if how < 0.35 and n:
                parts.append(str(self.dice.randrange(-n, n)))
            elif how < 0.75:
                a, b = sorted((self.dice.randint(0, n), self.dice.randint(0, n)))
                parts.append(f"{a}:{b + (a == b)}" if self.often(0.8) else "::2")
            else:
                parts.append(":")
        if self.often(0.12):
            parts.insert(self.dice.randint(0, len(parts)), "None")
        return ", ".join(parts) if parts else "..."

    def view(self, name: str, t: Any) -> str:
        """An expression for a view of a tensor."""
        d, e, n = self.dim(t), self.dim(t), t.numel()
        ways = [f"{name}[{self.index(t)}]"] * 4 + [
            f"{name}.view(-1)", f"{name}.reshape(-1)", f"{name}.flatten()", f"{name}.unsqueeze({d})",
            f"{name}.squeeze()", f"{name}.detach()", f"{name}.view_as({name})", f"{name}.diagonal()", f"{name}.mT",
            f"{name}.t()", f"{name}.T", f"{name}.expand(2, {', '.join('-1' for _ in t.shape)})",
            f"{name}.as_strided(({max(n // 2, 1)},), (1,))", f"{name}.as_strided((2, {max(n // 2, 1)}), (1, 1), 0)",
            f"{name}.view({self.factors(n)})", f"{name}.reshape({self.factors(n)})",
        ]  # fmt: skip
        if t.dim():
            length = t.shape[d]
            ways += [
                f"{name}.transpose({d}, {e})", f"{name}.select({d}, 0)", f"{name}.movedim({d}, {e})",
                f"{name}.narrow({d}, 0, {max(length - 1, 0)})", f"{name}.unfold({d}, {min(2, length)}, 1)",
                f"{name}.permute({list(self.dice.sample(range(t.dim()), t.dim()))})", f"{name}.squeeze({d})",
            ]  # fmt: skip
        if t.is_complex():
            ways += [f"torch.view_as_real({name})", f"{name}.real", f"{name}.imag", f"{name}.conj()"] * 2
        return self.one(ways)

    def views(self, name: str, t: Any) -> str:
        """An expression for several views at once."""
        d = self.dim(t)
        length = t.shape[d] if t.dim() else 1
        return self.one(
            [f"{name}.unbind({d})", f"{name}.split({max(1, (length + 1) // 2)}, {d})", f"{name}.chunk(2, {d})",
             f"{name}.tensor_split(2, {d})", f"{name}.split([1, {length - 1}], {d})"]
        )  # fmt: skip

    def factors(self, n: int) -> tuple[int, ...]:
        pairs = [(i, n // i) for i in range(1, n + 1) if n % i == 0]
        return self.one([*pairs, (n,), (1, n)]) if pairs else (0,)

    def expression(self) -> str:
        """A new tensor out of those that there are."""
        name, t = self.tensor()
        how = self.dice.random()
        if how < 0.3:
            return f"{name} {self.one(BINARY)} {self.like(t)}"
        if how < 0.36:
            return f"{self.number()} {self.one(BINARY)} {name}"
        if how < 0.56:
            return f"{name}.{self.one(UNARY)}()"
        if how < 0.7:
            return self.reduction(name, t)
        if how < 0.78:
            return self.product(name, t)
        if how < 0.84 and self.scope.get("Double"):
            return self.custom(name, t)
        return self.other(name, t)

    def reduction(self, name: str, t: Any) -> str:
        word = self.one(["sum", "sum", "mean", "prod", "amax", "logsumexp", "cumsum", "var", "norm", "max", "sum"])
        if word in ("logsumexp", "cumsum", "amax") or t.dim() and self.often(0.4):
            keep = ", keepdim=True" if word not in ("cumsum", "norm") and self.often(0.3) else ""
            dim = f"dim={self.dim(t)}" if word in ("norm", "var") else self.dim(t)
            return f"{name}.{word}({dim}{keep})" + (".values" if word == "max" else "")
        return f"{name}.{word}()"

    def product(self, name: str, t: Any) -> str:
        if t.dim() == 2:
            other = self.tensors(lambda s: s.dim() in (1, 2) and s.shape[0] == t.shape[1] and s.dtype == t.dtype)
            return f"{name} @ {self.one(other)[0]}" if other and self.often(0.5) else f"{name} @ {name}.t()"
        if t.dim() == 1:
            return self.one([f"{name}.dot({name})", f"torch.outer({name}, {name})"])
        return f"torch.matmul({name}, {name}.mT)"

    def custom(self, name: str, t: Any) -> str:
        word = self.one(["Double", "Product", "Both", "Turned", "Tripled", "TooMany"] + ["Double", "Product"] * 2)
        return f"{word}.apply({name}, {self.like(t)})" if word == "Product" else f"{word}.apply({name})"

    def other(self, name: str, t: Any) -> str:
        like, d = self.like(t), self.dim(t)
        # No maximum where -0 meets 0: PyTorch takes the second in eight numbers at once, the first in those left over.
        ways = [
            f"torch.where({name} > 0, {name}, {like})", f"{name}.clamp(min=-1)", f"{name}.clamp(-1, 1.5)",
            f"torch.cat([{name}, {name}], {d})", f"torch.stack([{name}, {name}])", f"{name}.flip({d})", f"{name} ** 2",
            f"{name}.pow(3)", f"torch.addcmul({name}, {name}, {like if _is_name(like) else name})", f"{name}.repeat(2)",
            f"torch.lerp({name}, {name}, 0.5)", f"{name}.masked_fill({name} > 0, 2)", f"{name}.to(torch.float32)",
            f"{name}.index_select({d}, torch.tensor([0, 0]))", f"{name}[[0]]", f"{name}.sort({d}).values",
            f"{name}.softmax({d})", f"{name}.new_ones(2)", f"torch.ones_like({name})", f"{name} > 0",
            f"{name}.argmax()",
            f"{name}.roll(1)", f"torch.maximum({name}, {name}.sigmoid())", f"{name}.tril()", f"{name}.double()",
            f"torch.ones_like({name}, requires_grad=True)", f"{name}.conj()", f"{name}.add({name}, alpha=2)",
        ]  # fmt: skip
        return self.one(ways)

    # -- lines -------------------------------------------------------------------------------------------------------

    def make(self) -> str:
        return f"{self.name()} = {self.fresh(tracked=self.often(0.75))}"

    def compute(self) -> str:
        return f"{self.name()} = {self.expression()}"

    def look(self) -> str:
        name, t = self.tensor()
        return f"{self.name()} = {self.views(name, t) if self.often(0.2) else self.view(name, t)}"

    def target(self) -> tuple[str, Any]:
        """Where a line writes to: a tensor, or a view of one made for it."""
        name, t = self.tensor(made) if self.often(0.7) else self.tensor()
        if self.often(0.3):
            text = self.view(name, t)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    return text, eval(text, dict(self.scope))
            except Exception:
                pass
        return name, t

    def write(self) -> str:
        target, t = self.target()
        how = self.dice.random()
        if how < 0.4:
            source = self.like(t)
            word = self.one(INPLACE_BINARY)
            if word == "copy_" and not _is_tensor_text(source):
                word = "mul_"
            return f"{target}.{word}({source})"
        if how < 0.55:
            return f"{target}.{self.one(INPLACE_UNARY)}()"
        if how < 0.62:
            return f"{target}.fill_({self.number() if self.often(0.7) else self.scalar()})"
        if how < 0.8:
            name, t = self.tensor(made) if self.often(0.6) else self.tensor()
            index = self.index(t)
            if self.often(0.15):
                index = self.one([f"{name} > 0", "[0]", "..."])
            try:
                part = eval(f"{name}[{index}]", dict(self.scope))
                source = self.like(part) if self.often(0.8) else self.scalar()
            except Exception:
                source = self.number()
            return f"{name}[{index}] {self.one(['=', '=', '=', '+=', '*='])} {source}"
        if how < 0.9:
            name, t = self.tensor(made)
            return f"{name} {self.one(['+=', '*=', '-='])} {self.like(t)}"
        d = self.dim(t)
        return self.one(
            [f"{target}.masked_fill_({target} > 0, 1)", f"{target}.clamp_(max=1)", f"{target}.t_()",
             f"{target}.squeeze_()",
             f"{target}.unsqueeze_({d})", f"{target}.transpose_({d}, {self.dim(t)})", f"{target}.pow_(2)",
             f"{target}.index_fill_({d}, torch.tensor([0]), 2)", f"{target}.addcmul_({target}, {target})",
             f"{target}.lerp_({target}, 0.5)", f"{target}.clamp_(0, 1)"]
        )  # fmt: skip

    def scalar(self) -> str:
        found = self.tensors(lambda t: t.dim() == 0)
        return self.one(found)[0] if found else f"{self.tensor()[0]}.sum()"

    def flag(self) -> str:
        name, t = self.tensor()
        end = self.tensor(leaf)[0]
        late = self.tensor(made)[0]
        return self.one(
            [f"{name}.requires_grad_()", f"{end}.requires_grad_()", f"{end}.requires_grad_(False)",
             f"{name}.requires_grad = {self.one(['True', 'False'])}", f"{late}.retain_grad()", f"{late}.retain_grad()",
             f"{name}.retain_grad()", f"{late}.detach_()", f"{self.name()} = {name}.detach()",
             f"{self.name()} = {name}.detach().requires_grad_()", f"{self.name()} = {name}.data",
             f"{name}.data.{self.one(INPLACE_UNARY)}()", f"{name}.data.mul_(2)", f"{end}.grad = None",
             f"{end}.grad = {self.fresh(tuple(t.shape), False, _dtype(t))}", f"{end}.grad.zero_()",
             f"{self.name()} = {end}.grad", f"{self.name()} = {late}.grad", f"{end}.grad = torch.ones_like({end})",
             f"del {name.partition('[')[0]}", f"{end}.data = {self.tensor()[0]}.detach().clone()",
             f"{end}.grad.mul_(2)", f"{self.name()} = {name}.clone()"]
        )  # fmt: skip

    def hook(self) -> str:
        name, t = self.tensor(tracked)
        self.handles += 1
        handle = f"hook{self.handles}"
        if self.handles > 1 and self.often(0.25):
            return f"hook{self.dice.randint(1, self.handles - 1)}.remove()"
        does = self.one(
            [f"log.append(('{name}', g.tolist()))", "g * 2", "g.mul(0.5)", f"log.append('{name}')", "g + 1", "None",
             "log.append((g.requires_grad, str(g.grad_fn)[:20]))"]
        )  # fmt: skip
        if self.often(0.15):
            return f"{handle} = {name}.register_post_accumulate_grad_hook(lambda p: log.append(p.grad.tolist()))"
        if self.often(0.2):
            if self.often(0.5):
                return f"{handle} = {name}.grad_fn.register_prehook(lambda gs: log.append(['{name}', len(gs)]))"
            return f"{handle} = {name}.grad_fn.register_hook(lambda gi, go: log.append(['{name}', len(gi), len(go)]))"
        return f"{handle} = {name}.register_hook(lambda g: {does})"

    def backward(self) -> str:
        name, t = self.tensor(made)
        flags = [f for f, share in (("retain_graph=True", 0.35), ("create_graph=True", 0.15)) if self.often(share)]
        if self.often(0.12):
            flags.append(f"inputs=[{self.tensor()[0]}]")
        root = name
        if t.dim() or t.is_complex():
            how = self.dice.random()
            if how < 0.5:
                root = f"{name}.{self.one(['sum', 'sum', 'mean'])}()"
            elif how < 0.9:
                size, dtype = tuple(t.shape), _dtype(t)
                flags.insert(0, self.one([f"torch.ones_like({name})", self.fresh(size, self.often(0.1), dtype)]))
        if t.is_complex() and self.often(0.8):
            root = f"{name}.abs().sum()"
            flags = [f for f in flags if "=" in f and not f.startswith("torch")]
        return f"{root}.backward({', '.join(flags)})"

    def grad(self) -> str:
        name, t = self.tensor(made)
        of = [self.tensor(tracked)[0] for _ in range(self.one([1, 1, 2]))]
        flags = [
            f
            for f, share in (
                ("allow_unused=True", 0.6), ("create_graph=True", 0.4), ("retain_graph=True", 0.3),
                ("materialize_grads=True", 0.05),
            )
            if self.often(share)
        ]  # fmt: skip
        root = f"{name}.sum()" if t.dim() or self.often(0.1) else name
        if t.dim() and self.often(0.3):
            root, flags = name, [f"grad_outputs={self.fresh(tuple(t.shape), False, _dtype(t))}", *flags]
        return f"{self.name()} = torch.autograd.grad({root}, [{', '.join(of)}]{''.join(', ' + f for f in flags)})"

    def mode(self) -> str:
        mode = self.one(
            ["no_grad()"] * 5 + ["enable_grad()"] * 2 + ["inference_mode()"] * 2 + ["set_grad_enabled(False)"]
        )
        if self.often(0.06):
            return f"torch.set_grad_enabled({self.one(['True', 'True', 'False'])})"
        inside = [self.simple() for _ in range(self.one([1, 1, 2]))]
        if mode.startswith("inference"):  # a leaf that is an inference tensor breaks rules that nobody wrote down
            inside = [line.replace(", requires_grad=True", "") for line in inside]
        return f"with torch.{mode}: {'; '.join(inside)}"

    def simple(self) -> str:
        return self.one([self.compute, self.look, self.write, self.write, self.make, self.flag])()

    def line(self) -> str:
        if not self.tensors():
            return self.make()
        how = self.dice.random()
        for share, say in (
            (0.06, self.make), (0.26, self.compute), (0.42, self.look), (0.64, self.write), (0.71, self.flag),
            (0.76, self.hook), (0.86, self.backward), (0.92, self.grad), (1, self.mode),
        ):  # fmt: skip
            if how < share:
                return say()
        return self.make()

    def add(self, line: str) -> bool:
        """Take a line into the program; False where it made what is too large to go on with."""
        execute(line, self.scope)
        if self.wild():
            return False
        self.lines.append(line)
        return True

    def wild(self) -> bool:
        for _, t in self.tensors():
            if t.numel() > 4 * MOST_ELEMENTS:
                return True
            for numbers in (t, _grad(t)):
                if numbers is not None and numbers.numel():
                    plain = numbers.detach().to_dense().resolve_conj()
                    plain = plain.abs() if plain.is_complex() else plain.double().abs()
                    if not bool((plain < TAME).all()):
                        return True
        return False


def tracked(t: Any) -> bool:
    return _asked(lambda: t.requires_grad)


def leaf(t: Any) -> bool:
    return _asked(lambda: t.is_leaf)


def made(t: Any) -> bool:
    """Whether a tensor is the result of an operation that is followed."""
    return _asked(lambda: not t.is_leaf)


def _asked(question: Callable[[], bool]) -> bool:
    try:
        return question()
    except RuntimeError:  # a view that lost its place in the graph refuses to say
        return False


def _grad(t: Any) -> Any:
    try:
        return t.grad
    except RuntimeError:
        return None


def _stretches(size: tuple[int, ...], to: tuple[int, ...]) -> bool:
    return len(size) <= len(to) and all(n in (1, m) for n, m in zip(size[::-1], to[::-1], strict=False))


def _dtype(t: Any) -> str:
    return str(t.dtype)[6:] if t.is_floating_point() or t.is_complex() else "float64"


def _is_name(text: str) -> bool:
    return text[0] in VARIABLES


def _is_tensor_text(text: str) -> bool:
    return _is_name(text) or text.startswith("torch")


def write(seed: int, torch: Any) -> Program:
    """The program of a seed."""
    writer = Writer(seed, torch)
    try:
        writer.add(f"a = {writer.fresh(tracked=True, dtype='float64')}")
        length = writer.dice.randint(5, 14)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            while len(writer.lines) < length and writer.add(writer.line()):
                pass
    finally:
        torch.set_grad_enabled(True)
    return writer.lines
