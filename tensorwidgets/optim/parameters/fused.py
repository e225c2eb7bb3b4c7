"""What does `fused=True` change? A step refuses some parameters, and undoes the scaling of gradients itself."""

from __future__ import annotations

from typing import Any

from ...engine.errors.reasons import refuse
from ...engine.tensor.tensor import Tensor
from ...engine.types import dtypes
from .together import Entry

DEVICES = ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]
"""Devices for which PyTorch has fused steps."""
HALVES = (dtypes.float16, dtypes.bfloat16)
"""Dtypes whose numbers a fused step widens."""


def allow_fused(optimizer: Any, fused: Any, foreach: Any, differentiable: bool) -> None:
    """A fused step has no derivative, and is not made of operations on lists. A GradScaler leaves its work to it."""
    if not fused:
        return
    if differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
    optimizer._step_supports_amp_scaling = True


def check_fused_parameter(parameter: Tensor) -> None:
    """A fused step changes floating-point numbers, on some devices."""
    if not parameter.is_floating_point() or parameter.device.type not in DEVICES:
        raise RuntimeError(
            "`fused=True` requires all the params to be floating point Tensors of supported devices: "
            f"{DEVICES} but {parameter.dtype} and {parameter.device.type}"
        )


def unscaled(optimizer: Any, entries: list[Entry]) -> list[Entry]:
    """The parameters that a fused step changes, with gradients that are not scaled any more.

    A GradScaler leaves its factor at the optimizer, and whether a gradient is infinite: then nothing changes.
    """
    found, scale = getattr(optimizer, "found_inf", None), getattr(optimizer, "grad_scale", None)
    if found is not None and found.item() == 1:
        return []
    if scale is not None:
        for _, grad, _ in entries:
            grad.div_(scale)
    return entries


def check_fused_dtypes(entries: list[Entry]) -> None:
    """The kernel of a fused step reads gradients and states as numbers of the dtype of their parameter."""
    for parameter, grad, state in entries:
        d = parameter._dtype
        for name, value in (*state.items(), ("grad", grad)):
            if name != "step" and isinstance(value, Tensor) and value._dtype is not d:
                refuse(
                    RuntimeError,
                    f"expected scalar type {d._type_name} but found {value._dtype._type_name}",
                    "a fused step reads the gradient and the state as numbers of the dtype of their parameter, which "
                    "has changed",
                    "another optimizer after model.double()",
                    rule="optimizer.dtype",
                )


def update_halves(optimizer: Any, entries: list[Entry], group: dict[str, Any]) -> list[Entry]:
    """Update the parameters of 16 bits in float32, as a fused step does: only its results are rounded. Returns the
    others.
    """
    halves = [entry for entry in entries if entry[0]._dtype in HALVES]
    for parameter, grad, state in halves:
        d = parameter._dtype
        wide = {name: value.float() if _is_of(value, d) else value for name, value in state.items()}
        result = parameter.float()
        optimizer.update(result, grad.float(), wide, group)
        parameter.copy_(result)
        for name, value in wide.items():
            if _is_of(state.get(name), d):
                state[name].copy_(value)
            elif value is not state.get(name):
                state[name] = value.to(d)
    return [entry for entry in entries if entry[0]._dtype not in HALVES] if halves else entries


def _is_of(value: Any, d: Any) -> bool:
    return isinstance(value, Tensor) and value._dtype is d
