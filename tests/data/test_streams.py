"""Three shuffled epochs with 0, 1 and 2 workers, and the streams after them, are PyTorch's for every sampler."""

from __future__ import annotations

import io
from typing import Any

import pytest
from tqdm import tqdm

import tensorwidgets as tw


def settings_of(torch: Any, data: Any, generator: Any) -> dict[str, dict[str, Any]]:
    """A loader's settings for each sampler."""
    D = torch.utils.data
    return {
        "in order": {"batch_size": 3},
        "shuffled": {"batch_size": 3, "shuffle": True, "generator": generator},
        "replaced": {"batch_size": 3, "sampler": D.RandomSampler(data, True, 70, generator)},
        "more than once": {"batch_size": 3, "sampler": D.RandomSampler(data, False, 29, generator)},
        "subset": {"batch_size": 3, "sampler": D.SubsetRandomSampler([3, 1, 9, 7], generator)},
        "weighted": {"batch_size": 3, "sampler": D.WeightedRandomSampler([0.1, 0.9, 3, 0.2], 9, True, generator)},
        "distributed": {"batch_size": 3, "sampler": D.DistributedSampler(data, 3, 1)},
        "batches": {"batch_sampler": D.BatchSampler(D.RandomSampler(data, generator=generator), 4, True)},
        "no batches": {"batch_size": None, "shuffle": True, "generator": generator},
    }


def epochs(torch: Any, name: str, own: bool, workers: int) -> list[Any]:
    """What three epochs yield, and what the streams yield after them."""
    torch.manual_seed(5)
    generator = torch.Generator().manual_seed(9) if own else None
    data = torch.utils.data.TensorDataset(torch.arange(11))
    settings = settings_of(torch, data, generator)[name]
    loader = torch.utils.data.DataLoader(data, num_workers=workers, **settings)
    found: list[Any] = [[batch[0].tolist() for batch in loader] for _ in range(3)]
    return [*found, torch.rand(2).tolist(), generator and torch.rand(2, generator=generator).tolist()]


NAMES = list(settings_of(tw, range(11), None))


@pytest.mark.torch
@pytest.mark.parametrize("workers", [0, 1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_epochs_and_streams_are_pytorchs(name: str, workers: int) -> None:
    import torch

    for own in (False, True):
        assert epochs(tw, name, own, workers) == epochs(torch, name, own, workers)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("name", ["shuffled", "batches"])
def test_workers_change_nothing(name: str) -> None:
    assert epochs(tw, name, True, 2) == epochs(tw, name, True, 0)


def test_a_progress_bar_knows_how_many_batches_come() -> None:
    bar = tqdm(tw.utils.data.DataLoader(range(7), 2), file=io.StringIO())
    assert bar.total == 4 and len(list(bar)) == 4 and bar.n == 4
