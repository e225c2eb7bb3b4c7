"""How is a batch read from a dataset? By indices, or as the next samples of a stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class MapFetcher:
    """Reads samples by index, all of a batch in one call where the dataset can do that."""

    def __init__(self, dataset: Any, in_batches: bool, collate_fn: Callable, drop_last: bool):
        self.dataset, self.in_batches, self.collate_fn = dataset, in_batches, collate_fn

    def fetch(self, index: Any) -> Any:
        """The batch of a list of indices, or the sample of one."""
        if not self.in_batches:
            data = self.dataset[index]
        elif several := getattr(self.dataset, "__getitems__", None):
            data = several(index)
        else:
            data = [self.dataset[i] for i in index]
        return self.collate_fn(data)


class StreamFetcher:
    """Reads the next samples of a stream. Raises StopIteration at its end."""

    def __init__(self, dataset: Any, in_batches: bool, collate_fn: Callable, drop_last: bool):
        self.samples, self.in_batches, self.collate_fn = iter(dataset), in_batches, collate_fn
        self.drop_last, self.ended = drop_last, False

    def fetch(self, index: Any) -> Any:
        """The next batch, as long as the list of indices, or the next sample."""
        if self.ended:
            raise StopIteration
        if not self.in_batches:
            return self.collate_fn(next(self.samples))
        data = []
        for _ in index:
            try:
                data.append(next(self.samples))
            except StopIteration:
                self.ended = True
                break
        if not data or (self.drop_last and len(data) < len(index)):
            raise StopIteration
        return self.collate_fn(data)


def fetcher_of(streams: bool, dataset: Any, in_batches: bool, collate_fn: Callable, drop_last: bool) -> Any:
    """What reads a dataset."""
    kind = StreamFetcher if streams else MapFetcher
    return kind(dataset, in_batches, collate_fn, drop_last)
