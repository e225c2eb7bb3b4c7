"""In which order do the weights of convolutions lie? Another one for all convolutions of a model."""

from __future__ import annotations

from typing import Any

from ..modules.conv import Conv2d, Conv3d, ConvTranspose2d, ConvTranspose3d
from ..modules.module import Module

__all__ = ["convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format"]


def convert_conv2d_weight_memory_format(module: Module, memory_format: Any) -> Module:
    """Put the weights of all two-dimensional convolutions of a model into another order.

    >>> import tensorwidgets as torch
    >>> model = torch.nn.Sequential(torch.nn.Conv2d(4, 3, 2))
    >>> convert_conv2d_weight_memory_format(model, torch.channels_last)[0].weight.stride()
    (16, 1, 8, 4)
    """
    return _converted(module, memory_format, (Conv2d, ConvTranspose2d))


def convert_conv3d_weight_memory_format(module: Module, memory_format: Any) -> Module:
    """Put the weights of all three-dimensional convolutions of a model into another order."""
    return _converted(module, memory_format, (Conv3d, ConvTranspose3d))


def _converted(module: Any, memory_format: Any, kinds: tuple[type, ...]) -> Any:
    if isinstance(module, kinds):
        weight: Any = module.weight.detach().clone(memory_format=memory_format)  # type: ignore[attr-defined]
        module.weight.data = weight.resize_(weight.size(), memory_format=memory_format)  # type: ignore[attr-defined]
    for child in module.children():
        _converted(child, memory_format, kinds)
    return module
