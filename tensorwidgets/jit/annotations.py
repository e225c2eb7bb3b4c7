"""The types that a compiler's annotations name: those of Python."""

from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: UP035 - these are the names that programs import

__all__ = ["Any", "Dict", "List", "Optional", "Tuple", "Union"]
