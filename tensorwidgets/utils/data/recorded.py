"""Who loads which batch, and when? A loader whose epochs are noted, ours or PyTorch's; the loader itself is as it was.

>>> loader = Recorded(DataLoader(range(4), batch_size=2))
>>> for batch in loader:
...     print(batch)
tensor([0, 1])
tensor([2, 3])
>>> [(load.number, load.worker, load.index) for load in loader.loads]
[(0, None, [0, 1]), (1, None, [2, 3])]
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator
from importlib import import_module
from time import perf_counter
from typing import Any, NamedTuple

from .dataloader import DataLoader


class Load(NamedTuple):
    """One batch: who loaded it and when, and when the loop asked for it and got it. Times are in seconds."""

    number: int
    worker: int | None
    process: int
    seed: int | None
    index: Any
    """The indices, or None for a stream."""
    ordered: float
    """When its indices were drawn, for a worker or for the loop itself."""
    begun: float
    ended: float
    asked: float
    got: float


class Recorded:
    """A loader that notes who loads what. It yields the same batches, from the same draws, and has the same length.

    `loads` holds what was noted of the last epoch.
    """

    def __init__(self, loader: Any):
        self.loader = loader
        self.loads: list[Load] = []
        self._drawn: list[tuple[Any, float]] = []
        # Of a class of the user's own, the library that it was made from.
        tops = [cls.__module__.partition(".")[0] for cls in type(loader).__mro__]
        library = next((top for top in tops if top in ("torch", "tensorwidgets")), tops[0])
        self._timed = copy.copy(loader)
        # What is set here belongs to the copy, and passes by the loader's own refusal.
        self._timed.__dict__["dataset"] = Timed(loader.dataset)
        self._timed.__dict__["collate_fn"] = Together(loader.collate_fn, self._timed.dataset, library)
        self._timed.__dict__["_iterator"] = None
        name = "sampler" if loader.batch_sampler is None else "batch_sampler"
        self._timed.__dict__[name] = Noted(getattr(loader, name), self._drawn)

    def __len__(self) -> int:
        return len(self.loader)

    def __iter__(self) -> Iterator[Any]:
        self.loads.clear()
        self._drawn.clear()
        asked = perf_counter()
        batches = iter(self._timed)
        while True:
            try:
                batch, (worker, process, seed, index, begun, ended) = next(batches)
            except StopIteration:
                return
            got, number = perf_counter(), len(self.loads)
            ordered = self._when_ordered(number, index, begun)
            self.loads.append(Load(number, worker, process, seed, index, ordered, begun, ended, asked, got))
            yield batch
            asked = perf_counter()

    def _when_ordered(self, number: int, index: Any, begun: float) -> float:
        """When the indices of a batch were drawn; batches may come in another order."""
        if not getattr(self.loader, "in_order", True) and index is not None:
            number = next((n for n, (drawn, _) in enumerate(self._drawn) if drawn == index), number)
        return self._drawn[number][1] if number < len(self._drawn) else begun


class Noted:
    """A sampler that notes what it drew, and when."""

    def __init__(self, sampler: Any, drawn: list[tuple[Any, float]]):
        self._sampler, self._drawn = sampler, drawn

    def __iter__(self) -> Iterator[Any]:
        self._drawn.clear()
        for index in self._sampler:
            self._drawn.append((index, perf_counter()))
            yield index

    def __len__(self) -> int:
        return len(self._sampler)


class Timed:
    """A dataset that notes which samples of a batch are asked for, and when the first. Else it is as the dataset."""

    _OWN = ("_dataset", "_indices", "_since")

    def __init__(self, dataset: Any):
        object.__setattr__(self, "_dataset", dataset)
        object.__setattr__(self, "_indices", [])
        object.__setattr__(self, "_since", None)

    def noted(self) -> tuple[list[Any] | None, float]:
        """The indices of the batch and when it was begun; the next batch is not begun."""
        indices, since = self._indices, self._since
        object.__setattr__(self, "_indices", [])
        object.__setattr__(self, "_since", None)
        return indices or None, perf_counter() if since is None else since

    def _begin(self) -> None:
        if self._since is None:
            object.__setattr__(self, "_since", perf_counter())

    def __getitem__(self, index: Any) -> Any:
        self._begin()
        self._indices.append(index)
        return self._dataset[index]

    def __iter__(self) -> Iterator[Any]:
        samples = iter(self._dataset)
        while True:
            self._begin()
            try:
                sample = next(samples)
            except StopIteration:
                return
            yield sample

    def __len__(self) -> int:
        return len(self._dataset)

    def __getattr__(self, name: str) -> Any:
        if name in Timed._OWN or name in ("__setstate__", "__reduce_ex__"):
            raise AttributeError(name)
        found = getattr(self._dataset, name)
        if name != "__getitems__":
            return found

        def several(indices: Any) -> Any:
            self._begin()
            self._indices.extend(indices)
            return found(indices)

        return several

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._dataset, name, value)

    def __getstate__(self) -> Any:
        return self._dataset

    def __setstate__(self, dataset: Any) -> None:
        Timed.__init__(self, dataset)


class Together:
    """A `collate_fn` whose result goes together with who made it, and when."""

    def __init__(self, collate_fn: Any, dataset: Timed, library: str):
        self._collate_fn, self._dataset, self._library = collate_fn, dataset, library

    def __call__(self, samples: Any) -> Any:
        batch = self._collate_fn(samples)
        info = import_module(f"{self._library}.utils.data").get_worker_info()
        who = (None, os.getpid(), None) if info is None else (info.id, os.getpid(), info.seed)
        return batch, (*who, *self._dataset.noted(), perf_counter())


__all__ = ["DataLoader", "Load", "Recorded"]
