"""A loader in trouble raises the right error and leaves no process, no shared memory, no file descriptor."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import pytest

import tensorwidgets as tw
from tests.data.trials import KINDS, as_expected, left, trial
from tests.parts import thorough_but

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning", "ignore:This DataLoader will create")

PLAIN = ("raises", "kills itself", "hangs", "left early", "kept batches")
"""What the plain run asks."""


@pytest.mark.parametrize("kind", thorough_but(PLAIN, KINDS))
def test_nothing_is_left_of(kind: str) -> None:
    trial(0, "left early")  # imports
    before = left()
    assert as_expected(*trial(3, kind))
    assert left() == before


def test_an_error_that_is_kept_keeps_no_worker() -> None:
    def fails(index: int) -> Any:
        raise ValueError(index)

    before = left()
    with pytest.raises(ValueError, match="Caught ValueError in DataLoader worker process") as kept:
        for _ in tw.utils.data.DataLoader(range(4), num_workers=2, collate_fn=fails):
            pass
    assert kept.value.__traceback__ is not None and left() == before


def test_an_iterator_whose_workers_were_ended_is_at_its_end() -> None:
    before = left()
    batches = iter(tw.utils.data.DataLoader(range(9), num_workers=2))
    next(batches)
    batches._shutdown_workers()  # type: ignore[attr-defined]
    assert next(batches, "end") == "end" and left() == before


def test_an_iterator_goes_on_after_an_error_of_a_worker() -> None:
    def odd(batch: list[int]) -> int:
        if batch[0] % 2:
            raise ValueError(batch)
        return batch[0]

    batches = iter(tw.utils.data.DataLoader(range(4), num_workers=2, collate_fn=odd))
    found = []
    for _ in range(4):
        try:
            found.append(next(batches))
        except ValueError:
            found.append(None)
    assert found == [0, None, 2, None] and next(batches, "end") == "end"


def test_a_worker_that_dies_between_two_epochs_is_noticed() -> None:
    before = left()
    loader = tw.utils.data.DataLoader(range(4), num_workers=2, persistent_workers=True)
    assert len(list(loader)) == 4
    loader._iterator._team.processes[1].kill()  # type: ignore[union-attr, attr-defined]
    with pytest.raises(RuntimeError, match=r"DataLoader worker \(pid\(s\) \d+\) exited unexpectedly"):
        list(loader)
    del loader
    assert left() == before


PROGRAM = """
import os, sys, time
import tensorwidgets as torch

class Data(torch.utils.data.Dataset):
    def __len__(self): return 8
    def __getitem__(self, i):
        if i == 5: time.sleep(600)
        return torch.ones(300_000)

loader = torch.utils.data.DataLoader(Data(), num_workers=2, persistent_workers=True)
batches = iter(loader)
kept = [next(batches) for _ in range(2)]
print(*[process.pid for process in batches._team.processes], flush=True)
{end}
"""


@pytest.mark.parametrize("end", ["", "sys.exit(3)", "raise ValueError"])
def test_a_program_that_ends_ends_its_workers(end: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(end=end)], capture_output=True, text=True, timeout=60, check=False
    )
    lines = [line for line in done.stderr.splitlines() if line != "    raise ValueError"]  # which Python 3.13 quotes
    assert len(lines) == (3 if "raise" in end else 0), done.stderr
    workers = [int(word) for word in done.stdout.split()]
    assert len(workers) == 2 and not any(is_there(pid) for pid in workers)


def is_there(pid: int) -> bool:
    """Whether a worker of an ended program still runs, a moment later."""
    for _ in range(50):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if b"tensorwidgets" not in file.read():
                    return False
        except OSError:
            return False
        time.sleep(0.1)
    return True
