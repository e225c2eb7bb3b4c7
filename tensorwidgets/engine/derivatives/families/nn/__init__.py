"""Derivatives of the ops of neural networks."""

from . import losses

__all__ = ["losses"]
