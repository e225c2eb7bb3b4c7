"""Tensors, datasets and functions in other processes: what is shared, and what reaches workers that are not forked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tests.data.trials import left

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning", "ignore:This DataLoader will create")

NOTEBOOK = """
import tensorwidgets as torch

class Point:
    def __init__(self, x): self.x = x

class Data(torch.utils.data.Dataset):
    def __init__(self): self.large = torch.arange(600_000.)
    def __len__(self): return 4
    def __getitem__(self, i): return torch.full((300_000,), float(i)) + self.large[i]

scale = 3
loader = torch.utils.data.DataLoader(
    Data(), num_workers=1, multiprocessing_context="spawn", collate_fn=lambda batch: torch.stack(batch) * scale
)
print([batch.unique().tolist() for batch in loader])
loader = torch.utils.data.DataLoader(
    range(2), num_workers=1, multiprocessing_context="forkserver", collate_fn=lambda batch: Point(batch[0])
)
print([(type(point) is Point, point.x) for point in loader])
"""


def test_what_a_notebook_defines_reaches_every_worker() -> None:
    done = subprocess.run([sys.executable, "-c", NOTEBOOK], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "[[0.0], [6.0], [12.0], [18.0]]\n[(True, 0), (True, 1)]\n", done.stderr
    assert not done.stderr


# -- batches -----------------------------------------------------------------------------------------------------


class Large(tw.utils.data.Dataset):
    """Samples of 1.2 MB, in several forms."""

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: int) -> Any:
        return {"x": tw.full((300_000,), float(index)), "y": np.full(3, index), "name": str(index)}


def test_large_batches_are_in_shared_memory_and_small_ones_are_not() -> None:
    before = left()
    batches = list(tw.utils.data.DataLoader(Large(), 2, num_workers=2))
    assert [batch["x"].is_shared() for batch in batches] == [True, True]
    assert [batch["y"].is_shared() for batch in batches] == [False, False]
    assert [batch["x"].unique().tolist() for batch in batches] == [[0, 1], [2]]
    assert [batch["name"] for batch in batches] == [["0", "1"], ["2"]]
    assert left().mappings == before.mappings + 2
    batches[0]["x"] += 1
    del batches
    assert left() == before


def as_they_are(batch: list[Any]) -> Any:
    """Arrays of NumPy, two views of one storage, and a small part of a large one."""
    x = tw.arange(400_000.0)
    return np.ones((600, 600)), x[:-1], x[1:], x[5:7], np.asfortranarray(np.arange(400_000.0).reshape(2, -1))


def test_arrays_views_and_parts_arrive_as_they_were_sent() -> None:
    for ones, first, second, part, columns in tw.utils.data.DataLoader([1], num_workers=1, collate_fn=as_they_are):
        assert ones.sum() == 360_000 and ones.flags.writeable
        assert first.untyped_storage() is second.untyped_storage() and second[0] == 1
        assert part.tolist() == [5, 6] and part.untyped_storage().nbytes() == 8
        assert columns.flags.f_contiguous and columns[1, 0] == 200_000


def long_text(batch: list[int]) -> str:
    return "é" * 300_000 * batch[0]


def test_long_messages_arrive_whole() -> None:
    for text in tw.utils.data.DataLoader([1, 2], num_workers=1, collate_fn=long_text):
        assert len(text) in (300_000, 600_000) and set(text) == {"é"}


# -- tensors -----------------------------------------------------------------------------------------------------


def test_shared_memory_moves_a_storage_with_all_that_look_at_it() -> None:
    x = tw.arange(6.0).reshape(2, 3)
    row, turned = x[1], x.t()
    assert not x.is_shared() and row.share_memory_() is row
    assert x.is_shared() and turned.is_shared() and row.storage_offset() == 3
    x[1, 0] = 50
    assert row[0] == turned[0, 1] == 50
    with pytest.raises(RuntimeError, match="Trying to resize storage that is not resizable"):
        x.resize_(100)


def adds(tensor: Any, results: Any, done: Any) -> None:
    tensor += 1
    results.put(tensor * 2)
    results.put([tensor, tensor[0]])
    done.wait(60)


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_processes_and_queues_share_tensors(way: str) -> None:
    context = tw.multiprocessing.get_context(way)
    x, results, done = tw.zeros(3), context.Queue(), context.Event()
    if way == "fork":
        x.share_memory_()
    process = context.Process(target=adds, args=(x, results, done))
    process.start()
    assert results.get(timeout=60).tolist() == [2, 2, 2]
    same, first = results.get(timeout=60)
    assert x.is_shared() and x.tolist() == [1, 1, 1] and same.tolist() == [1, 1, 1]
    x[0] = 7
    assert same[0] == first == 7
    done.set()
    process.join(60)
    assert process.exitcode == 0


def test_a_tensor_with_a_graph_stays() -> None:
    from multiprocessing.reduction import ForkingPickler

    assert tw.multiprocessing.get_sharing_strategy() == "file_descriptor"
    with pytest.raises(RuntimeError, match="Cowardly refusing to serialize non-leaf tensor"):
        ForkingPickler.dumps(tw.ones(1, requires_grad=True) * 2)
    weights = tw.ones(3, 2, requires_grad=True)
    assert [x.requires_grad for x in tw.utils.data.DataLoader([weights], None, num_workers=1)] == [True]
    with pytest.raises(RuntimeError, match="(?s)Caught RuntimeError in DataLoader worker.*Cowardly refusing"):
        list(tw.utils.data.DataLoader(weights, num_workers=1))


def fails(index: int, message: str) -> None:
    if index:
        raise ValueError(message)


def test_a_tensor_whose_sender_has_ended_is_not_received() -> None:
    """PyTorch raises the same errors: only the process that sent a tensor can hand on its memory."""
    context: Any = tw.multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    process = context.Process(target=queue.put, args=(tw.ones(2),))
    process.start()
    process.join(60)
    with pytest.raises((OSError, EOFError)) as told:
        queue.get()
    assert "the process that sent this tensor ended before" in told.value.__notes__[0]


def test_spawn_tells_which_process_failed() -> None:
    mp = tw.multiprocessing
    with pytest.raises(mp.ProcessRaisedException, match="Process 1 terminated with the following error") as caught:
        mp.start_processes(fails, ("no",), nprocs=2, start_method="fork")
    assert caught.value.error_index == 1 and caught.value.msg.endswith("ValueError: no\n")
    assert mp.start_processes(fails, ("no",), nprocs=1, start_method="fork") is None


def test_a_lock_that_another_thread_holds_does_not_hang_a_worker() -> None:
    from tensorwidgets.engine.autograd import accumulate

    held, done = threading.Event(), threading.Event()

    def holds() -> None:
        with accumulate._lock:
            held.set()
            done.wait(60)

    def gradient(batch: list[int]) -> float:
        x = tw.tensor([float(batch[0])], requires_grad=True)
        (x * x).backward()
        return float(x.grad)

    thread = threading.Thread(target=holds)
    thread.start()
    assert held.wait(60)
    batches = tw.utils.data.DataLoader([1, 2], num_workers=1, collate_fn=gradient, timeout=60)
    assert list(batches) == [2, 4]
    done.set()
    thread.join()


class Ends(tw.utils.data.Dataset):
    """Whose second example ends the process that asks for it."""

    def __init__(self, how: Callable[[], Any]) -> None:
        self.how = how

    def __len__(self) -> int:
        return 4

    def __getitem__(self, i: int) -> int:
        if i == 1:
            self.how()
        return i


@pytest.mark.fork
@pytest.mark.parametrize(
    "how, cause",
    [
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "is killed by signal: Killed."),
        (lambda: os._exit(3), "exited unexpectedly with exit code 3."),
    ],
    ids=["killed", "leaves"],
)
def test_what_has_ended_a_worker_is_the_cause(how: Callable[[], Any], cause: str) -> None:
    with pytest.raises(RuntimeError, match="exited unexpectedly") as caught:
        list(tw.utils.data.DataLoader(Ends(how), num_workers=2))
    assert cause in str(caught.value.__cause__)
