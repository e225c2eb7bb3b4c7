"""`spawn` starts ranks, says which one failed, and leaves nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from datetime import timedelta
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import pytest

import tensorwidgets as torch
from tensorwidgets.multiprocessing import mpiexec
from tensorwidgets.multiprocessing.programs import raise_failure
from tensorwidgets.multiprocessing.ranks import Ranks
from tensorwidgets.multiprocessing.spawned_ranks import work_in_ranks
from tests.distributed.left import left

mp = torch.multiprocessing


def works(rank: int, results: Any, shared: Any) -> None:
    dist = torch.distributed
    dist.init_process_group("mpi", rank=1 - rank, world_size=2)  # numbered as the call says
    x = torch.ones(2) * (rank + 1)
    dist.all_reduce(x)
    print("rank", rank, "has", x.tolist())
    shared[rank] = dist.get_rank()
    model = torch.nn.Linear(2 + rank, 1)
    try:
        torch.nn.parallel.DistributedDataParallel(model)
    except RuntimeError as error:
        results.put((rank, str(error)))
    try:
        dist.all_reduce(x) if rank else dist.broadcast(x, 0)
    except RuntimeError as error:
        results.put((rank, str(error)))
    group = dist.new_group(timeout=timedelta(milliseconds=20))
    if rank == 0:
        for _ in range(2):  # the second is refused at once
            with pytest.raises(RuntimeError, match="Timed out waiting 20ms for barrier operation to complete"):
                dist.barrier(group)
    watched = dist.new_group()
    if dist.get_rank() == 0:
        with pytest.raises(RuntimeError, match=r"\[Rank 0\]: Rank 1 failed to pass monitoredBarrier in 20 ms"):
            dist.monitored_barrier(watched, timedelta(milliseconds=20))
    dist.barrier()  # of another group
    # Who comes when nobody waits any more is refused, and does not wait.
    if dist.get_rank() == 0:
        with pytest.raises(RuntimeError, match="rank 1 gave up waiting, before broadcast"):
            dist.broadcast(x, 0, group)
    else:
        with pytest.raises(RuntimeError, match="Rank 1 successfully reached monitoredBarrier, but received errors"):
            dist.monitored_barrier(watched)


def test_ranks_share_tensors_queues_and_sums(capsys: pytest.CaptureFixture) -> None:
    resource_tracker.ensure_running()  # it stays, with a pipe
    before = left()
    results, shared = mp.get_context("spawn").Queue(), torch.zeros(2)
    assert mp.spawn(works, (results, shared), nprocs=2, timeout=120) is None
    said = sorted(results.get(timeout=10) for _ in range(4))
    model = (
        "[1]: params[0] in this process with sizes [1, 2] appears not to match sizes of the same param in process 0."
    )
    mixed = (
        "Detected mismatch between collectives on ranks. Rank 0 is running all_reduce of 2 elements of torch.float32, "
        "but Rank 1 is running broadcast of 2 elements of torch.float32, root 0."
    )
    assert said == [(rank, text) for rank in (0, 1) for text in (mixed, model)]
    assert shared.tolist() == [1, 0] and shared.is_shared()
    assert sorted(capsys.readouterr().out.split("\n")) == [
        "", "[rank 0] rank 0 has [3.0, 3.0]", "[rank 1] rank 1 has [3.0, 3.0]"
    ]  # fmt: skip
    results.close()
    results.join_thread()
    del results, shared
    assert left() == before


def says(rank: int, results: Any) -> None:
    results.put(rank)


def test_a_launcher_that_looks_for_left_folders_harms_no_other() -> None:
    """What old launchers left is swept before a start, and folders where somebody listens are kept."""
    results = mp.get_context("spawn").SimpleQueue()
    context = mp.spawn(says, (results,), nprocs=2, join=False)
    folder = Path(context._ranks._folder)
    os.utime(folder, (0, 0))  # as if it ran for long
    mpiexec.sweep(str(folder.parent))
    assert folder.exists()
    while not context.join():
        pass
    assert sorted(results.get() for _ in range(2)) == [0, 1]


def fails(rank: int) -> None:
    if rank:
        raise ValueError("no")
    time.sleep(100)


def test_the_first_that_fails_ends_all() -> None:
    before = left()
    with pytest.raises(mp.ProcessRaisedException) as caught:
        mp.spawn(fails, nprocs=2, timeout=120)
    assert caught.value.error_index == 1 and caught.value.msg.endswith('raise ValueError("no")\nValueError: no\n')
    assert caught.value.msg.startswith("\n\n-- Process 1 terminated with the following error:\nTraceback")
    assert left() == before


def test_a_hang_says_where() -> None:
    before, heard = left(), []
    begun = mp.spawn(time.sleep, nprocs=2, join=False)
    assert begun is not None and len(set(begun.pids())) == 2 and begun.join(100) and begun.join()
    ranks = Ranks(2, work_in_ranks(hangs, ()), write=lambda stream, line: heard.append(line))
    ranks.start()
    try:
        while len(heard) < 2:
            assert not ranks.wait(0.01) and ranks.failure is None
        ranks.too_late()
    finally:
        ranks.end()
    with pytest.raises(TimeoutError, match="ranks 0, 1 still ran after 3 seconds, and all ranks were ended") as caught:
        raise_failure(ranks.failure, 2, 3)
    assert str(caught.value).count("Rank 1 was here:\nStack (most recent call first):") == 1
    assert str(caught.value).count("in hangs") == 2 and left() == before


def hangs(rank: int) -> None:
    print("here")
    while True:
        pass


def test_functions_without_a_file_travel_whole() -> None:
    code = """
import tensorwidgets as torch
class Kept:
    value = 7
def f(rank, scale):
    torch.distributed.init_process_group("mpi")
    x = torch.tensor([Kept.value * scale])
    torch.distributed.all_reduce(x)
    print(x.item())
torch.multiprocessing.spawn(f, (3,), nprocs=2, timeout=100)
"""
    run = subprocess.run(
        [sys.executable, "-"], input=code, text=True, capture_output=True, timeout=120, cwd=Path(__file__).parents[2]
    )
    assert sorted(run.stdout.split("\n")) == ["", "[rank 0] 42", "[rank 1] 42"], run.stderr
