"""The legacy constructors, one for each dtype: `torch.sparse.FloatTensor(indices, values, size)`."""

from __future__ import annotations

from typing import Any

from ....calling.arguments import as_size
from ....calling.reading import Notations
from ....errors.reasons import refuse
from ....errors.warnings import warn
from ....tensor.tensor import Tensor
from ....types import dtypes
from ....types.formats import sparse_coo
from ....types.size import Size
from ..creation import empty, sparse_coo_tensor
from ..parts.tensors import is_coo

_WAYS = Notations(
    "new",
    (
        "*, Device? device=None",
        "Tensor indices, Tensor values, *, Device? device=None",
        "Tensor indices, Tensor values, SymIntArrayRef size, *, Device? device=None",
        "SymIntArrayRef size, *, Device? device=None",
    ),
    method=True,
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

    def __call__(self, *args: Any, **kwargs: Any) -> Tensor:
        given = _WAYS.read(args, kwargs)
        given.pop("device", None)
        names = [{"size": "shape"}.get(name, name) for name in given]
        listed = ", ".join(names)
        made_of = f"({listed}, dtype=, device=)" if names else "((0,), dtype=)"
        warn(
            f"torch.sparse.SparseTensor({f'{listed}, *, device=' if names else ''}) is deprecated.  Please use "
            f"torch.sparse_coo_tensor{made_of}.",
            once=True,
        )
        if "indices" not in given:
            _check_size("torch.sparse.SparseTensor", args, given.get("size"))
            return empty(as_size("new", given.get("size", (0,))), self.dtype)
        return sparse_coo_tensor(**given)

    def __instancecheck__(self, instance: Tensor) -> bool:
        return is_coo(instance) and instance._dtype is self.dtype

    def __repr__(self) -> str:
        return f"<class 'torch.sparse.{self.__name__}'>"

    def __reduce__(self) -> tuple:
        return typed, (self.dtype,)


def _check_size(name: str, args: tuple, size: Any) -> None:
    """Refuse a list that stands alone."""
    if args and size is args[0] and isinstance(size, (list, tuple)) and not isinstance(size, Size):
        refuse(
            TypeError,
            f"{name}(sequence) only accepts sizes.  Please use torch.sparse_coo_tensor() or construct a strided tensor "
            "and convert it to sparse via to_sparse.",
            "a list could be numbers as well as a size",
            "torch.sparse_coo_tensor(size)",
            rule="legacy.data",
        )


def new(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """A COO tensor by the old rules: of a size, in this one's dtype, or of indices and values.

    >>> import tensorwidgets as torch
    >>> torch.eye(2).to_sparse().new(torch.tensor([[1]]), torch.tensor([5.0]), (3,)).to_dense()
    tensor([0., 5., 0.])
    """
    given = _WAYS.read(args, kwargs)
    given.pop("device", None)
    if "indices" in given:
        if given["indices"]._dtype is not dtypes.int64:
            message = "indices must be an int64 tensor"
            refuse(RuntimeError, message, "they count elements", "indices.long()", rule="legacy.data")
        return sparse_coo_tensor(**given)
    size = given.get("size", (0,))
    _check_size("SparseTensor.new", args, size)
    return empty(as_size("new", size), self.dtype)


_MADE: dict[dtypes.dtype, SparseType] = {}


def typed(d: dtypes.dtype) -> SparseType:
    """The one class of a dtype."""
    if d not in _MADE:
        _MADE[d] = SparseType(d)
    return _MADE[d]


CLASSES = {f"{d._type_name}Tensor": typed(d) for d in dtypes.ALL if d._type_name in NAMES}
"""The constructors by their names in `torch.sparse`."""
