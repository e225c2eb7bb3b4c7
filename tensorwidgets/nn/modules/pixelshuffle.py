"""Layers that move channels into the image, and back."""

from __future__ import annotations

from ...engine.tensor.tensor import Tensor
from .. import functional as F
from .module import Module


class PixelShuffle(Module):
    """Moves channels into the image, which gets larger by a factor.

    >>> import tensorwidgets as torch
    >>> PixelShuffle(2)(torch.zeros(1, 4, 3, 3)).shape
    torch.Size([1, 1, 6, 6])
    """

    __constants__ = ["upscale_factor"]

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        result: Tensor = F.pixel_shuffle(input, self.upscale_factor)
        return result

    def extra_repr(self) -> str:
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """Moves the image's elements into channels.

    >>> import tensorwidgets as torch
    >>> PixelUnshuffle(2)(torch.zeros(1, 1, 6, 6)).shape
    torch.Size([1, 4, 3, 3])
    """

    __constants__ = ["downscale_factor"]

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        result: Tensor = F.pixel_unshuffle(input, self.downscale_factor)
        return result

    def extra_repr(self) -> str:
        return f"downscale_factor={self.downscale_factor}"
