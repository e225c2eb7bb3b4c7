"""The derivatives, family by family. Importing this room fills the table."""

from . import arithmetic, brackets, copies, indexing, joining, products, views

__all__ = ["arithmetic", "brackets", "copies", "indexing", "joining", "products", "views"]
