"""torch.utils._foreach_utils: tensors sorted by device and dtype, as optimizers of libraries ask for them."""

from __future__ import annotations

from typing import Any

from ..engine.errors.reasons import refuse

__all__ = ["_group_tensors_by_device_and_dtype"]


def _group_tensors_by_device_and_dtype(tensorlistlist: list[list[Any]], with_indices: bool = False) -> dict[Any, Any]:
    """Sorts several lists at once, by the tensors of the first: `{(device, dtype): (lists, numbers)}`.

    >>> import tensorwidgets as torch
    >>> found = _group_tensors_by_device_and_dtype([[torch.ones(1), torch.arange(2)], ["a", "b"]], with_indices=True)
    >>> found[torch.device("cpu"), torch.int64]
    ([[tensor([0, 1])], ['b']], [1])
    """
    groups: dict[Any, tuple[list[list[Any]], list[int]]] = {}
    for number, (tensor, *others) in enumerate(zip(*tensorlistlist, strict=True)):
        if tensor is None:
            refuse(
                RuntimeError,
                "Tensors of the first list of nested Tensor lists are supposed to be defined but the "
                f"{number}-th Tensor is not.",
                "the tensors of the first list have the devices and dtypes",
                rule="argument.value",
            )
        lists, numbers = groups.setdefault((tensor.device, tensor.dtype), ([[] for _ in tensorlistlist], []))
        for found, value in zip(lists, (tensor, *others), strict=True):
            found.append(value)
        if with_indices:
            numbers.append(number)
    return groups
