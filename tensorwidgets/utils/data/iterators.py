"""How does a loader go through a dataset? What all its iterators share, and the one that loads by itself."""

from __future__ import annotations

from typing import Any

from ...engine.errors.reasons import refuse
from ...engine.errors.warnings import warn
from .fetch import fetcher_of
from .pinning import pinned, wants_pinning
from .sampler import drawn_seed


class Failure:
    """A batch that could not be loaded: an error, which is raised when the batch is asked for."""

    def __init__(self, error: BaseException):
        self.error: BaseException | None = error

    def raise_it(self) -> Any:
        """Raise the error once, without a cycle of references through this call."""
        error, self.error = self.error, None
        assert error is not None
        try:
            raise error.with_traceback(None)
        finally:
            del error


class _BaseDataLoaderIter:
    """One way through a dataset. The order of draws is PyTorch's: the sampler may draw, then the workers' seed is."""

    def __init__(self, loader: Any):
        self._dataset, self._streams = loader.dataset, bool(loader._dataset_kind)
        self._in_batches, self._drop_last = loader._auto_collation, loader.drop_last
        self._collate_fn, self._index_sampler = loader.collate_fn, loader._index_sampler
        self._num_workers, self._timeout = loader.num_workers, loader.timeout
        self._persistent_workers = loader.persistent_workers
        self._pin_memory = wants_pinning(loader)
        self._length_told = loader._IterableDataset_len_called
        self._sampler_iter = iter(self._index_sampler)
        self._base_seed = drawn_seed(loader.generator)
        self._num_yielded = 0

    def __iter__(self) -> _BaseDataLoaderIter:
        return self

    def _reset(self, loader: Any) -> None:
        """Begin another epoch."""
        self._sampler_iter = iter(self._index_sampler)
        self._num_yielded = 0
        self._length_told = loader._IterableDataset_len_called

    def _next_data(self) -> Any:
        raise NotImplementedError

    def __next__(self) -> Any:
        data = self._next_data()
        if isinstance(data, Failure):
            # The traceback of the error outlives the loop, in a notebook for long. It must not keep the workers alive.
            del self
            data.raise_it()
        self._num_yielded += 1
        if self._length_told is not None and self._num_yielded > self._length_told:
            self._warn_of_length()
        return data

    def _warn_of_length(self) -> None:
        said = (
            f"Length of IterableDataset {self._dataset} was reported to be {self._length_told}"
            f"(when accessing len(dataloader)), but {self._num_yielded} samples have been fetched. "
        )
        if self._num_workers > 0:
            said += (
                "For multiprocessing data-loading, this could be caused by not properly configuring the "
                "IterableDataset replica at each worker. Please see "
                "https://pytorch.org/docs/stable/data.html#torch.utils.data.IterableDataset for examples."
            )
        warn(said)

    def __len__(self) -> int:
        return len(self._index_sampler)

    def __getstate__(self) -> Any:
        raise NotImplementedError("{} cannot be pickled", type(self).__name__)


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """Loads each batch when it is asked for."""

    __module__ = __name__.replace(".iterators", ".dataloader")  # by which it prints as in PyTorch

    def __init__(self, loader: Any):
        super().__init__(loader)
        if self._timeout != 0:
            refuse(
                AssertionError,
                "_SingleProcessDataLoaderIter requires timeout == 0",
                "a timeout is the longest wait for a worker, and there are none",
                "DataLoader(…, timeout=0)",
                rule="data.settings",
            )
        self._fetcher = fetcher_of(self._streams, self._dataset, self._in_batches, self._collate_fn, self._drop_last)

    def _next_data(self) -> Any:
        data = self._fetcher.fetch(next(self._sampler_iter))
        return pinned(data) if self._pin_memory else data
