"""Copying forms of views: `transpose_copy` and others, each made of the view that it is named after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...declare.by_signature import calls, same_dtype
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.lookups import slice_key
from ...tensor.moving.resizing import resize_output
from ...tensor.tensor import Tensor
from ...types import formats

VIEWS = (
    "as_strided detach diagonal expand permute select split split_with_sizes squeeze t transpose unbind unfold "
    "unsqueeze view view_as_complex view_as_real"
).split()
"""The views with a copying form. Every copy is contiguous."""


def copied(view: Tensor) -> Tensor:
    """A contiguous copy."""
    return OPS["clone"].function(view, memory_format=formats.contiguous_format)


def into(out: Tensor, view: Tensor) -> Tensor:
    """A view copied to `out`, which has its dtype and takes its size."""
    same_dtype(out, view._dtype)
    if out._array.shape != view._array.shape:
        resize_output(out, view._array.shape)
    return OPS["copy_"].function(out, view)


_WRITERS = {"split": "split_copy_Tensor_out()", "unbind": "unbind_copy_int_out"}
"""What PyTorch calls the functions that write copies of several views."""


def _delivered(value: Any, out: Any, name: str = "") -> Any:
    """Copies of one view or of several, in `out=` where that is given."""
    if isinstance(value, Tensor):
        return copied(value) if out is None else into(out, value)
    if out is None:
        return tuple([copied(view) for view in value])
    if len(out) != len(value):
        writer = _WRITERS.get(name, f"{name}_copy_out")
        refuse(
            RuntimeError,
            f"{writer} expected an out= argument of size {len(value)}, got size {len(out)}",
            "each part has a tensor to be written into",
            f"out=[torch.empty(0) for _ in range({len(value)})]",
            rule="out.count",
        )
    write = OPS["copy_"].function if name == "split" else into  # the parts of a split take no other size, but any dtype
    for target, view in zip(out, value, strict=True):
        write(target, view)
    return None


def _declare(name: str) -> None:
    @calls(
        f"{name}_copy",
        f"Performs the same operation as `{name}`, but copies the elements.",
        forms="function",
        family="copy",
    )
    def copying(
        input: Tensor, out: Tensor | Sequence[Tensor] | None = None, implicit: bool = False, **named: Any
    ) -> Any:
        if name == "view" and "size" in named:
            # A shape that no view can have may still be copied.
            return _delivered(OPS["reshape"].function(input, named["size"]), out, name)
        return _delivered(OPS[name].function(input, **named), out, name)


for _name in VIEWS:
    _declare(_name)


@calls(
    "alias_copy",
    "Returns a copy of all elements.",
    forms="function",
    family="copy",
)
def alias_copy(input: Tensor, out: Tensor | None = None) -> Tensor:
    return _delivered(input, out)


@calls(
    "slice_copy",
    "Returns a copy of a slice along one dimension.",
    forms="function",
    family="copy",
)
def slice_copy(
    input: Tensor,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
    out: Tensor | None = None,
) -> Tensor:
    return _delivered(input[slice_key(input, dim, start, end, step)], out)
