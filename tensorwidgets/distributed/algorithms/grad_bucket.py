"""`GradBucket`: gradients that travel together, as a hook sees them; and the refusals of hooks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...engine.errors.reasons import refuse
from ...engine.tensor.tensor import Tensor
from ..work import Future


class GradBucket:
    """Gradients of a few parameters, one after the other in a buffer. Those of this rank, until a hook sends them."""

    def __init__(self, bucket: Any = None, parameters: list[Tensor] | None = None, last: bool = False):
        if bucket is None or bucket.flat is None:
            raise TypeError("torch._C._distributed_c10d.GradBucket: No constructor defined!")
        self._bucket, self._parameters, self._last = bucket, parameters or [], last
        self._buffer: Tensor = bucket.flat

    def index(self) -> int:
        """The number of the bucket."""
        return int(self._bucket.number)

    def buffer(self) -> Tensor:
        """The gradients in one row."""
        return self._buffer

    def set_buffer(self, buffer: Tensor) -> None:
        """Put other gradients in their place, such as narrower ones."""
        self._buffer = buffer

    def gradients(self) -> list[Tensor]:
        """Each gradient."""
        return [self._buffer] if self._bucket.sparse else [self._bucket.views[i] for i in self._bucket.indices]

    def parameters(self) -> list[Tensor]:
        """The parameters of the gradients."""
        return [self._parameters[i] for i in self._bucket.indices]

    def is_last(self) -> bool:
        """Whether no bucket comes after this one."""
        return self._last


def check_hook(hook: Any) -> None:
    """Refuse what is no hook, in PyTorch's words."""
    if not callable(hook):
        raise TypeError("Communication hook must be callable.")
    signature = inspect.signature(hook)
    said = signature.parameters["bucket"].annotation
    if not isinstance(said, str) and said not in (inspect.Parameter.empty, GradBucket):
        raise ValueError("Communication hook: bucket annotation should be dist.GradBucket.")
    said = signature.return_annotation
    if not isinstance(said, str) and getattr(said, "__name__", "Future") != "Future" and said is not inspect._empty:
        raise ValueError("Communication hook: return annotation should be torch.futures.Future[torch.Tensor].")
    if getattr(hook, "__name__", "") in ("bf16_compress_hook", "bf16_compress_wrapper_hook"):
        raise TypeError("BF16 all reduce communication hook required CUDA 11+ and NCCL 2.10+ or XPU and XCCL")


def sent_by(hook: Callable[[Any, GradBucket], Any], state: Any, bucket: GradBucket) -> Future:
    """What a hook returns to wait for."""
    made = hook(state, bucket)
    if not isinstance(made, Future):
        refuse(
            RuntimeError,
            f"Unable to cast Python instance of type {type(made)} to C++ type '?': DDP communication hook's callback "
            f"must return a torch.futures.Future object, but got {type(made).__name__}",
            "the gradients are there when what a hook returns is done",
            "dist.all_reduce(bucket.buffer(), async_op=True).get_future().then(lambda f: f.value()[0])",
            rule="distributed.hook",
        )
    return made


def told_by(future: Future) -> Tensor:
    """The gradients that a hook has made."""
    value = future.wait()
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    if not isinstance(value, Tensor):
        raise RuntimeError(f"Unable to cast {value} to Tensor")
    return value
