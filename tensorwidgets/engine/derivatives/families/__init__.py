"""The derivatives, family by family. Importing this room fills the table."""

from . import arithmetic, products

__all__ = ["arithmetic", "products"]
