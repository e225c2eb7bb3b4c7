"""A function of a notebook runs in real ranks, of ours and of PyTorch, and what went wrong in one of them is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tensorwidgets as torch
from tensorwidgets.course.ranks import in_ranks

SUM = """
def meet(rank, more):
    x = torch.tensor([4.0, 10.0][rank])
    torch.distributed.all_reduce(x)
    return rank, x.item() + more

found = in_ranks(meet, 2, 100)
"""


def found_by(library: str) -> Any:
    """As a cell of a notebook that names this library torch."""
    names: dict[str, Any] = {"in_ranks": in_ranks, "__name__": "__main__"}
    exec(f"import {library} as torch{SUM}", names)
    return names["found"]


def test_each_rank_returns_what_it_found_in_their_order() -> None:
    assert found_by("tensorwidgets") == [(0, 114.0), (1, 114.0)]
    assert not torch.distributed.is_initialized()  # the process that asks is no rank


@pytest.mark.torch
def test_ranks_of_pytorch_do_the_same() -> None:
    assert found_by("torch") == found_by("tensorwidgets")


def test_an_error_in_a_rank_arrives_and_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(RuntimeError, match="rank 1 of 2 raised an error(.|\n)*ValueError: too loud"):
        in_ranks(loud, 2)
    assert not list(tmp_path.iterdir())


def loud(rank: int) -> None:
    if rank == 1:
        raise ValueError("too loud")
    torch.distributed.barrier()
