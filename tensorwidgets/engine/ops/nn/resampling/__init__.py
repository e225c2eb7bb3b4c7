"""How is an image, a sequence or a volume brought to another size, or read at other places?"""

from . import grids, interpolation, ways

__all__ = ["grids", "interpolation", "ways"]
