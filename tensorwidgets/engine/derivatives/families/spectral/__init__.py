"""The derivatives of Fourier transforms."""

from . import fourier, short_time

__all__ = ["fourier", "short_time"]
