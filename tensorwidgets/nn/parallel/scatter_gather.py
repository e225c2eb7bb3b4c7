"""Batches that are cut for several devices and put together again, by the name of PyTorch's module."""

from .data_parallel import gather, scatter, scatter_kwargs

__all__ = ["gather", "scatter", "scatter_kwargs"]
