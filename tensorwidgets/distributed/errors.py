"""What PyTorch raises where ranks cannot talk to each other; here a RuntimeError is raised, which these are, too."""

from __future__ import annotations


class DistError(RuntimeError):
    """An error of several processes."""


class DistBackendError(DistError):
    """An error of the backend, which carries the numbers."""


class DistNetworkError(DistError):
    """An error of the network."""


class DistStoreError(DistError):
    """An error of a store, by which ranks find each other."""


class QueueEmptyError(DistStoreError):
    """A queue of a store has no value."""
