"""How is an image, a sequence or a volume brought to another size?"""

from . import interpolation, ways

__all__ = ["interpolation", "ways"]
