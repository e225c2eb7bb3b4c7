"""How are the most frequent calls recorded, and gone back through, with few steps in between?

The rooms that begin with `calls` record, and those that begin with `formulas` compute gradients on arrays. Each leaves
to the general way what is unusual.
"""

from . import (
    calls,
    calls_of_layers,
    calls_of_products,
    calls_of_rows,
    calls_of_views,
    formulas,
    formulas_of_layers,
    formulas_of_views,
)  # fmt: skip

__all__ = [
    "calls", "calls_of_layers", "calls_of_products", "calls_of_rows", "calls_of_views",
    "formulas", "formulas_of_layers", "formulas_of_views", "install",
]  # fmt: skip


def install() -> None:
    """Give the rows of frequent calls their short way of recording."""
    calls.install()
    calls_of_rows.install()
    calls_of_views.install()
    calls_of_products.install()
    calls_of_layers.install()
