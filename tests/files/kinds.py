"""Tensors of every kind that is no plain array, made by either library, and what has to come back of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.files.trees import Teller

LAYOUTS = ["sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc"]


def _compressed(T: Any, layout: str) -> Any:  # noqa: N803
    x = T.arange(24.0).reshape(4, 6) * (T.arange(24) % 3 == 0).reshape(4, 6)
    block = {"blocksize": (2, 3)} if layout in ("sparse_bsr", "sparse_bsc") else {}
    return x.to_sparse(layout=getattr(T, layout), **block)


def _channels(T: Any, dtype: str, fractions: bool = False) -> Any:  # noqa: N803
    scales = T.tensor([0.1, 0.25, 2.0], dtype=T.float32 if fractions else T.float64)
    zero_points = T.tensor([0.5, 1.25, 3.0]) if fractions else T.tensor([0, 3, 5])
    return T.quantize_per_channel(T.arange(12.0).reshape(4, 3), scales, zero_points, 1, getattr(T, dtype))


KINDS: dict[str, Callable[[Any], Any]] = {
    "coo": lambda T: (T.eye(3) * 2).to_sparse(),
    "coo, not in order": lambda T: T.sparse_coo_tensor([[1, 0, 1], [2, 2, 2]], [1.0, 2.0, 3.0], (2, 3)),
    "coo with dense dimensions": lambda T: T.sparse_coo_tensor([[0, 2]], T.ones(2, 4), (3, 4)),
    "coo of nothing": lambda T: T.sparse_coo_tensor(T.empty(2, 0, dtype=T.int64), T.empty(0), (5, 7)),
    "coo of whole numbers": lambda T: T.eye(3, dtype=T.int16).to_sparse(),
    **{layout: lambda T, layout=layout: _compressed(T, layout) for layout in LAYOUTS},
    "qint8": lambda T: T.quantize_per_tensor(T.arange(6.0).reshape(2, 3), 0.5, 3, T.qint8),
    "quint8 turned": lambda T: T.quantize_per_tensor(T.arange(6.0).reshape(2, 3), 0.25, 10, T.quint8).t(),
    "qint32 from its middle": lambda T: T.quantize_per_tensor(T.arange(6.0), 0.25, 10, T.qint32)[2:],
    "channels": lambda T: _channels(T, "qint8"),
    "channels with fractions": lambda T: _channels(T, "quint8", fractions=True),
    "meta": lambda T: T.empty(2, 3, device="meta", dtype=T.float16).t(),
    "schemes": lambda T: [T.per_tensor_affine, T.per_channel_affine, T.qint8, T.sparse_csr],
    "twice": lambda T: [T.eye(2).to_sparse()] * 2,
    "in a dict": lambda T: {"q": T.quantize_per_tensor(T.ones(2), 1.0, 0, T.qint8), "s": T.eye(2).to_sparse()},
}


def words(value: Any) -> Any:
    """All about an object of such kinds."""
    if isinstance(value, list):
        return ["list", *map(words, value)]
    if isinstance(value, dict):
        return {key: words(inner) for key, inner in value.items()}
    if not hasattr(value, "untyped_storage"):
        return repr(value)
    common = [str(value.dtype), list(value.shape), str(value.layout)]
    if value.is_sparse:
        return [*common, value.is_coalesced(), words(value._indices()), words(value._values())]
    if str(value.layout) != "torch.strided":
        rows = str(value.layout) in ("torch.sparse_csr", "torch.sparse_bsr")
        outer, inner = (
            (value.crow_indices(), value.col_indices()) if rows else (value.ccol_indices(), value.row_indices())
        )
        return [*common, words(outer), words(inner), words(value.values())]
    if value.is_quantized:
        how = [str(value.qscheme()), list(value.stride()), value.storage_offset(), value.int_repr().tolist()]
        if "channel" in str(value.qscheme()):
            parts = value.q_per_channel_scales(), value.q_per_channel_zero_points()
            return [*common, *how, value.q_per_channel_axis(), *map(words, parts)]
        return [*common, *how, value.q_scale(), value.q_zero_point()]
    return Teller().told(value)
