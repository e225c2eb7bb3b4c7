"""Optimizers and schedulers of libraries: around others, and by old names, as on PyTorch 2.13."""

from __future__ import annotations

from typing import Any

import pytest

import tensorwidgets as torch
from tensorwidgets.optim.lr_scheduler import LRScheduler, StepLR, _LRScheduler
from tensorwidgets.optim.optimizer import Optimizer, required
from tensorwidgets.utils._foreach_utils import _group_tensors_by_device_and_dtype


class Around(Optimizer):
    """An optimizer that leaves out `super().__init__`, as wrappers do."""

    def __init__(self, inside: Optimizer) -> None:
        self.inside, self.param_groups = inside, inside.param_groups

    def step(self, closure: Any = None) -> Any:
        return self.inside.step()


def test_an_optimizer_around_another_needs_no_hooks_of_its_own() -> None:
    w = torch.ones(1, requires_grad=True)
    w.sum().backward()
    Around(torch.optim.SGD([w], lr=0.5)).step()
    assert w.tolist() == [0.5]


def test_hooks_are_called_once_where_a_step_calls_that_of_its_base() -> None:
    class Plain(Optimizer):
        def __init__(self, params: Any, lr: Any = required) -> None:
            super().__init__(params, {"lr": lr})

        def step(self, closure: Any = None) -> Any:
            return 5

    class Later(Plain):
        def step(self, closure: Any = None) -> Any:
            return super().step()

    told: list[str] = []
    optimizer = Later([torch.ones(1, requires_grad=True)], lr=1)
    optimizer.register_step_pre_hook(lambda *given: told.append("before"))
    optimizer.register_step_post_hook(lambda *given: told.append("after"))
    assert optimizer.step() == 5 and told == ["before", "after"]
    with pytest.raises(ValueError, match="didn't specify a value of required optimization parameter lr"):
        Plain([torch.ones(1, requires_grad=True)])
    assert repr(required) == "<required parameter>"


def test_the_old_base_of_schedulers_is_a_scheduler() -> None:
    class Halved(_LRScheduler):
        def get_lr(self) -> list[float]:
            return [group["initial_lr"] / 2**self.last_epoch for group in self.optimizer.param_groups]

    optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    scheduler = Halved(optimizer)
    assert isinstance(scheduler, LRScheduler) and not isinstance(StepLR(optimizer, 1), _LRScheduler)
    optimizer.step()
    scheduler.step()
    assert scheduler.get_last_lr() == [0.5]


def test_tensors_are_sorted_by_device_and_dtype() -> None:
    single, double = torch.ones(1), torch.ones(1, dtype=torch.float64)
    found = _group_tensors_by_device_and_dtype([[single, double, single], ["a", "b", "c"]], with_indices=True)
    cpu = torch.device("cpu")
    assert found[cpu, torch.float32] == ([[single, single], ["a", "c"]], [0, 2])
    assert found[cpu, torch.float64] == ([[double], ["b"]], [1])
