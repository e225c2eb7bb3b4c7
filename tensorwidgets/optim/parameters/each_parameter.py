"""EachParameter: which optimizers look at one parameter at a time? All but LBFGS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ...engine.declare.fast_calls import PLAIN
from ...engine.derivatives.ops import torch
from ...engine.tensor.grad_mode import not_recorded
from ...engine.tensor.tensor import Tensor
from ...nn.modules.base.named_init import named_after
from ..optimizer import Optimizer
from .fused import check_fused_dtypes, check_fused_parameter, unscaled, update_halves
from .states import counter, real
from .together import Entry, update_together


class EachParameter(Optimizer):
    """An optimizer whose rule looks at one parameter at a time: its gradient, its state, and the group's settings.

    `begin` fills the state of a parameter that has its first gradient, `update` changes the parameter and the state.
    """

    since: ClassVar[dict[str, Any]] = {}
    """Settings that older files lack."""
    pairs: ClassVar[tuple[str, ...]] = ()
    """Settings of two numbers, which a step reads before a state begins: a wrong one leaves nothing behind."""
    unread: ClassVar[tuple[str, ...]] = ("differentiable",)
    """Settings that a step does not read; it needs all others, even if no parameter has a gradient."""
    counters: ClassVar[tuple[str, ...]] = ("step",)
    """States that are numbers in older files, and tensors now."""
    refuses_sparse: ClassVar[str] = ""
    """The message for a sparse gradient; empty if the rule takes it."""
    refuses_sparse_fused: ClassVar[str] = ""
    """The message if only a fused step refuses it."""
    refuses_derivatives_fused: ClassVar[str] = ""
    """The message if a fused step refuses a group with `differentiable`, which someone has set after its beginning."""
    elementwise: ClassVar[bool] = False
    """Whether the rule of this very class, its `update`, treats each element by itself: see `together`."""
    refuses_lists: ClassVar[bool] = True
    """Whether a step with a derivative refuses `foreach=True`."""
    as_real: ClassVar[bool] = True
    """Whether a complex parameter is changed as pairs of real numbers."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if EachParameter in cls.__bases__ and "step" not in vars(cls):
            step: Any = EachParameter.step
            type.__setattr__(cls, "step", named_after(cls, step))  # a message says SGD.step()
        super().__init_subclass__(**kwargs)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            for name, value in self.since.items():
                group.setdefault(name, value)
            for parameter in group["params"]:
                own: Any = self.state.get(parameter, {}) if self.counters else {}
                for name in self.counters if len(own) else ():
                    if not isinstance(own[name], Tensor):
                        own[name] = counter(parameter, group, float(own[name]))

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient; a closure computes the loss again, and its result is returned."""
        differentiable = self.defaults.get("differentiable", False)
        if differentiable is False:
            loss = _loss_of(closure)
            not_recorded(self._change_all)
            return loss
        with torch.set_grad_enabled(differentiable):
            loss = _loss_of(closure)
            self._change_all()
        return loss

    def _change_all(self) -> None:
        for group in self.param_groups:
            for name in self.pairs:
                _, _ = group[name]
            begun = self._begun(group)
            if not self.defaults.keys() <= group.keys():
                for name in self.defaults:
                    if name not in group and name not in self.unread:
                        raise KeyError(name)
            if self._is_fused(group):
                if begun and group.get("differentiable") and self.refuses_derivatives_fused:
                    raise RuntimeError(self.refuses_derivatives_fused)
                begun = unscaled(self, begun)
                check_fused_dtypes(begun)
                begun = update_halves(self, begun, group)
            elif begun and group.get("foreach") and group.get("differentiable") and self.refuses_lists:
                raise AssertionError("_foreach ops don't support autograd")
            entries = self.update_quickly(begun, group)
            for parameter, grad, state in update_together(self, entries, group) if entries else ():
                if self.as_real and parameter.is_complex():
                    parameter, grad = real(parameter), real(grad)
                    state = {name: real(value) for name, value in state.items()}
                self.update(parameter, grad, state, group)

    def _begun(self, group: dict[str, Any]) -> list[Entry]:
        """The parameters that have a gradient, with their states: all are checked before the first one changes."""
        remembers = self.remembers(group)
        usual, fused = type(self).check is EachParameter.check, self._is_fused(group)
        result: list[Entry] = []
        for parameter in group["params"]:
            grad = parameter._grad if type(parameter) in PLAIN else None
            if grad is None:
                grad = parameter.grad  # which asks whether it is a leaf
                if grad is None:
                    continue
            if grad._keys or not usual:
                self.check(parameter, grad, group)
            if fused:
                check_fused_parameter(parameter)
            if not remembers:
                result.append((parameter, grad, {}))
                continue
            state = self.state[parameter]
            if not state:
                self.begin(state, parameter, grad, group)
            result.append((parameter, grad, state))
        return result

    def _is_fused(self, group: dict[str, Any]) -> bool:
        """Whether a step of this group is fused; other optimizers do not read the setting, which a user may add."""
        return bool(group.get("fused")) and "fused" in self.defaults

    def update_quickly(self, entries: list[Entry], group: dict[str, Any]) -> list[Entry]:
        """Update the parameters for which there is a shorter way; returns the others."""
        return entries

    def check(self, parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        """Refuse a parameter that the rule cannot change."""
        words = self.refuses_sparse or (self.refuses_sparse_fused if group.get("fused") else "")
        if words and grad.is_sparse:
            raise RuntimeError(words)

    def remembers(self, group: dict[str, Any]) -> bool:
        """Whether the rule has a state for each parameter, with these settings."""
        return True

    def begin(self, state: dict[str, Any], parameter: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        """Fill the state of a parameter before its first update."""

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        """Change one parameter in place, and its state."""
        raise NotImplementedError


def _loss_of(closure: Callable[[], Any] | None) -> Any:
    """What the closure of a step returns; gradients are recorded in it."""
    if closure is None:
        return None
    with torch.enable_grad():
        return closure()
