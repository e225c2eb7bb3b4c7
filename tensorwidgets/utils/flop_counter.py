"""torch.utils.flop_counter: how many multiplications and additions does a model take?

>>> import tensorwidgets as torch
>>> net = torch.nn.Sequential(torch.nn.Linear(100, 50), torch.nn.ReLU(), torch.nn.Linear(50, 10))
>>> with FlopCounterMode() as flops:
...     y = net(torch.ones(20, 100))
Module            FLOP    % Total
------------  --------  ---------
Sequential    220.000K    100.00%
- aten.addmm  220.000K    100.00%
Sequential.0  200.000K     90.91%
- aten.addmm  200.000K     90.91%
Sequential.2   20.000K      9.09%
- aten.addmm   20.000K      9.09%
>>> flops.get_total_flops()
220000
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

from .._ops import OpOverloadPacket, ops
from ..engine.errors.reasons import refuse
from ..engine.errors.warnings import warn
from ..engine.modes.products import watched
from ..engine.tensor.tensor import Tensor
from ._pytree import tree_map
from .module_tracker import ModuleTracker

__all__ = ["FlopCounterMode", "register_flop_formula"]

_FORMULAS: dict[str, Callable] = {}
"""Formulas of programs, by the op's name in `torch.ops`."""
_SUFFIXES = ("", "K", "M", "B", "T")


def register_flop_formula(targets: Any, get_raw: bool = False) -> Callable[[Callable], Callable]:
    """For a function that says what an op takes, from the sizes of its tensors; `get_raw` hands on the tensors."""

    def register(formula: Callable) -> Callable:
        for target in targets if isinstance(targets, (list, tuple)) else [targets]:
            if not isinstance(target, OpOverloadPacket):
                refuse(
                    ValueError,
                    "register_flop_formula(targets): expected each target to be OpOverloadPacket (i.e. "
                    f"torch.ops.mylib.foo), JitFunction, or HigherOrderOperator, got {target} which is of type "
                    f"{type(target)}",
                    "a formula is for all ways to call an op",
                    "torch.ops.aten.sin",
                    rule="flops.target",
                )
            _FORMULAS[str(target)] = formula if get_raw else _of_sizes(formula)
        return formula

    return register


def _of_sizes(formula: Callable) -> Callable:
    def call(*args: Any, out_val: Any = None, **kwargs: Any) -> Any:
        sizes, named, out = tree_map(lambda t: t.shape if isinstance(t, Tensor) else t, (args, kwargs, out_val))
        return formula(*sizes, out_shape=out, **named)

    return call


class FlopCounterMode:
    """Counts the multiplications and additions of products of matrices and convolutions in a block, by module.

    All other ops count for nothing, unless `custom_mapping` or `register_flop_formula` has a formula for them. Leaving
    the block prints a table of the modules down to a `depth`, unless `display` is False.
    """

    def __init__(
        self, mods: Any = None, depth: int = 2, display: bool = True, custom_mapping: dict[Any, Any] | None = None
    ):
        if mods is not None:
            warn("mods argument is not needed anymore, you can stop passing it")
        self.depth, self.display = depth, display
        own = {
            str(op): formula if getattr(formula, "_get_raw", False) else _of_sizes(formula)
            for op, formula in (custom_mapping or {}).items()
        }
        self._formulas = {**_FORMULAS, **own}
        self.flop_counts: dict[str, dict[Any, int]] = defaultdict(lambda: defaultdict(int))
        self.mod_tracker = ModuleTracker()
        self._block = ExitStack()

    def get_total_flops(self) -> int:
        """How many were counted."""
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self) -> dict[str, dict[Any, int]]:
        """How many were counted in each module, by op."""
        return {name: dict(counts) for name, counts in self.flop_counts.items()}

    def get_table(self, depth: int | None = None) -> str:
        """The counts as a table of the modules down to a depth."""
        depth = self.depth if depth is None else depth
        total = self.get_total_flops()
        suffix = _suffix(total)
        modules = [name for name in sorted(self.flop_counts) if name != "Global" and name.count(".") < depth]
        if not any(sum(self.flop_counts[name].values()) >= total for name in modules):
            modules.insert(0, "Global")  # something is counted outside of all modules
        rows = [("Module", "FLOP", "% Total")]
        for name in modules:
            counts = self.flop_counts[name]
            for label, count in ((name, sum(counts.values())), *((f"- {op}", count) for op, count in counts.items())):
                rows.append((label, _shortened(count, suffix), _share(count, total)))
        return _as_text(rows if total or len(modules) > 1 else [rows[0], ("Global", "0", "0%")])

    def __enter__(self) -> FlopCounterMode:
        self.flop_counts.clear()
        self._block.enter_context(self.mod_tracker)
        self._block.enter_context(watched(self._count))
        return self

    def __exit__(self, *error: object) -> None:
        self._block.close()
        if self.display:
            print(self.get_table(self.depth))

    def _count(self, name: str, taken: int | None, args: tuple, kwargs: dict, result: Any) -> None:
        formula = self._formulas.get(f"aten.{name}")
        if formula is not None and result is not None:
            taken = formula(*args, **kwargs, out_val=result)
        if taken is not None:
            op = getattr(ops.aten, name)
            for module in self.mod_tracker.parents:
                self.flop_counts[module][op] += taken


def _suffix(number: int) -> str:
    """The unit of a table: thousands from five digits on, so that 1.2 million is 1200K.

    >>> [_suffix(n) for n in (9999, 10000, 9999999, 10000000)]
    ['', 'K', 'K', 'M']
    """
    return _SUFFIXES[max(0, min(len(_SUFFIXES) - 1, (len(str(number)) - 2) // 3))]


def _shortened(number: int, suffix: str) -> str:
    return f"{number / 1000 ** _SUFFIXES.index(suffix):.3f}{suffix}"


def _share(part: int, total: int) -> str:
    return f"{part / total:.2%}" if total else "0%"


def _as_text(rows: list[tuple[str, str, str]]) -> str:
    """A table: the first column begins to the left, the others end to the right."""
    widths = [max(len(rows[0][n]) + 2, *(len(row[n]) for row in rows)) for n in range(3)]

    def lines() -> Iterator[str]:
        for row in (rows[0], tuple("-" * width for width in widths), *rows[1:]):
            yield "  ".join((row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].rjust(widths[2])))

    return "\n".join(lines())


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
