"""Schedules that go up and down: CyclicLR and OneCycleLR, which may move the momentum the other way."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from ..optimizer import Optimizer
from .scheduler import LRScheduler, check_optimizer, for_each_group, function_state, put


def _begin_momentum(optimizer: Optimizer, least: Any, most: Any, begins: bool) -> tuple[bool, list[Any], list[Any]]:
    """Whether momentum is the first beta, and its bounds for each group; groups begin with the upper one."""
    if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
        raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
    as_beta = "betas" in optimizer.defaults
    lower = for_each_group("base_momentum", optimizer, least)
    upper = for_each_group("max_momentum", optimizer, most)
    for low, high, group in zip(lower, upper, optimizer.param_groups, strict=True) if begins else ():
        _put_momentum(group, high, as_beta)
        group["max_momentum"], group["base_momentum"] = high, low
    return as_beta, lower, upper


def _put_momentum(group: dict[str, Any], value: Any, as_beta: bool) -> None:
    if as_beta:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value


class CyclicLR(LRScheduler):
    """Between two rates, up and down again and again, counted in batches."""

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float = 0.8,
        max_momentum: float = 0.9,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        lower = for_each_group("base_lr", optimizer, base_lr)
        for rate, group in zip(lower, optimizer.param_groups, strict=True) if last_epoch == -1 else ():
            put(group, "lr", rate)
        self.max_lrs = for_each_group("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (float(step_size_down) if step_size_down is not None else up)
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode
        self._init_scale_fn()
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1, self.base_momentums, self.max_momentums = _begin_momentum(
                optimizer, base_momentum, max_momentum, last_epoch == -1
            )
        super().__init__(optimizer, last_epoch)
        self.base_lrs = lower

    def _init_scale_fn(self) -> None:
        if self._scale_fn_custom is not None:
            return
        functions: dict[str, Callable[[float], float]] = {
            "triangular": _same,
            "triangular2": _half,
            "exp_range": functools.partial(pow, self.gamma),
        }
        self._scale_fn_ref = functions[self.mode]
        self.scale_mode = "iterations" if self.mode == "exp_range" else "cycle"

    def scale_fn(self, x: float) -> float:
        """How high a cycle is, or an iteration."""
        return (self._scale_fn_ref if self._scale_fn_custom is None else self._scale_fn_custom)(x)

    def get_lr(self) -> list[Any]:
        self._warn_outside()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            bounds = zip(self.base_momentums, self.max_momentums, strict=True)
            momenta = [high - (high - low) * height * scale for low, high in bounds]
            for group, momentum in zip(self.optimizer.param_groups, momenta, strict=True):
                _put_momentum(group, momentum, self.use_beta1)
        return [low + (high - low) * height * scale for low, high in zip(self.base_lrs, self.max_lrs, strict=True)]

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the optimizer; a function is not saved, an object that can be called is."""
        state = super().state_dict()
        state.pop("_scale_fn_ref", None)
        function = state.pop("_scale_fn_custom")
        return state | {"_scale_fn_custom": None if function is None else function_state(function)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        saved = state_dict["_scale_fn_custom"]
        super().load_state_dict({key: value for key, value in state_dict.items() if key != "_scale_fn_custom"})
        if saved is not None:
            self._scale_fn_custom.__dict__.update(saved)
        self._init_scale_fn()


class OneCycleLR(LRScheduler):
    """One rise and one long fall, over the whole training."""

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        if total_steps is not None:
            self.total_steps = _positive(total_steps, "total_steps")
        elif epochs is not None and steps_per_epoch is not None:
            self.total_steps = _positive(epochs, "epochs") * _positive(steps_per_epoch, "steps_per_epoch")
        else:
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        first, last = float(pct_start * self.total_steps) - 1, self.total_steps - 1
        phases: list[tuple[float, str, str, str, str]]
        phases = [(first, "initial_lr", "max_lr", "max_momentum", "base_momentum")]
        if three_phase:
            second = float(2 * pct_start * self.total_steps) - 2
            phases += [(second, "max_lr", "initial_lr", "base_momentum", "max_momentum")]
            phases += [(last, "initial_lr", "min_lr", "max_momentum", "max_momentum")]
        else:
            phases += [(last, "max_lr", "min_lr", "base_momentum", "max_momentum")]
        names = ("end_step", "start_lr", "end_lr", "start_momentum", "end_momentum")
        self._schedule_phases: list[dict[str, Any]] = [dict(zip(names, phase, strict=True)) for phase in phases]
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_func_type = anneal_strategy
        for highest, group in zip(for_each_group("max_lr", optimizer, max_lr), optimizer.param_groups, strict=True):
            if last_epoch == -1:
                group["initial_lr"] = highest / div_factor
                group["max_lr"] = highest
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = _begin_momentum(optimizer, base_momentum, max_momentum, last_epoch == -1)[0]
        super().__init__(optimizer, last_epoch)

    def _anneal_func(self, start: Any, end: Any, share: float) -> Any:
        if self._anneal_func_type == "cos":
            return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)
        return (end - start) * share + start

    def get_lr(self) -> list[Any]:
        self._warn_outside()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The specified number of total steps is {self.total_steps}")
        start = 0.0
        for phase in self._schedule_phases:
            if step <= phase["end_step"] or phase is self._schedule_phases[-1]:
                break
            start = phase["end_step"]
        share = (step - start) / (phase["end_step"] - start)
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._anneal_func(group[phase["start_lr"]], group[phase["end_lr"]], share))
            if self.cycle_momentum:
                momentum = self._anneal_func(group[phase["start_momentum"]], group[phase["end_momentum"]], share)
                _put_momentum(group, momentum, self.use_beta1)
        return rates


def _positive(value: Any, name: str) -> int:
    if value <= 0 or not isinstance(value, int):
        raise ValueError(f"Expected positive integer {name}, but got {value}")
    return value


def _same(cycle: float) -> float:
    return 1.0


def _half(cycle: float) -> float:
    return 1 / (2.0 ** (cycle - 1))
