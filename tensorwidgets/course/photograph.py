"""The photograph that runs through the course: the flower that scikit-learn brings along. Nothing is downloaded.

It is scikit-learn's sample image flower.jpg, released under a Creative Commons licence (CC BY 2.0); the photographer
is named beside it, in sklearn/datasets/images/README.txt.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from .checking.watching import library_of

ROWS, COLUMNS = slice(80, 368), slice(116, 500)
"""The part of the 427 by 640 pixels that is kept, with the flower in the middle."""
BLOCK = 3
"""Each pixel is the mean of so many by so many."""


def photo() -> Any:
    """A flower of 96 by 128 pixels in red, green and blue, fresh at each call, in the library that the caller names
    `torch`.

    >>> import tensorwidgets as torch
    >>> flower = photo()
    >>> flower.size(), flower.dtype
    (torch.Size([96, 128, 3]), torch.uint8)
    >>> flower.untyped_storage().nbytes()
    36864
    """
    return library_of(sys._getframe(1)).tensor(pixels())


@cache
def pixels() -> np.ndarray:
    """The photograph as an array. Nobody may write into it: it is read once, for all."""
    file = _file()
    from PIL import Image  # the package itself does without

    with Image.open(file) as image:
        part = np.asarray(image)[ROWS, COLUMNS].astype(np.uint16)
    height, width, colours = part.shape
    blocks = part.reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK, colours)
    small = ((blocks.sum((1, 3)) + BLOCK**2 // 2) // BLOCK**2).astype(np.uint8)
    small.flags.writeable = False
    return small


def thumbnail() -> np.ndarray:
    """Every second pixel of the photograph: 48 by 64 of them, so that `check` compares each number."""
    return pixels()[::2, ::2].copy()


def _file() -> Path:
    """Found without importing scikit-learn, which takes longer than all the rest."""
    sklearn, pillow = find_spec("sklearn"), find_spec("PIL")
    if sklearn is None or pillow is None:
        missing = "scikit-learn" if sklearn is None else "pillow"
        raise ModuleNotFoundError(
            f'the photograph needs {missing}, which is missing: run `pip install "tensorwidgets[lab]"`, '
            "then restart the kernel"
        )
    return Path(str(sklearn.origin)).parent / "datasets" / "images" / "flower.jpg"
