"""The allow-list: the globals that a pickle may name. Any other name is refused and never imported."""

from __future__ import annotations

from typing import Any

from ...types import formats
from . import decode
from .decode import PARAMETER, PLAIN_TENSOR, StorageKind
from .pickle_read import Maker
from .special_tensors import CODECS
from .storage_types import DTYPE_NAMES, DTYPE_OF_STORAGE, UNTYPED

TENSORS: dict[str, Any] = {
    "torch._utils._rebuild_tensor": decode.tensor_v2,
    "torch._utils._rebuild_tensor_v2": decode.tensor_v2,
    "torch._utils._rebuild_tensor_v3": decode.tensor_v3,
    "torch._utils._rebuild_meta_tensor_no_storage": decode.meta_tensor,
    "torch._utils._rebuild_parameter": decode.parameter,
    "torch._utils._rebuild_parameter_with_state": decode.parameter_with_state,
    **{codec.function: codec.rebuild for codec in CODECS},
}
"""The functions that rebuild tensors, by the names that PyTorch gives them in a pickle."""

_OTHERS: dict[str, Any] = {
    "torch._tensor._rebuild_from_type_v2": decode.with_state,
    "torch.Size": decode.size_,
    "torch.device": decode.device_,
    "torch.serialization._get_layout": decode.layout_,
    "collections.OrderedDict": decode.ordered_,
    "collections.Counter": decode.counter_,
    "builtins.set": decode.set_,
    "builtins.frozenset": decode.frozenset_,
    "builtins.complex": decode.complex_,
    "builtins.bytearray": decode.bytearray_,
    "builtins.bytes": decode.bytes_,
    "_codecs.encode": decode.codecs_encode,
}

ALLOWED: dict[str, Any] = {
    **DTYPE_NAMES,
    **{repr(value): value for value in vars(formats).values() if type(value) is formats.qscheme},
    **{f"torch.{name}": StorageKind(name, d) for name, d in DTYPE_OF_STORAGE.items()},
    **{f"torch.cuda.{name}": StorageKind(name, d) for name, d in DTYPE_OF_STORAGE.items()},
    UNTYPED: StorageKind(UNTYPED, None),
    "torch.Tensor": PLAIN_TENSOR,
    "torch._tensor.Tensor": PLAIN_TENSOR,
    "torch.nn.parameter.Parameter": PARAMETER,
    **{name: Maker(name, make) for name, make in {**TENSORS, **_OTHERS}.items()},
}


def allowed(name: str) -> Any:
    """The value of a global name, or None if it is not on the list. `__builtin__` is Python 2's name for `builtins`.

    >>> allowed("__builtin__.set"), allowed("os.system")
    (builtins.set, None)
    """
    result = ALLOWED.get(name)
    if result is None and name.startswith("__builtin__."):
        result = ALLOWED.get(f"builtins.{name[12:]}")
    return result
