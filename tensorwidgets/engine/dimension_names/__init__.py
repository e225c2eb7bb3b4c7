"""How do dimension names combine? They unify, contract, move and clash. Tuples in, tuples out.

Types and messages are those of PyTorch 2.12, the last version with names. None is a dimension without a name. Tensors,
`why`, pictures and hints use these functions.
"""

from .changing import Aligned, align_to, expanded, refine, renamed
from .meeting import matmul, unify
from .words import Names, checked, listed, numbers_of, position, without, words

__all__ = [
    "Aligned", "Names", "align_to", "checked", "expanded", "listed", "matmul", "numbers_of", "position", "refine",
    "renamed", "unify", "without", "words",
]  # fmt: skip
