"""The way back of pools that keep the largest: zeros where nothing was kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....engine.tensor.tensor import Tensor
from ... import functional as F
from ..base.named_init import NamedInit
from ..module import Module
from ..utils import _ntuple


class _MaxUnpoolNd(NamedInit, Module):
    """The inverse of a max pool: zeros where nothing was kept."""

    _dims = 0

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = self._several(kernel_size)
        self.stride, self.padding = self._several(kernel_size if stride is None else stride), self._several(padding)

    def _several(self, value: Any) -> tuple[int, ...]:
        return _ntuple(self._dims)(value)

    def forward(self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None) -> Any:
        run = getattr(F, f"max_unpool{self._dims}d")
        return run(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(_MaxUnpoolNd):
    """The inverse of `MaxPool1d`, with zeros where nothing was kept."""

    _dims = 1


class MaxUnpool2d(_MaxUnpoolNd):
    """The inverse of `MaxPool2d`, from the places that it returns.

    >>> import tensorwidgets as torch
    >>> pool, unpool = torch.nn.MaxPool2d(2, return_indices=True), MaxUnpool2d(2)
    >>> unpool(*pool(torch.tensor([[[1.0, 2.0], [4.0, 3.0]]])))
    tensor([[[0., 0.],
             [4., 0.]]])
    """

    _dims = 2


class MaxUnpool3d(_MaxUnpoolNd):
    """The inverse of `MaxPool3d`, with zeros where nothing was kept."""

    _dims = 3
