"""Schedules that begin or end slowly: ConstantLR, LinearLR, PolynomialLR."""

from __future__ import annotations

from typing import Any

from ..optimizer import Optimizer
from .scheduler import LRScheduler, settings


class ConstantLR(LRScheduler):
    """A fraction of the rate for the first epochs."""

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside()
        if self.last_epoch == 0:
            return [group["lr"] * self.factor for group in self.optimizer.param_groups]
        if self.last_epoch != self.total_iters:
            return settings(self.optimizer, "lr")
        return [group["lr"] * (1.0 / self.factor) for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self) -> list[Any]:
        ended = self.last_epoch >= self.total_iters
        return [base * (self.factor + ended * (1 - self.factor)) for base in self.base_lrs]


class LinearLR(LRScheduler):
    """From one fraction of the rate to another in a straight line."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside()
        groups, span = self.optimizer.param_groups, self.end_factor - self.start_factor
        if self.last_epoch == 0:
            return [group["lr"] * self.start_factor for group in groups]
        if self._is_initial or self.last_epoch > self.total_iters:
            return settings(self.optimizer, "lr")
        factor = 1.0 + span / (self.total_iters * self.start_factor + (self.last_epoch - 1) * span)
        return [group["lr"] * factor for group in groups]

    def _get_closed_form_lr(self) -> list[Any]:
        span, done = self.end_factor - self.start_factor, min(self.total_iters, self.last_epoch)
        return [base * (self.start_factor + span * done / self.total_iters) for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Down to zero as a power of the epochs that are left."""

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside()
        if self._is_initial or self.last_epoch > self.total_iters:
            return settings(self.optimizer, "lr")
        left = 1.0 - self.last_epoch / self.total_iters
        factor = (left / (1.0 - (self.last_epoch - 1) / self.total_iters)) ** self.power
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self) -> list[Any]:
        factor = (1.0 - min(self.total_iters, self.last_epoch) / self.total_iters) ** self.power
        return [base * factor for base in self.base_lrs]
