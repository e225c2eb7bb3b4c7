"""What is put around the last dimensions: a number, or elements of the border?"""

from . import borders, pad

__all__ = ["borders", "pad"]
