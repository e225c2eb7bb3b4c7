"""The list of what a file may ask for. What is not here is refused by name, and never looked up."""

from __future__ import annotations

from typing import Any

from ..types import formats
from . import rebuilding
from .pickle_read import Maker
from .rebuilding import PARAMETER, PLAIN_TENSOR, StorageKind
from .special_kinds import SPECIAL_KINDS
from .storage_types import DTYPE_NAMES, DTYPE_OF_STORAGE, UNTYPED

TENSORS: dict[str, Any] = {
    "torch._utils._rebuild_tensor": rebuilding.tensor_v2,
    "torch._utils._rebuild_tensor_v2": rebuilding.tensor_v2,
    "torch._utils._rebuild_tensor_v3": rebuilding.tensor_v3,
    "torch._utils._rebuild_meta_tensor_no_storage": rebuilding.meta_tensor,
    "torch._utils._rebuild_parameter": rebuilding.parameter,
    "torch._utils._rebuild_parameter_with_state": rebuilding.parameter_with_state,
    **{kind.function: kind.rebuild for kind in SPECIAL_KINDS},
}
"""How each kind of tensor is rebuilt."""

_OTHERS: dict[str, Any] = {
    "torch._tensor._rebuild_from_type_v2": rebuilding.with_state,
    "torch.Size": rebuilding.size_,
    "torch.device": rebuilding.device_,
    "torch.serialization._get_layout": rebuilding.layout_,
    "collections.OrderedDict": rebuilding.ordered_,
    "collections.Counter": rebuilding.counter_,
    "builtins.set": rebuilding.set_,
    "builtins.frozenset": rebuilding.frozenset_,
    "builtins.complex": rebuilding.complex_,
    "builtins.bytearray": rebuilding.bytearray_,
    "builtins.bytes": rebuilding.bytes_,
    "_codecs.encode": rebuilding.encode_,
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
    """What a global stands for; None where it is not on the list. Python 2 called some modules otherwise.

    >>> allowed("__builtin__.set"), allowed("os.system")
    (builtins.set, None)
    """
    result = ALLOWED.get(name)
    if result is None and name.startswith("__builtin__."):
        result = ALLOWED.get(f"builtins.{name[12:]}")
    return result
