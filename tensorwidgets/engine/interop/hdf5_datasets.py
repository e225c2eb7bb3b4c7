"""Datasets of an HDF5 file handed to `tensor` or `from_numpy`: arrays that lie on disk, as long as their file is open.

h5py is neither imported nor changed: a dataset is known by its class's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..errors.reasons import refuse

if TYPE_CHECKING:
    import h5py


def is_dataset(x: Any) -> bool:
    """Whether this is a dataset of h5py.

    >>> is_dataset([1, 2])
    False
    """
    kind = type(x)
    return kind.__name__ == "Dataset" and kind.__module__.partition(".")[0] == "h5py"


def read_dataset(dataset: h5py.Dataset) -> np.ndarray:
    """All numbers of a dataset, read in one go; the refusal where its file has been closed."""
    if not dataset:
        refuse_closed(ValueError, "could not determine the shape of object type 'Dataset'")
    return np.asarray(dataset[()])


def refuse_closed(error: type[Exception], message: str) -> NoReturn:
    """Say what has become of the numbers: they are in the file, and the file is closed."""
    refuse(
        error,
        message,
        "the file of this HDF5 dataset has been closed: a dataset only refers to numbers on the disk",
        "inside `with h5py.File(path) as file:`, read first: x = torch.from_numpy(file['name'][-2:])",
        "load_hdf5(path, 'name', np.s_[-2:]), which opens, reads and closes",
        rule="hdf5.closed",
    )


def refuse_dataset(dataset: h5py.Dataset, message: str) -> NoReturn:
    """`from_numpy` shares memory, and a dataset has none to share."""
    if not dataset:
        refuse_closed(TypeError, message)
    refuse(
        TypeError,
        message,
        "an HDF5 dataset is on disk; a slice of it is an array in memory",
        "torch.from_numpy(dataset[:])",
        "torch.from_numpy(dataset[-2:]), which reads two rows",
        rule="hdf5.dataset",
    )
