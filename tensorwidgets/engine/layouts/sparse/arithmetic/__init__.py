"""How are sparse tensors added, multiplied and divided element by element?"""

from . import by_element, quotients, sums  # noqa: F401
