"""An error of NumPy or Python that no rule of ours foresaw, in PyTorch's words.

A rule should have refused such a call before. This is the last step, so that no message names our own functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .. import geometry
from ..errors.reasons import Reason, refuse
from ..tensor.tensor import Tensor
from ..types.size_limits import refuse_dims, refuse_memory

_APART = re.compile(r"could not be broadcast|cannot be broadcast|could not broadcast|remapped shapes|axis remapping")
_TOO_LARGE = re.compile(
    r"Maximum allowed dimension exceeded|array is too big|array is too large|too large to convert to C"
)
_DIMS = re.compile(r"maximum supported dimension for an ndarray is.*found (\d+)")
_INSIDE = re.compile(r"'([\w.]+)' object has no attribute '_(array|dtype|keys|base|requires_grad)'")


def refuse_in_our_words(error: Exception, op_name: str, tensors: Iterable[Tensor]) -> None:
    """Refuse what an error tells of the inside; return where it tells nothing of it."""
    told = str(error)
    if isinstance(error, MemoryError):
        refuse_memory(getattr(error, "_total_size", None))
    if isinstance(error, ValueError) and _APART.search(told):
        result = geometry.broadcast(*[t._array.shape for t in tensors])
        if isinstance(result, Reason):
            result.refuse()
        refuse(
            RuntimeError, f"{op_name}(): the sizes do not match", "the tensors do not fit together", rule="size.apart"
        )
    if isinstance(error, (ValueError, OverflowError)) and _TOO_LARGE.search(told):
        refuse(RuntimeError, "numel: integer multiplication overflow", "64 bits cannot count it", rule="size.bytes")
    dims = _DIMS.search(told) if isinstance(error, ValueError) else None
    if dims is not None:
        refuse_dims(dims[1])
    inside = _INSIDE.search(told) if isinstance(error, AttributeError) else None
    if inside is not None:
        message = f"{op_name}(): expected Tensor, but got {inside[1]}"
        refuse(TypeError, message, f"{op_name} works on tensors", "torch.tensor(…)", rule="argument.type")
