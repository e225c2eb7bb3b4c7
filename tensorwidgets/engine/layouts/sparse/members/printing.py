"""Print sparse tensors as PyTorch does: each part as a tensor, then size, nnz, dtype and layout.

>>> import tensorwidgets as torch
>>> torch.sparse_coo_tensor([[0, 1], [2, 0]], [3.0, 4.0], (2, 3))
tensor(indices=tensor([[0, 1],
                       [2, 0]]),
       values=tensor([3., 4.]),
       size=(2, 3), nnz=2, layout=torch.sparse_coo)
"""

from __future__ import annotations

from ....printing import printing
from ....tensor.keys import KEY_META
from ....tensor.tensor import Tensor
from ..parts.tensors import BY_ROWS, Coordinates

_INDENT = len("tensor(")


def sparse_repr(t: Tensor, *, tensor_contents: object = None) -> str:
    """The whole ``tensor(...)``."""
    parts = t._array
    meta = bool(t._keys & KEY_META)
    suffixes = [f"size={tuple(parts.shape)}"]
    if not meta:
        suffixes.append(f"nnz={parts.nnz}")
    else:
        suffixes.insert(0, "device='meta'")
    if not printing.goes_without_saying(t._dtype):
        suffixes.append(f"dtype={t._dtype}")
    suffixes.append(f"layout={parts.layout}")
    node = t.grad_fn
    if node is not None:
        suffixes.append(f"grad_fn=<{type(node).__name__}>")
    elif t._requires_grad:
        suffixes.append("requires_grad=True")
    by_coordinates = type(parts) is Coordinates
    if by_coordinates:
        names: tuple[str, ...] = ("indices", "values")
    elif parts.layout in BY_ROWS:
        names = ("crow_indices", "col_indices", "values")
    else:
        names = ("ccol_indices", "row_indices", "values")
    text = (",\n" + " " * _INDENT).join(map(_part, names, parts.all()))
    return printing.with_suffixes("tensor(" + text, suffixes, _INDENT, new_line=by_coordinates)


def _part(name: str, part: Tensor) -> str:
    start = f"{name}=tensor("
    meta = bool(part._keys & KEY_META)
    text = "..." if meta else printing.values_text(part._array, part._dtype, _INDENT + len(start))
    if meta or part._array.size == 0:
        text += f", size={tuple(part._array.shape)}"
    return f"{start}{text})"
