"""Where do the channels of a result lie? Last where those of the input do, for ops that keep this, or row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...geometry import channels_last_3d_stride, channels_last_stride, suggested_format
from ...tensor.lookups import size_and_stride

if TYPE_CHECKING:
    from ...tensor.tensor import Tensor


def suggested_stride(input: Tensor, size: tuple[int, ...]) -> tuple[int, ...] | None:
    """The strides of a result of this size if the input's channels lie last; None for row-major order.

    >>> from tensorwidgets.engine.derivatives.ops import torch
    >>> images = torch.ones(2, 3, 4, 4)
    >>> suggested_stride(images, (2, 3, 8, 8)), suggested_stride(images.permute(0, 2, 3, 1), (2, 3, 8, 8))
    (None, None)
    >>> suggested_stride(images.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2), (2, 3, 8, 8))
    (192, 1, 24, 3)
    """
    if len(size) not in (4, 5):
        return None
    steps = input._array.strides
    if steps[-1] < steps[1]:  # in a row the channels lie further apart, as in most images
        return None
    look = suggested_format(*size_and_stride(input))
    stride: Any = None
    if look == "channels_last" and len(size) == 4:
        stride = channels_last_stride(size)
    elif look == "channels_last_3d" and len(size) == 5:
        stride = channels_last_3d_stride(size)
    return stride  # type: ignore[no-any-return]


def stride_as_a_row(size: tuple[int, ...], input: Tensor, weight: Tensor) -> tuple[int, ...] | None:
    """The strides of a result in one dimension, which PyTorch computes as an image of one row.

    >>> from tensorwidgets.engine.derivatives.ops import torch
    >>> x, weight = torch.ones(2, 3, 5), torch.ones(4, 2, 3)
    >>> stride_as_a_row((2, 4, 4), x, weight), stride_as_a_row((2, 4, 4), x, weight.mT.contiguous().mT)
    (None, (16, 1, 4))
    """
    for each in (input, weight):
        steps = each._array.strides
        if steps[2] < steps[1] or each is input and not input.is_contiguous():
            continue
        (n, channels, length), (s0, s1, s2) = size_and_stride(each)
        if suggested_format((n, channels, 1, length), (s0, s1, s2 * length, s2)) == "channels_last":
            return size[1] * size[2], 1, size[1]
    return None
