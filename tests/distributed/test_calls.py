"""Every call between ranks returns and refuses as PyTorch's gloo does."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from tests.distributed import calls, live


def test_one_rank_needs_no_launcher(tmp_path: Path) -> None:
    calls.ours(tmp_path)
    assert live.disagreements(tmp_path, live.PRINTED, 1) == []


def test_two_ranks_do_what_gloo_does(tmp_path: Path, capfd: pytest.CaptureFixture) -> None:
    live.ours(tmp_path, 2)
    assert live.disagreements(tmp_path, live.PRINTED, 2) == []
    said = capfd.readouterr().err
    assert said.count('backend "gloo" is served by MPI (Open MPI') == 1 and "[rank 0]" in said


@pytest.mark.torch
@pytest.mark.parametrize("n", [1, 2])
def test_gloo_does_so_still(tmp_path: Path, n: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        live.gloo(tmp_path, n)
    assert live.disagreements(tmp_path, live.PRINTED, n) == []
