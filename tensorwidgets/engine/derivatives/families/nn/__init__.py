"""Derivatives of the ops of neural networks."""

from . import activations, gates, losses, slopes_of_activations

__all__ = ["activations", "gates", "losses", "slopes_of_activations"]
