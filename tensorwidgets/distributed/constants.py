"""How long ranks wait for each other, by the names of PyTorch's module."""

from .groups import DEFAULT_TIMEOUT as default_pg_timeout

__all__ = ["default_pg_timeout"]
