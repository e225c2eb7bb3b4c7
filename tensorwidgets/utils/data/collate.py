"""How do samples become a batch? Tensors are stacked, and what holds them is taken apart and put together again."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from ...engine.derivatives.ops import torch
from ...engine.errors.reasons import refuse
from ...engine.geometry import contiguous_stride
from ...engine.interop.copy_and_pickle import rebuilt
from ...engine.memory.shared import LARGE
from ...engine.tensor.moving.sharing import storage_over
from ...engine.tensor.tensor import Tensor
from .recycling import batch_memory
from .worker_info import get_worker_info

FnMap = dict[type | tuple[type, ...], Callable]


def default_collate(batch: Any) -> Any:
    """A list of samples as a batch: tensors, NumPy arrays and numbers are stacked, strings are listed.

    Dicts, named tuples, tuples and lists are taken apart, and each part is made into a batch.

    >>> default_collate([{"x": 1, "name": "a"}, {"x": 2, "name": "b"}])
    {'x': tensor([1, 2]), 'name': ['a', 'b']}
    >>> default_collate([(1, 2.0), (3, 4.0)])
    [tensor([1, 3]), tensor([2., 4.], dtype=torch.float64)]
    """
    return collate(batch, collate_fn_map=default_collate_fn_map)


def collate(batch: Any, *, collate_fn_map: FnMap | None = None) -> Any:
    """Like `default_collate`, with a function for each type of sample from a table."""
    sample = batch[0]
    if collate_fn_map:
        function = collate_fn_map.get(type(sample))
        if function is None:
            function = next((f for kind, f in collate_fn_map.items() if isinstance(sample, kind)), None)
        if function is not None:
            return function(batch, collate_fn_map=collate_fn_map)

    def whole(parts: Any) -> Any:
        return collate(parts, collate_fn_map=collate_fn_map)

    if isinstance(sample, Mapping):
        return like_mapping(sample, {key: whole([each[key] for each in batch]) for key in sample})
    if isinstance(sample, tuple) and hasattr(sample, "_fields"):
        return type(sample)(*[whole(parts) for parts in zip(*batch, strict=False)])
    if isinstance(sample, Sequence):
        if any(len(each) != len(sample) for each in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return like_sequence(sample, [whole(parts) for parts in zip(*batch, strict=False)])
    refuse_type(type(sample))


def default_convert(data: Any) -> Any:
    """NumPy arrays as tensors, wherever they are in a sample; all else as it is. For loaders without batches.

    >>> import numpy as np
    >>> default_convert([np.array([0, 1]), "a"])
    [tensor([0, 1]), 'a']
    """
    if isinstance(data, Tensor):
        return data
    if type(data).__module__ == "numpy" and type(data).__name__ != "str_":
        return data if isinstance(data, np.ndarray) and data.dtype.kind in "SUO" else torch.as_tensor(data)
    if isinstance(data, Mapping):
        return like_mapping(data, {key: default_convert(data[key]) for key in data})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*map(default_convert, data))
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return like_sequence(data, [default_convert(each) for each in data])
    return data


def like_mapping(sample: Any, parts: dict) -> Any:
    """Parts in a mapping of the sample's class, with its other attributes if it can be copied."""
    try:
        if isinstance(sample, MutableMapping):
            result = copy.copy(sample)
            result.update(parts)
            return result
        return type(sample)(parts)  # type: ignore[call-arg]
    except TypeError:
        return parts


def like_sequence(sample: Any, parts: list) -> Any:
    """Parts in a sequence of the sample's class; those of a tuple in a list, as PyTorch has it."""
    if isinstance(sample, tuple):
        return parts
    try:
        if isinstance(sample, MutableSequence):
            result = copy.copy(sample)
            for i, part in enumerate(parts):
                result[i] = part
            return result
        return type(sample)(parts)  # type: ignore[call-arg]
    except TypeError:
        return parts


def refuse_type(kind: Any) -> Any:
    """Refuse a sample of which no batch can be made."""
    refuse(
        TypeError,
        f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {kind}",
        f"a batch stacks the samples, and there is no rule for stacking values of {str(kind)[8:-2] or kind}",
        "a tensor or a number in its place, in the dataset's __getitem__",
        "DataLoader(..., collate_fn=list), which makes a list of the samples",
        rule="data.collate",
    )


def collate_tensor_fn(batch: Any, *, collate_fn_map: FnMap | None = None) -> Any:
    """Tensors, stacked; in a worker, large ones where the other process can read them."""
    sample = batch[0]
    if sample.layout is not torch.strided:
        raise RuntimeError(
            "Batches of sparse tensors are not currently supported by the default collate_fn; please provide a custom "
            "collate_fn to handle them appropriately."
        )
    return torch.stack(batch, 0, out=_shared_like(batch) if get_worker_info() is not None else None)


def _shared_like(batch: Any) -> Any:
    """A tensor in shared memory for a large batch; None if it is small."""
    sample = batch[0]
    nbytes = sum(each.numel() for each in batch) * sample.element_size()
    if nbytes < LARGE or not sample.is_cpu or any(each.requires_grad for each in batch):
        return None
    values = batch_memory(nbytes)
    if values is None:
        return None
    size = (len(batch), *sample.size())
    return rebuilt(storage_over(values), sample.dtype, size, contiguous_stride(size), 0)


def collate_numpy_array_fn(batch: Any, *, collate_fn_map: FnMap | None = None) -> Any:
    """NumPy arrays, as tensors."""
    if batch[0].dtype.kind in "SUO":
        refuse_type(batch[0].dtype)
    return collate([torch.as_tensor(each) for each in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch: Any, *, collate_fn_map: FnMap | None = None) -> Any:
    """NumPy numbers, in one tensor."""
    return torch.as_tensor(batch)


def collate_float_fn(batch: Any, *, collate_fn_map: FnMap | None = None) -> Any:
    """Python floats, in double precision."""
    return torch.tensor(batch, dtype=torch.float64)


def collate_int_fn(batch: Any, *, collate_fn_map: FnMap | None = None) -> Any:
    """Python ints and bools, in one tensor."""
    return torch.tensor(batch)


def collate_str_fn(batch: Any, *, collate_fn_map: FnMap | None = None) -> Any:
    """Text and bytes, as they are."""
    return batch


default_collate_fn_map: FnMap = {
    Tensor: collate_tensor_fn,
    np.ndarray: collate_numpy_array_fn,
    (np.bool_, np.number, np.object_): collate_numpy_scalar_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}
"""How `default_collate` makes a batch of each type of sample. Entries may be added."""
