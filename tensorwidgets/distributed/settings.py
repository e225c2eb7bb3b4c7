"""Names that programs for PyTorch read or set: which backend serves which device, and how much is checked."""

from __future__ import annotations

import os
import warnings
from enum import Enum, IntEnum
from typing import Any

from .groups import chosen
from .reduce_ops import RedOpType
from .starting import Backend


class BackendConfig:
    """Which backend serves which kind of device.

    >>> BackendConfig("cpu:gloo,cuda:nccl").device_backend_map
    {'cpu': 'gloo', 'cuda': 'nccl'}
    """

    _DEVICES = {"undefined": {"cpu": "gloo"}, "nccl": {"cuda": "nccl"}, "xccl": {"xpu": "xccl"}}

    def __init__(self, backend: str):
        name = Backend(backend)
        self.device_backend_map: dict[str, str] = {}
        if ":" not in name:
            usual = {"cpu": str(name), "cuda": str(name)}
            self.device_backend_map |= self._DEVICES.get(name, usual)
            return
        line = "\n" + " " * 16
        wrong = (
            f"The custom backend string argument is invalid: {name}.{line}Custom backend string is an experimental "
            f"feature where the backend string must be in the format:{line}"
            "\"<device_type1>:<backend1>,<device_type2>:<backend2>...\". e.g. 'cpu:gloo,cuda:nccl'"
        )
        for pair in name.split(","):
            parts = pair.split(":")
            gap = " " * 37
            if len(parts) != 2:
                raise ValueError(f"Invalid device:backend pairing: {gap}{pair}. {wrong}")
            device, served = parts
            if device in self.device_backend_map:
                raise ValueError(f"Duplicate device type {device} {gap}in backend string: {served}. {wrong}")
            self.device_backend_map[device] = served

    def get_device_backend_map(self) -> dict[str, str]:
        """The backends by kinds of device."""
        return self.device_backend_map

    def __repr__(self) -> str:
        return ",".join(f"{device}:{backend}" for device, backend in self.device_backend_map.items())


def get_backend_config(group: Any = None) -> str:
    """Which backend of a group serves which kind of device."""
    return str(BackendConfig(chosen(group).backend))


class DebugLevel(IntEnum):
    """How much PyTorch checks. Here ranks always compare their calls, at every level."""

    OFF = 0
    INFO = 1
    DETAIL = 2

    __str__, __format__ = Enum.__str__, Enum.__format__


class _Level:
    now = DebugLevel.OFF


def get_debug_level() -> DebugLevel:
    """The level that was set."""
    return _Level.now


def set_debug_level(level: DebugLevel) -> None:
    """Set the level."""
    if not isinstance(level, DebugLevel):
        raise TypeError(
            "set_debug_level(): incompatible function arguments. The following argument types are supported:\n"
            "    set_debug_level(arg0: DebugLevel) -> None"
        )
    _Level.now = level


def set_debug_level_from_env() -> None:
    """Set the level that the environment variable TORCH_DISTRIBUTED_DEBUG names."""
    name = os.environ.get("TORCH_DISTRIBUTED_DEBUG", "").upper() or "OFF"
    if name not in DebugLevel.__members__:
        raise ValueError("The value of TORCH_DISTRIBUTED_DEBUG must be OFF, INFO, or DETAIL.")
    _Level.now = DebugLevel[name]


def supports_complex(reduceOp: Any) -> bool:
    """Whether complex numbers can be reduced in this way.

    >>> supports_complex(RedOpType.SUM), supports_complex(RedOpType.MAX)
    (True, False)
    """
    op = getattr(reduceOp, "op", reduceOp)
    return op not in (each for each in RedOpType if each not in (RedOpType.SUM, RedOpType.AVG))


class _OldReduceOp:
    """The old name of `ReduceOp`."""

    def __getattr__(self, name: str) -> RedOpType:
        if name not in RedOpType.__members__:
            raise AttributeError(f"'reduce_op' object has no attribute {name!r}")
        warnings.warn(
            "`torch.distributed.reduce_op` is deprecated, please use `torch.distributed.ReduceOp` instead",
            FutureWarning,
            stacklevel=2,
        )
        return RedOpType[name]


reduce_op = _OldReduceOp()
