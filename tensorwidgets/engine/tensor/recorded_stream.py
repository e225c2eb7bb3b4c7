"""Why does a tensor in main memory record no stream?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors.reasons import refuse

if TYPE_CHECKING:
    from .tensor import Tensor


def refuse_stream(t: Tensor, s: Any) -> None:
    """PyTorch's refusals: of what is not a stream, and of memory that no queue of a GPU uses."""
    if getattr(s, "stream_id", None) is None:
        refuse(RuntimeError, "unknown parameter type", "a stream, such as torch.cuda.Stream()", rule="argument.type")
    where = "Meta" if t.is_meta else "CPU"
    refuse(
        NotImplementedError,
        f"Could not run 'aten::record_stream' with arguments from the '{where}' backend.",
        "only memory on a GPU is used by queues of work that run beside the program",
        "x.cuda().record_stream(s)",
        rule="device.stream",
    )
