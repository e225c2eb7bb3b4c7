"""What is imported when it is first needed, so that the engine starts quickly: the one table of these modules."""

from __future__ import annotations

KERNELS = {
    "autograd": "tensorwidgets.engine.autograd",
    "sparse_csr": "tensorwidgets.engine.layouts.sparse.kernels",
    "sparse": "tensorwidgets.engine.layouts.sparse.kernels",
    "quantized": "tensorwidgets.engine.layouts.quantized.tensors",
}
"""The kernels and members of a kind of tensor, imported with the first such tensor."""

DEVICES = {"cuda": "tensorwidgets.engine.devices.gpus"}
"""The devices of which there may be several, imported with the first name of one."""

ROWS = (
    "tensorwidgets.engine.modes.named_tensors.rows",
    "tensorwidgets.engine.layouts.sparse.rows",
    "tensorwidgets.engine.layouts.quantized.rows",
)
"""The ops that only one kind of tensor has, declared in light modules that are imported with the engine."""

MEMBERS = (
    "backward", "grad", "grad_fn", "is_leaf", "output_nr", "register_hook", "register_post_accumulate_grad_hook",
    "retain_grad", "retains_grad",
    "__array__", "__array_interface__", "__copy__", "__deepcopy__", "__dlpack__", "__reduce_ex__", "__repr__", "H",
    "data", "is_quantized", "is_set_to", "is_shared", "is_signed", "is_sparse", "is_sparse_csr", "layout", "mH",
    "nbytes", "new", "numpy", "share_memory_", "storage", "storage_type", "tolist", "type", "untyped_storage",
    "_typed_storage",
)  # fmt: skip
"""Members of `Tensor` that these kinds answer for themselves, and that do not ask in their own body."""
