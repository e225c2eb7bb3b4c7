"""Padding with the elements at the border: reflected, repeated, or from the other side."""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType
from typing import Any

import numpy as np

from ....backends.numpy.layers.borders import add_back, add_back_one_by_one, fill, places
from ....backends.numpy.rounded_steps import rounding, unchanged
from ....backends.numpy.without_warnings import silent
from ....declare.rules import Answer, Result, computed_row
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....tensor.type_names import type_name
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import BOOL, opmath
from ..declaring import nn_composite
from ..layouts import suggested_stride
from ..ways_back import way_back
from ..whole_numbers import whole_numbers

_COMBINATIONS = (
    "Supported combinations for non-constant padding:\n"
    "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
    "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
    "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
)
MODES = {"reflect": "reflection", "replicate": "replication"}


@silent
def fill_back(target: np.ndarray, grad: np.ndarray, by_axis: list[Any], wide: np.dtype) -> None:
    wider, size, rounded = grad.astype(wide, copy=False), target.shape[-len(by_axis) :], rounding(target.dtype, wide)
    if rounded is unchanged or type(wider) is not np.ndarray:
        sums = add_back(wider, by_axis, size)
    else:
        sums = add_back_one_by_one(wider, by_axis, size, rounded)
    np.copyto(target, sums, casting="unsafe")


def indices(input: Tensor, padding: Sequence[int], dims: int, mode: str) -> list[Any]:
    """The places that are read, for each of the last dimensions."""
    size = tuple(input.shape)[-dims:]
    ends = [(int(padding[2 * i]), int(padding[2 * i + 1])) for i in range(dims)][::-1]
    _check_elements(input, dims)
    for i, (n, (before, after)) in reversed(list(enumerate(zip(size, ends, strict=True)))):
        if mode == "reflect" and (before >= n or after >= n):
            refuse(
                RuntimeError,
                f"Argument #{4 + 2 * (dims - 1 - i)}: Padding size should be less than the corresponding input "
                f"dimension, but got: padding ({before}, {after}) at dimension {input.dim() - dims + i} of input "
                f"{list(input.shape)}",
                "a reflection leaves out the border itself, so the padding must be smaller than the dimension",
                "mode='replicate'",
                rule="pad.reflect",
            )
    out = [n + before + after for n, (before, after) in zip(size, ends, strict=True)]
    if max(out) < 1:
        names = "DHW"[-dims:]
        given, left = (
            " ".join([f"{name}: {n}" for name, n in zip(names, numbers, strict=True)]) for numbers in (size, out)
        )
        given = given.replace(" W", ", W") + (" " if dims == 2 and mode == "replicate" else "")
        message = f"input ({given}) is too small. Calculated output {left}"
        refuse(RuntimeError, message, "nothing is left of it", rule="pad.size")
    if min(out) < 0:
        whole = [*input.shape[:-dims], *out]
        message = f"Trying to create tensor with negative dimension {min(out)}: {whole}"
        if dims == 2 and mode == "reflect":
            message = "numel: integer multiplication overflow"
        refuse(
            RuntimeError, message, f"{whole} would be left: a dimension has fewer elements than are removed",
            rule="pad.size",
        )  # fmt: skip
    return [places(n, before, after, mode) for n, (before, after) in zip(size, ends, strict=True)]


def _check_elements(input: Tensor, dims: int) -> None:
    """Refuse an input without elements, but for a batch of nothing."""
    size = list(input.shape)
    if 0 in size[len(size) - dims - 1 :]:
        refuse(
            RuntimeError,
            f"Expected {dims + 1}D or {dims + 2}D (batch mode) tensor with possibly 0 batch size and other non-zero "
            f"dimensions for input, but got: {size}",
            "there is no border to take elements from",
            "mode='constant'",
            rule="pad.size",
        )


def _declare(mode: str, dims: int) -> None:
    called = f"{MODES[mode]}_pad{dims}d"

    @computed_row(
        f"_nn.{called}", "Pads with elements of the border.", fill, family="nn", category="nn", forms="function",
        out=None,
    )  # fmt: skip
    def pad(input: Tensor, padding: Sequence[int]) -> Answer:
        by_axis = indices(input, padding, dims, mode)
        if input._dtype._kind == BOOL:
            refuse_dtype(called, input._dtype)
        size = (*input.shape[:-dims], *map(len, by_axis))
        return Result(size, input._dtype, suggested_stride(input, size)), (input._array, by_axis)

    @way_back(f"{called}_backward", "The gradient of padding with the border.", fill_back)
    def back(grad_output: Tensor, input: Tensor, padding: Sequence[int]) -> Answer:
        by_axis = indices(input, padding, dims, mode)
        d, size = grad_output._dtype, tuple(input.shape)
        return Result(size, d, suggested_stride(input, size)), (grad_output._array, by_axis, opmath(d)._in_numpy)


for each in (1, 2, 3):
    for one in MODES:
        _declare(one, each)


def circular(input: Tensor, padding: Sequence[int]) -> Tensor:
    """The elements of the other side around: the middle is copied, then the two ends of each dimension."""
    first = input.dim() - len(padding) // 2
    ends = {input.dim() - 1 - i: tuple(padding[2 * i : 2 * i + 2]) for i in range(len(padding) // 2)}
    size = list(input.shape)
    for dim, (before, after) in ends.items():
        if before > size[dim] or after > size[dim]:
            refuse(
                RuntimeError,
                "Padding value causes wrapping around more than once.",
                "the other side has too few elements",
                rule="pad.circular",
            )
        size[dim] += before + after
        if size[dim] < 0:
            refuse(
                RuntimeError,
                "Negative padding value is resulting in an empty dimension",
                "nothing would be left of this dimension",
                rule="pad.circular",
            )
    out: Tensor = OPS["empty"].function(size, dtype=input.dtype, device=input.device)
    target, source = out, input
    for dim in range(first, input.dim()):
        before, after = ends[dim]
        start, own = max(before, 0), max(-before, 0)
        target = target.narrow(dim, start, size[dim] - start - max(after, 0))
        source = source.narrow(dim, own, input.shape[dim] - own - max(-after, 0))
    target.copy_(source)
    for dim, (before, after) in ends.items():
        n, start, end = size[dim], max(before, 0), max(after, 0)
        if before > 0:
            out.narrow(dim, 0, before).copy_(out.narrow(dim, n - before - end, before))
        if after > 0:
            out.narrow(dim, n - after, after).copy_(out.narrow(dim, start, after))
    return out


@nn_composite("nn.functional.pad", "Adds elements around the last dimensions: a number, or elements of the border.")
def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Tensor:
    must_be_tensor("pad", input)
    pad = whole_numbers("pad", "pad", 2, pad, single=False)
    for name, position, given, kinds, wanted in (
        ("mode", 3, mode, str, "str"),
        ("value", 4, value, (int, float, Tensor, np.number, NoneType), "float"),
    ):
        if not isinstance(given, kinds) or isinstance(given, Tensor) and given.dim():
            refuse(
                TypeError,
                f"pad(): argument '{name}' (position {position}) must be {wanted}, not {type_name(given)}",
                "what is added is a number, and a mode has a name",
                rule="argument.type",
            )
    result: Tensor
    if mode not in ("constant", *MODES, "circular"):
        refuse(NotImplementedError, f"Unrecognised padding mode {mode}", rule="pad.mode")
    if len(pad) % 2:
        refuse(RuntimeError, "Padding length must be divisible by 2", rule="pad.count")
    if len(pad) // 2 > input.dim():
        refuse(
            RuntimeError,
            "Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(pad)} and input of dimension {input.dim()}",
            rule="pad.count",
        )
    if mode == "constant":
        result = OPS["constant_pad_nd"].function(input, pad, 0.0 if value is None else float(value))
        return result
    if value is not None and value != 0:
        refuse(RuntimeError, f'Padding mode "{mode}" doesn\'t take in value argument', rule="pad.value")
    dims = len(pad) // 2
    if mode in (*MODES, "circular") and dims in (1, 2, 3) and input.dim() in (dims + 1, dims + 2):
        if mode == "circular":
            return circular(input, pad)
        result = OPS[f"_nn.{MODES[mode]}_pad{dims}d"].function(input, pad)
        return result
    refuse(
        NotImplementedError,
        f"Padding size {len(pad)} is not supported for {input.dim()}D input tensor.\n{_COMBINATIONS}",
        "the border is known for the last one to three dimensions, behind channels",
        *(["x.unsqueeze(0), a picture with one channel"] if dims < 4 and input.dim() == dims else []),
        "mode='constant'",
        rule="pad.dims",
    )
