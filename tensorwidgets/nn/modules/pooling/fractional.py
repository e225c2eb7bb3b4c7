"""Pools whose windows lie at random."""

from __future__ import annotations

from typing import Any

from ....engine.tensor.tensor import Tensor
from ... import functional as F
from ..base.named_init import NamedInit
from ..module import Module
from ..utils import _ntuple


class _FractionalMaxPoolNd(NamedInit, Module):
    """Keeps the largest element of each random window."""

    __constants__ = ["kernel_size", "return_indices", "output_size", "output_ratio"]
    _dims = 0

    def __init__(
        self, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._check_kernel(kernel_size)
        several = _ntuple(self._dims)
        self.kernel_size, self.return_indices = several(kernel_size), return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = None if output_size is None else several(output_size)
        self.output_ratio = None if output_ratio is None else several(output_ratio)
        if output_size is None and output_ratio is None:
            name = f"FractionalMaxPool{self._dims}d"
            raise ValueError(f"{name} requires specifying either an output size, or a pooling ratio")
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if self.output_ratio is not None and not all(0 < self.output_ratio[k] < 1 for k in range(self._dims)):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")

    def _check_kernel(self, kernel_size: Any) -> None:
        """Refuse windows that hold nothing; PyTorch looks at those of volumes alone."""

    def forward(self, input: Tensor) -> Any:
        run = getattr(F, f"fractional_max_pool{self._dims}d")
        return run(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
            _random_samples=self._random_samples,
        )  # fmt: skip


class FractionalMaxPool2d(_FractionalMaxPoolNd):
    """Keeps the largest element of each window of an image; the windows lie at random.

    >>> import tensorwidgets as torch
    >>> FractionalMaxPool2d(2, output_ratio=0.7)(torch.ones(1, 3, 10, 10)).shape
    torch.Size([1, 3, 7, 7])
    """

    _dims = 2


class FractionalMaxPool3d(_FractionalMaxPoolNd):
    """Keeps the largest element of each window of a volume; the windows lie at random."""

    _dims = 3

    def _check_kernel(self, kernel_size: Any) -> None:
        numbers = [kernel_size] if isinstance(kernel_size, int) else kernel_size
        if isinstance(numbers, (tuple, list)) and not all(k > 0 for k in numbers):
            raise ValueError(f"kernel_size must be greater than 0, but got {kernel_size}")
