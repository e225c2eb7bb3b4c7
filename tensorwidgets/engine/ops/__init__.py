"""What does each op compute? One room per family; a room imports only rooms above it in this list."""

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
