"""torch.cuda: which GPUs there are, which of them is the current one, and the simulation of GPUs.

Without a GPU, functions that apply to all GPUs (seeds, caches, memory counters) do nothing or return zero. Functions
that need a GPU raise the error of PyTorch on such a machine.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors.reasons import refuse
from ..tensor.storages.typed import TypedStorage
from ..types.class_paths import ShownByPath
from ..types.device import device as device_type
from . import cuda_memory as memory
from .cuda_memory import (
    OutOfMemoryError,
    empty_cache,
    get_allocator_backend,
    get_per_process_memory_fraction,
    host_memory_stats,
    host_memory_stats_as_nested_dict,
    list_gpu_processes,
    max_memory_allocated,
    max_memory_cached,
    max_memory_reserved,
    mem_get_info,
    memory_allocated,
    memory_cached,
    memory_reserved,
    memory_snapshot,
    memory_stats,
    memory_stats_as_nested_dict,
    memory_summary,
    reset_accumulated_host_memory_stats,
    reset_accumulated_memory_stats,
    reset_max_memory_allocated,
    reset_max_memory_cached,
    reset_peak_host_memory_stats,
    reset_peak_memory_stats,
    set_per_process_memory_fraction,
)
from .old_constructors import ON_GPU, STORAGES
from .streams import CUDA as STREAMS
from .streams import _gpus

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor


__all__ = [
    *ON_GPU,
    "current_device", "device", "device_count", "device_of", "empty_cache", "get_arch_list", "get_device_capability",
    "get_device_name", "get_device_properties", "get_rng_state", "get_rng_state_all", "init", "initial_seed",
    "ipc_collect", "is_available", "is_bf16_supported", "is_initialized", "manual_seed", "manual_seed_all",
    "max_memory_allocated", "max_memory_reserved", "mem_get_info", "memory_allocated", "memory_reserved",
    "memory_stats", "can_device_access_peer", "get_gencode_flags", "get_sync_debug_mode", "has_half",
    "is_current_stream_capturing", "is_tf32_supported", "seed", "seed_all", "set_device", "set_rng_state",
    "set_rng_state_all", "set_sync_debug_mode", "simulate",
    "synchronize",
]  # fmt: skip
__all__ += [
    "memory", "OutOfMemoryError", "get_allocator_backend", "get_per_process_memory_fraction", "host_memory_stats",
    "list_gpu_processes", "max_memory_cached", "memory_cached", "memory_snapshot", "memory_stats_as_nested_dict",
    "memory_summary", "reset_accumulated_memory_stats", "reset_max_memory_allocated", "reset_max_memory_cached",
    "reset_peak_memory_stats", "set_per_process_memory_fraction", *STREAMS,
    "host_memory_stats_as_nested_dict", "reset_accumulated_host_memory_stats", "reset_peak_host_memory_stats",
    "clock_rate", "device_memory_used", "memory_usage", "power_draw", "temperature", "utilization",
]  # fmt: skip


globals().update(ON_GPU | STREAMS)


class simulate:
    """Simulates GPUs: `'cuda'` is then a part of main memory, where NumPy computes as poorly as on a GPU.

    A call starts the simulation, and as a `with` block it ends there. It prints one line that says so.

    >>> with simulate(memory="1 MiB"):
    ...     print(get_device_name(), device_count())
    tensorwidgets simulates 1 GPU of 1 MiB: 'cuda' is a part of main memory, and NumPy computes there.
    Simulated GPU (tensorwidgets; computed by NumPy in main memory) 1
    """

    def __init__(self, count: int = 1, memory: str = "64 MiB"):
        self._started = _gpus().start(count, memory)

    def __enter__(self) -> simulate:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is None:
            self.stop()
        else:
            _gpus().stop(quietly=True)

    def stop(self) -> None:
        """Ends the simulation; refused while tensors are on it."""
        if _gpus().simulated() is self._started:
            _gpus().stop()

    def __repr__(self) -> str:
        count = len(self._started.places)
        return f"<simulated GPU{'s' * (count > 1)}: {count} of {self._started.total(0) / (1 << 20):g} MiB>"


def _index(device: str | int | device | None, optional: bool = False) -> int:
    """The number of a GPU as these functions name it: a number, a device, a string, or None for the current one."""
    gpus = _gpus()
    if device is None:
        return int(gpus.current_index())
    if isinstance(device, int) and not isinstance(device, bool):
        return device
    wanted = device_type(device)
    if wanted.type != "cuda":
        refuse(ValueError, f"Expected a cuda device, but got: {device}", "torch.cuda is for GPUs", rule="device.kind")
    if wanted.index is None and not optional:
        _refuse_without_number(device)
    return int(gpus.current_index()) if wanted.index is None else int(wanted.index)


def _refuse_without_number(device: Any) -> None:
    refuse(
        ValueError,
        f"Expected a torch.device with a specified index or an integer, but got:{device}",
        "the number says which GPU",
        "0",
        rule="device.kind",
    )


def is_available() -> bool:
    """Returns whether there is a GPU, real or simulated.

    >>> is_available()
    False
    """
    return device_count() > 0


def device_count() -> int:
    """Returns the number of GPUs."""
    return int(_gpus().device_count())


def is_initialized() -> bool:
    """Returns whether a GPU is in use."""
    return is_available()


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Returns whether the current GPU supports bfloat16."""
    return is_available()


def is_tf32_supported() -> bool:
    """Returns whether the current GPU computes in TF32; here products are computed in full precision."""
    return False


def is_current_stream_capturing() -> bool:
    """Returns whether calls are captured into a graph, which they never are; refused without a GPU."""
    _gpus().present("_cuda_isCurrentStreamCapturing")
    return False


has_half = True
"""GPUs compute in float16."""


def get_gencode_flags() -> str:
    """Returns the compiler's flags of kernels; an empty text here."""
    return ""


def get_arch_list() -> list[str]:
    """Returns the GPU architectures that kernels were compiled for; an empty list here."""
    return []


# -- functions for all GPUs ----------------------------------------------------------------------------------------


def manual_seed(seed: int) -> None:
    """Sets the seed of the current GPU."""
    seed = int(seed)
    if is_available():
        _gpus().generator(None).manual_seed(seed)


def manual_seed_all(seed: int) -> None:
    """Sets the seed of all GPUs.

    >>> manual_seed_all(0)
    """
    seed = int(seed)
    for i in range(device_count()):
        _gpus().generator(i).manual_seed(seed)


def seed() -> None:
    """Sets the seed of the current GPU to a random number."""
    if is_available():
        _gpus().generator(None).seed()


def seed_all() -> None:
    """Sets the seed of all GPUs to one random number."""
    if is_available():
        manual_seed_all(_gpus().generator(None).seed())


def get_rng_state_all() -> list[Any]:
    """Returns the random number generator states of all GPUs."""
    return [get_rng_state(i) for i in range(device_count())]


def set_rng_state_all(new_states: Any) -> None:
    """Sets the random number generator states of all GPUs."""
    for i, state in enumerate(new_states):
        set_rng_state(state, i)


def ipc_collect() -> None:
    """Releases GPU memory that other processes no longer use: nothing here; refused without a GPU."""
    _gpus().present()


# -- functions for one GPU: refused without any --------------------------------------------------------------------


def init() -> None:
    """Initializes CUDA; refused without a GPU."""
    _gpus().present()


_lazy_init = init
"""What libraries call before the first use of a GPU."""


def initial_seed() -> int:
    """Returns the seed of the current GPU."""
    _gpus().present()
    return int(_gpus().generator(None).initial_seed())


def current_device() -> int:
    """Returns the index of the current GPU."""
    _gpus().present()
    return int(_gpus().current_index())


def _checked(device: Any, call: str = "") -> tuple[Any, int]:
    """The GPUs that there are, and the number of one of them; `call` says whose words refuse it without a GPU."""
    gpus = _gpus().present(call)
    index = _index(device, True)
    _gpus().place_at_index(index, gpus)
    return gpus, index


def set_device(device: str | int | device) -> None:
    """Sets the current GPU, on which `'cuda'` without a number puts tensors."""
    if not isinstance(device, (int, str, device_type)):
        _refuse_without_number(device)
    index = _index(device)
    if index >= 0:
        _gpus().make_current(_checked(index, "_cuda_setDevice")[1])


class device(ShownByPath):
    """Makes a GPU the current one inside a `with` block; `None` and negative numbers change nothing."""

    def __init__(self, device: str | int | device):
        self.idx = -1 if device is None else _index(device, optional=True)
        self.prev_idx = -1

    def __enter__(self) -> None:
        if self.idx >= 0:
            _checked(self.idx, "device")
            self.prev_idx = _gpus().current_index()
            _gpus().make_current(self.idx)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self.idx >= 0:
            _gpus().make_current(self.prev_idx)


class device_of(device):
    """Makes the GPU of a tensor the current one inside a `with` block; a tensor in main memory changes nothing."""

    def __init__(self, obj: Any):
        super().__init__(obj.get_device() if obj.is_cuda else -1)


def synchronize(device: str | int | device | None = None) -> None:
    """Waits for all kernels on a GPU to complete."""
    gpus, index = _checked(device)
    gpus.synchronize(index)


def get_device_name(device: str | int | device | None = None) -> str:
    """Returns the name of a GPU; a simulated one says that it is."""
    gpus, index = _checked(device)
    return str(gpus.name(index))


def get_device_capability(device: str | int | device | None = None) -> tuple[int, int]:
    """Returns the compute capability of a GPU; (0, 0) of a simulated one."""
    gpus, index = _checked(device)
    major, minor = gpus.capability(index)
    return major, minor


def can_device_access_peer(device: str | int | device, peer_device: int) -> bool:
    """Returns whether a GPU can read the memory of another one."""
    one, other = _checked(device)[1], _checked(peer_device)[1]
    return one != other


def set_sync_debug_mode(debug_mode: int | str) -> None:
    """Sets what happens where a call waits for a GPU that is simulated: nothing, a warning, or an error."""
    _gpus().present()
    debug = import_module("..devices.sync_debug", __package__)
    if debug_mode not in (0, 1, 2, *debug.MODES):
        refuse(
            RuntimeError,
            f"invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got {debug_mode}",
            "0, 1, 2, or their names",
            rule="argument.value",
        )
    debug.set_mode(debug.MODES.index(debug_mode) if isinstance(debug_mode, str) else int(debug_mode))


def get_sync_debug_mode() -> int:
    """Returns the number of the mode that `set_sync_debug_mode` chose."""
    _gpus().present()
    number: int = import_module("..devices.sync_debug", __package__).mode()
    return number


def _ask_driver(device: str | int | device | None = None) -> int:
    """Asks the driver of NVIDIA's GPUs, through a library that is not used here: refused."""
    refuse(
        ModuleNotFoundError,
        "nvidia-ml-py does not seem to be installed or it can't be imported.",
        "clocks, temperatures and the like are known to the driver alone",
        rule="device.driver",
    )


clock_rate = device_memory_used = memory_usage = power_draw = temperature = utilization = _ask_driver


class _CudaDeviceProperties:
    """What is known of a GPU."""

    def __init__(self, name: str, major: int, minor: int, total_memory: int, multi_processor_count: int):
        self.name, self.major, self.minor = name, major, minor
        self.total_memory, self.multi_processor_count = total_memory, multi_processor_count

    def __repr__(self) -> str:
        return (
            f"_CudaDeviceProperties(name={self.name!r}, major={self.major}, minor={self.minor}, "
            f"total_memory={self.total_memory // (1 << 20)}MB, multi_processor_count={self.multi_processor_count})"
        )


def get_device_properties(device: str | int | device | None = None) -> Any:
    """Returns the properties of a GPU: name, capability, memory."""
    gpus, index = _checked(device)
    return _CudaDeviceProperties(
        gpus.name(index), *get_device_capability(index), gpus.total(index), gpus.processors(index)
    )  # fmt: skip


def get_rng_state(device: str | int | device = "cuda") -> Any:
    """Returns the random number generator state of a GPU, as a tensor of bytes in main memory."""
    return _gpus().generator(_checked(device)[1]).get_state()


def set_rng_state(new_state: Tensor, device: str | int | device = "cuda") -> None:
    """Sets the random number generator state of a GPU; without any there is nothing to set."""
    if is_available():
        _gpus().generator(_checked(device)[1]).set_state(new_state)


# -- the names of storages on a GPU, and what is missing -----------------------------------------------------------


class _StorageOnGpu(type):
    """The class of storages of one dtype on a GPU: it makes them, and says which they are."""

    _of: Any

    def __call__(cls, *args: Any, **kwargs: Any) -> TypedStorage:
        return TypedStorage(*args, dtype=cls._of, device="cuda", **kwargs)

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, TypedStorage) and instance.is_cuda and instance.dtype is cls._of

    def __repr__(cls) -> str:
        return f"<class 'torch.cuda.{cls.__name__}'>"


_STORAGES = {name: _StorageOnGpu(name, (), {"_of": kind._of}) for name, kind in STORAGES.items()}
globals().update(_STORAGES)
__all__ += [*_STORAGES]


def _sleep(cycles: int) -> None:
    """Lets the current stream of a simulated GPU do nothing for this many cycles of 1 GHz."""
    gpus, index = _checked(None, "_cuda_sleep")
    gpus.places[index].streams.work(cycles * 1e-9)


def __getattr__(name: str) -> Any:
    if name in ("amp", "nvtx", "random", "streams"):
        return import_module(f"{__name__.partition('.')[0]}.cuda.{name}")
    if name == "default_generators":
        return tuple(_gpus().generator(i) for i in range(device_count()))
    if name == "_initialized":  # what reversible layers ask before they note the states of GPUs
        return is_initialized()
    if name in ("CUDAGraph", "graph"):  # annotations name them
        from .to_come import to_come

        return to_come(f"{__name__.partition('.')[0]}.cuda", name)
    from ..errors.missing_names import missing

    missing(f"{__name__.partition('.')[0]}.cuda", name, __all__)
