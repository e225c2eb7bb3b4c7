"""Which random numbers does a worker draw? Streams of its own, seeded as PyTorch seeds them."""

from __future__ import annotations

import random

import numpy as np

from ...engine.tensor.generator import manual_seed


def seed_worker(base_seed: int, worker: int) -> int:
    """Seed our stream, that of `random` and NumPy's in a worker; the seed is returned."""
    seed = base_seed + worker
    random.seed(seed)
    manual_seed(seed)
    np.random.seed(numpy_seed(base_seed, worker))
    return seed


def numpy_seed(base_seed: int, worker: int) -> np.ndarray:
    """NumPy's seed: mixed, for its twister is the same as that of `random`.

    >>> numpy_seed((3 << 32) + 2, 1).tolist()
    [3822189696, 3026158655, 540542919, 1119972918]
    """
    return np.random.SeedSequence([worker, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]).generate_state(4)
