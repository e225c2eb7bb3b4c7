"""Jupyter starts in two thirds of the time: what takes longest to import is imported when it is asked for."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec, module_from_spec

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
