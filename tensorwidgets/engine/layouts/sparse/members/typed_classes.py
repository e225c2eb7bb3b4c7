"""The legacy constructors, one for each dtype: `torch.sparse.FloatTensor(indices, values, size)`."""

from __future__ import annotations

from typing import Any

from ....calling.arguments import as_size
from ....calling.reading import Notations
from ....tensor.tensor import Tensor
from ....types import dtypes
from ....types.formats import sparse_coo
from ..creation import empty, sparse_coo_tensor
from ..parts.tensors import is_coo

_WAYS = Notations(
    "new",
    (
        "SymIntArrayRef size",
        "Tensor indices, Tensor values",
        "Tensor indices, Tensor values, SymIntArrayRef size",
    ),
)
NAMES = ("BFloat16", "Byte", "Char", "Double", "Float", "Half", "Int", "Long", "Short")


class SparseType:
    """Creates COO tensors, and `isinstance` accepts those of its dtype. Given values keep their own dtype.

    >>> import tensorwidgets as torch
    >>> torch.sparse.FloatTensor
    <class 'torch.sparse.FloatTensor'>
    >>> x = torch.sparse.FloatTensor(torch.tensor([[0, 2]]), torch.tensor([1.0, 2.0]), torch.Size([3]))
    >>> x.to_dense()
    tensor([1., 0., 2.])
    >>> isinstance(x, torch.sparse.FloatTensor), isinstance(x, torch.sparse.LongTensor)
    (True, False)
    """

    is_sparse, layout = True, sparse_coo

    def __init__(self, d: dtypes.dtype):
        self.dtype, self.__name__ = d, f"{d._type_name}Tensor"

    def __call__(self, *args: Any) -> Tensor:
        given = _WAYS.read(args or ((0,),), {})
        if "indices" not in given:
            return empty(as_size("new", given["size"]), self.dtype)
        return sparse_coo_tensor(**given)

    def __instancecheck__(self, instance: Tensor) -> bool:
        return is_coo(instance) and instance._dtype is self.dtype

    def __repr__(self) -> str:
        return f"<class 'torch.sparse.{self.__name__}'>"

    def __reduce__(self) -> tuple:
        return typed, (self.dtype,)


_MADE: dict[dtypes.dtype, SparseType] = {}


def typed(d: dtypes.dtype) -> SparseType:
    """The one class of a dtype."""
    if d not in _MADE:
        _MADE[d] = SparseType(d)
    return _MADE[d]


CLASSES = {f"{d._type_name}Tensor": typed(d) for d in dtypes.ALL if d._type_name in NAMES}
"""The constructors by their names in `torch.sparse`."""
