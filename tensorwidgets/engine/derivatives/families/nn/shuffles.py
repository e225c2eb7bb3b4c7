"""Derivatives of ops that move channels: the move back."""

from __future__ import annotations

from ...declaring import differentiate, refused
from ...ops import torch

differentiate("pixel_shuffle", input=lambda grad, upscale_factor: torch.pixel_unshuffle(grad, upscale_factor))
differentiate("pixel_unshuffle", input=lambda grad, downscale_factor: torch.pixel_shuffle(grad, downscale_factor))
differentiate(
    "channel_shuffle",
    input=lambda grad, input_shape, groups: torch.channel_shuffle(grad, input_shape[1] // groups),
)
refused("native_channel_shuffle")
