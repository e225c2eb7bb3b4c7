"""How is a new array filled on a device? There if its functions are there, else in main memory, and brought."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..memory.places import Place
from ..tensor.generator import DEFAULTS
from .counts import count
from .limits import NotOnDevice


def fill_there(place: Place, array: np.ndarray, fill: Callable[[Any], Any], name: str) -> None:
    """Fill an array in a place."""
    with place.streams.not_waiting():
        _fill(place, array, fill, name)


def _fill(place: Place, array: np.ndarray, fill: Callable[[Any], Any], name: str) -> None:
    try:
        fill(array)
    except (NotOnDevice, TypeError) as error:
        if getattr(error, "reason", None) is not None and not isinstance(error, NotOnDevice):
            raise
        count(name, str(error))
        values = np.ndarray(array.shape, array.dtype)
        with DEFAULTS[place.device.type](place.device).in_main_memory():
            fill(values)
        if values.size:
            array[...] = place.bring(values)
