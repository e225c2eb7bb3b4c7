"""The derivatives, family by family. Importing this room fills the table."""

from . import (
    arithmetic,
    brackets,
    choices,
    copies,
    draws,
    indexing,
    joining,
    linalg,
    powers,
    signs,
    special,
    trigonometry,
    views,
)

__all__ = [
    "arithmetic", "brackets", "choices", "copies", "draws", "indexing", "joining", "linalg", "powers", "signs",
    "special", "trigonometry", "views",
]  # fmt: skip
