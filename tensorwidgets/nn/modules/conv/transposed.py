"""Transposed convolution layers, the way back of convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....engine.tensor.tensor import Tensor
from ... import functional as F
from ..base.named_init import NamedInit
from .base import Numbers, _ConvNd


class _ConvTransposeNd(NamedInit, _ConvNd):
    """A transposed convolution layer."""

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Numbers, stride: Numbers = 1, padding: Numbers = 0,
        output_padding: Numbers = 0, groups: int = 1, bias: bool = True, dilation: Numbers = 1,
        padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        self._set_up(
            in_channels, out_channels, kernel_size, stride, padding, dilation, True, output_padding, groups, bias,
            padding_mode, device, dtype,
        )  # fmt: skip

    def _output_padding(self, input: Tensor, output_size: Sequence[int] | None) -> Numbers:
        """How much is added at the end so that the result has the size that is asked for."""
        if output_size is None:
            return self.output_padding
        dims = self._dims
        lead = 2 if input.dim() == dims + 2 else 1
        wanted = output_size[lead:] if len(output_size) == lead + dims else output_size
        if len(wanted) != dims:
            raise ValueError(
                f"ConvTranspose{dims}D: for {input.dim()}D input, output_size must have {dims} or {lead + dims} "
                f"elements (got {len(wanted)})"
            )
        least = [
            (n - 1) * s - 2 * p + d * (k - 1) + 1
            for n, s, p, d, k in zip(
                [input.size(d + lead) for d in range(dims)],
                self.stride,
                self.padding,
                self.dilation,
                self.kernel_size,
                strict=False,
            )
        ]
        most = [n + s - 1 for n, s in zip(least, self.stride, strict=False)]
        if any(w < low or w > high for w, low, high in zip(wanted, least, most, strict=False)):
            raise ValueError(
                f"requested an output size of {wanted}, but valid sizes range from {least} to {most} "
                f"(for an input of {input.size()[2:]})"
            )
        return tuple(w - low for w, low in zip(wanted, least, strict=False))

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        extra = self._output_padding(input, output_size)
        run = getattr(F, f"conv_transpose{self._dims}d")
        result: Tensor = run(
            input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation
        )
        return result


class ConvTranspose1d(_ConvTransposeNd):
    """Spreads each element of sequences over a window by filters.

    >>> ConvTranspose1d(4, 2, 3, stride=2)
    ConvTranspose1d(4, 2, kernel_size=(3,), stride=(2,))
    """

    _dims = 1


class ConvTranspose2d(_ConvTransposeNd):
    """Spreads each element of images over a window by filters.

    >>> ConvTranspose2d(4, 2, 2, stride=2)
    ConvTranspose2d(4, 2, kernel_size=(2, 2), stride=(2, 2))
    """

    _dims = 2


class ConvTranspose3d(_ConvTransposeNd):
    """Spreads each element of volumes over a window by filters.

    >>> ConvTranspose3d(4, 2, 2)
    ConvTranspose3d(4, 2, kernel_size=(2, 2, 2), stride=(1, 1, 1))
    """

    _dims = 3
