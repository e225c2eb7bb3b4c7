"""How are the most frequent calls recorded, and gone back through, with few steps in between?

The rooms that begin with `calls` record, and those that begin with `formulas` compute gradients on arrays. Each leaves
to the general way what is unusual.
"""

from . import (
    calls,
    calls_of_activations,
    calls_of_any_row,
    calls_of_conversions,
    calls_of_dropout,
    calls_of_joins,
    calls_of_layers,
    calls_of_losses,
    calls_of_norms,
    calls_of_products,
    calls_of_rows,
    calls_of_views,
)

from . import formulas, formulas_of_activations, formulas_of_layers, formulas_of_views  # isort: skip

__all__ = ["formulas", "formulas_of_activations", "formulas_of_layers", "formulas_of_views", "install"]


def install() -> None:
    """Give the rows of frequent calls their short way of recording."""
    for room in (
        calls, calls_of_rows, calls_of_views, calls_of_products, calls_of_joins, calls_of_layers, calls_of_norms,
        calls_of_losses, calls_of_activations, calls_of_conversions, calls_of_dropout, calls_of_any_row,
    ):  # fmt: skip
        room.install()
