"""Files: .pt both ways without PyTorch, HDF5, NumPy's formats and safetensors.

A file is data from elsewhere. What is read here is interpreted over a list of what a file may hold; nothing that a file
names is ever called.
"""

from __future__ import annotations

from .errors import FileError, RefusedGlobal
from .loading import load
from .saving import save

__all__ = ["FileError", "RefusedGlobal", "load", "save"]
