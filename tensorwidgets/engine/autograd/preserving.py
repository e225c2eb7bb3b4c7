"""Writes that are not counted, so that no node refuses what they have changed."""

from __future__ import annotations

from typing import Any

from ..tensor.tensor import Tensor
from ..tensor.versions import version_owner


class _unsafe_preserve_version_counter:  # noqa: N801  # PyTorch's name
    """After the `with`, tensors have the version of before, whatever was written to them.

    >>> import tensorwidgets as torch
    >>> x = torch.ones(2)
    >>> with _unsafe_preserve_version_counter(x):
    ...     _ = x.mul_(2)
    >>> x._version
    0
    """

    def __init__(self, tensors: Any):
        self.tensors = (tensors,) if isinstance(tensors, Tensor) else tensors
        if not isinstance(self.tensors, tuple):
            raise AssertionError("Expected tensors to be a tuple")
        self.versions = [t._version for t in self.tensors]

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: object) -> None:
        for t, version in zip(self.tensors, self.versions, strict=True):
            version_owner(t)._writes = version
