"""Jupyter starts in half of the time: what takes longest to import is imported when it is asked for."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec, module_from_spec
from typing import Any

GRAMMARS = "rfc3987_syntax"
"""What jsonschema checks international addresses with. It reads 38 grammars when it is imported, in 1.7 seconds, and
hardly any schema asks for one."""


def grammars_later() -> None:
    """Before Jupyter is imported: let jsonschema have a check of addresses that imports the grammars when asked."""
    spec = None if GRAMMARS in sys.modules else find_spec(GRAMMARS)
    if spec is not None:
        stand_in = module_from_spec(spec)
        stand_in.is_valid_syntax = _checked  # type: ignore[attr-defined]
        sys.modules[GRAMMARS] = stand_in


def _checked(term: str, value: str) -> bool:
    """The check of the real module, which takes the place of its stand-in."""
    if getattr(sys.modules.get(GRAMMARS), "is_valid_syntax", None) is _checked:
        del sys.modules[GRAMMARS]
    return bool(importlib.import_module(GRAMMARS).is_valid_syntax(term, value))


def jupyterlab() -> Any:
    """The class of JupyterLab's server. To know its own version, JupyterLab starts Node, where there is one, and asks
    for the address that packages are built from: half a second for an answer that nobody needs."""
    from jupyterlab import commands

    found = getattr(commands, "which", None)
    commands.which = _no_node
    try:
        from jupyterlab.labapp import LabApp
    finally:
        commands.which = found
    return LabApp


def _no_node(command: str, *given: Any, **named: Any) -> str:
    """As if there were no Node."""
    raise ValueError(f"{command} is not asked for its settings")
