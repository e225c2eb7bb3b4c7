"""torch.utils.dlpack: memory handed on to other libraries, and taken from them, without a copy.

>>> import tensorwidgets as torch
>>> x = torch.ones(2)
>>> from_dlpack(to_dlpack(x)).data_ptr() == x.data_ptr()
True
"""

from __future__ import annotations

from ..engine.interop.numpy_and_buffers import from_dlpack, to_dlpack

__all__ = ["from_dlpack", "to_dlpack"]
