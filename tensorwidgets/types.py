"""torch.types: names of types for annotations. Those that begin with an underscore are hidden by other names elsewhere.

>>> import tensorwidgets as torch
>>> from tensorwidgets.types import Device, Number
>>> isinstance(3, Number), isinstance("cpu", Device), isinstance(torch.device("cpu"), Device)
(True, True, True)
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import IO, TypeAlias

from . import Size, Tensor, UntypedStorage, device, dtype, layout, qscheme

_bool: TypeAlias = bool
_bytes: TypeAlias = bytes
_complex: TypeAlias = complex
_float: TypeAlias = float
_int: TypeAlias = int
_str: TypeAlias = str

_device: TypeAlias = device
_dtype: TypeAlias = dtype
_layout: TypeAlias = layout
_qscheme = qscheme

_TensorOrTensors: TypeAlias = Tensor | Sequence[Tensor]
_TensorOrOptionalTensors: TypeAlias = Tensor | Sequence[Tensor | None]
_size: TypeAlias = Size | list[int] | tuple[int, ...]
_Number = (int, float, bool)

Storage: TypeAlias = UntypedStorage
"""What holds the elements of tensors."""

Number: TypeAlias = int | float | bool
"""What counts as a number."""

FileLike: TypeAlias = str | os.PathLike[str] | IO[bytes]
"""What names a file, or is one."""

Device: TypeAlias = _device | str | int | None
"""What names a device; None is the default one."""

__all__ = ["Device", "FileLike", "Number", "Storage"]
