"""torch._C: of PyTorch's compiled part, the few questions that libraries ask of it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .engine.compat.amp.autocast_mode import is_autocast_available as _is_autocast_available
from .engine.compat.amp.autocast_state import _is_any_autocast_enabled
from .engine.compat.dispatch_keys import DispatchKey, DispatchKeySet
from .engine.compat.dispatch_keys import ExcludeDispatchKeyGuard as _ExcludeDispatchKeyGuard
from .engine.declare.linalg import LinAlgError as _LinAlgError
from .engine.errors.reasons import refuse, sure
from .engine.geometry import broadcast
from .engine.overriding.modes import count as _len_torch_function_stack
from .engine.tensor.handing_on import DISABLED as _disabled_torch_function_impl
from .engine.tensor.handing_on import WithoutAny as DisableTorchFunction
from .engine.tensor.handing_on import WithoutClasses as DisableTorchFunctionSubclass
from .engine.tensor.handing_on import asks_classes as _is_torch_function_enabled
from .engine.tensor.tensor import Tensor
from .engine.types.device import get_default_device
from .engine.types.size import Size

__all__ = [
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "DispatchKey",
    "DispatchKeySet",
    "TensorBase",
    "_ExcludeDispatchKeyGuard",
    "_LinAlgError",
    "_TensorMeta",
    "_are_functorch_transforms_active",
    "_disabled_torch_function_impl",
    "_autocast_supported_devices",
    "_get_default_device",
    "_get_tracing_state",
    "_infer_size",
    "_is_any_autocast_enabled",
    "_is_autocast_available",
    "_is_torch_function_enabled",
    "_is_torch_function_mode_enabled",
    "_is_tracing",
    "_len_torch_function_stack",
    "_log_api_usage_once",
]

_TensorMeta = type(Tensor)


def _log_api_usage_once(event: str, /) -> None:
    """Tell those who count which parts of PyTorch are used. Here: nobody."""


def _get_tracing_state() -> None:
    """What is being compiled by following its calls. Here: nothing."""


def _is_tracing() -> bool:
    """Whether something is being compiled in this way. Here: never."""
    return False


def _get_default_device() -> str:
    """The kind of device on which tensors are made."""
    return get_default_device().type


def _infer_size(one: Size, other: Size, /) -> Size:
    """The size to which two sizes broadcast."""
    for position, size in enumerate((one, other), 1):
        if not isinstance(size, Size):
            message = f"expected a torch.Size as argument {position}"
            refuse(RuntimeError, message, "sizes of tensors broadcast", "x.size()", rule="argument.type")
    return Size(sure(broadcast(one, other)))


def _autocast_supported_devices() -> list[str]:
    """The kinds of devices that PyTorch has autocast for."""
    return ["cpu", "cuda", "mtia", "maia", "xpu", "ipu", "hpu", "xla", "privateuseone", "mps"]


def _are_functorch_transforms_active() -> bool:
    """Whether a call is made for a whole batch, or forward with its derivative. Here: never."""
    return False


def _is_torch_function_mode_enabled() -> bool:
    """Whether a mode is open in this thread."""
    return _len_torch_function_stack() > 0


class _Functions:
    """torch._C._nn: functions of layers by the name of PyTorch's compiled part, and how `Module.to` reads arguments."""

    @staticmethod
    def _parse_to(*args: Any, **kwargs: Any) -> Any:
        """The device, the dtype, whether not to wait, and the memory format that `Module.to` is given."""
        from .nn.modules.base.tree import destination

        return destination(args, kwargs)

    def __getattr__(self, name: str) -> Any:
        from .nn import functional

        return getattr(functional, name)


_nn = _Functions()


TensorBase = Tensor
_IN_PACKAGE = frozenset(
    ("Event", "Generator", "Size", "Stream", "device", "dtype", "finfo", "iinfo", "layout", "memory_format", "qscheme")
)
"""Classes of the package, which editors of code like to import from here."""
_TO_COME = frozenset(("Graph", "Node", "Value"))
"""Parts of a program that was compiled, which annotations name."""


def __getattr__(name: str) -> Any:
    if name in _IN_PACKAGE:
        return getattr(import_module(__name__.rpartition(".")[0]), name)
    if name in _TO_COME:
        from .engine.compat.to_come import to_come

        return to_come(__name__, name)
    from .engine.errors.missing_names import missing

    missing(__name__, name, __all__)
