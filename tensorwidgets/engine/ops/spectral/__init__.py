"""Which ops transform signals: Fourier, short-time, windows?"""

from . import fourier, short_time, windows

__all__ = ["fourier", "short_time", "windows"]
