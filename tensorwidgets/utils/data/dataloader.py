"""DataLoader: which settings are there, which are refused, and which iterator do they lead to?"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from ...engine.errors.reasons import refuse
from ...engine.errors.warnings import warn
from .checks import check_context, check_numbers, check_sampling
from .collate import default_collate, default_convert
from .dataset import Dataset, IterableDataset
from .iterators import _BaseDataLoaderIter, _SingleProcessDataLoaderIter
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler, _InfiniteConstantSampler
from .worker_info import get_worker_info

T = TypeVar("T", covariant=True)
_T = TypeVar("_T")
_collate_fn_t = Callable[[list[_T]], Any]
_worker_init_fn_t = Callable[[int], None]
"""What the functions are that a loader is given, for the annotations of loaders that people write."""

_FIXED = frozenset(("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers"))
"""Attributes that cannot be set once the loader exists."""


class DataLoader(Generic[T]):
    """Batches of a dataset, read here or by `num_workers` processes in the background.

    >>> import tensorwidgets as torch
    >>> data = torch.utils.data.TensorDataset(torch.arange(5), torch.arange(5) ** 2)
    >>> for x, y in DataLoader(data, batch_size=2):
    ...     print(x, y)
    tensor([0, 1]) tensor([0, 1])
    tensor([2, 3]) tensor([4, 9])
    tensor([4]) tensor([16])
    """

    __initialized = False

    def __init__(
        self,
        dataset: Dataset[T],
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Any = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ):
        check_numbers(num_workers, timeout, prefetch_factor, persistent_workers)
        if num_workers > 0 and prefetch_factor is None:
            prefetch_factor = 2
        self.dataset, self.num_workers, self.prefetch_factor = dataset, num_workers, prefetch_factor
        self.pin_memory, self.pin_memory_device, self.timeout = pin_memory, pin_memory_device, timeout
        self.worker_init_fn, self.in_order = worker_init_fn, in_order
        self.multiprocessing_context = multiprocessing_context
        streams = self._dataset_kind = int(isinstance(dataset, IterableDataset))
        check_sampling(bool(streams), batch_size, shuffle, sampler, batch_sampler, drop_last)
        if batch_sampler is not None:
            batch_size, drop_last = None, False
        if sampler is None:
            if streams:
                sampler = _InfiniteConstantSampler()
            else:
                sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size, self.drop_last, self.generator = batch_size, drop_last, generator
        self.sampler, self.batch_sampler = sampler, batch_sampler
        default = default_collate if self._auto_collation else default_convert
        self.collate_fn = default if collate_fn is None else collate_fn
        self.persistent_workers = persistent_workers
        self._IterableDataset_len_called: int | None = None
        self._iterator: _BaseDataLoaderIter | None = None
        self.__initialized = True
        self.check_worker_number_rationality()

    @property
    def multiprocessing_context(self) -> Any:
        """How workers are started; None for the system's way."""
        return self.__multiprocessing_context

    @multiprocessing_context.setter
    def multiprocessing_context(self, multiprocessing_context: Any) -> None:
        if multiprocessing_context is not None:
            check_context(multiprocessing_context, self.num_workers)
            if isinstance(multiprocessing_context, str):
                multiprocessing_context = multiprocessing.get_context(multiprocessing_context)
        self.__multiprocessing_context = multiprocessing_context

    def __setattr__(self, name: str, value: Any) -> None:
        if self.__initialized and name in _FIXED:
            refuse(
                ValueError,
                f"{name} attribute should not be set after {type(self).__name__} is initialized",
                "the samplers were made of it",
                f"DataLoader(…, {name}=…)",
                rule="data.fixed",
            )
        super().__setattr__(name, value)

    def __iter__(self) -> Iterator[T]:
        if not self.persistent_workers:
            return self._get_iterator()
        if self._iterator is None:
            self._iterator = self._get_iterator()
        else:
            self._iterator._reset(self)
        return self._iterator

    def _get_iterator(self) -> _BaseDataLoaderIter:
        if self.num_workers == 0:
            return _SingleProcessDataLoaderIter(self)
        from .parallel import _MultiProcessingDataLoaderIter

        self.check_worker_number_rationality()
        return _MultiProcessingDataLoaderIter(self)

    @property
    def _auto_collation(self) -> bool:
        return self.batch_sampler is not None

    @property
    def _index_sampler(self) -> Any:
        """What is given to a fetcher: lists of indices, or indices."""
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def __len__(self) -> int:
        if not self._dataset_kind:
            return len(self._index_sampler)
        length = self._IterableDataset_len_called = len(self.dataset)  # type: ignore[arg-type]
        if self.batch_size is None:
            return length
        return length // self.batch_size if self.drop_last else -(-length // self.batch_size)

    def check_worker_number_rationality(self) -> None:
        """Warn where there are more workers than processors."""
        asks = hasattr(os, "sched_getaffinity")
        processors = len(os.sched_getaffinity(0)) if asks else os.cpu_count()
        if not self.num_workers or (processors is not None and self.num_workers <= processors):
            return
        suggested = "DataLoader is not able to compute a suggested max number of worker in current system."
        if processors is not None:
            suggested = (
                f"Our suggested max number of worker in current system is {processors}"
                f"{'' if asks else ' (`cpuset` is not taken into account)'}, which is smaller than what this "
                "DataLoader is going to create."
            )
        warn(
            f"This DataLoader will create {self.num_workers} worker processes in total. {suggested} Please be aware "
            "that excessive worker creation might get DataLoader running slow or even freeze, lower the worker number "
            "to avoid potential slowness/freeze if necessary."
        )


__all__ = [
    "BatchSampler", "DataLoader", "Dataset", "IterableDataset", "RandomSampler", "Sampler", "SequentialSampler",
    "default_collate", "default_convert", "get_worker_info",
]  # fmt: skip


class _DatasetKind:
    """What a loader's `_dataset_kind` may be: libraries ask whether a dataset can be read by number."""

    Map, Iterable = 0, 1


def __getattr__(name: str) -> Any:
    """The iterator over other processes, which is loaded with the first of them."""
    if name == "_MultiProcessingDataLoaderIter":
        from .parallel import _MultiProcessingDataLoaderIter

        return _MultiProcessingDataLoaderIter
    from ...engine.errors.missing_names import missing

    missing(__name__, name, __all__)
