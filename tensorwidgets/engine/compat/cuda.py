"""torch.cuda for an engine without GPUs.

Functions that apply to all GPUs (seeds, caches, memory counters) do nothing or return zero. Functions that need a GPU
raise the error of a PyTorch that was built without CUDA.
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
    """Returns whether CUDA is available; always False here.

    >>> is_available()
    False
    """
    return False


def device_count() -> int:
    """Returns the number of GPUs available; always 0 here."""
    return 0


def is_initialized() -> bool:
    """Returns whether CUDA has been initialized; always False here."""
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Returns whether the current GPU supports bfloat16; always False here."""
    return False


def get_arch_list() -> list[str]:
    """Returns the GPU architectures that kernels were compiled for; an empty list here."""
    return []


# -- functions for all GPUs: nothing to do -----------------------------------------------------------------------


def manual_seed(seed: int) -> None:
    """Sets the seed of the current GPU; does nothing here."""
    int(seed)


def manual_seed_all(seed: int) -> None:
    """Sets the seed of all GPUs; does nothing here.

    >>> manual_seed_all(0)
    """
    int(seed)


def seed() -> None:
    """Sets the seed of the current GPU to a random number; does nothing here."""


def seed_all() -> None:
    """Sets the seed of all GPUs to a random number; does nothing here."""


def get_rng_state_all() -> list[Any]:
    """Returns the random number generator states of all GPUs; an empty list here."""
    return []


def set_rng_state_all(new_states: Any) -> None:
    """Sets the random number generator states of all GPUs."""
    for _ in new_states:
        _no_gpu()


def empty_cache() -> None:
    """Releases cached GPU memory; does nothing here.

    >>> empty_cache()
    """


def ipc_collect() -> None:
    """Releases GPU memory that other processes no longer use; does nothing here."""


def memory_allocated(device: Any = None) -> int:
    """Returns the GPU memory occupied by tensors, in bytes; always 0 here."""
    return 0


def max_memory_allocated(device: Any = None) -> int:
    """Returns the peak GPU memory occupied by tensors, in bytes; always 0 here."""
    return 0


def memory_reserved(device: Any = None) -> int:
    """Returns the GPU memory reserved for tensors, in bytes; always 0 here."""
    return 0


def max_memory_reserved(device: Any = None) -> int:
    """Returns the peak GPU memory reserved for tensors, in bytes; always 0 here."""
    return 0


def memory_stats(device: Any = None) -> OrderedDict[str, Any]:
    """Returns statistics of GPU memory; an empty dictionary here."""
    return OrderedDict()


# -- functions for one GPU: refused ------------------------------------------------------------------------------


def _no_gpu() -> NoReturn:
    refuse(
        AssertionError,
        "Torch not compiled with CUDA enabled",
        "this engine keeps tensors in main memory and supports no GPU",
        "if torch.cuda.is_available(): ...",
        rule="device.cuda",
    )


def init() -> None:
    """Initializes CUDA; refused here."""
    _no_gpu()


def initial_seed() -> int:
    """Returns the seed of the current GPU; refused here."""
    _no_gpu()


def current_device() -> int:
    """Returns the index of the current GPU; refused here."""
    _no_gpu()


def set_device(device: Any) -> None:
    """Sets the current GPU; refused here."""
    _no_gpu()


def synchronize(device: Any = None) -> None:
    """Waits for all kernels on a GPU to complete; refused here."""
    _no_gpu()


def get_device_name(device: Any = None) -> str:
    """Returns the name of a GPU; refused here."""
    _no_gpu()


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """Returns the compute capability of a GPU; refused here."""
    _no_gpu()


def get_device_properties(device: Any = None) -> Any:
    """Returns the properties of a GPU; refused here."""
    _no_gpu()


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Returns the free and the total memory of a GPU, in bytes; refused here."""
    _no_gpu()


def get_rng_state(device: Any = "cuda") -> Any:
    """Returns the random number generator state of a GPU; refused here."""
    _no_gpu()
