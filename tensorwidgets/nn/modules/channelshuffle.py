"""A layer that mixes the groups of channels."""

from __future__ import annotations

from ...engine.tensor.tensor import Tensor
from .. import functional as F
from .module import Module


class ChannelShuffle(Module):
    """Mixes the channels of several groups."""

    __constants__ = ["groups"]

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        result: Tensor = F.channel_shuffle(input, self.groups)
        return result

    def extra_repr(self) -> str:
        return f"groups={self.groups}"
