"""How is an image, a sequence or a volume brought to another size, or read at other places?"""

from . import antialias, grids, interpolation, ways

__all__ = ["antialias", "grids", "interpolation", "ways"]
