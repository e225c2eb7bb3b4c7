"""The names that PyTorch 2.13 documents, by category, and which of them no sample can speak for."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

NAMES: dict[str, list[str]] = json.loads(Path(__file__).with_name("documented_names.json").read_text())

LATER = {
    "quantized tensors": (
        "quantize_per_tensor quantize_per_channel dequantize fake_quantize_per_tensor_affine "
        "fake_quantize_per_channel_affine quantized_batch_norm quantized_max_pool1d quantized_max_pool2d int_repr "
        "q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qscheme"
    ),
    "sparse tensors": (
        "sparse_coo_tensor sparse_csr_tensor sparse_csc_tensor sparse_bsr_tensor sparse_bsc_tensor to_sparse "
        "to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr to_dense coalesce is_coalesced "
        "col_indices crow_indices indices values dense_dim sparse_dim sparse_mask sparse_resize_ "
        "sparse_resize_and_clear_ smm sspaddmm"
    ),
    "files": "from_file",
    "autograd and modules": (
        "register_hook register_post_accumulate_grad_hook grad_dtype module_load to_padded_tensor"
    ),
    "dimensions of functions made of functions": "index",
    "other devices and processes": "ipu mtia xpu pin_memory record_stream share_memory_ to_mkldnn",
}
"""Names that belong to kinds of tensor, or to files, and are asked about there."""


def is_documented(name: str) -> bool:
    """Whether an entry of the operator database is a documented operator, as function or method, that belongs here."""
    return name in _documented()


@cache
def _documented() -> frozenset[str]:
    later = {n for names in LATER.values() for n in names.split()}
    return frozenset(name for listed in NAMES.values() for name in listed if name not in later)
