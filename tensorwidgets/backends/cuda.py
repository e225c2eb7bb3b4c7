"""torch.backends.cuda: there is no such library here. Its switches are stored, so that programs can set them.

>>> import tensorwidgets as torch
>>> torch.backends.cuda.matmul.allow_tf32 = True
>>> torch.get_float32_matmul_precision()
'high'
>>> torch.backends.cuda.matmul.allow_tf32 = False
"""

from __future__ import annotations

import warnings
from contextlib import AbstractContextManager
from typing import Any

from ..engine.compat.switches import (
    ATTENTION,
    attention_by,
    get_float32_matmul_precision,
    set_float32_matmul_precision,
)
from ..engine.errors.reasons import refuse
from .flags import checked
from .precision import chosen


def is_built() -> bool:
    """Whether there is code for these GPUs. Here: no."""
    return False


_REDUCTIONS = ("allow_fp16_reduced_precision_reduction", "allow_bf16_reduced_precision_reduction")


class cuBLASModule:
    """The switches of matrix products on GPUs. `allow_tf32` is `torch.set_float32_matmul_precision` by another name."""

    def __init__(self) -> None:
        self.__dict__["stored"] = {**dict.fromkeys(_REDUCTIONS, True), "allow_fp16_accumulation": False}
        self.__dict__["precision_was_set"] = False

    def __getattr__(self, name: str) -> Any:
        allowed = get_float32_matmul_precision() != "highest"
        if name == "allow_tf32":
            return allowed
        if name == "fp32_precision":
            return "tf32" if allowed else "ieee" if self.precision_was_set else chosen("cuda", "all")
        if name not in self.stored:
            raise AttributeError("Unknown attribute " + name)
        return self.stored[name]

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "allow_tf32":
            set_float32_matmul_precision("high" if checked(value, "set_allow_tf32_cublas") else "highest")
            self.__dict__["precision_was_set"] = True
        elif name == "fp32_precision":
            if value not in ("tf32", "ieee", "none"):
                refuse(RuntimeError, f"Unknown precision: {value}", "'tf32', 'ieee' or 'none'", rule="argument.value")
            set_float32_matmul_precision("high" if value == "tf32" else "highest")
            self.__dict__["precision_was_set"] = value != "none"
        elif name in _REDUCTIONS:
            several = value if isinstance(value, (tuple, list)) else (value,)
            if not all(isinstance(each, bool) for each in several):
                raise TypeError(f"{name} expects a bool or a tuple/list of bools, but got {type(value)}")
            self.stored[name] = several[0]
        elif name in self.stored:
            self.stored[name] = checked(value, "set_allow_fp16_accumulation_cublas")
        else:
            raise AttributeError("Unknown attribute " + name)


matmul = cuBLASModule()


# -- which kernels attention may take ------------------------------------------------------------------------------


def flash_sdp_enabled() -> bool:
    """Whether attention may take this kernel; here all of them compute the same."""
    return ATTENTION["flash"]


def mem_efficient_sdp_enabled() -> bool:
    """Whether attention may take this kernel."""
    return ATTENTION["mem_efficient"]


def math_sdp_enabled() -> bool:
    """Whether attention may take this kernel."""
    return ATTENTION["math"]


def cudnn_sdp_enabled() -> bool:
    """Whether attention may take this kernel."""
    return ATTENTION["cudnn"]


def enable_flash_sdp(enabled: bool) -> None:
    """Let attention take this kernel, or not."""
    ATTENTION["flash"] = checked(enabled, "set_sdp_use_math")


def enable_mem_efficient_sdp(enabled: bool) -> None:
    """Let attention take this kernel, or not."""
    ATTENTION["mem_efficient"] = checked(enabled, "set_sdp_use_math")


def enable_math_sdp(enabled: bool) -> None:
    """Let attention take this kernel, or not."""
    ATTENTION["math"] = checked(enabled, "set_sdp_use_math")


def enable_cudnn_sdp(enabled: bool) -> None:
    """Let attention take this kernel, or not."""
    ATTENTION["cudnn"] = checked(enabled, "set_sdp_use_cudnn")


def fp16_bf16_reduction_math_sdp_allowed() -> bool:
    """Whether attention may add in 16 bits."""
    return ATTENTION["reduced"]


def allow_fp16_bf16_reduction_math_sdp(enabled: bool) -> None:
    """Let attention add in 16 bits, or not."""
    ATTENTION["reduced"] = checked(enabled, "set_math_sdp_allow_fp16_bf16_reduction")


def is_flash_attention_available() -> bool:
    """Whether this kernel is there. Here: no."""
    return False


def sdp_kernel(
    enable_flash: bool = True, enable_math: bool = True, enable_mem_efficient: bool = True, enable_cudnn: bool = True
) -> AbstractContextManager[None]:
    """A block in which attention may take some kernels; `torch.nn.attention.sdpa_kernel` replaces it."""
    warnings.warn(
        "`torch.backends.cuda.sdp_kernel()` is deprecated. In the future, this context manager will be removed. Please "
        "see `torch.nn.attention.sdpa_kernel()` for the new context manager, with updated signature.",
        FutureWarning,
        stacklevel=2,
    )
    return attention_by(flash=enable_flash, math=enable_math, mem_efficient=enable_mem_efficient, cudnn=enable_cudnn)
