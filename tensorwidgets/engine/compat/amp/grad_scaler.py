"""GradScaler: a loss is multiplied so that small gradients are not rounded to zero, and gradients are divided again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from enum import Enum
from inspect import signature
from math import isfinite
from typing import Any

import numpy as np

from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...tensor import grad_mode
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.class_paths import ShownByPath
from ...types.device import gpu_is_there


class OptState(Enum):
    """What has happened to an optimizer's gradients since the last `update`."""

    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _new_state() -> dict[str, Any]:
    return {"stage": OptState.READY, "found_inf_per_device": {}}


class GradScaler(ShownByPath):
    """Scales losses by a factor that grows slowly, and shrinks whenever a gradient is not finite; such steps are left
    out.

    >>> import tensorwidgets as torch
    >>> scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
    >>> scaler.scale(torch.ones(2))
    tensor([8., 8.])
    """

    def __init__(
        self, device: str = "cuda", init_scale: float = 2.0**16, growth_factor: float = 2.0,
        backoff_factor: float = 0.5, growth_interval: int = 2000, enabled: bool = True,
    ) -> None:  # fmt: skip
        self._device, self._enabled = device, enabled
        if device == "cuda" and enabled and not gpu_is_there():
            warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.")
            self._enabled = False
        if not self._enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale, self._init_growth_tracker = init_scale, 0
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval = growth_interval
        self._scale: Tensor | None = None
        self._growth_tracker: Tensor | None = None
        self._per_optimizer_states: dict[int, dict[str, Any]] = defaultdict(_new_state)

    # -- the three calls of a loop -------------------------------------------------------------------------------

    def scale(self, outputs: Any) -> Any:
        """Multiply a loss, or several."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            return outputs * self._scale_on(outputs.device)
        if isinstance(outputs, Iterable):
            scaled = map(self.scale, outputs)
            return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled  # type: ignore[call-arg]
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def _scale_on(self, device: Any) -> Tensor:
        if self._scale is None:
            full = OPS["full"].function
            self._scale = full((), self._init_scale, dtype=dtypes.float32, device=device)
            self._growth_tracker = full((), self._init_growth_tracker, dtype=dtypes.int32, device=device)
        result: Tensor = self._scale.to(device)
        return result

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of an optimizer's parameters, to clip them before `step`."""
        if not self._enabled:
            return
        scale, _ = self._begun("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.UNSCALED:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        inverse = float(np.float32(1.0 / scale.item()))
        state["found_inf_per_device"] = _unscaled(optimizer, inverse, False)
        state["stage"] = OptState.UNSCALED

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """Let an optimizer take a step, unless a gradient is not finite."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._begun("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if getattr(optimizer, "_step_supports_amp_scaling", False):
            return self._step_that_scales(optimizer, state, args, kwargs)
        if state["stage"] is OptState.READY:
            self.unscale_(optimizer)
        if len(state["found_inf_per_device"]) == 0:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        finite = not sum(found.item() for found in state["found_inf_per_device"].values())
        result = optimizer.step(*args, **kwargs) if finite else None
        state["stage"] = OptState.STEPPED
        return result

    def _step_that_scales(self, optimizer: Any, state: dict[str, Any], args: tuple, kwargs: dict) -> Any:
        """A step of an optimizer that divides and checks gradients itself: it gets the factor, or this scaler."""
        takes_this = "grad_scaler" in signature(optimizer.step).parameters
        if takes_this:
            warn(
                "GradScaler is going to stop passing itself as a keyword argument to the passed optimizer. In the near "
                "future GradScaler registers `grad_scale: Tensor` and `found_inf: Tensor` to the passed optimizer and "
                "let the optimizer use them directly.",
                FutureWarning,
            )
            kwargs["grad_scaler"] = self
        else:
            scale, _ = self._begun("step")
            if state["stage"] is OptState.READY:
                state["found_inf_per_device"] = _unscaled(optimizer, 1.0, True)
                optimizer.grad_scale = scale * getattr(optimizer, "grad_scale", 1)
            else:
                optimizer.grad_scale = getattr(optimizer, "grad_scale", None)
            optimizer.found_inf = sum(found.to(scale.device) for found in state["found_inf_per_device"].values())
        result = optimizer.step(*args, **kwargs)
        state["stage"] = OptState.STEPPED
        if not takes_this:
            del optimizer.grad_scale, optimizer.found_inf
        return result

    def update(self, new_scale: Any = None) -> None:
        """Choose the next factor: larger after many finite steps, smaller after one that was not."""
        if not self._enabled:
            return
        scale, tracker = self._begun("update")
        if new_scale is None:
            states = self._per_optimizer_states.values()
            found = [flag.item() for state in states for flag in state["found_inf_per_device"].values()]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            self._grow_or_shrink(scale, tracker, any(found))
        elif isinstance(new_scale, float):
            scale.fill_(new_scale)
        else:
            if new_scale.device.type != self._device or new_scale.numel() != 1 or new_scale.requires_grad:
                raise AssertionError(
                    "new_scale should be a float or a 1-element torch.cuda.FloatTensor or torch.FloatTensor with "
                    "requires_grad=False."
                )
            scale.copy_(new_scale)
        self._per_optimizer_states = defaultdict(_new_state)

    # -- what other libraries call: they look for infinity without a step ------------------------------------------

    def _check_inf_per_device(self, optimizer: Any) -> dict[Any, Tensor]:
        """Look for gradients that are not finite, and leave them as they are."""
        self._begun("_check_inf_per_device")
        found = _unscaled(optimizer, 1.0, True)
        self._per_optimizer_states[id(optimizer)]["found_inf_per_device"] = found
        return found

    def _found_inf_per_device(self, optimizer: Any) -> dict[Any, Tensor]:
        """For each device, whether a gradient was not finite when they were last looked at."""
        found: dict[Any, Tensor] = self._per_optimizer_states[id(optimizer)]["found_inf_per_device"]
        return found

    def _grow_or_shrink(self, scale: Tensor, tracker: Tensor, overflowed: bool) -> None:
        if overflowed:
            scale.mul_(self._backoff_factor)
            tracker.fill_(0)
        elif tracker.item() + 1 == self._growth_interval:
            with np.errstate(over="ignore"):
                grown = float(np.float32(scale.item() * self._growth_factor))
            if isfinite(grown):
                scale.fill_(grown)
            tracker.fill_(0)
        else:
            tracker.add_(1)

    def _begun(self, name: str) -> tuple[Tensor, Tensor]:
        """The factor and the count of finite steps, once a loss was scaled."""
        fix = "This may indicate your script did not use scaler.scale(loss or outputs) earlier in the iteration."
        if self._scale is None:
            raise AssertionError(f"Attempted {name} but _scale is None.  {fix}")
        if self._growth_tracker is None:
            raise AssertionError(f"Attempted {name} but _growth_tracker is None.  {fix}")
        return self._scale, self._growth_tracker

    # -- settings and state --------------------------------------------------------------------------------------

    def is_enabled(self) -> bool:
        """Whether losses are scaled at all."""
        return self._enabled

    def get_scale(self) -> float:
        """The factor."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else float(self._scale.item())

    def get_growth_factor(self) -> float:
        """By how much the factor grows."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Choose by how much the factor grows."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """By how much the factor shrinks."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Choose by how much the factor shrinks."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """After how many finite steps the factor grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Choose after how many finite steps the factor grows."""
        self._growth_interval = new_interval

    def _get_growth_tracker(self) -> int:
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._growth_tracker is None else int(self._growth_tracker.item())

    def state_dict(self) -> dict[str, Any]:
        """The factor and the settings; empty if the scaler is off."""
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
        """Take over a state."""
        if not self._enabled:
            return
        if len(state_dict) == 0:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler."
            )
        self._init_scale, self._growth_factor = state_dict["scale"], state_dict["growth_factor"]
        self._backoff_factor, self._growth_interval = state_dict["backoff_factor"], state_dict["growth_interval"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._scale is not None:
            self._scale.fill_(self._init_scale)
        if self._growth_tracker is not None:
            self._growth_tracker.fill_(self._init_growth_tracker)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        if self._enabled:
            if len(self._per_optimizer_states) != 0:
                raise AssertionError(
                    "A GradScaler instance may only be pickled at the beginning of an iteration, or at the end after "
                    "scaler.update()."
                )
            state["_init_scale"], state["_init_growth_tracker"] = self.get_scale(), self._get_growth_tracker()
            state["_scale"] = state["_growth_tracker"] = None
        return state


def _unscaled(optimizer: Any, inverse: float, half_too: bool) -> dict[Any, Tensor]:
    """Multiply all gradients, those of float16 if `half_too`, and say for each device whether any was not finite."""
    found: dict[Any, Tensor] = {}
    full = OPS["full"].function
    with grad_mode.no_grad():
        for param in (p for group in optimizer.param_groups for p in group["params"]):
            if not isinstance(param, Tensor):
                raise AssertionError(f"expected param to be torch.Tensor, got {type(param).__name__}")
            grad: Any = param.grad
            if grad is None:
                continue
            if not half_too and grad.dtype is dtypes.float16:
                raise ValueError("Attempting to unscale FP16 gradients.")
            values = grad._values() if grad.is_sparse else grad
            if values.is_complex():
                refuse(
                    NotImplementedError,
                    '"_amp_foreach_non_finite_check_and_unscale_cpu" not implemented for '
                    f"'{values.dtype._type_name}'",
                    "complex gradients are not scaled",
                    rule="kernel.dtype",
                )
            if values.device not in found:
                found[values.device] = full((), 0.0, dtype=dtypes.float32, device=values.device)
            if not OPS["isfinite"].function(values).all():
                found[values.device].fill_(1.0)
            if inverse != 1.0:
                values.data.mul_(inverse)  # which no version counts
    return found
