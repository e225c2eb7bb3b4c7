"""What do all convolution layers share? The numbers, the weight and how it is drawn."""

from __future__ import annotations

import math
from typing import Any

from ....engine.derivatives.ops import torch
from ... import init
from ...parameter import Parameter
from ..module import Module
from ..utils import _ntuple

Numbers = int | tuple[int, ...]


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
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any, padding: Any, dilation: Any,
        transposed: bool, output_padding: Any, groups: int, bias: bool, padding_mode: str, device: Any, dtype: Any,
    ) -> None:  # fmt: skip
        if transposed and padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        Module.__init__(self)
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        several = _ntuple(self._dims)
        if isinstance(padding, str) and not transposed:
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == "same" and any(s != 1 for s in several(stride)):
                raise ValueError("padding='same' is not supported for strided convolutions")
        modes = {"zeros", "reflect", "replicate", "circular"}
        if padding_mode not in modes:
            raise ValueError(f"padding_mode must be one of {modes}, but got padding_mode='{padding_mode}'")
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size, self.stride = several(kernel_size), several(stride)
        self.padding: Any = padding if isinstance(padding, str) and not transposed else several(padding)
        self.dilation, self.transposed = several(dilation), transposed
        self.output_padding = several(output_padding)
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
            totals = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size, strict=False)]
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
        words = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * len(self.padding):
            words += f", padding={self.padding}"
        if self.dilation != (1,) * len(self.dilation):
            words += f", dilation={self.dilation}"
        if self.output_padding != (0,) * len(self.output_padding):
            words += f", output_padding={self.output_padding}"
        if self.groups != 1:
            words += f", groups={self.groups}"
        if self.bias is None:
            words += ", bias=False"
        return words if self.padding_mode == "zeros" else words + f", padding_mode={self.padding_mode}"
