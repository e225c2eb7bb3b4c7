"""Which ops there are: the rows, by name.

An op is a row: a name, a category, words, a rule (arithmetic on metadata) and a kernel. Every public function and
method is made from its row by `stations.bind`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..calling.reading import Notations
from ..errors.reasons import refuse
from ..tensor.tensor import Tensor
from ..tensor.thread_state import state

watching: set[object] = set()
"""Why calls take the long route at the moment, in all threads: an open recording, inference mode, anomaly mode.

Every wrapper checks whether it is empty; adding and removing are atomic.
"""


class Op:
    """One row of the catalogue.

    `family` says how the op works (view, pointwise, reduction, inplace …) and `category` where PyTorch documents it.
    """

    __slots__ = (
        "name", "family", "category", "words", "notations", "rule", "kernel", "plain", "function",
        "aliases", "forms", "kernels", "names_rule", "tracked", "quick", "quick_plain", "shortcut", "typed", "fitting",
        "decided_by",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        family: str,
        category: str,
        words: str,
        *,
        rule: Any = None,
        kernel: Any = None,
        aliases: tuple[str, ...] = (),
        forms: frozenset[str] = frozenset(("function", "method")),
        shortcut: Callable | None = None,
        decided_by: str = "",
    ):
        self.name, self.family, self.category, self.words = name, family, category, words
        self.rule, self.kernel = rule, kernel
        self.aliases, self.forms, self.shortcut = aliases, forms, shortcut
        self.decided_by = decided_by
        """What else than the rule decides a result: "values", its elements; "data", lists, arrays and buffers."""
        self.notations = Notations(name)
        """How the op is called as a function; without any if PyTorch does not have it, or has it in Python."""
        self.typed = False
        self.plain: Callable = _no_plain
        self.function: Callable = _no_plain
        self.kernels: dict[int, Callable] = {}
        self.fitting: dict[tuple, bool] = {}
        """A cache: whether PyTorch accepts arguments of these types."""
        self.names_rule: Callable | None = None
        self.tracked: Callable[..., Any] | None = None
        """Records a call on tensors that require a gradient, given its result and operands: `autograd/shortcuts`."""
        self.quick: Callable[..., Any] | None = None
        """Makes and records such a call, given its arguments; returns None for what is unusual."""
        self.quick_plain: Callable[..., Any] | None = None
        """The same where `quick` also takes calls that need no gradient."""

    def __repr__(self) -> str:
        return f"<op {self.name}: {self.family}, {self.category}>"


def _no_plain(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError("this row has not been bound")


OPS: dict[str, Op] = {}
"""Every op by its name; `Op.aliases` has the other names."""


def add_row(op: Op) -> Op:
    """Add a row. Its name must be new."""
    if op.name in OPS:
        raise AssertionError(f"two rows are called {op.name}")
    OPS[op.name] = op
    return op


def find(name: str | Callable) -> Op:
    """The row of an op, by its name, an alias, or the function itself."""
    target = name if isinstance(name, str) else getattr(name, "__name__", repr(name))
    if target in OPS:
        return OPS[target]
    for op in OPS.values():
        if target in op.aliases:
            return op
    refuse(
        NotImplementedError,
        f"there is no op called {target!r}",
        "the catalogue lists the ops by name",
        "catalogue()",
        rule="dispatch.unknown",
    )


def tensors_in(args: tuple, kwargs: dict) -> Iterator[Tensor]:
    """Every tensor among the arguments, in lists and tuples too."""
    for a in args:
        if isinstance(a, Tensor):
            yield a
        elif isinstance(a, (list, tuple)):
            yield from tensors_in(tuple(a), {})
    if kwargs:
        yield from tensors_in(tuple(kwargs.values()), {})


def keys_of(args: Iterable[Any], kwargs: dict) -> int:
    """The keys of all tensors among the arguments, at the stations that the call has not passed yet."""
    keys, hidden = 0, state.keys
    for a in (*args, *kwargs.values()) if kwargs else args:
        if isinstance(a, Tensor):
            keys |= a._keys & ~hidden.get(id(a), 0) if hidden else a._keys
        elif isinstance(a, (list, tuple)):
            keys |= keys_of(a, {})
    return keys & ~state.of_all


FACE: dict[str, Any] = {}
"""Everything that the package shows under PyTorch's names; the engine fills it after all rows are declared."""
