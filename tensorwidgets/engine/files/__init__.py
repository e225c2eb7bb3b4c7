"""Files: .pt both ways without PyTorch, HDF5, NumPy's formats and safetensors.

A file is data from elsewhere. What is read here is interpreted over a list of what a file may hold; nothing that a file
names is ever called.
"""

from __future__ import annotations

from .errors import FileError, RefusedGlobal
from .hdf5 import load_hdf5, save_hdf5
from .loading import load
from .numpys import load_npy, load_npz, save_npy, save_npz
from .safetensors import load_safetensors, save_safetensors
from .saving import save

__all__ = [
    "FileError", "RefusedGlobal", "load", "load_hdf5", "load_npy", "load_npz", "load_safetensors", "save", "save_hdf5",
    "save_npy", "save_npz", "save_safetensors",
]  # fmt: skip
