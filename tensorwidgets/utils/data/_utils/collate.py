"""How samples become a batch, and the table to which a program adds its own types.

>>> from tensorwidgets.utils.data._utils.collate import collate, default_collate_fn_map
>>> collate([{1}, {2}], collate_fn_map={set: lambda batch, collate_fn_map: set.union(*batch), **default_collate_fn_map})
{1, 2}
"""

from __future__ import annotations

from ..collate import (
    collate,
    collate_float_fn,
    collate_int_fn,
    collate_numpy_array_fn,
    collate_numpy_scalar_fn,
    collate_str_fn,
    collate_tensor_fn,
    default_collate,
    default_collate_fn_map,
    default_convert,
)

__all__ = [
    "collate", "collate_float_fn", "collate_int_fn", "collate_numpy_array_fn", "collate_numpy_scalar_fn",
    "collate_str_fn", "collate_tensor_fn", "default_collate", "default_collate_fn_map", "default_convert",
]  # fmt: skip
