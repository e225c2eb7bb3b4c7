"""Derivatives of the ops of neural networks."""

from . import (
    activations,
    attention,
    dropout,
    embeddings,
    grids,
    losses,
    normalization,
    padding,
    recurrent,
    resampling,
    shuffles,
    windows,
)

__all__ = [
    "activations",
    "attention",
    "dropout",
    "embeddings",
    "grids",
    "losses",
    "normalization",
    "padding",
    "recurrent",
    "resampling",
    "shuffles",
    "windows",
]
