"""Schedules that a function gives: LambdaLR and MultiplicativeLR."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..optimizer import Optimizer
from .scheduler import LRScheduler, function_state, settings


class _ByFunctions(LRScheduler):
    """A schedule with a function for each group."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        self.optimizer = optimizer
        groups = optimizer.param_groups
        self.lr_lambdas: list[Callable[[int], float]]
        if not isinstance(lr_lambda, (list, tuple)):
            self.lr_lambdas = [lr_lambda] * len(groups)
        elif len(lr_lambda) != len(groups):
            raise ValueError(f"Expected {len(groups)} lr_lambdas, but got {len(lr_lambda)}")
        else:
            self.lr_lambdas = list(lr_lambda)
        self._check()
        super().__init__(optimizer, last_epoch)

    def _check(self) -> None:
        """Refuse functions of the wrong type."""

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the optimizer; functions are not saved, objects that can be called are."""
        state = {key: value for key, value in self.__dict__.items() if key not in ("optimizer", "lr_lambdas")}
        return state | {"lr_lambdas": [function_state(each) for each in self.lr_lambdas]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        functions = state_dict["lr_lambdas"]
        self.__dict__.update({key: value for key, value in state_dict.items() if key != "lr_lambdas"})
        for mine, saved in zip(self.lr_lambdas, functions, strict=False):
            if saved is not None:
                mine.__dict__.update(saved)


class LambdaLR(_ByFunctions):
    """The first rate times a function of the epoch."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside()
        return [base * each(self.last_epoch) for each, base in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class MultiplicativeLR(_ByFunctions):
    """The rate before times a function of the epoch."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        super().__init__(optimizer, lr_lambda, last_epoch)

    def _check(self) -> None:
        for each in self.lr_lambdas:
            if not callable(each):
                raise TypeError(f"lr_lambda should be a function, but got {type(each).__name__}")

    def get_lr(self) -> list[Any]:
        self._warn_outside()
        if self._is_initial:
            return settings(self.optimizer, "lr")
        groups = self.optimizer.param_groups
        return [group["lr"] * each(self.last_epoch) for each, group in zip(self.lr_lambdas, groups, strict=True)]
