"""Where do samples come from? Datasets that are read by index, those that are iterated, and combinations of both."""

from __future__ import annotations

import bisect
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Generic, TypeVar

from ...engine.errors.reasons import refuse

T = TypeVar("T", covariant=True)


class Dataset(Generic[T]):
    """A map from an index or key to a sample. A subclass defines `__getitem__`, and usually `__len__`.

    Where it also defines `__getitems__`, which takes a list of indices, a loader calls that once per batch.

    >>> class Squares(Dataset):
    ...     def __getitem__(self, index):
    ...         return index**2
    ...     def __len__(self):
    ...         return 4
    >>> both = Squares() + Squares()
    >>> len(both), both[5]
    (8, 1)
    """

    def __getitem__(self, index: Any) -> T:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Any) -> Any:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T], Iterable[T]):
    """Samples that come one after the other, as from a stream. A subclass defines `__iter__`.

    With several workers each has a copy of the dataset and would yield every sample: `get_worker_info` says which part
    a copy is to yield.

    >>> class Count(IterableDataset):
    ...     def __iter__(self):
    ...         return iter(range(3))
    >>> list(Count() + Count())
    [0, 1, 2, 0, 1, 2]
    """

    def __add__(self, other: Any) -> Any:
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[Any, ...]]):
    """Tensors that are indexed together along their first dimension.

    >>> import tensorwidgets as torch
    >>> data = TensorDataset(torch.arange(6).reshape(3, 2), torch.tensor([7, 8, 9]))
    >>> data[1]
    (tensor([2, 3]), tensor(8))
    """

    tensors: tuple[Any, ...]

    def __init__(self, *tensors: Any):
        if any(tensor.size(0) != tensors[0].size(0) for tensor in tensors):
            *others, last = [str(tensor.size(0)) for tensor in tensors]
            sizes = f"{', '.join(others)} and {last}"
            refuse(
                AssertionError,
                "Size mismatch between tensors",
                f"a sample takes one row of each tensor, and these have {sizes} rows",
                f"tensors of {min(tensor.size(0) for tensor in tensors)} rows each, such as x[:n]",
                rule="data.sizes",
            )
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple([tensor[index] for tensor in self.tensors])

    def __len__(self) -> int:
        return self.tensors[0].size(0)


class ConcatDataset(Dataset[T]):
    """Datasets one after the other.

    >>> joined = ConcatDataset([[10, 11], [20]])
    >>> len(joined), joined[2], joined[-3], joined.cumulative_sizes
    (3, 20, 10, [2, 3])
    """

    datasets: list[Any]
    cumulative_sizes: list[int]

    def __init__(self, datasets: Iterable[Dataset[T]]):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            refuse(
                AssertionError,
                "ConcatDataset does not support IterableDataset",
                "samples of a stream have no index",
                "torch.utils.data.ChainDataset(datasets)",
                rule="data.concat",
            )
        self.cumulative_sizes = self.cumsum(self.datasets)

    @staticmethod
    def cumsum(sequence: Iterable[Any]) -> list[int]:
        """Where each dataset ends."""
        return list(accumulate(map(len, sequence)))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: Any) -> T:
        if idx < 0:
            if -idx > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            idx += len(self)
        which = bisect.bisect_right(self.cumulative_sizes, idx)
        begin = self.cumulative_sizes[which - 1] if which else 0
        return self.datasets[which][idx - begin]  # type: ignore[no-any-return]

    @property
    def cummulative_sizes(self) -> list[int]:
        """The old spelling of `cumulative_sizes`."""
        renamed = "`cummulative_sizes` attribute is renamed to `cumulative_sizes`"
        warnings.warn(renamed, FutureWarning, stacklevel=2)
        return self.cumulative_sizes


class ChainDataset(IterableDataset):
    """Streams one after the other.

    >>> class Count(IterableDataset):
    ...     def __init__(self, count):
    ...         self.count = count
    ...     def __iter__(self):
    ...         return iter(range(self.count))
    >>> list(ChainDataset([Count(1), Count(2)]))
    [0, 0, 1]
    """

    def __init__(self, datasets: Iterable[Any]):
        self.datasets = datasets

    def _streams(self) -> Iterator[Any]:
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield dataset

    def __iter__(self) -> Iterator[Any]:
        for dataset in self._streams():
            yield from dataset

    def __len__(self) -> int:
        return sum(len(dataset) for dataset in self._streams())


class Subset(Dataset[T]):
    """The samples of a dataset at some indices.

    >>> letters = Subset("abcdef", [4, 0])
    >>> len(letters), letters[0]
    (2, 'e')
    """

    dataset: Any
    indices: Sequence[int]

    def __init__(self, dataset: Dataset[T], indices: Sequence[int]):
        self.dataset, self.indices = dataset, indices
        kind = type(self)
        if kind.__getitem__ is not Subset.__getitem__ and kind.__getitems__ is Subset.__getitems__:
            raise NotImplementedError(
                f"{kind.__name__} overrides __getitem__ but not __getitems__. When subclassing Subset and overriding "
                "__getitem__, you must also override __getitems__ to ensure DataLoader works correctly with your "
                "custom logic. A simple implementation:\n\n"
                "def __getitems__(self, indices):\n    return [self.__getitem__(idx) for idx in indices]"
            )

    def __getitem__(self, idx: Any) -> T:
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices: list[int]) -> list:
        """The samples of a batch, in one call of the dataset if it takes several indices."""
        chosen = [self.indices[i] for i in indices]
        if callable(several := getattr(self.dataset, "__getitems__", None)):
            found: list = several(chosen)
            return found
        return [self.dataset[i] for i in chosen]

    def __len__(self) -> int:
        return len(self.indices)


def __getattr__(name: str) -> Any:
    """What PyTorch has in this module, too: `from torch.utils.data.dataset import random_split`."""
    if name == "random_split":
        from .splits import random_split

        return random_split
    if name == "StackDataset":
        from .stack import StackDataset

        return StackDataset
    from ...engine.errors.missing_names import missing

    missing(__name__, name, lambda: globals())
