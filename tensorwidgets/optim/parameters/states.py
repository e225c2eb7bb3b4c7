"""What does an optimizer remember of a parameter, and how does a state start?"""

from __future__ import annotations

from typing import Any

from ...engine.derivatives.ops import torch
from ...engine.tensor.tensor import Tensor

CAPTURABLE = ["cuda", "xpu", "hpu", "privateuseone", "xla"]
"""Devices whose kernels can be captured in a graph; `capturable=True` is refused elsewhere."""


def counter(parameter: Tensor, group: dict[str, Any], value: float = 0.0) -> Tensor:
    """A number that counts, as a tensor: on the CPU, unless the whole step runs on the parameter's device."""
    on_device = group.get("capturable") or group.get("fused")
    dtype = torch.float32 if group.get("fused") else counter_dtype()
    return torch.tensor(value, dtype=dtype, device=parameter.device if on_device else "cpu")


def counter_dtype() -> Any:
    """The dtype of counters: float32, or float64 where that is the default."""
    return torch.float64 if torch.get_default_dtype() == torch.float64 else torch.float32


def real(value: Any) -> Any:
    """A complex tensor as pairs of real numbers in the same memory; all else as it is."""
    return torch.view_as_real(value) if isinstance(value, Tensor) and value.is_complex() else value


def scalar(setting: Any) -> Any:
    """A setting that is a tensor of one element, without its dimensions."""
    return setting.squeeze() if isinstance(setting, Tensor) and setting.dim() else setting


def has_derivative(setting: Any) -> bool:
    """Whether a setting is a tensor that a gradient is computed for."""
    return isinstance(setting, Tensor) and setting.requires_grad


def with_decay(grad: Tensor, parameter: Tensor, decay: Any) -> Tensor:
    """A gradient with weight decay; a decay with a derivative is a factor, and the parameter is kept for it."""
    if has_derivative(decay):
        return grad.addcmul_(parameter.clone(), decay)
    return grad.add(parameter, alpha=decay)


def check_capturable(
    parameter: Tensor, *counters: Tensor, names: str = "params and state_steps", xla: bool = True
) -> None:
    """Refuse a captured step on a device that cannot capture; XLA can, but not with operations on lists."""
    devices = [device for device in CAPTURABLE if xla or device != "xla"]
    if parameter.device.type not in devices or any(each.device.type != parameter.device.type for each in counters):
        raise AssertionError(f"If capturable=True, {names} must be on supported devices: {devices}.")
