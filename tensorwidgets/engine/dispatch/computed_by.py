"""What computes a row: a function of a library, our own arithmetic on such functions, or other rows.

The table `computed_by.tsv` is written by watching every row at work (`python -m tests.engine.catalogue.observe_rows`).
A test watches again, so what it says is what happens. It is read when `route` or help asks for it.
"""

from __future__ import annotations

import inspect
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from .registry import OPS, Op


class ComputedBy(NamedTuple):
    """How one row computes."""

    how: str
    """library | own | composite | view | python | none | refused; user, for a row that the package does not bring"""
    functions: tuple[str, ...]
    """The functions of NumPy and SciPy that it calls, the most telling first."""
    rows: tuple[str, ...]
    """The other rows that it calls."""


VIEW = "none: a view is new numbers for size, stride and offset over the same storage"
_WORDS = {
    "python": "a Python function, called for each element",
    "none": "none: no number is computed",
    "refused": "none: every call is refused",
    "user": "not among the rows of the package",
}
_BEHIND = {"numpy.matmul": "BLAS", "numpy.dot": "BLAS", "numpy.linalg.": "LAPACK", "scipy.linalg.lapack.": "LAPACK",
           "scipy.linalg.blas.": "BLAS", "scipy.linalg.qr": "LAPACK"}  # fmt: skip
"""The library behind a function, by how the function's name begins."""


def computed_by(op: Op) -> ComputedBy:
    """How a row computes.

    >>> computed_by(OPS["hypot"])
    ComputedBy(how='library', functions=('numpy.hypot',), rows=())
    """
    return _table().get(op.name, ComputedBy("user", (), ()))


@cache
def _table() -> dict[str, ComputedBy]:
    text = files(__package__).joinpath("computed_by.tsv").read_text(encoding="utf-8")
    table = {}
    for line in text.splitlines()[1:]:
        row, how, functions, rows = (line + "\t\t").split("\t")[:4]
        table[row] = ComputedBy(how, _listed(functions), _listed(rows))
    return table


def _listed(names: str) -> tuple[str, ...]:
    return tuple(names.split(", ")) if names else ()


def kernel_words(op: Op) -> str:
    """What computes a row, in words.

    >>> kernel_words(OPS["linalg.svd"])
    'numpy.linalg.svd (LAPACK), in ops/linalg/svd.py'
    >>> kernel_words(OPS["tensordot"])
    'made of: permute, reshape, mm, mul, squeeze, sum'
    >>> kernel_words(OPS["sigmoid"])
    'our own on numpy.add, numpy.exp, numpy.negative, numpy.reciprocal'
    """
    how, functions, rows = computed_by(op)
    if how == "composite":
        return f"made of: {', '.join(rows)}"
    if how == "view":
        copying = ", ".join((*functions, *rows))
        return VIEW + (f"; where that cannot be: {copying}" if functions else "")
    if how in _WORDS:
        return _WORDS[how]
    words = ", ".join(_with_library(name) for name in functions)
    if how == "own":
        words = f"our own on {words}"
    if rows:
        words += f", with the rows {', '.join(rows)}"
    file = _file(op)
    return f"{words}, in {file}" if file else words


def _with_library(name: str) -> str:
    return next((f"{name} ({library})" for start, library in _BEHIND.items() if name.startswith(start)), name)


def _file(op: Op) -> str:
    """The file of a row's kernel; empty for one that the declaring form calls by itself."""
    base = OPS.get(op.name[:-1], op) if op.name.endswith("_") else op
    engine = Path(__file__).parents[1]
    for function in (base.kernel, base.rule):
        code = getattr(inspect.unwrap(function) if callable(function) else function, "__code__", None)
        if code is not None and (base.rule is None or callable(base.rule)):
            path = Path(code.co_filename)
            inside = path.relative_to(engine).as_posix() if path.is_relative_to(engine) else ""
            if not inside.startswith("declare/"):
                return inside
    return ""
