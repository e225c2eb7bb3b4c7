"""`inspect_file`: what is in a file, as text and as a picture. Nothing of the file is loaded."""

from __future__ import annotations

import os
from typing import Any

from .engine.files.inspection import anatomy_of
from .pictures.memory.files import FilePicture, file_picture


def inspect_file(path: str | os.PathLike[str] | Any, name: str | None = None, index: Any = None) -> FilePicture:
    """Lists what a .pt or HDF5 file holds: records, tensors, storages, and globals that `load` would refuse.

    With the name of a tensor or dataset (and an index, for HDF5), it also says which bytes reading that part touches.

    >>> import io
    >>> import tensorwidgets as torch
    >>> file = io.BytesIO()
    >>> torch.save({"x": torch.arange(6.).reshape(2, 3).t()}, file)
    >>> _ = file.seek(0)
    >>> torch.inspect_file(file).anatomy.tensors[0].words()
    'tensor float32 [3, 2], stride [1, 3], data/0'
    """
    return file_picture(anatomy_of(path, name, index))
