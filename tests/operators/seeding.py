"""Seeding PyTorch quickly: `torch.manual_seed` asks every kind of GPU, which takes longer than most samples."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock


@contextmanager
def on_the_cpu_alone() -> Iterator[None]:
    """`torch.manual_seed` seeds the generator of the CPU only, to the same numbers."""
    import torch

    with mock.patch.object(torch, "manual_seed", torch.default_generator.manual_seed):
        yield
