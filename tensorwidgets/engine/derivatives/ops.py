"""PyTorch's functions under their own names, for formulas: ``from .ops import torch``."""

from __future__ import annotations

from typing import Any

from ..dispatch.registry import FACE, OPS


class Functions:
    """Looks a function up by its name: ``torch.where``, ``torch.linalg.solve``."""

    def __init__(self, room: str = ""):
        self._room = room

    def __getattr__(self, name: str) -> Any:
        full = self._room + name
        found = OPS[full].function if full in OPS else FACE.get(full) if not self._room else None
        if found is None:
            found = Functions(full + ".")
            if not any(row.startswith(full + ".") for row in OPS):
                raise AttributeError(f"there is no function called {full}")
        setattr(self, name, found)
        return found


torch: Any = Functions()
