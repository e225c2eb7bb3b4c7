"""torch.return_types: the kinds of result whose places have names.

>>> import tensorwidgets as torch
>>> isinstance(torch.ones(2, 3).max(0), torch.return_types.max)
True
"""

from __future__ import annotations

from typing import Any

from .engine.help.signature_facts import RESULTS
from .engine.types.return_types import kind


def __getattr__(name: str) -> Any:
    if name not in RESULTS:
        from .engine.errors.missing_names import missing

        missing(__name__, name, RESULTS)
    return kind(name, RESULTS[name])


def __dir__() -> list[str]:
    return sorted(RESULTS)
