"""torch.cuda's questions, answered truthfully: there is no GPU device here.

What concerns every GPU (seeds, caches, counts of bytes) then concerns none and has nothing to do; what needs one is
refused as by a PyTorch that was built without GPUs.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, NoReturn

from ..errors.reasons import refuse

__all__ = [
    "current_device", "device_count", "empty_cache", "get_arch_list", "get_device_capability", "get_device_name",
    "get_device_properties", "get_rng_state", "get_rng_state_all", "init", "initial_seed", "ipc_collect",
    "is_available", "is_bf16_supported", "is_initialized", "manual_seed", "manual_seed_all", "max_memory_allocated",
    "max_memory_reserved", "mem_get_info", "memory_allocated", "memory_reserved", "memory_stats", "seed", "seed_all",
    "set_device", "set_rng_state_all", "synchronize",
]  # fmt: skip


def is_available() -> bool:
    """Whether tensors can live on a GPU. Here: no.

    >>> is_available()
    False
    """
    return False


def device_count() -> int:
    """How many GPUs tensors can live on."""
    return 0


def is_initialized() -> bool:
    """Whether a GPU has been used."""
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether a GPU computes in bfloat16."""
    return False


def get_arch_list() -> list[str]:
    """For which GPUs kernels were compiled."""
    return []


# -- about every GPU: there is none ------------------------------------------------------------------------------


def manual_seed(seed: int) -> None:
    """Start the stream of the current GPU anew."""
    int(seed)


def manual_seed_all(seed: int) -> None:
    """Start the streams of all GPUs anew.

    >>> manual_seed_all(0)
    """
    int(seed)


def seed() -> None:
    """Start the stream of the current GPU anew from a seed of the operating system."""


def seed_all() -> None:
    """Start the streams of all GPUs anew from a seed of the operating system."""


def get_rng_state_all() -> list[Any]:
    """The state of the stream of each GPU."""
    return []


def set_rng_state_all(new_states: Any) -> None:
    """Let the stream of each GPU go on from a state."""
    for _ in new_states:
        _no_gpu()


def empty_cache() -> None:
    """Give back the memory of GPUs that no tensor uses.

    >>> empty_cache()
    """


def ipc_collect() -> None:
    """Give back the memory of GPUs that other processes have let go of."""


def memory_allocated(device: Any = None) -> int:
    """How many bytes of a GPU tensors use."""
    return 0


def max_memory_allocated(device: Any = None) -> int:
    """How many bytes of a GPU tensors have used at once."""
    return 0


def memory_reserved(device: Any = None) -> int:
    """How many bytes of a GPU are kept for tensors."""
    return 0


def max_memory_reserved(device: Any = None) -> int:
    """How many bytes of a GPU were kept for tensors at once."""
    return 0


def memory_stats(device: Any = None) -> OrderedDict[str, Any]:
    """What is counted of the memory of a GPU."""
    return OrderedDict()


# -- about one GPU: refused --------------------------------------------------------------------------------------


def _no_gpu() -> NoReturn:
    refuse(
        AssertionError,
        "Torch not compiled with CUDA enabled",
        "tensors live in main memory here, and there is no GPU to ask",
        "if torch.cuda.is_available(): ...",
        rule="device.cuda",
    )


def init() -> None:
    """Get the GPUs ready."""
    _no_gpu()


def initial_seed() -> int:
    """The seed that the stream of the current GPU was started from."""
    _no_gpu()


def current_device() -> int:
    """The number of the current GPU."""
    _no_gpu()


def set_device(device: Any) -> None:
    """Choose the current GPU."""
    _no_gpu()


def synchronize(device: Any = None) -> None:
    """Wait until a GPU has done its work."""
    _no_gpu()


def get_device_name(device: Any = None) -> str:
    """What a GPU is called."""
    _no_gpu()


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """What a GPU can do, as a version."""
    _no_gpu()


def get_device_properties(device: Any = None) -> Any:
    """What a GPU has."""
    _no_gpu()


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """How many bytes of a GPU are free, and how many it has."""
    _no_gpu()


def get_rng_state(device: Any = "cuda") -> Any:
    """The state of the stream of a GPU."""
    _no_gpu()
