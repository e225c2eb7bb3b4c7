"""torch.return_types: the kinds of result whose places have names.

>>> import tensorwidgets as torch
>>> isinstance(torch.ones(2, 3).max(0), torch.return_types.max)
True
"""

from __future__ import annotations

from typing import Any

from .engine.return_types import kind
from .engine.signature_facts import RESULTS


def __getattr__(name: str) -> Any:
    if name not in RESULTS:
        from .engine.scope import missing

        missing(__name__, name, RESULTS)
    return kind(name, RESULTS[name])


def __dir__() -> list[str]:
    return sorted(RESULTS)
