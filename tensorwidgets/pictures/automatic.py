"""Arrays at the end of a notebook's cell draw themselves, while `show.auto()` is on."""

from __future__ import annotations

import ast
import sys
from typing import Any

import numpy as np

from .kinds import picture_of
from .memory.views import storage_and_views

LONGEST = 40
"""The longest expression that names a picture."""


def switch(on: bool) -> None:
    """Draw arrays in the shell that runs this, or stop it."""
    shell = _shell()
    if shell is None:
        raise RuntimeError("show.auto() is for notebooks and IPython; here, show(x) draws a picture")
    formatter = shell.display_formatter.formatters["text/html"]
    for kind in (np.ndarray, sys.modules["tensorwidgets"].Tensor):
        if on:
            formatter.for_type(kind, drawn)
        else:
            formatter.pop(kind, None)
    # PyTorch may come later, or never.
    if on:
        formatter.for_type_by_name("torch", "Tensor", drawn)
        formatter.for_type_by_name("torch.nn.parameter", "Parameter", drawn)
    else:
        formatter.pop("torch.Tensor", None)
        formatter.pop("torch.nn.parameter.Parameter", None)


def _shell() -> Any:
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None


def drawn(array: Any) -> str | None:
    """The small picture of an array; None, for which the text is shown, where it cannot be drawn."""
    label = _expression()
    try:
        picture = picture_of([array], [label]) or storage_and_views([array], [label], small=True)
        return picture.html()
    except Exception:  # a subclass, or memory that is gone: a display must not fail
        return None


def _expression() -> str:
    """What the cell ends with, if that is short: it names the picture."""
    shell = _shell()
    try:
        last = ast.parse(shell.transform_cell(shell.user_ns["In"][-1])).body[-1]
    except (AttributeError, LookupError, SyntaxError, ValueError):
        return "Out"
    text = ast.unparse(last) if isinstance(last, ast.Expr) else "Out"
    return text if len(text) <= LONGEST and "display" not in text else "Out"
