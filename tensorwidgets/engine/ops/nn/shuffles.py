"""Ops that move channels: into the image and back, and among each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...declare.rules import Answer, Result, computed_row
from ...errors.reasons import refuse
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from .layouts import suggested_stride


def fill(target: np.ndarray, x: np.ndarray, split: tuple[int, ...], order: tuple[int, ...]) -> None:
    target[...] = x.reshape(split).transpose(order).reshape(target.shape)


def _row(name: str, words: str) -> Any:
    return computed_row(
        name, words, fill, f"nn.functional.{name}", family="nn", category="nn", forms="function", out=None
    )


def _order(lead: int, *rest: int) -> tuple[int, ...]:
    return (*range(lead), *(lead + r for r in rest))


def _result(size: tuple[int, ...], input: Tensor) -> Result:
    """A result that lies as the input does."""
    return Result(size, input._dtype, suggested_stride(input, size))


def _refuse(message: str) -> None:
    refuse(RuntimeError, message, "channels and sizes have to divide evenly", rule="shuffle.size")


@_row("pixel_shuffle", "Moves channels into the image, which gets larger by a factor.")
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Answer:
    must_be_tensor("pixel_shuffle", input)
    r, size = upscale_factor, tuple(input.shape)
    if len(size) < 3:
        _refuse(f"pixel_shuffle expects input to have at least 3 dimensions, but got input with {len(size)} "
                "dimension(s)")  # fmt: skip
    if r <= 0:
        _refuse(f"pixel_shuffle expects a positive upscale_factor, but got {r}")
    *lead, c, h, w = size
    if c % (r * r):
        _refuse("pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of "
                f"upscale_factor, but input.size(-3)={c} is not divisible by {r * r}")  # fmt: skip
    split = (*lead, c // (r * r), r, r, h, w)
    result = _result((*lead, c // (r * r), h * r, w * r), input)
    return result, (input._array, split, _order(len(lead), 0, 3, 1, 4, 2))


@_row("pixel_unshuffle", "Moves the image's elements into channels: the inverse of `pixel_shuffle`.")
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Answer:
    must_be_tensor("pixel_unshuffle", input)
    r, size = downscale_factor, tuple(input.shape)
    if len(size) < 3:
        _refuse(f"pixel_unshuffle expects input to have at least 3 dimensions, but got input with {len(size)} "
                "dimension(s)")  # fmt: skip
    if r <= 0:
        _refuse(f"pixel_unshuffle expects a positive downscale_factor, but got {r}")
    *lead, c, h, w = size
    for name, at, n in (("height", -2, h), ("width", -1, w)):
        if n % r:
            _refuse(f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({at})={n} is "
                    f"not divisible by {r}")  # fmt: skip
    if 0 in size:  # an empty input stays as it is, as in PyTorch
        return _result(size, input), (input._array, size, tuple(range(len(size))))
    split = (*lead, c, h // r, r, w // r, r)
    result = _result((*lead, c * r * r, h // r, w // r), input)
    return result, (input._array, split, _order(len(lead), 0, 2, 4, 1, 3))


@_row("native_channel_shuffle", "The same as `channel_shuffle`, by the name of its kernel, which has no derivative.")
@_row("channel_shuffle", "Mixes the channels of several groups.")
def channel_shuffle(input: Tensor, groups: int) -> Answer:
    must_be_tensor("channel_shuffle", input)
    size = tuple(input.shape)
    if len(size) < 3:
        _refuse(f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(size)}")
    if groups <= 0:
        _refuse(f"Number of groups to divide channels in must be positive. Value of groups:{groups}")
    if size[1] % groups:
        _refuse(f"Number of channels must be divisible by groups. Got {size[1]} channels and {groups} groups.")
    split = (size[0], groups, size[1] // groups, int(np.prod(size[2:])))
    return _result(size, input), (input._array, split, (0, 2, 1, 3))
