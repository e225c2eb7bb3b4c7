"""The picture of a loader: what it says is what was noted, and noting changes neither batches nor streams."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tensorwidgets.utils.data.recorded import Load, Recorded

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning", "ignore:This DataLoader will create")


class Part(tw.utils.data.Dataset):
    """Samples of a dataset that is set up in its workers."""

    part = 0

    def __len__(self) -> int:
        return 6

    def __getitem__(self, index: int) -> int:
        return 10 * self.part + index


def choose(worker: int) -> None:
    info = tw.utils.data.get_worker_info()
    assert info is not None
    info.dataset.part = worker + 1


class Stream(tw.utils.data.IterableDataset):
    def __iter__(self) -> Any:
        return iter(range(5))


@pytest.mark.parametrize("workers", [0, 2])
def test_a_recorded_loader_yields_the_same_batches(workers: int) -> None:
    loader = tw.utils.data.DataLoader(Part(), 2, True, num_workers=workers, worker_init_fn=choose)

    def epochs(source: Any) -> list[Any]:
        tw.manual_seed(4)
        return [[batch.tolist() for batch in source] for _ in range(2)] + [tw.rand(1).item()]

    recorded = Recorded(loader)
    assert epochs(recorded) == epochs(loader) and len(recorded) == len(loader) == 3
    loads = recorded.loads
    assert [load.number for load in loads] == [0, 1, 2]
    assert [load.worker for load in loads] == ([0, 1, 0] if workers else [None] * 3)
    assert sorted(i for load in loads for i in load.index) == list(range(6))
    for load in loads:
        assert load.ordered <= load.begun <= load.ended <= load.got and load.asked <= load.got


def test_a_stream_and_a_dataset_that_takes_several_indices() -> None:
    recorded = Recorded(tw.utils.data.DataLoader(Stream(), 2))
    assert [batch.tolist() for batch in recorded] == [[0, 1], [2, 3], [4]]
    assert [load.index for load in recorded.loads] == [None] * 3
    stacked = Recorded(tw.utils.data.DataLoader(tw.utils.data.StackDataset("abc", range(3)), 2))
    assert list(stacked)[1][0] == ("c",) and [load.index for load in stacked.loads] == [[0, 1], [2]]


def test_a_picture_of_a_loader_leaves_its_streams_as_they_were() -> None:
    generator = tw.Generator().manual_seed(3)
    loader = tw.utils.data.DataLoader(range(8), 2, True, generator=generator)
    tw.manual_seed(1)
    text = repr(show.loader(loader, batches=3))
    drawn = (tw.rand(1).item(), [batch.tolist() for batch in loader])
    tw.manual_seed(1)
    fresh = tw.utils.data.DataLoader(range(8), 2, True, generator=tw.Generator().manual_seed(3))
    assert drawn == (tw.rand(1).item(), [batch.tolist() for batch in fresh])
    assert text.startswith("Loading of loader (3 batches, 0 workers, ") and "\nworks" in text


def noted(work: float, loading: float) -> Any:
    """An epoch of 20 batches by two workers, as it would be noted."""
    loads, free, asked = [], [0.05, 0.06], 0.0
    for n in range(20):
        begun = free[n % 2]
        ended = free[n % 2] = begun + loading
        got = max(asked, ended)
        loads.append(Load(n, n % 2, 100 + n % 2, 7 + n % 2, [2 * n, 2 * n + 1], begun, begun, ended, asked, got))
        asked = got + work
    return SimpleNamespace(loads=loads)


def test_it_says_for_how_long_the_loop_waits_and_what_would_help() -> None:
    slow, quick = repr(show.loader(noted(0.002, 0.01))), repr(show.loader(noted(0.02, 0.01)))
    assert "the workers load all the time" in slow and "5 workers would keep up" in slow
    assert "waits 0% of its time after the first batch" in quick and "would keep up" not in quick
    assert "and 8 batches more" in slow and "worker 1: process 101, seed 8" in slow
    with pytest.raises(ValueError, match="no batch was loaded"):
        show.loader(Recorded(tw.utils.data.DataLoader([])))
    with pytest.raises(TypeError, match=r"show\.loader draws a DataLoader, .* not a list"):
        show.loader([1, 2])


def test_each_batch_has_its_class_and_the_axis_is_full() -> None:
    html = show.loader(noted(0.002, 0.01)).html()
    rows = re.search(r'<table class="tw-loader".*?</table>', html, re.S)
    assert rows is not None
    for n in range(20):
        assert f'class="i-batch{n}"' in rows[0]
    for line in re.findall(r"<tr.*?</tr>", rows[0], re.S):
        spans = [
            int(re.search(r'colspan="(\d+)"', cell)[1]) if "colspan" in cell else 1
            for cell in re.findall("<td[^>]*>", line)
        ]  # type: ignore[index]
        assert sum(spans) in (122, 123)


def test_what_is_on_paper_has_no_processes_and_no_start() -> None:
    """Lesson 20 draws a timetable with whole seconds, in which workers start in no time."""
    loads = [Load(n, n, 0, None, [n], 0, 0, 3, n and n + 3, n + 3) for n in range(2)]
    text = repr(show.loader(SimpleNamespace(loads=loads)))
    assert "process" not in text and text.endswith("The first batch came after 3.0 s.")
    late = [load._replace(begun=1) for load in loads]
    assert "after 3.0 s, 1.0 s of them to start the workers." in " ".join(
        repr(show.loader(SimpleNamespace(loads=late))).split()
    )


def test_a_wait_of_no_length_is_not_drawn() -> None:
    html = show.loader(noted(0.02, 0.01)).html()
    assert html.count("the loop waits") == 1
    narrow = re.search(r'<table class="tw-loader"[^>]*style="([^"]*)"', html)
    assert narrow is not None and "width:100%;" in narrow[1] and "max-width:828px" in narrow[1]


@pytest.mark.torch
def test_a_loader_of_pytorch_is_drawn_as_ours() -> None:
    import torch

    def drawn(library: Any) -> list[Any]:
        library.manual_seed(2)
        data = library.utils.data.TensorDataset(library.arange(8))
        recorded = Recorded(library.utils.data.DataLoader(data, 3, shuffle=True, num_workers=2))
        for _ in recorded:
            pass
        assert "2 workers" in repr(show.loader(recorded))
        return [(load.number, load.worker, load.index, load.seed) for load in recorded.loads]

    assert drawn(torch) == drawn(tw)
