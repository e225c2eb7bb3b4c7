"""Which arrays are not plain strided arrays: quantized, sparse and meta tensors of any library."""

from __future__ import annotations

from typing import Any

BY_COLUMNS = ("sparse_csc", "sparse_bsc")


def is_quantized(array: Any) -> bool:
    """Whether this is a quantized tensor, ours or PyTorch's."""
    return not isinstance(array, type) and bool(getattr(array, "is_quantized", False))


def is_meta(array: Any) -> bool:
    """Whether this is a meta tensor, which has a size and no data."""
    return not isinstance(array, type) and bool(getattr(array, "is_meta", False))


def is_lazy(array: Any) -> bool:
    """Whether this is a parameter or buffer of a lazy layer, which has no size and no memory before the first call."""
    return hasattr(type(array), "cls_to_become")


def is_sparse(array: Any) -> bool:
    """Whether this is a sparse tensor."""
    return not isinstance(array, type) and str(getattr(array, "layout", "")).startswith("torch.sparse_")


def kept_by_name(x: Any) -> dict[str, Any]:
    """The plain tensors that a sparse tensor consists of."""
    layout = str(x.layout).rpartition(".")[2]
    if layout == "sparse_coo":
        return {"indices": x._indices(), "values": x._values()}
    if layout in BY_COLUMNS:
        return {"ccol_indices": x.ccol_indices(), "row_indices": x.row_indices(), "values": x.values()}
    return {"crow_indices": x.crow_indices(), "col_indices": x.col_indices(), "values": x.values()}
