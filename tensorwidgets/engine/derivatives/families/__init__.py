"""The derivatives, family by family, in rooms called as those of `ops`. Importing this room fills the table."""

from . import (
    brackets,
    copies,
    draws,
    indexing,
    joining,
    layouts,
    linalg,
    nn,
    ordering,
    pointwise,
    reductions,
    sparse,
    spectral,
    views,
)

__all__ = [
    "brackets", "copies", "draws", "indexing", "joining", "layouts", "linalg", "nn", "ordering", "pointwise",
    "reductions", "sparse", "spectral", "views",
]  # fmt: skip
