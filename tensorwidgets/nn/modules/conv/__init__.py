"""Which layers slide filters over their input, or spread its elements by filters?"""

from .base import _ConvNd as _ConvNd
from .forward import Conv1d, Conv2d, Conv3d
from .lazy import LazyConv1d, LazyConv2d, LazyConv3d, LazyConvTranspose1d, LazyConvTranspose2d, LazyConvTranspose3d
from .transposed import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from .transposed import _ConvTransposeNd as _ConvTransposeNd

__all__ = [
    "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d", "LazyConv1d",
    "LazyConv2d", "LazyConv3d", "LazyConvTranspose1d", "LazyConvTranspose2d", "LazyConvTranspose3d",
]  # fmt: skip
