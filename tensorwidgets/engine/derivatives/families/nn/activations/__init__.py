"""What are the derivatives of activations?"""

from . import gates, kernels, slopes

__all__ = ["gates", "kernels", "slopes"]
