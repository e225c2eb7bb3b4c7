"""How do sparse tensors get another shape: dimensions exchanged, parts picked out, tensors joined?"""

from . import exchanged, joined, picked  # noqa: F401
