"""torch.optim.swa_utils: a model whose parameters are averages of another one's while that is trained."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain
from typing import Any

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from ..nn.modules.batchnorm import _BatchNorm
from ..nn.modules.module import Module
from .schedules.averaging import SWALR

__all__ = [
    "SWALR", "AveragedModel", "get_ema_avg_fn", "get_ema_multi_avg_fn", "get_swa_avg_fn", "get_swa_multi_avg_fn",
    "update_bn",
]  # fmt: skip

Tensors = list[Tensor]


def _check_decay(decay: float) -> None:
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def _is_fraction(t: Tensor) -> bool:
    return bool(t.is_floating_point() or t.is_complex())


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable[[Tensors, Tensors, Any], None]:
    """A function that moves averages towards current values by ``1 - decay``, all tensors in one call."""
    _check_decay(decay)

    def ema_update(averages: Tensors, currents: Tensors, _: Any) -> None:
        with torch.no_grad():
            for average, current in zip(averages, currents, strict=True):
                if _is_fraction(averages[0]):
                    average.lerp_(current, 1 - decay)
                else:
                    average.copy_(average * decay + current * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn() -> Callable[[Tensors, Tensors, Any], None]:
    """A function that adds current values to averages of `num_averaged` values, all tensors in one call."""

    def swa_update(averages: Tensors, currents: Tensors, num_averaged: Any) -> None:
        with torch.no_grad():
            for average, current in zip(averages, currents, strict=True):
                if _is_fraction(averages[0]):
                    average.lerp_(current, 1 / (num_averaged + 1))
                else:
                    average.addcdiv_(current - average, torch.as_tensor(num_averaged + 1))

    return swa_update


def get_ema_avg_fn(decay: float = 0.999) -> Callable[[Tensor, Tensor, Any], Tensor]:
    """A function that returns ``decay * average + (1 - decay) * current``.

    >>> import tensorwidgets as torch
    >>> get_ema_avg_fn(0.75)(torch.tensor(4.0), torch.tensor(8.0), 1)
    tensor(5.)
    """
    _check_decay(decay)

    def ema_update(average: Tensor, current: Tensor, num_averaged: Any) -> Tensor:
        with torch.no_grad():
            return decay * average + (1 - decay) * current

    return ema_update


def get_swa_avg_fn() -> Callable[[Tensor, Tensor, Any], Tensor]:
    """A function that returns the mean of `num_averaged` values, whose mean is known, and the current one.

    >>> import tensorwidgets as torch
    >>> get_swa_avg_fn()(torch.tensor(4.0), torch.tensor(7.0), 2)
    tensor(5.)
    """

    def swa_update(average: Tensor, current: Tensor, num_averaged: Any) -> Tensor:
        with torch.no_grad():
            return average + (current - average) / (num_averaged + 1)

    return swa_update


class AveragedModel(Module):
    """A copy of a model whose parameters are averages of the model's: call `update_parameters` after each step.

    >>> import tensorwidgets as torch
    >>> model = torch.nn.Linear(1, 1, bias=False)
    >>> averaged = AveragedModel(model)
    >>> for value in (1.0, 3.0):
    ...     _ = torch.nn.init.constant_(model.weight, value)
    ...     averaged.update_parameters(model)
    >>> averaged(torch.ones(1, 1)).item(), averaged.n_averaged
    (2.0, tensor(2))
    """

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Callable[[Tensor, Tensor, Any], Tensor] | None = None,
        multi_avg_fn: Callable[[Tensors, Tensors, Any], None] | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long, device=device))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Take the model's current parameters into the averages; the first time they are copied."""
        buffered = self.use_buffers
        own = chain(self.module.parameters(), self.module.buffers()) if buffered else self.parameters()
        theirs = chain(model.parameters(), model.buffers()) if buffered else model.parameters()
        pairs = [(a.detach(), b.detach().to(a.device)) for a, b in zip(own, theirs, strict=False)]
        if int(self.n_averaged) == 0:
            for average, current in pairs:
                average.copy_(current)
        else:
            self._update(pairs)
        if not buffered:
            for mine, source in zip(self.module.buffers(), model.buffers(), strict=True):
                mine.detach().copy_(source.detach().to(mine.device))
        self.n_averaged += 1

    def _update(self, pairs: list[tuple[Tensor, Tensor]]) -> None:
        if self.multi_avg_fn is None:
            mean = self.avg_fn or get_swa_avg_fn()
            for average, current in pairs:
                average.copy_(mean(average, current, self.n_averaged.to(average.device)))
            return
        groups: dict[Any, list[tuple[Tensor, Tensor]]] = {}
        for average, current in pairs:
            groups.setdefault((str(average.device), average.dtype), []).append((average, current))
        for together in groups.values():
            averages, currents = map(list, zip(*together, strict=True))
            self.multi_avg_fn(averages, currents, self.n_averaged.to(averages[0].device))


def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Compute the running statistics of all batch normalizations again, from the inputs of a loader."""
    layers = [module for module in model.modules() if isinstance(module, _BatchNorm)]
    if not layers:
        return
    momenta = [layer.momentum for layer in layers]
    was_training = model.training
    model.train()
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None  # every batch counts the same
    with torch.no_grad():
        for batch in loader:
            input = batch[0] if isinstance(batch, (list, tuple)) else batch
            model(input if device is None else input.to(device))
    for layer, momentum in zip(layers, momenta, strict=True):
        layer.momentum = momentum
    model.train(was_training)
