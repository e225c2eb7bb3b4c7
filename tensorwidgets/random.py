"""torch.random: the default stream of random numbers."""

from __future__ import annotations

from .engine.tensor.generator import (
    Generator,
    default_generator,
    fork_rng,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)


def thread_safe_generator() -> Generator | None:
    """The stream of the thread that loads data, or None for the default stream: here loaders use processes.

    >>> thread_safe_generator() is None
    True
    """
    return None


__all__ = [
    "default_generator", "fork_rng", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state",
    "thread_safe_generator",
]  # fmt: skip
