"""Which activations are there, which curves do they follow, and how steep are they?"""

from . import curves, elementwise, functions, gates, kernels, rectified

__all__ = ["curves", "elementwise", "functions", "gates", "kernels", "rectified"]
