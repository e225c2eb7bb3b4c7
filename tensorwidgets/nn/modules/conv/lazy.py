"""Convolution layers that take `in_channels` from the first input."""

from __future__ import annotations

from typing import Any

from ....engine.tensor.tensor import Tensor
from ...uninitialized import UninitializedParameter
from ..lazy import LazyModuleMixin
from .forward import Conv1d, Conv2d, Conv3d
from .transposed import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d


class _Lazy(LazyModuleMixin):
    """What lazy convolutions share: the weight gets its size from the channels of the first input."""

    _named_after_layer = ("__init__",)
    in_channels: int
    groups: int
    transposed: bool
    kernel_size: tuple[int, ...]
    weight: Any
    bias: Any
    _dims: int

    def _without_size(self, out_channels: int, bias: bool, device: Any, dtype: Any) -> None:
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()  # type: ignore[misc]

    def initialize_parameters(self, input: Tensor, *args: Any, **kwargs: Any) -> None:
        if not self.has_uninitialized_params():
            return
        self.in_channels = self._channels_of(input)
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        ends = self.in_channels, self.out_channels
        first, second = ends if self.transposed else reversed(ends)
        self.weight.materialize((first, second // self.groups, *self.kernel_size))
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()

    def _channels_of(self, input: Tensor) -> int:
        single = self._get_num_spatial_dims() + 1
        if input.dim() not in (single, single + 1):
            raise RuntimeError(
                f"Expected {single}D (unbatched) or {single + 1}D (batched) input to {type(self).__name__}, but got "
                f"input of size: {input.shape}"
            )
        return input.shape[input.dim() - single]

    def _get_num_spatial_dims(self) -> int:
        return self._dims


class _LazyConv(_Lazy):
    def __init__(
        self, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1, bias: bool = True, padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        numbers = kernel_size, stride, padding, dilation, groups
        super().__init__(0, 0, *numbers, False, padding_mode, device=device, dtype=dtype)
        self._without_size(out_channels, bias, device, dtype)


class _LazyConvTranspose(_Lazy):
    def __init__(
        self, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
        groups: int = 1, bias: bool = True, dilation: int = 1, padding_mode: str = "zeros", device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        numbers = kernel_size, stride, padding, output_padding, groups
        super().__init__(0, 0, *numbers, False, dilation, padding_mode, device=device, dtype=dtype)
        self._without_size(out_channels, bias, device, dtype)


class LazyConv1d(_LazyConv, Conv1d):  # type: ignore[misc]
    """A `Conv1d` that takes `in_channels` from the first input."""

    cls_to_become = Conv1d


class LazyConv2d(_LazyConv, Conv2d):  # type: ignore[misc]
    """A `Conv2d` that takes `in_channels` from the first input.

    >>> import tensorwidgets as torch
    >>> layer = LazyConv2d(4, 3)
    >>> layer
    LazyConv2d(0, 4, kernel_size=(3, 3), stride=(1, 1))
    >>> y = layer(torch.ones(1, 2, 5, 5))
    >>> layer
    Conv2d(2, 4, kernel_size=(3, 3), stride=(1, 1))
    """

    cls_to_become = Conv2d


class LazyConv3d(_LazyConv, Conv3d):  # type: ignore[misc]
    """A `Conv3d` that takes `in_channels` from the first input."""

    cls_to_become = Conv3d


class LazyConvTranspose1d(_LazyConvTranspose, ConvTranspose1d):  # type: ignore[misc]
    """A `ConvTranspose1d` that takes `in_channels` from the first input."""

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, ConvTranspose2d):  # type: ignore[misc]
    """A `ConvTranspose2d` that takes `in_channels` from the first input."""

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, ConvTranspose3d):  # type: ignore[misc]
    """A `ConvTranspose3d` that takes `in_channels` from the first input."""

    cls_to_become = ConvTranspose3d
