"""What does each op compute? One room per family; which room may import which is in `pyproject.toml`."""

from . import copies, creation, indexing, linalg, nn, ordering, pointwise, random, reductions, small, spectral, views

__all__ = [
    "copies",
    "pointwise",
    "views",
    "creation",
    "indexing",
    "ordering",
    "reductions",
    "linalg",
    "random",
    "spectral",
    "nn",
    "small",
]
