"""torch.types: names for the types of arguments, as type hints of other libraries use them.

>>> import tensorwidgets as torch
>>> isinstance(3, torch.types.Number), isinstance(3, torch.SymInt)
(True, False)
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import IO, Any

from .engine.tensor.storages.untyped import UntypedStorage as Storage
from .engine.tensor.tensor import Tensor
from .engine.types.device import device
from .engine.types.dtypes import dtype
from .engine.types.formats import layout, qscheme
from .engine.types.size import Size

__all__ = ["Device", "FileLike", "Number", "Storage"]


class SymInt:
    """A size that a compiler does not know yet. There is no such number here, so none is an instance."""


class SymFloat:
    """A number that depends on a size that a compiler does not know yet. Here: none."""


class SymBool:
    """A condition on sizes that a compiler does not know yet. Here: none."""


_device, _dtype, _layout, _qscheme = device, dtype, layout, qscheme
_int, _float, _bool, _bytes, _complex, _str = int, float, bool, bytes, complex, str
Number = int | float | bool
_Number = (int, float, bool)
Device = device | str | int | None
FileLike = str | os.PathLike[str] | IO[bytes]
IntLikeType = int | SymInt
FloatLikeType = float | SymFloat
BoolLikeType = bool | SymBool
PySymType = SymInt | SymFloat | SymBool
py_sym_types = (SymInt, SymFloat, SymBool)
_size = Size | list[int] | tuple[int, ...]
_symsize = Size | Sequence[int | SymInt]
_TensorOrTensors = Tensor | Sequence[Tensor]
_TensorOrOptionalTensors = Tensor | Sequence[Tensor | None]
_TensorOrTensorsOrGradEdge = Any
