"""Whether autocast is on in this thread, for which kinds of device and in which dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...calling.reading import Notations
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...modes.autocast import switch  # noqa: F401  (it puts its function into `on_change`)
from ...tensor.thread_state import autocast_weights, state
from ...tensor.type_names import type_name
from ...types.device import device
from ...types.dtypes import bfloat16, dtype, float16

_IS_ENABLED = Notations("is_autocast_enabled", ("c10::string_view device_type", ""))
_DTYPE = Notations("get_autocast_dtype", ("c10::string_view device_type",))
_SET_ENABLED = Notations("set_autocast_enabled", ("c10::string_view device_type, bool enabled", "bool enabled"))
_SET_DTYPE = Notations("set_autocast_dtype", ("c10::string_view device_type, ScalarType dtype",))


def _kind(device_type: str, message: str) -> str:
    kind = device(device_type).type
    if kind == "meta":
        refuse(RuntimeError, message, "there are no numbers on meta", "'cpu'", rule="autocast.device")
    return kind


_UNKNOWN = "unknown device type for autocast in get_autocast_dispatch_key_from_device_type"


def is_autocast_enabled(*args: Any, **kwargs: Any) -> bool:
    """Returns whether autocast is on for a kind of device in this thread; for GPUs if none is named.

    >>> is_autocast_enabled("cpu")
    False
    """
    return _kind(_IS_ENABLED.read(args, kwargs).get("device_type", "cuda"), _UNKNOWN) in state.autocast


def _is_any_autocast_enabled() -> bool:
    """Returns whether autocast is on for some kind of device."""
    return bool(state.autocast)


def set_autocast_enabled(*args: Any, **kwargs: Any) -> None:
    """Switches autocast on or off for a kind of device in this thread; `torch.autocast` is the usual way."""
    named = _SET_ENABLED.read(args, kwargs)
    kind = _kind(named.get("device_type", "cuda"), _UNKNOWN)
    on = {other: d for other, d in state.autocast.items() if other != kind}
    if named["enabled"]:
        on[kind] = _dtype_of(kind)
    state.put("autocast", on)


def get_autocast_dtype(*args: Any, **kwargs: Any) -> dtype:
    """Returns the dtype in which autocast computes products on a kind of device.

    >>> get_autocast_dtype("cpu")
    torch.bfloat16
    """
    return _dtype_of(_kind(_DTYPE.read(args, kwargs)["device_type"], "unsupported scalarType"))


def _dtype_of(kind: str) -> dtype:
    found: dtype = state.autocast_dtypes.get(kind, _usual(kind))
    return found


def _usual(kind: str) -> dtype:
    return bfloat16 if kind in ("cpu", "xla") else float16


def set_autocast_dtype(*args: Any, **kwargs: Any) -> None:
    """Sets the dtype in which autocast computes products on a kind of device, in this thread."""
    named = _SET_DTYPE.read(args, kwargs)
    kind = device(named["device_type"]).type
    others = {other: d for other, d in state.autocast_dtypes.items() if other != kind}
    state.put("autocast_dtypes", others if named["dtype"] is _usual(kind) else {**others, kind: named["dtype"]})
    if kind in state.autocast:
        state.put("autocast", {**state.autocast, kind: named["dtype"]})


def is_autocast_cache_enabled() -> bool:
    """Returns whether weights that autocast converts are kept until its outermost block ends."""
    return state.autocast_cache


def set_autocast_cache_enabled(enabled: bool, /) -> None:
    """Sets whether weights that autocast converts are kept until its outermost block ends."""
    if type(enabled) is not bool:
        message = f"enabled must be a bool (got {type_name(enabled)})"
        refuse(TypeError, message, "there are two states", "True or False", rule="argument.type")
    state.put("autocast_cache", enabled)


def clear_autocast_cache() -> None:
    """Forgets the weights that autocast has converted."""
    autocast_weights.clear()


def autocast_increment_nesting() -> int:
    """Counts one more block of autocast in this thread and returns how many there are."""
    state.put("autocast_nesting", state.autocast_nesting + 1)
    return state.autocast_nesting


def autocast_decrement_nesting() -> int:
    """Counts one block less and returns how many are left."""
    state.put("autocast_nesting", state.autocast_nesting - 1)
    return state.autocast_nesting


# -- names of before there was a `device_type` ---------------------------------------------------------------------


def _old_getter(name: str, new: Callable[[str], Any], kind: str) -> Callable[[], Any]:
    def call() -> Any:
        warn(f"torch.{name}() is deprecated. Please use torch.{new.__name__}('{kind}') instead.", DeprecationWarning)
        return new(kind)

    return _named(call, name, f'The old name of `{new.__name__}("{kind}")`.')


def _old_setter(name: str, new: Callable[..., None], kind: str, argument: str) -> Callable[[Any], None]:
    wanted, words = (bool, "a bool") if argument == "enabled" else (dtype, "a torch.dtype")

    def call(value: Any, /) -> None:
        if type(value) is not wanted:
            refuse(
                TypeError,
                f"{argument} must be {words} (got {type_name(value)})",
                f"torch.{new.__name__}({kind!r}, …) is the name of today",
                rule="argument.type",
            )
        warn(
            f"torch.{name}({argument}) is deprecated. Please use torch.{new.__name__}('{kind}', {argument}) instead.",
            DeprecationWarning,
        )
        new(kind, value)

    return _named(call, name, f'The old name of `{new.__name__}("{kind}", …)`.')


def _named(call: Callable[..., Any], name: str, words: str) -> Callable[..., Any]:
    call.__name__ = call.__qualname__ = name
    call.__doc__ = words
    return call


is_autocast_cpu_enabled = _old_getter("is_autocast_cpu_enabled", is_autocast_enabled, "cpu")
set_autocast_cpu_enabled = _old_setter("set_autocast_cpu_enabled", set_autocast_enabled, "cpu", "enabled")
get_autocast_cpu_dtype = _old_getter("get_autocast_cpu_dtype", get_autocast_dtype, "cpu")
set_autocast_cpu_dtype = _old_setter("set_autocast_cpu_dtype", set_autocast_dtype, "cpu", "dtype")
get_autocast_gpu_dtype = _old_getter("get_autocast_gpu_dtype", get_autocast_dtype, "cuda")
set_autocast_gpu_dtype = _old_setter("set_autocast_gpu_dtype", set_autocast_dtype, "cuda", "dtype")
is_autocast_ipu_enabled = _old_getter("is_autocast_ipu_enabled", is_autocast_enabled, "ipu")
set_autocast_ipu_enabled = _old_setter("set_autocast_ipu_enabled", set_autocast_enabled, "ipu", "enabled")
get_autocast_ipu_dtype = _old_getter("get_autocast_ipu_dtype", get_autocast_dtype, "ipu")
set_autocast_ipu_dtype = _old_setter("set_autocast_ipu_dtype", set_autocast_dtype, "ipu", "dtype")
is_autocast_xla_enabled = _old_getter("is_autocast_xla_enabled", is_autocast_enabled, "xla")
set_autocast_xla_enabled = _old_setter("set_autocast_xla_enabled", set_autocast_enabled, "xla", "enabled")
get_autocast_xla_dtype = _old_getter("get_autocast_xla_dtype", get_autocast_dtype, "xla")
set_autocast_xla_dtype = _old_setter("set_autocast_xla_dtype", set_autocast_dtype, "xla", "dtype")

FACE: dict[str, Any] = {
    f.__name__: f
    for f in (
        is_autocast_enabled, set_autocast_enabled, get_autocast_dtype, set_autocast_dtype, is_autocast_cache_enabled,
        set_autocast_cache_enabled, clear_autocast_cache, autocast_increment_nesting, autocast_decrement_nesting,
        is_autocast_cpu_enabled, set_autocast_cpu_enabled, get_autocast_cpu_dtype, set_autocast_cpu_dtype,
        get_autocast_gpu_dtype, set_autocast_gpu_dtype, is_autocast_ipu_enabled, set_autocast_ipu_enabled,
        get_autocast_ipu_dtype, set_autocast_ipu_dtype, is_autocast_xla_enabled, set_autocast_xla_enabled,
        get_autocast_xla_dtype, set_autocast_xla_dtype,
    )
}  # fmt: skip
