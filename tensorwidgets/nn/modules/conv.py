"""Convolution layers, and their way back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...engine.derivatives.ops import torch
from ...engine.tensor.tensor import Tensor
from .. import functional as F
from .. import init
from ..parameter import Parameter
from .module import Module

Numbers = int | tuple[int, ...]


def _several(value: Any, dims: int) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * dims


class _ConvNd(Module):
    """What all convolution layers share: the numbers, the weight and how it is drawn."""

    __constants__ = [
        "stride",
        "padding",
        "dilation",
        "groups",
        "padding_mode",
        "output_padding",
        "in_channels",
        "out_channels",
        "kernel_size",
    ]
    __annotations__ = {"bias": "Tensor | None"}

    _dims = 0

    def _set_up(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        transposed: bool,
        output_padding: Any,
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any,
        dtype: Any,
    ) -> None:
        Module.__init__(self)
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        dims = self._dims
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == "same" and any(s != 1 for s in _several(stride, dims)):
                raise ValueError("padding='same' is not supported for strided convolutions")
        modes = {"zeros", "reflect", "replicate", "circular"}
        if padding_mode not in modes:
            raise ValueError(f"padding_mode must be one of {modes}, but got padding_mode='{padding_mode}'")
        if transposed and padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size, self.stride = _several(kernel_size, dims), _several(stride, dims)
        self.padding: Any = padding if isinstance(padding, str) else _several(padding, dims)
        self.dilation, self.transposed = _several(dilation, dims), transposed
        self.output_padding = _several(output_padding, dims)
        self.groups, self.padding_mode = groups, padding_mode
        self._reversed_padding_repeated_twice = self._ends()
        size = (in_channels, out_channels // groups) if transposed else (out_channels, in_channels // groups)
        self.weight = Parameter(torch.empty((*size, *self.kernel_size), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def _ends(self) -> list[int]:
        """The padding as `pad` takes it: the last dimension first, begin and end."""
        if self.padding == "valid":
            return [0] * 2 * self._dims
        if self.padding == "same":
            totals = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size, strict=True)]
            return [n for t in reversed(totals) for n in (t // 2, t - t // 2)]
        return [p for p in reversed(self.padding) for _ in range(2)]

    def reset_parameters(self) -> None:
        """Draw initial numbers, so that results are about as large as inputs."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        none = (0,) * self._dims
        words = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if isinstance(self.padding, str) or self.padding != none:
            words += f", padding={self.padding}"
        if self.dilation != (1,) * self._dims:
            words += f", dilation={self.dilation}"
        if self.output_padding != none:
            words += f", output_padding={self.output_padding}"
        if self.groups != 1:
            words += f", groups={self.groups}"
        if self.bias is None:
            words += ", bias=False"
        return words if self.padding_mode == "zeros" else words + f", padding_mode={self.padding_mode}"


class _Conv(_ConvNd):
    """A convolution layer."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Numbers,
        stride: Numbers = 1,
        padding: Numbers | str = 0,
        dilation: Numbers = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        self._set_up(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            False,
            0,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            padding = 0
        run = getattr(F, f"conv{self._dims}d")
        result: Tensor = run(input, weight, bias, self.stride, padding, self.dilation, self.groups)
        return result


class _ConvTransposeNd(_ConvNd):
    """A transposed convolution layer."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Numbers,
        stride: Numbers = 1,
        padding: Numbers = 0,
        output_padding: Numbers = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Numbers = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        self._set_up(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            True,
            output_padding,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _output_padding(self, input: Tensor, output_size: Sequence[int] | None) -> Numbers:
        """How much is added at the end so that the result has the size that is asked for."""
        if output_size is None:
            return self.output_padding
        dims, lead = self._dims, input.dim() - self._dims
        wanted = list(output_size)
        if len(wanted) == lead + dims:
            wanted = wanted[lead:]
        if len(wanted) != dims:
            raise ValueError(
                f"ConvTranspose{dims}D: for {input.dim()}D input, output_size must have {dims} or {lead + dims} "
                f"elements (got {len(wanted)})"
            )
        least = [
            (n - 1) * s - 2 * p + d * (k - 1) + 1
            for n, s, p, d, k in zip(
                input.shape[lead:], self.stride, self.padding, self.dilation, self.kernel_size, strict=True
            )
        ]
        most = [n + s - 1 for n, s in zip(least, self.stride, strict=True)]
        if any(w < low or w > high for w, low, high in zip(wanted, least, most, strict=True)):
            raise ValueError(
                f"requested an output size of {list(output_size)}, but valid sizes range from {least} to {most} "
                f"(for an input of {input.size()[2:]})"
            )
        return tuple(w - low for w, low in zip(wanted, least, strict=True))

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        extra = self._output_padding(input, output_size)
        run = getattr(F, f"conv_transpose{self._dims}d")
        result: Tensor = run(
            input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation
        )
        return result


class Conv1d(_Conv):
    """Slides filters over sequences.

    >>> Conv1d(4, 8, 3)
    Conv1d(4, 8, kernel_size=(3,), stride=(1,))
    """

    _dims = 1


class Conv2d(_Conv):
    """Slides filters over images.

    >>> Conv2d(1, 6, 5, padding=2)
    Conv2d(1, 6, kernel_size=(5, 5), stride=(1, 1), padding=(2, 2))
    """

    _dims = 2


class Conv3d(_Conv):
    """Slides filters over volumes.

    >>> Conv3d(1, 2, 3)
    Conv3d(1, 2, kernel_size=(3, 3, 3), stride=(1, 1, 1))
    """

    _dims = 3


class ConvTranspose1d(_ConvTransposeNd):
    """Spreads each element of sequences by filters.

    >>> ConvTranspose1d(4, 2, 3, stride=2)
    ConvTranspose1d(4, 2, kernel_size=(3,), stride=(2,))
    """

    _dims = 1


class ConvTranspose2d(_ConvTransposeNd):
    """Spreads each element of images by filters.

    >>> ConvTranspose2d(4, 2, 2, stride=2)
    ConvTranspose2d(4, 2, kernel_size=(2, 2), stride=(2, 2))
    """

    _dims = 2


class ConvTranspose3d(_ConvTransposeNd):
    """Spreads each element of volumes by filters.

    >>> ConvTranspose3d(4, 2, 2)
    ConvTranspose3d(4, 2, kernel_size=(2, 2, 2), stride=(1, 1, 1))
    """

    _dims = 3
