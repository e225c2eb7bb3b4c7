"""The names of storages and dtypes in a file."""

from __future__ import annotations

from ...types import dtypes
from ...types.dtypes import dtype

_TYPED = (
    dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.bool_, dtypes.float16, dtypes.bfloat16,
    dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128, dtypes.quint8, dtypes.qint8, dtypes.qint32,
)  # fmt: skip
"""The dtypes that have a storage class in PyTorch. The others are saved in a storage of bytes, and the tensor's entry
names the dtype."""

STORAGE_NAMES: dict[dtype, str] = {d: f"{d._type_name}Storage" for d in _TYPED}
DTYPE_OF_STORAGE: dict[str, dtype] = {name: d for d, name in STORAGE_NAMES.items()}
UNTYPED = "torch.storage.UntypedStorage"

DTYPE_NAMES: dict[str, dtype] = {f"torch.{d._name}": d for d in (*dtypes.ALL, *dtypes.QUANTIZED)}
