"""SWALR: the rate goes to a fixed one while parameters are averaged."""

from __future__ import annotations

import math
from typing import Any

from ..optimizer import Optimizer
from .scheduler import LRScheduler, for_each_group


class SWALR(LRScheduler):
    """From the current rate to `swa_lr`, along a cosine or a straight line, and no further."""

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        for rate, group in zip(for_each_group("swa_lr", optimizer, swa_lr), optimizer.param_groups, strict=True):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _share(self, step: int) -> float:
        """How much of the way is made after this many steps."""
        way = max(0, min(1, step / max(1, self.anneal_epochs)))
        return way if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * way)) / 2

    def get_lr(self) -> list[Any]:
        self._warn_outside()
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._share(step - 1), self._share(step)
        rates = []
        for group in self.optimizer.param_groups:
            goal = group["swa_lr"]
            first = goal if before == 1 else (group["lr"] - before * goal) / (1 - before)
            rates.append(goal * now + first * (1 - now))
        return rates
