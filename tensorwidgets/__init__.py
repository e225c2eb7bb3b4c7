"""See what a tensor does in memory.

PyTorch's spelling for tensors, in readable Python on NumPy, and pictures that show where every element lives.

>>> import tensorwidgets as torch
>>> x = torch.arange(6).reshape(2, 3)
>>> x.t().stride()
(1, 3)
"""

from __future__ import annotations

import gc as _gc
from typing import Any

# An import leaves no garbage, and the collector would search it ninety times: a fifth of the time.
_collects = _gc.isenabled()
_gc.disable()
try:
    from .engine import FACE as _FACE
    from .engine import storage_class as _storage_class
    from .engine.compat import importing as _importing
    from .engine.dispatch.route import Route as _Route
    from .engine.errors.reasons import Reason as _Reason
finally:
    if _collects:
        _gc.enable()

_VERSION = "0.1.0"

globals().update(_FACE)
_importing.install()


def _draw_route(stations: list[tuple[str, str]]) -> Any:
    """The picture of a route; loaded when a notebook shows the first one."""
    from .pictures.operations.route import route_picture

    return route_picture(stations)


def _draw_reason(reason: Any, labels: Any, call: str) -> Any:
    """The picture of a refusal, if there is one; loaded when a notebook explains the first one."""
    from .pictures.operations.explained import reason_picture

    return reason_picture(reason, labels, call)


_Route.draw = staticmethod(_draw_route)
_Reason.draw = staticmethod(_draw_reason)

_LATER = {
    "show": ("tensorwidgets.pictures", "show"),
    "StorageExplorer": ("tensorwidgets.live", "StorageExplorer"),
    "BroadcastExplorer": ("tensorwidgets.live", "BroadcastExplorer"),
    "EinsumExplorer": ("tensorwidgets.live", "EinsumExplorer"),
    "NamedDimsExplorer": ("tensorwidgets.live", "NamedDimsExplorer"),
    "DtypeExplorer": ("tensorwidgets.live", "DtypeExplorer"),
    "StepsExplorer": ("tensorwidgets.live", "StepsExplorer"),
    "BackwardExplorer": ("tensorwidgets.live", "BackwardExplorer"),
    "AllocatorExplorer": ("tensorwidgets.live", "AllocatorExplorer"),
    "TrainingExplorer": ("tensorwidgets.live", "TrainingExplorer"),
    "SurfaceExplorer": ("tensorwidgets.live", "SurfaceExplorer"),
    "TrainingLog": ("tensorwidgets.live", "TrainingLog"),
    "OutOfMemoryError": ("tensorwidgets.engine.errors.out_of_memory", "OutOfMemoryError"),
    "why": ("tensorwidgets.engine.explain", "why"),
    "recording": ("tensorwidgets.engine.modes.recording", "recording"),
    "derivative": ("tensorwidgets.engine.derivatives.shown", "derivative"),
    "catalogue": ("tensorwidgets.engine.help.catalogue", "catalogue"),
    **{
        name: ("tensorwidgets.engine.files", name)
        for name in (
            "save",
            "load",
            "save_hdf5",
            "load_hdf5",
            "save_npy",
            "load_npy",
            "save_npz",
            "load_npz",
            "save_safetensors",
            "load_safetensors",
            "FileError",
            "RefusedGlobal",
        )
    },
    "GradScaler": ("tensorwidgets.engine.compat.amp.grad_scaler", "GradScaler"),
    "autocast": ("tensorwidgets.engine.compat.amp.autocast_mode", "autocast"),
    "compile": ("tensorwidgets.compiler", "compile"),
    **{name: ("tensorwidgets.types", name) for name in ("SymBool", "SymFloat", "SymInt")},
    "ops": ("tensorwidgets._ops", "ops"),
    **{name: ("tensorwidgets.jit", name) for name in ("ScriptFunction", "ScriptModule")},
    **{
        name: ("tensorwidgets.engine.compat.compressed_indices", name)
        for name in ("_convert_indices_from_coo_to_csr", "_convert_indices_from_csr_to_coo")
    },
    "is_anomaly_enabled": ("tensorwidgets.engine.autograd.anomaly", "is_anomaly_enabled"),
    "is_anomaly_check_nan_enabled": ("tensorwidgets.engine.autograd.anomaly", "is_anomaly_check_nan_enabled"),
    "set_anomaly_enabled": ("tensorwidgets.engine.autograd.anomaly", "set_anomaly_enabled"),
    "inspect_file": ("tensorwidgets.inspecting", "inspect_file"),
    "load_ipython_extension": ("tensorwidgets.notebook", "load_ipython_extension"),
}
"""Names that are loaded when they are first used, and where they live."""

_MODULES = (
    "_C", "_VF", "__config__", "__future__", "_dynamo", "_utils", "accelerator", "amp", "autograd", "backends",
    "compiler", "cpu", "distributed", "fft", "func", "functional", "jit", "library", "linalg", "mps",
    "multiprocessing", "nn", "optim", "overrides", "random", "return_types", "serialization", "signal", "sparse",
    "special", "storage", "testing", "torch_version", "types", "utils", "version", "xpu",
)  # fmt: skip
"""Modules of the face, loaded when they are first used."""

_TO_COME = ("_tensor_str", "ao", "distributions", "futures", "fx", "hub", "nested", "onnx", "profiler")
"""Modules that only stand in for PyTorch's: their names can be imported, and calls are refused."""


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "__version__":
        from .version import current

        return current()
    if name == "_segment_reduce":  # PyTorch's first name of it, which graph libraries use
        return globals()["segment_reduce"]
    if name == "Storage":  # that of the default dtype, which may change
        return _storage_class(_FACE["get_default_dtype"]())
    if name == "torch":  # PyTorch is a member of itself
        return import_module(__name__)
    if name.startswith("_foreach_"):
        from .engine.compat.foreach import function_of

        if (found := function_of(name)) is not None:
            globals()[name] = found
            return found
    if name in _MODULES or name in _TO_COME:
        return import_module(f"{__name__}.{name}")
    if name in ("Future", "PyTorchFileReader", "vmap"):
        from .engine.compat.to_come import to_come

        globals()[name] = to_come(__name__, name)
        return globals()[name]
    if name not in _LATER:
        from .engine.errors.missing_names import missing

        missing(__name__, name, __dir__)
    module, attribute = _LATER[name]
    result = getattr(import_module(module), attribute)
    globals()[name] = result
    return result


def __dir__() -> list[str]:
    shown = {name for name in (*_FACE, *_LATER, *_MODULES) if not name.startswith("_") or name.startswith("__")}
    return sorted(shown | {"Storage", "__doc__", "__file__", "__name__", "__version__"})
