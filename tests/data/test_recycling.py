"""Shared memory that is used again: never while anybody can still read it."""

from __future__ import annotations

import os
from typing import Any

import pytest

import tensorwidgets as tw

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
COUNT = 20


class Same(tw.utils.data.Dataset):
    """Batches of 1.2 MB, each full of its own number; the worker keeps some of them and returns these once more."""

    def __init__(self) -> None:
        self.kept: list[Any] = []

    def __len__(self) -> int:
        return COUNT

    def __getitem__(self, index: int) -> Any:
        return tw.full((300_000,), float(index))

    def together(self, samples: list[Any]) -> Any:
        batch = tw.utils.data.default_collate(samples)
        if int(batch[0, 0]) % 5 == 0:
            self.kept.append(batch)
        return batch, self.kept[0]


def test_kept_batches_stay_as_they_are_and_memory_is_used_again() -> None:
    data = Same()
    loader = tw.utils.data.DataLoader(data, 1, num_workers=1, collate_fn=data.together)
    kept, files = {}, set()
    for number, (batch, first) in enumerate(loader):
        assert batch.unique().tolist() == [number] and first.unique().tolist() == [0]
        files.add(segment_file(batch))
        if number % 3 == 0:
            kept[number] = batch[0, ::1000]  # a view keeps the memory
        if number == 10:
            row = batch
    assert len(files) < COUNT  # 20 batches, of which 7 are kept here and 4 in the worker
    assert row.unique().tolist() == [10]
    for number, part in kept.items():
        assert part.unique().tolist() == [number]


def segment_file(batch: Any) -> int:
    """The file of a batch's memory."""
    from tensorwidgets.engine.memory.shared import segment_of

    return segment_of(batch.untyped_storage()._bytes).file  # type: ignore[union-attr]


@pytest.mark.fork
def test_a_process_that_is_forked_keeps_what_it_has() -> None:
    loader = tw.utils.data.DataLoader(Same(), 1, num_workers=1)
    batches = iter(loader)
    batch = next(batches)
    (from_child, to_parent), (told, tell) = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.read(told, 1)
        os.write(to_parent, b"same" if batch.unique().tolist() == [0] else b"other")
        os._exit(0)
    del batch
    assert [int(each[0, 0]) for each in batches] == list(range(1, COUNT))
    os.write(tell, b".")
    assert os.read(from_child, 10) == b"same"
    os.waitpid(child, 0)
    for number in (from_child, to_parent, told, tell):
        os.close(number)
