"""torch.amp.GradScaler: losses are multiplied by a large number so that 16-bit gradients do not vanish."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from enum import Enum
from typing import Any

from ..engine.compat import cuda as _cuda
from ..engine.derivatives.ops import torch
from ..engine.errors.reasons import refuse
from ..engine.errors.warnings import warn
from ..engine.tensor.tensor import Tensor
from ..engine.types.dtypes import float16, int32

__all__ = ["GradScaler", "OptState"]


class OptState(Enum):
    """What was done with the gradients of an optimizer since the last `update`."""

    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _fresh() -> dict[str, Any]:
    return {"stage": OptState.READY, "checked": False, "infinite": False}


class GradScaler:
    """Scales losses, takes the scale out of the gradients, and leaves a step out if one of them is not finite.

    Then the scale shrinks; after `growth_interval` good steps it grows.

    >>> import tensorwidgets as torch
    >>> scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
    >>> w = torch.ones(2, requires_grad=True)
    >>> optimizer = torch.optim.SGD([w], lr=0.5)
    >>> scaler.scale(w.sum()).backward()
    >>> w.grad
    tensor([8., 8.])
    >>> scaler.step(optimizer)
    >>> scaler.update()
    >>> w
    tensor([0.5000, 0.5000], requires_grad=True)
    """

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device = device
        self._enabled = enabled
        if enabled and device == "cuda" and not _cuda.is_available():
            warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.")
            self._enabled = False
        if not self._enabled:
            return
        if growth_factor <= 1.0:
            refuse(AssertionError, "The growth factor must be > 1.0.", "a scale grows by it", rule="argument.value")
        if backoff_factor >= 1.0:
            refuse(AssertionError, "The backoff factor must be < 1.0.", "a scale shrinks by it", rule="argument.value")
        self._init_scale, self._scale = init_scale, None
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval, self._init_growth_tracker = growth_interval, 0
        self._growth_tracker: Tensor | None = None
        self._per_optimizer_states: defaultdict[int, dict[str, Any]] = defaultdict(_fresh)

    _scale: Tensor | None

    def _begun(self, asked_by: str) -> Tensor:
        if self._scale is None:
            refuse(
                AssertionError,
                f"Attempted {asked_by} but _scale is None.  This may indicate your script did not use "
                "scaler.scale(loss or outputs) earlier in the iteration.",
                "the scale is made when a loss is scaled for the first time",
                "scaler.scale(loss).backward()",
                rule="call.order",
            )
        return self._scale

    def scale(self, outputs: Any) -> Any:
        """The loss, or each of several, multiplied by the scale."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            if self._scale is None:
                self._scale = torch.tensor(self._init_scale, device=outputs.device)
                self._growth_tracker = torch.tensor(self._init_growth_tracker, dtype=int32, device=outputs.device)
            return outputs * self._scale.to(outputs.device)
        if not isinstance(outputs, Iterable):
            refuse(
                ValueError,
                "outputs must be a Tensor or an iterable of Tensors",
                f"this is of type {type(outputs).__name__}",
                "scaler.scale(loss)",
                rule="argument.type",
            )
        scaled = map(self.scale, outputs)
        return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled  # type: ignore[call-arg]

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of an optimizer's parameters by the scale; before clipping them, say."""
        if not self._enabled:
            return
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.UNSCALED:
            message = "unscale_() has already been called on this optimizer since the last update()."
            refuse(RuntimeError, message, "gradients are divided once", "scaler.update()", rule="call.order")
        if state["stage"] is OptState.STEPPED:
            message = "unscale_() is being called after step()."
            refuse(RuntimeError, message, "step() has divided them", "scaler.update()", rule="call.order")
        self._divide(optimizer, state, self._begun("unscale_"))
        state["stage"] = OptState.UNSCALED

    def _divide(self, optimizer: Any, state: dict[str, Any], scale: Tensor) -> None:
        inverse = scale.double().reciprocal().float()
        with torch.no_grad():
            for parameter in (p for group in optimizer.param_groups for p in group["params"] if p.grad is not None):
                grad = parameter.grad
                if grad.dtype is float16:
                    refuse(
                        ValueError,
                        "Attempting to unscale FP16 gradients.",
                        "divided gradients of 16 bits may vanish; parameters are kept in 32",
                        "model.float()",
                        rule="dtype.unsupported",
                    )
                values = grad._values() if grad.is_sparse else grad
                state["checked"] = True
                state["infinite"] |= not bool(values.isfinite().all())
                values.mul_(inverse.to(values.device))

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """Take the scale out of the gradients if that was not done, and call `optimizer.step` if all are finite."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            message = "Closure use is not currently supported if GradScaler is enabled."
            refuse(RuntimeError, message, "a closure computes gradients again", rule="argument.value")
        self._begun("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.STEPPED:
            message = "step() has already been called since the last update()."
            refuse(RuntimeError, message, "an optimizer takes one step for each update", rule="call.order")
        if state["stage"] is OptState.READY:
            self.unscale_(optimizer)
        if not state["checked"]:
            message = "No inf checks were recorded for this optimizer."
            refuse(AssertionError, message, "no parameter has a gradient", "loss.backward()", rule="call.order")
        result = None if state["infinite"] else optimizer.step(*args, **kwargs)
        state["stage"] = OptState.STEPPED
        return result

    def update(self, new_scale: Any = None) -> None:
        """Let the scale shrink or grow for the next iteration, or set it."""
        if not self._enabled:
            return
        scale = self._begun("update")
        if new_scale is not None:
            scale.fill_(new_scale)
        elif not any(state["checked"] for state in self._per_optimizer_states.values()):
            message = "No inf checks were recorded prior to update."
            refuse(AssertionError, message, "no optimizer took a step", "scaler.step(optimizer)", rule="call.order")
        else:
            self._after_steps(scale)
        self._per_optimizer_states = defaultdict(_fresh)

    def _after_steps(self, scale: Tensor) -> None:
        tracker = self._growth_tracker
        assert tracker is not None
        if any(state["infinite"] for state in self._per_optimizer_states.values()):
            scale.mul_(self._backoff_factor)
            tracker.zero_()
            return
        if int(tracker) + 1 < self._growth_interval:
            tracker.add_(1)
            return
        grown = scale * self._growth_factor
        if bool(grown.isfinite()):
            scale.copy_(grown)
        tracker.zero_()

    def get_scale(self) -> float:
        """The scale as a number; 1.0 if this is not enabled."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()  # type: ignore[no-any-return]

    def get_growth_factor(self) -> float:
        """The factor by which the scale grows."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set the factor by which the scale grows."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """The factor by which the scale shrinks."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set the factor by which the scale shrinks."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """After how many good steps the scale grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set after how many good steps the scale grows."""
        self._growth_interval = new_interval

    def _get_growth_tracker(self) -> int:
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._growth_tracker is None else int(self._growth_tracker)

    def is_enabled(self) -> bool:
        """Whether losses are scaled."""
        return self._enabled

    def state_dict(self) -> dict[str, Any]:
        """The scale and its settings, to be saved; empty if this is not enabled."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._get_growth_tracker(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Set what `state_dict` returned."""
        if not self._enabled:
            return
        if not state_dict:
            refuse(
                RuntimeError,
                "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler.",
                "there is no scale in it",
                "GradScaler(enabled=False)",
                rule="argument.value",
            )
        self._init_scale, self._init_growth_tracker = state_dict["scale"], state_dict["_growth_tracker"]
        self._growth_factor, self._backoff_factor = state_dict["growth_factor"], state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        if self._scale is not None and self._growth_tracker is not None:
            self._scale.fill_(self._init_scale)
            self._growth_tracker.fill_(self._init_growth_tracker)
