"""The catalogue: all ops by category, one line each, or the page of one op.

>>> "transpose" in catalogue("swaps two")
True
>>> print(str(catalogue("swapaxes")).partition("kind")[0])
transpose: Swaps two dimensions and their strides. A view.
<BLANKLINE>
called    torch.transpose(input, dim0, dim1)
          x.transpose(dim0, dim1)
in place  x.transpose_(dim0, dim1)
also      swapaxes, swapdims
gives     a view: the same storage, no element copied
<BLANKLINE>
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple, overload

from .. import files
from ..dispatch.registry import FACE, OPS, Op
from ..tensor.tensor import Tensor
from .lazy_help import public_names
from .pages import CATEGORIES, aligned, call_text, page
from .signatures import as_method, of_function

_ELSEWHERE = {
    "creation": "from_numpy frombuffer",
    "other": "broadcast_shapes",
    "locally_disabling_grad": """no_grad enable_grad set_grad_enabled is_grad_enabled inference_mode
        is_inference_mode_enabled""",
    "parallelism": "get_num_interop_threads get_num_threads set_num_interop_threads set_num_threads",
    "random_sampling": "get_rng_state initial_seed manual_seed seed set_rng_state",
    "serialization": """load load_hdf5 load_npy load_npz load_safetensors
        save save_hdf5 save_npy save_npz save_safetensors""",
    "tensors_utils": """get_default_device get_default_dtype is_complex is_conj is_floating_point is_nonzero is_storage
        is_tensor numel set_default_device set_default_dtype set_default_tensor_type set_flush_denormal
        set_printoptions""",
    "utilities": "can_cast promote_types result_type",
}
"""Categories of functions without a row, as in PyTorch's documentation; all others are utilities."""

_ABOUT_THE_ENGINE = ("add_kind", "forget_kernel", "forget_kind", "register_kernel", "route")


class Entry(NamedTuple):
    """One line of the catalogue."""

    name: str
    category: str
    words: str
    names: tuple[str, ...]
    """All names that find the entry."""
    op: Op | None
    function: Any

    def line(self, width: int) -> str:
        return f"  {self.name:<{width}}  {self.words}"


class Catalogue:
    """Ops by category, one line each."""

    def __init__(self, entries: tuple[Entry, ...], asked: str = ""):
        self.entries, self.asked = entries, asked

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __contains__(self, name: object) -> bool:
        return any(name in entry.names for entry in self.entries)

    def categories(self) -> dict[str, list[str]]:
        """Returns the names by category."""
        collected: dict[str, list[str]] = {}
        for entry in self.entries:
            collected.setdefault(entry.category, []).append(entry.name)
        return collected

    def __repr__(self) -> str:
        if not self.entries:
            return _nothing(self.asked)
        width = max(len(entry.name) for entry in self.entries)
        blocks = []
        for category in self.categories():
            lines = [entry.line(width) for entry in self.entries if entry.category == category]
            blocks.append("\n".join([CATEGORIES.get(category, category), *lines]))
        if not self.asked:
            blocks.append(_counted())
        return "\n\n".join(blocks)


class Explanation:
    """The page of one op."""

    def __init__(self, entry: Entry):
        self.entry = entry

    def __repr__(self) -> str:
        entry = self.entry
        if entry.op is not None:
            text = f"{entry.name}: {page(entry.op)}"
        else:
            text = f"{entry.name}: {_page_of_function(entry)}"
        near = [e.name for e in _all() if e is not entry and entry.name in e.name][:8]
        return f"{text}\n\nsee also  {', '.join(near)}" if near else text


COMPOSITE = "composite"


def how_declared(op: Op) -> str:
    """What decides the size and the dtype of a row's result: its rule, its elements as well, or data from outside.

    A composite row leaves it to the rows that it is made of.

    >>> [how_declared(OPS[name]) for name in ("add", "unique", "from_numpy", "tensordot")]
    ['rule', 'values', 'data', 'composite']
    """
    return op.decided_by or (COMPOSITE if op.rule is None else "rule")


def _counted() -> str:
    counts = Counter(map(how_declared, OPS.values()))
    others = f"{counts['values']} decided by values, {counts['data']} by data, {counts[COMPOSITE]} composite"
    return f"{len(OPS)} rows, in-place forms included: {counts['rule']} with a rule, {others}"


@overload
def catalogue() -> Catalogue: ...
@overload
def catalogue(asked: str) -> Catalogue | Explanation: ...
def catalogue(asked: str = "") -> Catalogue | Explanation:
    """Returns all ops by category, those that match a word or the name of a category, or the page of one op.

    `catalogue("composite")` lists the ops that are made of other ops and compute nothing themselves.

    >>> print(str(catalogue("arrange")).partition(",")[0])
    there is no entry called 'arrange' and none that mentions it; did you mean arange
    """
    if not asked:
        return Catalogue(_all())
    for entry in _all():
        if asked in entry.names:
            return Explanation(entry)
    wanted = asked.lower()
    if wanted == COMPOSITE:
        return Catalogue(tuple(e for e in _all() if e.op is not None and how_declared(e.op) == COMPOSITE), asked)
    titles = [category for category, title in CATEGORIES.items() if _is_part(wanted, title.lower())]
    results = [
        e
        for e in _all()
        if e.category in titles or any(wanted in name.lower() for name in e.names) or wanted in e.words.lower()
    ]
    return Catalogue(tuple(results), asked)


def _is_part(wanted: str, title: str) -> bool:
    """Whether whole words of a title were asked for: "reduction", "linear algebra", not "and" or "in".

    >>> _is_part("linear algebra", "math: linear algebra"), _is_part("index", "indexing, slicing")
    (True, False)
    """
    return len(wanted) > 3 and re.search(rf"\b{re.escape(wanted)}\b", title) is not None


def _nothing(asked: str) -> str:
    names = [name for entry in _all() for name in entry.names]
    near = get_close_matches(asked, names, 3)
    return f"there is no entry called {asked!r} and none that mentions it" + (
        f"; did you mean {', '.join(near)}?" if near else ""
    )


@cache
def _all() -> tuple[Entry, ...]:
    order = {category: i for i, category in enumerate(CATEGORIES)}
    results = [*_rows(), *_functions(), *_members()]
    return tuple(sorted(results, key=lambda e: (order.get(e.category, len(order)), e.name)))


def _rows() -> Iterator[Entry]:
    """Yield the public rows; an in-place form belongs to the entry of its op."""
    for op in OPS.values():
        base = OPS.get(op.name[:-1]) if op.name.endswith("_") else None
        if not op.forms or op.name.startswith("_") or base is not None and base.forms:
            continue
        inplace = [name + "_" for name in (op.name, *op.aliases) if op.name + "_" in OPS]
        yield Entry(op.name, op.category, op.words, (op.name, *op.aliases, *inplace), op, op.function)


def _functions() -> Iterator[Entry]:
    """Yield public functions without a row."""
    categories = {name: category for category, names in _ELSEWHERE.items() for name in names.split()}
    rows = {name for name, _ in public_names()}
    saving = {name: getattr(files, name) for name in _ELSEWHERE["serialization"].split()}
    for name, function in {**FACE, **saving}.items():
        if name in rows or name in _ABOUT_THE_ENGINE:
            continue
        if name in categories or isinstance(function, FunctionType):
            category = categories.get(name, "utilities")
            yield Entry(name, category, first_line(function), (name,), None, function)


def _members() -> Iterator[Entry]:
    """Yield methods and properties of Tensor without a row."""
    taken = {name for entry in (*_rows(), *_functions()) for name in entry.names}
    for name, member in vars(Tensor).items():
        if not name.startswith("_") and name not in taken and isinstance(member, (FunctionType, property)):
            yield Entry(name, "tensor", first_line(member), (name,), None, member)


def first_line(thing: Any) -> str:
    """The first line of the docstring of a function or a property."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def _page_of_function(entry: Entry) -> str:
    spelled = f"x.{entry.name}" if entry.category == "tensor" else f"torch.{entry.name}"
    if isinstance(entry.function, property):
        lines = [("read", spelled)]
    else:
        way = of_function(entry.function)
        lines = [("called", call_text(spelled, as_method(way) if entry.category == "tensor" else way))]
    # The docstrings' examples are left out: they use internal module names.
    return "\n\n".join([(inspect.getdoc(entry.function) or "").partition(">>>")[0].strip(), aligned(lines)])


__all__ = ["Catalogue", "Entry", "Explanation", "catalogue"]
