"""Derivatives of the ops of neural networks."""

from . import (
    activations,
    attention,
    averaging,
    classes,
    convolutions,
    embeddings,
    gates,
    losses,
    normalization,
    padding,
    pooling,
    shuffles,
    slopes_of_activations,
    two_way_losses,
)

__all__ = [
    "activations",
    "attention",
    "averaging",
    "classes",
    "convolutions",
    "embeddings",
    "gates",
    "losses",
    "normalization",
    "padding",
    "pooling",
    "shuffles",
    "slopes_of_activations",
    "two_way_losses",
]
