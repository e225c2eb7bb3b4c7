"""LRScheduler: who sets the learning rate, and when? A scheduler, after each step of its optimizer."""

from __future__ import annotations

import functools
import types
import warnings
import weakref
from collections.abc import Callable
from typing import Any

from ...engine.tensor.tensor import Tensor
from ...engine.types.class_paths import path_of
from ..optimizer import Optimizer
from ..parameters.states import scalar

LINK = "See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed "
    "form is used instead of the new chainable form, where available. Please open an issue if you are unable to "
    "replicate your use case: https://github.com/pytorch/pytorch/issues/new/choose."
)


class LRScheduler:
    """The base of schedulers, also of users' own, which define `get_lr`: the rates of all groups for `last_epoch`."""

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", own(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{number}] when resuming scheduler with "
                    "last_epoch >= 0.\nThis typically happens when:\n1. You're trying to resume training from a "
                    "checkpoint but haven't properly loaded the optimizer state\n2. You're using last_epoch >= 0 for "
                    "a fresh training run (not recommended)"
                )
        self.base_lrs = settings(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        _note_steps(optimizer)
        self._initial_step()

    def __repr__(self) -> str:
        return f"<{path_of(type(self))} object at {id(self):#x}>"

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the optimizer."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over the attributes of another scheduler."""
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[Any]:
        """The rates that were set last, one for each group."""
        return self._last_lr

    def get_lr(self) -> list[Any]:
        """The rates for `last_epoch`, one for each group."""
        raise NotImplementedError

    def step(self, epoch: int | None = None) -> None:
        """Set the next rates; call it after the optimizer's own step."""
        if self._step_count == 1:
            if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
                warnings.warn(
                    "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. "
                    f"Please, make sure to call `optimizer.step()` before `lr_scheduler.step()`. {LINK}",
                    UserWarning,
                    stacklevel=2,
                )
            elif not getattr(self.optimizer, "_opt_called", False):
                warnings.warn(
                    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, "
                    "you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  "
                    "Failure to do this will result in PyTorch skipping the first value of the learning rate "
                    f"schedule. {LINK}",
                    UserWarning,
                    stacklevel=2,
                )
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        if epoch is None:
            self.last_epoch += 1
        else:
            self.last_epoch = epoch
        closed = None if epoch is None else getattr(self, "_get_closed_form_lr", None)
        self._set_rates(closed or self.get_lr)

    def _set_rates(self, rates: Callable[[], list[Any]]) -> None:
        self._get_lr_called_within_step = True
        try:
            values = rates()
        finally:
            self._get_lr_called_within_step = False
        for group, rate in zip(self.optimizer.param_groups, values, strict=True):
            put(group, "lr", rate)
        self._last_lr = settings(self.optimizer, "lr")

    def _warn_outside(self) -> None:
        """Warn of a direct call of `get_lr`."""
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                UserWarning,
                stacklevel=3,
            )


def check_optimizer(optimizer: Any) -> None:
    """A scheduler belongs to an optimizer."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def own(value: Any) -> Any:
    """A value that later writes into a tensor do not change."""
    return value.clone() if isinstance(value, Tensor) else value


def settings(optimizer: Optimizer, name: str) -> list[Any]:
    """One setting of all groups."""
    return [own(group[name]) for group in optimizer.param_groups]


def put(group: dict[str, Any], name: str, value: Any) -> None:
    """Change a setting, in place if it is a tensor."""
    if isinstance(group[name], Tensor):
        group[name].fill_(scalar(value))
    else:
        group[name] = value


def for_each_group(name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    """A value for each group, from a list or from one value for all."""
    groups = optimizer.param_groups
    if not isinstance(value, (list, tuple)):
        value = [value] * len(groups)
    elif len(value) != len(groups):
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} values, "
            f"param_groups has {len(groups)}."
        )
    return [own(each) for each in value]


def function_state(function: Any) -> Any:
    """What a state dict keeps of a callable: nothing of a function, a copy of the attributes of an object."""
    return None if isinstance(function, types.FunctionType) else function.__dict__.copy()


def _note_steps(optimizer: Optimizer) -> None:
    """Make the optimizer remember that it made a step."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    function, reference = optimizer.step.__func__, weakref.ref(optimizer)  # type: ignore[attr-defined]

    @functools.wraps(function)
    def step(*args: Any, **kwargs: Any) -> Any:
        target: Any = reference()
        target._opt_called = True
        return function(target, *args, **kwargs)

    step._wrapped_by_lr_sched = True  # type: ignore[attr-defined]
    optimizer.step = step  # type: ignore[method-assign]
