"""What the cells of a lesson import when they run, so that a box imports it once and not in each of its runs.

A list that is not complete costs time, and nothing else: what is not imported before a run is imported in it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from .cells import Cell

_PICTURES = "tensorwidgets.pictures"
BY_WORD = {
    r"\bshow\b": (
        "bdb", "executing", f"{_PICTURES}.kinds", f"{_PICTURES}.arrays.combs", f"{_PICTURES}.memory.bars",
        f"{_PICTURES}.memory.image", f"{_PICTURES}.memory.views", f"{_PICTURES}.operations.broadcast.broadcast",
    ),
    r"\bshow\.memory\b": (f"{_PICTURES}.memory.chosen", f"{_PICTURES}.memory.cells.growth"),
    r"\bphoto\b": ("numpy.ma", "PIL.JpegImagePlugin"),
    r"\bwhy\b": (
        "tensorwidgets.engine.errors.tracebacks", "tensorwidgets.engine.explain.steps",
        "tensorwidgets.engine.expressions.brief",
    ),
    r"\.live\(": ("anywidget", "tensorwidgets.live.explorer", "tensorwidgets.live.expressions"),
    r"\bsetup_check\b": ("anywidget", "h5py", "scipy", "ml_dtypes"),
    r"\bsparse\b": ("scipy.sparse", "tensorwidgets.engine.layouts.sparse.kernels"),
    r"\b(exp|log|sigmoid|(log_)?softmax|cross_entropy|CrossEntropyLoss)\b": ("scipy.special",),
    r"quantize": ("tensorwidgets.engine.layouts.quantized.kernels",),
    r"\bcuda\b": ("tensorwidgets.engine.devices.arena", "tensorwidgets.engine.devices.gpus"),
    r"\bcatalogue\b": ("scipy.fft", "tensorwidgets.engine.help.catalogue"),
}  # fmt: skip
"""The modules that a word in a cell imports when it is called."""


def imported_late(cells: Iterable[Cell]) -> list[str]:
    """The modules that a lesson's own cells import. An answer has no say in it: this is imported outside of its run.

    >>> imported_late([Cell("lesson", "", "from pandas import Series, io"), Cell("answer", "03.2", "import this")])
    ['pandas']
    """
    own = [cell.source for cell in cells if cell.kind == "lesson"]
    named = [name for source in own for name in _named(source)]
    called = [
        name for word, names in BY_WORD.items() if any(re.search(word, source) for source in own) for name in names
    ]
    return list(dict.fromkeys([*named, *called]))


def _named(source: str) -> list[str]:
    """The modules that a cell imports by a statement. A cell with a magic is left alone."""
    try:
        statements = list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return []
    plain = [alias.name for one in statements if isinstance(one, ast.Import) for alias in one.names]
    return plain + [one.module for one in statements if isinstance(one, ast.ImportFrom) and one.module]
