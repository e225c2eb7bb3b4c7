"""Derivatives of the ops of neural networks."""

from . import activations, classes, gates, losses, slopes_of_activations, two_way_losses

__all__ = ["activations", "classes", "gates", "losses", "slopes_of_activations", "two_way_losses"]
