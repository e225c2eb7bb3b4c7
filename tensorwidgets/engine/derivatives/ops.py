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
        if not self._room and full in FACE:
            result = FACE[full]
        elif full in OPS:
            result = OPS[full].function
        elif any(row.startswith(full + ".") for row in OPS):
            result = Functions(full + ".")
        else:
            raise AttributeError(f"there is no function called {full}")
        setattr(self, name, result)
        return result


torch: Any = Functions()
