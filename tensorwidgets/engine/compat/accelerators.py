"""torch.get_device_module: the module of functions for a kind of device."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..errors.package import PACKAGE_NAME
from ..errors.reasons import refuse
from ..types.device import device as device_type
from ..types.device import gpu_is_there

if TYPE_CHECKING:
    from ..types.device import device


_MODULES = ("cpu", "cuda")


def get_device_module(device: str | int | device | None = None) -> ModuleType:
    """Returns the module for a device, such as `torch.cuda`; without a device, that of the accelerator, or `torch.cpu`.

    >>> get_device_module("cpu").__name__
    'tensorwidgets.cpu'
    """
    if device is None:
        name = "cuda" if gpu_is_there() else "cpu"
    elif isinstance(device, (device_type, str)):
        name = device_type(device).type
    else:
        message = f"Invalid value of device '{device}', expect torch.device, str, or None"
        refuse(RuntimeError, message, "'cuda'", "'cpu'", rule="argument.type")
    if name not in _MODULES:
        message = f"Device '{name}' does not have a corresponding module registered as 'torch.{name}'."
        refuse(RuntimeError, message, "the modules are those of the CPU and of GPUs", "'cpu'", rule="device.module")
    full_name = f"{PACKAGE_NAME}.{name}"
    return sys.modules.get(full_name) or import_module(full_name)


FACE: dict[str, Any] = {"get_device_module": get_device_module}
