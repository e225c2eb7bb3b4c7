"""What is in a file, and how does an object get in and out? Formats: .pt, HDF5, .npy, safetensors.

Files are untrusted input. A pickle is interpreted against an allow-list; no function or class that a file names is ever
called or imported.
"""

from __future__ import annotations

from .errors import FileError, RefusedGlobal
from .formats.hdf5 import load_hdf5, save_hdf5
from .formats.npy import load_npy, load_npz, save_npy, save_npz
from .formats.safetensors import load_safetensors, save_safetensors
from .loading import load
from .saving import save

__all__ = [
    "FileError", "RefusedGlobal", "load", "load_hdf5", "load_npy", "load_npz", "load_safetensors", "save", "save_hdf5",
    "save_npy", "save_npz", "save_safetensors",
]  # fmt: skip
