"""torch.utils.flop_counter: a counter of multiplications and additions, which cannot be switched on yet.

Libraries make one for each summary of a model, also where nothing is to be counted.

>>> FlopCounterMode(display=False).get_total_flops()
0
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ..engine.errors.reasons import refuse

__all__ = ["FlopCounterMode"]


class FlopCounterMode:
    """Counts the multiplications and additions of the ops in a block: for later. Until then the counts are empty."""

    def __init__(
        self, mods: Any = None, depth: int = 2, display: bool = True, custom_mapping: dict[Any, Any] | None = None
    ):
        self.mods, self.depth, self.display, self.custom_mapping = mods, depth, display, custom_mapping
        self.flop_counts: dict[str, dict[Any, int]] = defaultdict(lambda: defaultdict(int))

    def get_total_flops(self) -> int:
        """How many were counted."""
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self) -> dict[str, dict[Any, int]]:
        """How many were counted in each module, by op."""
        return {name: dict(counts) for name, counts in self.flop_counts.items()}

    def __enter__(self) -> FlopCounterMode:
        message = "torch.utils.flop_counter.FlopCounterMode is for later"
        refuse(NotImplementedError, message, "nothing here counts multiplications and additions", rule="name.later")

    def __exit__(self, *error: object) -> None:
        """There is nothing to end."""


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
