"""torch.utils.data: how do samples of a dataset become batches, in this process or in others?"""

from __future__ import annotations

from typing import Any

from . import _utils as _utils
from .collate import default_collate, default_convert
from .dataloader import DataLoader
from .dataset import ChainDataset, ConcatDataset, Dataset, IterableDataset, Subset, TensorDataset
from .distributed import DistributedSampler
from .recorded import Recorded
from .sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
from .splits import random_split
from .stack import StackDataset
from .worker_info import get_worker_info

__all__ = [
    "BatchSampler", "ChainDataset", "ConcatDataset", "DataLoader", "Dataset", "DistributedSampler", "IterableDataset",
    "RandomSampler", "Recorded", "Sampler", "SequentialSampler", "StackDataset", "Subset", "SubsetRandomSampler",
    "TensorDataset", "WeightedRandomSampler", "default_collate", "default_convert", "get_worker_info", "random_split",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    from ...engine.errors.missing_names import missing

    missing(__name__, name, __all__)
