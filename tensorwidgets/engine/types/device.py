"""device: where a tensor's bytes are: on the CPU, on a GPU, or nowhere (`meta`, which has shapes only)."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..errors.reasons import refuse
from .built_in import BuiltIn, Fixed

_TYPES = (
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, "
    "privateuseone"
)


class device(Fixed, metaclass=BuiltIn):
    """A device, named as in PyTorch.

    >>> device("cpu"), device("cuda:0"), str(device("cpu", 0))
    (device(type='cpu'), device(type='cuda', index=0), 'cpu:0')
    """

    __slots__ = ("type", "index")
    type: str
    index: int | None

    def __init__(self, type: Any = ..., index: int | None = None, *more: Any, **named: Any):
        if not isinstance(type, str) or index is not None or more or named:
            if type is ...:
                named = named if index is None else {"index": index, **named}
                type, index = _read((), named)
            else:
                type, index = _read((type,) if index is None else (type, index, *more), named)
        if isinstance(type, device):
            _set_type(self, type.type)
            _set_index(self, type.index)
            return
        if isinstance(type, int):
            if type < 0:
                _refuse_index()
            if gpu_is_there():
                _set_type(self, "cuda")
                _set_index(self, type)
                return
            refuse(
                RuntimeError,
                "Cannot access accelerator device when none is available.",
                "a bare number means a GPU, and there is none here",
                "device='cpu'",
                rule="device.none",
            )
        name, colon, number = type.partition(":")
        if not re.fullmatch("[a-zA-Z_]+", name):
            refuse(
                RuntimeError,
                f"Invalid device string: '{type}'" if type else "Device string must not be empty",
                "a string names a device here; a dtype is written without quotes, such as torch.int32",
                "device='cpu'",
                rule="device.name",
            )
        if colon and (not number.isdigit() or len(number) > 1 and number[0] == "0"):
            refuse(
                RuntimeError,
                f"Invalid device string: '{type}'",
                "the index after the colon is a plain number",
                rule="device.name",
            )
        if name not in _TYPES.split(", "):
            refuse(
                RuntimeError,
                f"Expected one of {_TYPES} device type at start of device string: {name}",
                f"{type!r} is not a kind of device; a GPU is 'cuda', and on a Mac 'mps'",
                "device='cpu'",
                *(["device='cuda'"] if "gpu" in name.lower() else []),
                rule="device.name",
            )
        if colon:
            if index is not None:
                refuse(
                    RuntimeError,
                    f"type (string) must not include an index because index was passed explicitly: {type}",
                )
            index = int(number)
            if index >= 1 << 31:
                message = f"Could not parse device index '{number}' in device string '{type}'"
                refuse(RuntimeError, message, "the index after the colon has 32 bits", rule="device.name")
        _set_type(self, name)
        _set_index(self, None if index is None else _in_8_bits(index))

    def __repr__(self) -> str:
        where = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{where})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __reduce__(self) -> tuple:
        return (device, (self.type,) if self.index is None else (self.type, self.index))

    def __enter__(self) -> device:
        this_thread.outer = (*this_thread.outer, this_thread.default)
        set_default_device(self)
        return self

    def __exit__(self, *exc: object) -> None:
        *outer, this_thread.default = this_thread.outer
        this_thread.outer = tuple(outer)

    def _refuse_order(self, other: object) -> Any:
        if isinstance(other, device):
            raise TypeError("comparison not implemented")
        return NotImplemented

    __lt__ = __le__ = __gt__ = __ge__ = _refuse_order


_set_type, _set_index = (vars(device)[name].__set__ for name in device.__slots__)
"""They set an attribute once, in `__init__`: setting it by its name is refused."""


read_device: Callable[[tuple, dict], dict[str, Any]] = lambda args, named: named  # noqa: E731
"""Reads the arguments of a device by PyTorch's notation; `calling.reading` puts it here."""


def _read(args: tuple, named: dict) -> tuple[Any, int | None]:
    """The type and the index of a device that are not just a text, as PyTorch reads them, or its refusal."""
    given = read_device(args, named)
    what: Any = given.get("device", given.get("type"))
    index = given.get("index")
    if isinstance(what, bytes):
        what = what.decode(errors="replace")
    elif not isinstance(what, (str, device)):
        what = what.__index__()
    if index is None:
        return what, None
    index = index.__index__()
    if index < 0:
        device(what)  # which refuses a type that is not known
        _refuse_index()
    return what, index


def _refuse_index() -> None:
    refuse(RuntimeError, "Device index must not be negative", "devices are counted from 0", rule="device.index")


def _in_8_bits(index: int) -> int | None:
    """An index as PyTorch keeps it. It has no index where that would be -1.

    >>> _in_8_bits(1), _in_8_bits(200), _in_8_bits(255)
    (1, -56, None)
    """
    index = (index + 128) % 256 - 128
    return None if index == -1 else index


CPU = device("cpu")
META = device("meta")


class _Defaults(threading.local):
    """The default device of this thread. Other threads are not affected, as in PyTorch."""

    default: device = CPU
    outer: tuple[device, ...] = ()
    """The previous defaults, one for each open `with` block."""


this_thread = _Defaults()


PRESENT = {"cpu": CPU, "meta": META}
"""The devices that tensors can be on, by type. A place in memory adds its own (`engine/memory/places.py`)."""

BROUGHT_BY: dict[str, str] = {}
"""The modules that bring devices of which there may be several, by type. Each has a function `which`, which returns
the device that a name means or refuses it, and is imported with the first such name."""


def gpu_is_there() -> bool:
    """Whether a bare number means a GPU."""
    return "cuda" in BROUGHT_BY and bool(import_module(BROUGHT_BY["cuda"]).device_count())


_BACKENDS = {
    "mps": "MPS", "hip": "HIP", "xla": "XLA", "vulkan": "Vulkan", "ipu": "IPU", "lazy": "Lazy", "ve": "VE",
    "maia": "MAIA", "fpga": "FPGA",
}  # fmt: skip
"""What PyTorch calls the backends that its packages for CPUs know and do not have, by the type of device."""


def usable(wanted: Any, filled: bool = False) -> device:
    """The device for a `device=` argument. All unsupported devices are refused here.

    PyTorch has other words where the result is `filled` with numbers that are there, as by `to`.
    """
    if wanted is None:
        wanted = this_thread.default
    elif type(wanted) is not device:
        wanted = device(wanted)
    present = PRESENT.get(wanted.type)
    if present is not None:
        return present
    if wanted.type in BROUGHT_BY:
        found: device = import_module(BROUGHT_BY[wanted.type]).which(wanted)
        return found
    if wanted.type in _BACKENDS and filled and wanted.index is None and wanted.type != "lazy":
        kind, message = RuntimeError, f"PyTorch is not linked with support for {wanted.type} devices"
    elif wanted.type in _BACKENDS:
        op, kind = "empty_strided" if filled and wanted.type != "lazy" else "empty.memory_format", NotImplementedError
        message = f"Could not run 'aten::{op}' with arguments from the '{_BACKENDS[wanted.type]}' backend."
    else:
        kind, message = NotImplementedError, f"Could not run on device '{wanted}'."
    if wanted.type == "xla":
        refuse(
            kind,
            message,
            "PyTorch uses TPUs through PyTorch/XLA, a separate library, and this package has nothing of the kind",
            "device='cpu'",
            rule="device.xla",
        )
    if wanted.type == "xpu":
        refuse(
            AssertionError,
            "Torch not compiled with XPU enabled",
            "here tensors live on 'cpu', or on 'meta' with shapes alone",
            "device='cpu'",
            rule="device.other",
        )
    refuse(
        kind,
        message,
        "here tensors are on 'cpu', or on 'meta', where they have shapes and no numbers",
        "device='cpu'",
        rule="device.other",
    )


def get_default_device() -> device:
    """The default device of this thread.

    >>> get_default_device()
    device(type='cpu')
    """
    return usable(None)


def set_default_device(wanted: Any) -> None:
    """Set the default device of this thread. `'cuda'` without a number is whichever GPU is the current one."""
    if wanted is None:
        this_thread.default = CPU
        return
    wanted = device(wanted)
    if wanted.type in BROUGHT_BY and wanted.index is None:
        this_thread.default = wanted
    else:
        this_thread.default = usable(wanted)
