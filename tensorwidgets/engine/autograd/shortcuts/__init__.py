"""How are the most frequent calls recorded, and gone back through, with few steps in between?

`calls`, `calls_of_rows`, `calls_of_views`, `calls_of_products` and `calls_of_layers` record; `formulas` and `formulas_of_layers` compute gradients on arrays.
Each leaves to the general way what is unusual.
"""

from . import calls, calls_of_layers, calls_of_products, calls_of_rows, calls_of_views, formulas, formulas_of_layers

__all__ = [
    "calls", "calls_of_layers", "calls_of_products", "calls_of_rows", "calls_of_views", "formulas", "formulas_of_layers",
    "install",
]  # fmt: skip


def install() -> None:
    """Give the rows of frequent calls their short way of recording."""
    calls.install()
    calls_of_rows.install()
    calls_of_views.install()
    calls_of_products.install()
    calls_of_layers.install()
