"""Which part of the samples does each of several processes train on?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ...distributed.groups import get_rank, get_world_size
from ...engine.derivatives.ops import torch
from ...engine.tensor.generator import Generator
from .sampler import Sampler


class DistributedSampler(Sampler):
    """The share of one process, `rank`, of `num_replicas`. All draw the same shuffle and take every n-th index of it.

    Without these two numbers, `torch.distributed` is asked. `set_epoch` is called before each epoch, so that each has a
    shuffle of its own.

    >>> [list(DistributedSampler(range(5), num_replicas=2, rank=rank, shuffle=False)) for rank in (0, 1)]
    [[0, 2, 4], [1, 3, 0]]
    """

    def __init__(
        self, dataset: Any, num_replicas: int | None = None, rank: int | None = None, shuffle: bool = True,
        seed: int = 0, drop_last: bool = False,
    ):  # fmt: skip
        if num_replicas is None:
            num_replicas = get_world_size()
        if rank is None:
            rank = get_rank()
        if rank >= num_replicas or rank < 0:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset, self.num_replicas, self.rank = dataset, num_replicas, rank
        self.epoch, self.drop_last, self.shuffle, self.seed = 0, drop_last, shuffle, seed
        count = len(dataset)
        whole = count - num_replicas if drop_last and count % num_replicas else count
        self.num_samples = math.ceil(whole / num_replicas)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[int]:
        count = len(self.dataset)
        indices = list(range(count))
        if self.shuffle:
            generator = Generator().manual_seed(self.seed + self.epoch)
            indices = torch.randperm(count, generator=generator).tolist()
        # The first ones again, so that all shares are of the same length; or fewer.
        times = math.ceil(self.total_size / count) if count else 1
        return iter((indices * times)[: self.total_size][self.rank :: self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Choose the shuffle of an epoch."""
        self.epoch = epoch
