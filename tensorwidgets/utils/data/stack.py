"""How are samples of several datasets put together? As a tuple, or as a dict by their names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .dataset import Dataset


class StackDataset(Dataset):
    """Datasets of the same length, whose samples of one index make one sample.

    >>> StackDataset([1, 2], "ab")[1]
    (2, 'b')
    >>> StackDataset(image=[1, 2], text="ab")[0]
    {'image': 1, 'text': 'a'}
    """

    __module__ = __name__.replace(".stack", ".dataset")  # by which it prints as in PyTorch
    datasets: tuple | dict

    def __init__(self, *args: Any, **kwargs: Any):
        if args and kwargs:
            raise ValueError(
                "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output, but both "
                "types are given."
            )
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed")
        self.datasets = args or kwargs
        self._length, *others = [len(dataset) for dataset in self._each()]
        if any(length != self._length for length in others):
            raise ValueError("Size mismatch between datasets")

    def _each(self) -> Iterator[Any]:
        return iter(self.datasets.values() if isinstance(self.datasets, dict) else self.datasets)

    def _sample(self, parts: Any) -> Any:
        """One sample, from the part of each dataset."""
        return dict(zip(self.datasets, parts, strict=True)) if isinstance(self.datasets, dict) else tuple(parts)

    def __getitem__(self, index: Any) -> Any:
        return self._sample([dataset[index] for dataset in self._each()])

    def __getitems__(self, indices: list) -> list:
        """The samples of a batch: datasets that take several indices are called once."""
        columns = []
        for dataset in self._each():
            if callable(several := getattr(dataset, "__getitems__", None)):
                items = several(indices)
                if len(items) != len(indices):
                    raise ValueError(
                        f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(items)}"
                    )
            else:
                items = [dataset[index] for index in indices]
            columns.append(items)
        return [self._sample(parts) for parts in zip(*columns, strict=True)]

    def __len__(self) -> int:
        return self._length
