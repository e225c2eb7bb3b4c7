"""The derivatives, family by family. Importing this room fills the table."""

from . import (
    arithmetic,
    brackets,
    choices,
    copies,
    counting,
    draws,
    extremes,
    fourier,
    indexing,
    joining,
    layouts,
    linalg,
    norms,
    ordering,
    powers,
    products_of_elements,
    quantiles,
    running,
    short_time,
    signs,
    slopes,
    softmax,
    special,
    spreads,
    sums,
    trigonometry,
    views,
)

__all__ = [
    "arithmetic", "brackets", "choices", "copies", "counting", "draws", "extremes", "fourier", "indexing", "joining",
    "layouts", "linalg", "norms", "ordering", "powers", "products_of_elements", "quantiles", "running", "short_time",
    "signs", "slopes", "softmax", "special", "spreads", "sums", "trigonometry", "views",
]  # fmt: skip
