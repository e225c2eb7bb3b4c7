"""LBFGS: steps along an estimate of the inverse of the second derivatives, from the last gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.derivatives.ops import torch
from ..engine.tensor.tensor import Tensor
from .line_search import _cubic_interpolate as _cubic_interpolate
from .line_search import _strong_wolfe as _strong_wolfe
from .line_search import strong_wolfe
from .optimizer import Optimizer
from .parameters.checks import check_rate
from .parameters.states import real, scalar


class LBFGS(Optimizer):
    """A quasi-Newton method: `step` needs a closure, which it calls several times.

    All parameters are one long vector; the state, kept at the first parameter, remembers the last steps.

    >>> import tensorwidgets as torch
    >>> w = torch.tensor([1.0, 1.0], requires_grad=True)
    >>> optimizer = LBFGS([w], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = ((w - torch.tensor([3.0, 5.0])) ** 2).sum()
    ...     loss.backward()
    ...     return loss
    >>> optimizer.step(closure)
    tensor(20., grad_fn=<SumBackward0>)
    >>> w
    tensor([3., 5.], requires_grad=True)
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_rate(lr)
        defaults = {
            "lr": lr, "max_iter": max_iter, "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change, "history_size": history_size,
            "line_search_fn": line_search_fn,
        }  # fmt: skip
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    @torch.no_grad()
    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Change the parameters up to `max_iter` times; `closure` computes the loss and its gradients again."""
        if len(self.param_groups) != 1:
            raise AssertionError(f"Expected exactly one param_group, but got {len(self.param_groups)}")
        closure = torch.enable_grad()(closure)
        group = self.param_groups[0]
        lr, most_steps, most_calls = scalar(group["lr"]), group["max_iter"], group["max_eval"]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = closure()
        loss, calls = float(first_loss), 1
        state["func_evals"] += 1
        grad = self._gradient()
        small = grad.abs().max() <= group["tolerance_grad"]
        if small:
            return first_loss
        before, direction, size = state.get("prev_flat_grad"), state.get("d"), state.get("t")
        loss_before = state.get("prev_loss")
        memory = {name: state.get(name) for name in ("old_dirs", "old_stps", "ro", "H_diag")}
        for number in range(1, most_steps + 1):
            state["n_iter"] += 1
            if state["n_iter"] == 1:
                direction = grad.neg()
                memory = {"old_dirs": [], "old_stps": [], "ro": [], "H_diag": 1}
            else:
                shares = state.setdefault("al", [None] * group["history_size"])
                direction = _direction(memory, shares, grad, grad.sub(before), direction.mul(size))
            if before is None:
                before = grad.clone(memory_format=torch.contiguous_format)
            else:
                before.copy_(grad)
            loss_before = loss
            size = min(1.0, 1.0 / grad.abs().sum()) * lr if state["n_iter"] == 1 else lr
            slope = grad.dot(direction)
            if slope > -group["tolerance_change"]:
                break
            new_calls = 0
            if group["line_search_fn"] is not None:
                if group["line_search_fn"] != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                loss, grad, size, new_calls = strong_wolfe(
                    self._trial(closure), size, direction, loss, grad, slope, max_ls=most_calls - calls
                )
                self._move(size, direction)
                small = grad.abs().max() <= group["tolerance_grad"]
            else:
                self._move(size, direction)
                if number != most_steps:
                    loss = float(closure())
                    grad = self._gradient()
                    small = grad.abs().max() <= group["tolerance_grad"]
                    new_calls = 1
            calls += new_calls
            state["func_evals"] += new_calls
            if number == most_steps or calls >= most_calls or small:
                break
            if direction.mul(size).abs().max() <= group["tolerance_change"]:
                break
            if abs(loss - loss_before) < group["tolerance_change"]:
                break
        state |= {"d": direction, "t": size} | memory | {"prev_flat_grad": before, "prev_loss": loss_before}
        return first_loss

    def _gradient(self) -> Tensor:
        """All gradients as one vector; zeros for a parameter without one."""
        parts = []
        for parameter in self._params:
            if parameter.grad is None:
                part = parameter.new_zeros(parameter.numel())
            else:
                part = (parameter.grad.to_dense() if parameter.grad.is_sparse else parameter.grad).view(-1)
            parts.append(real(part).view(-1))
        return torch.cat(parts, 0)

    def _move(self, size: Any, direction: Tensor) -> None:
        """Add a multiple of one vector to all parameters."""
        start = 0
        for parameter in map(real, self._params):
            end = start + parameter.numel()
            parameter.add_(direction[start:end].view_as(parameter), alpha=size)
            start = end

    def _trial(self, closure: Callable[[], Any]) -> Callable[[Any, Tensor], tuple[float, Tensor]]:
        """A function that returns loss and gradient somewhere along a direction, and leaves the parameters here."""
        here = [parameter.clone(memory_format=torch.contiguous_format) for parameter in self._params]

        def evaluated(size: Any, direction: Tensor) -> tuple[float, Tensor]:
            self._move(size, direction)
            loss = float(closure())
            grad = self._gradient()
            for parameter, value in zip(self._params, here, strict=True):
                parameter.copy_(value)
            return loss, grad

        return evaluated


def _direction(memory: dict[str, Any], shares: list[Any], grad: Tensor, change: Tensor, step: Tensor) -> Tensor:
    """Where to go: the gradient turned and scaled by what the last steps say of the curvature."""
    changes, steps, weights = memory["old_dirs"], memory["old_stps"], memory["ro"]
    curvature = change.dot(step)
    if curvature > 1e-10:
        if len(changes) == len(shares):
            for each in (changes, steps, weights):
                each.pop(0)
        changes.append(change)
        steps.append(step)
        weights.append(1.0 / curvature)
        memory["H_diag"] = curvature / change.dot(change)
    result = grad.neg()
    for place in reversed(range(len(changes))):
        shares[place] = steps[place].dot(result) * weights[place]
        result.add_(changes[place], alpha=-shares[place])
    result = torch.mul(result, memory["H_diag"])
    for place in range(len(changes)):
        result.add_(steps[place], alpha=shares[place] - changes[place].dot(result) * weights[place])
    return result
