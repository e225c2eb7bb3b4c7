"""Random programs of calls: hooks, `out=`, functions of the user's own, many operations, layers, optimizers.

Beside the views and writes of `writer`, its lines are sentences with gaps: ``{x}`` and ``{y}`` are tensors that there
are, ``{d}`` a dimension of x, ``{like}`` something to combine with it, ``{new}`` a name. A sentence that is a mere
expression is tried first, and another is taken where it does not fit, most of the time.
"""

from __future__ import annotations

import re
import warnings
from typing import Any

from tests.gradients.programs import sentences
from tests.gradients.programs.running import Program
from tests.gradients.programs.writer import Writer, _dtype, leaf, made, tracked

GAP = re.compile(r"\{([a-z]+\d?)\}")


class Caller(Writer):
    """A program of calls in the making."""

    def fill(self, sentence: str) -> str:
        """A sentence with its gaps filled, the same gap with the same text."""
        x, t = self.tensor(tracked)
        if self.often(0.8):  # sentences with letters for sizes need a tensor of those
            for mark, dims in (("{x1}", 1), ("{x2}", 2), ("{sq}", -1)):
                if mark in sentence:
                    fits = self.tensors(
                        lambda s, dims=dims: s.dim() == dims if dims > 0 else s.dim() == 2 and s.shape[0] == s.shape[1]
                    )
                    x, t = self.one(fits) if fits else (x, t)
        y, u = self.tensor(tracked)
        n = t.numel()
        gaps = {
            "x": lambda: x, "y": lambda: y, "x1": lambda: x, "x2": lambda: x, "sq": lambda: x,
            "d": lambda: str(self.dim(t)), "last": lambda: str(t.shape[-1] if t.dim() else 1), "n": lambda: str(n),
            "like": lambda: self.like(t), "same": lambda: self.fresh(tuple(t.shape), False, _dtype(t)),
            "anew": lambda: self.fresh(tuple(t.shape), self.often(0.5), _dtype(t)),
            "new": self.name, "number": self.number, "leaf": lambda: self.tensor(leaf)[0],
            "made": lambda: self.tensor(made)[0], "view": lambda: self.view(x, t), "views": lambda: self.views(x, t),
            "index": lambda: self.index(t), "long": lambda: self.long(t), "expr": self.expression,
            "write": self.write, "dtype": lambda: self.one(sentences.DTYPES), "seen": lambda: self.one(sentences.SEEN),
            "flags": self.flags, "compute": self.compute, "some": lambda: self.fresh(None, True),
            "any": lambda: self.fresh(None, self.often(0.5)),
        }  # fmt: skip
        filled: dict[str, str] = {}

        def gap(found: re.Match[str]) -> str:
            word = found.group(1)
            if word not in filled:
                filled[word] = GAP.sub(gap, gaps[word if word in gaps else word.rstrip("2")]())
            return filled[word]

        return GAP.sub(gap, sentence)

    def long(self, t: Any) -> str:
        """Indices along the last dimension of a tensor, of its own size."""
        last = t.shape[-1] if t.dim() else 1
        rows = self.numbers(tuple(t.shape), "int64")
        return f"torch.tensor({re.sub(r'-?[0-9]+', lambda m: str(int(m[0]) % max(last, 1)), rows)})"

    def flags(self) -> str:
        shares = (("allow_unused=True", 0.6), ("create_graph=True", 0.35), ("retain_graph=True", 0.4),
                  ("materialize_grads=True", 0.1))  # fmt: skip
        return "".join(f", {flag}" for flag, share in shares if self.often(share))

    def expression(self) -> str:
        for _ in range(4):
            text = super().expression() if self.often(0.25) else self.fill(self.one(self.one(sentences.EXPRESSIONS)))
            if self.fits(text) or self.often(0.1):
                return text
        return text

    def fits(self, text: str) -> bool:
        """Whether an expression gives something, tried on the side."""
        log = self.scope["log"]
        kept = list(log)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                eval(text, dict(self.scope))
            return True
        except Exception:
            return False
        finally:
            log[:] = kept

    def hook(self) -> str:
        self.handles += 1
        handle = f"hook{self.handles}"
        if self.handles > 1 and self.often(0.15):
            return f"hook{self.dice.randint(1, self.handles - 1)}.remove()"
        target = self.fill(self.one(["{x}", "{x}", "{made}", "{made}", "{leaf}", "{view}"]))
        return self.fill(self.one(self.one(sentences.HOOKS))).replace("HANDLE", handle).replace("TARGET", target)

    def backward(self) -> str:
        return super().backward() if self.often(0.6) else self.fill(self.one(sentences.BACKWARD))

    def grad(self) -> str:
        return super().grad() if self.often(0.3) else self.fill(self.one(sentences.GRAD))

    def sentence(self) -> str:
        return self.fill(self.one(self.one(sentences.LINES)))

    def lines_of_a_module(self) -> Program:
        """Several lines that belong together: a module is made, hooked, called, trained."""
        return [self.fill(self.one(each)) for each in self.one(sentences.STORIES)]

    def line(self) -> str:
        if not self.tensors():
            return self.make()
        how = self.dice.random()
        for share, say in (
            (0.05, self.make), (0.25, self.compute), (0.32, self.look), (0.4, self.write), (0.43, self.flag),
            (0.55, self.hook), (0.67, self.backward), (0.75, self.grad), (0.77, self.mode), (1, self.sentence),
        ):  # fmt: skip
            if how < share:
                return say()
        return self.make()

    def begin(self) -> None:
        """The first lines: a leaf, and in some programs a module."""
        self.add(f"a = {self.fresh(tracked=True, dtype='float64')}")
        if self.often(0.6):
            self.add(f"b = {self.fresh(self.one([(2,), (3,), (2, 2), (2, 3), (3, 3)]), True, 'float64')}")
        if self.often(0.25):
            for line in self.lines_of_a_module():
                self.add(line)


def written_by(writer: Caller, torch: Any) -> Program:
    """The lines that a writer comes to."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            writer.begin()
            length = len(writer.lines) + writer.dice.randint(4, 10)
            while len(writer.lines) < length and writer.add(writer.line()):
                pass
    finally:
        torch.set_grad_enabled(True)
    return writer.lines


def write(seed: int, torch: Any) -> Program:
    """The program of a seed."""
    return written_by(Caller(seed, torch), torch)
