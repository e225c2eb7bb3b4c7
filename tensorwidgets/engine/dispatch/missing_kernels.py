"""For which dtypes does PyTorch have no kernel, although NumPy could compute? Those of float8, uint16, uint32, uint64.

They are dtypes to store numbers in. PyTorch converts and copies them, and computes little else.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ..memory import MetaArray
from ..tensor.tensor import Tensor
from ..tensor.wrapping import wrap_any
from ..types.dtype_refusals import refuse_dtype
from ..types.dtypes import BAREBONES_UNSIGNED, FLOAT8, ONLY_STORED, dtype


def _scatter_reduce(args: tuple, named: dict) -> str:
    reduce, include = named.get("reduce", args[4] if len(args) > 4 else ""), named.get("include_self", True)
    if not include:
        return "scatter_reduce_exclude_input_init"
    plain = reduce in ("sum", "prod")
    return "scatter_gather_tensor_cpu" if plain else f"scatter_gather_tensor_cpu_reduce_{reduce}"


def _scatter(args: tuple, named: dict) -> str:
    source = named.get("src", named.get("value", args[3] if args[3:] else None))
    return f"scatter_gather_{'tensor' if isinstance(source, Tensor) else 'scalar'}_cpu"


def _flip(args: tuple, named: dict) -> str:
    array = args[0]._array
    given: Any = args[1:] or (named["dims"],)
    dims = given[0] if isinstance(given[0], (tuple, list)) else given
    inner = min(range(array.ndim), key=lambda d: (array.strides[d], -d), default=0)
    return "flip_cpu" if inner in [d % array.ndim for d in dims if array.ndim] else ""  # else rows are copied


def _index_select(args: tuple, named: dict) -> str:
    return "index_select" if args[0]._array.ndim <= 1 and args[0]._dtype in BAREBONES_UNSIGNED else ""


def _index_add(args: tuple, named: dict) -> str:
    ndim, dim = args[0]._array.ndim, named.get("dim", args[1] if args[1:] else 0)
    if ndim <= 1:
        return "index_add_"
    return "scatter_gather_tensor_cpu" if dim % ndim in (0, ndim - 1) else "add_stub"


def _isin(args: tuple, named: dict) -> str:
    tests = named.get("test_elements", args[1] if args[1:] else None)
    if not isinstance(tests, Tensor):
        return ""
    few = tests._array.size < 10 * args[0]._array.size ** 0.145  # else both are sorted
    return "isin_default_cpu" if few else "unique" if args[0]._dtype in FLOAT8 else ""


def _searchsorted(args: tuple, named: dict) -> str:
    values = named.get("input", named.get("self", args[1] if args[1:] else None))
    return "searchsorted_out_cpu" if isinstance(values, Tensor) and values._dtype is args[0]._dtype else ""


def _count_nonzero(args: tuple, named: dict) -> str:
    dim = named.get("dim", args[1] if args[1:] else None)
    return "" if dim is not None and dim not in ((), []) else "nonzero_count_cpu"  # along a dimension it is a sum


def _histc(args: tuple, named: dict) -> str:
    low, high = (named.get(end, args[i] if args[i:] else 0) for i, end in ((2, "min"), (3, "max")))
    return "aminmax_cpu" if low == high and args[0]._array.size else "linspace_cpu"


_TABLE: dict[frozenset[dtype], dict[str, str]] = {
    ONLY_STORED: {
        "nonzero": "nonzero_count_cpu", "argwhere": "nonzero_count_cpu",
        "bucketize": "searchsorted_out_cpu", "cross": "cross",
        "linalg.cross": "cross",
        "gather": "scatter_gather_tensor_cpu", "take_along_dim": "scatter_gather_tensor_cpu",
        "scatter_add": "scatter_gather_tensor_cpu",
        "index_copy": "index_copy_cpu", "index_fill": "index_fill_cpu",
        "kthvalue": "kthvalue_cpu", "masked_scatter": "masked_scatter",
        "put": "take_put_cpu", "take": "take_cpu", "topk": "topk_cpu", "trace": "trace", "tril": "tril",
        "triu": "triu", "pixel_shuffle": "pixel_shuffle", "pixel_unshuffle": "pixel_unshuffle",
        "channel_shuffle": "channel_shuffle", "_nn.max_pool2d_with_indices": "max_pool2d",
        "_nn.max_pool3d_with_indices": "max_pool3d", "_nn.reflection_pad1d": "reflection_pad1d",
        "_nn.reflection_pad2d": "reflection_pad2d", "_nn.reflection_pad3d": "reflection_pad3d",
        "_nn.replication_pad1d": "replication_pad1d", "_nn.replication_pad2d": "replication_pad2d",
        "_nn.replication_pad3d": "replication_pad3d",
    },
    BAREBONES_UNSIGNED: {
        "bincount": "bincount_cpu", "index_put": "index_put",
        "masked_select": "masked_select",
    },
    FLOAT8: {
        "sort": "sorting_kernel_method_name", "argsort": "sorting_kernel_method_name",
        "msort": "sorting_kernel_method_name", "isposinf": "isposinf_cpu",
        "isneginf": "isneginf_cpu", "nan_to_num": "nan_to_num", "var": "std_cpu", "std": "std_cpu",
        "var_mean": "std_cpu", "std_mean": "std_cpu", "logsumexp": "max_values_cpu", "nansum": "nansum_cpu",
        "nanmean": "nansum_cpu", "multinomial": "multinomial", "native_layer_norm": "LayerNormKernelImpl",
        "native_group_norm": "GroupNormKernelImpl", "native_batch_norm": "batch_norm", "batch_norm": "batch_norm",
        "nn.functional.avg_pool2d": "avg_pool2d", "avg_pool1d": "avg_pool2d", "nn.functional.unfold": "im2col_out_cpu",
        "_nn.im2col": "im2col_out_cpu", "_nn.adaptive_avg_pool2d": "adaptive_avg_pool2d",
        "_nn.adaptive_avg_pool3d": "adaptive_avg_pool3d_cpu", "_nn.adaptive_max_pool2d": "adaptive_max_pool2d",
        "_nn.adaptive_max_pool3d": "adaptive_max_pool3d_cpu", "_nn.max_unpool2d": "max_unpool2d",
        "_nn.max_unpool3d": "max_unpool3d", "rms_norm": "rms_norm", "cdist": "cdist", "pdist": "pdist",
        "_nn.upsample_nearest1d": "compute_indices_weights_nearest",
        "_nn.upsample_nearest2d": "compute_indices_weights_nearest",
        "_nn.upsample_nearest3d": "compute_indices_weights_nearest",
        "_nn.upsample_linear1d": "compute_indices_weights_linear",
        "_nn.upsample_bilinear2d": "compute_indices_weights_linear",
        "_nn.upsample_trilinear3d": "compute_indices_weights_linear",
        "_nn.upsample_bicubic2d": "compute_indices_weights_cubic", "linalg.vector_norm": "norm_cpu",
        "linalg.lu_solve": "linalg.lu_solve_cpu", "lu_solve": "linalg.lu_solve_cpu",
    },
}  # fmt: skip
_MISSING: dict[str, tuple[Any, frozenset[dtype]]] = {
    name: (kernel, dtypes) for dtypes, names in _TABLE.items() for name, kernel in names.items()
} | {
    "scatter": (_scatter, ONLY_STORED),
    "scatter_reduce": (_scatter_reduce, ONLY_STORED),
    "count_nonzero": (_count_nonzero, ONLY_STORED),
    "histc": (_histc, ONLY_STORED),
    "flip": (_flip, ONLY_STORED),
    "index_select": (_index_select, ONLY_STORED),
    "index_add": (_index_add, ONLY_STORED),
    "isin": (_isin, ONLY_STORED),
    "searchsorted": (_searchsorted, ONLY_STORED),
}
_OF_NOTHING = frozenset(
    "nonzero argwhere count_nonzero histc masked_scatter avg_pool1d _nn.adaptive_avg_pool3d _nn.im2col nan_to_num "
    "isposinf isneginf _nn.reflection_pad1d _nn.replication_pad1d".split()
)
"""Functions that look for their kernel even if there are no elements."""

_BY_INDEX = frozenset("gather take_along_dim scatter scatter_add scatter_reduce take put index_fill index_copy".split())
"""Functions that look for their kernel if the index has elements."""
_ALONG_DIM = frozenset("sort argsort msort topk kthvalue".split())
"""Functions that look for their kernel if there is a dimension."""
_KERNEL_FIRST = frozenset("bincount isin".split())
"""Functions that look for their kernel before they check anything else."""


def _has_work(name: str, first: Tensor, args: tuple, named: dict) -> bool:
    """Whether a call has elements to compute, so that PyTorch looks for the kernel."""
    name = name.removesuffix("_")
    if name in _BY_INDEX or name == "masked_select":
        index = named.get("index", named.get("mask", next((a for a in args[1:] if isinstance(a, Tensor)), None)))
        return index is None or bool(index._array.any() if name == "masked_select" else index._array.size)
    if name in _ALONG_DIM:
        return first._array.ndim > 0
    return first._array.size > 0 or name in _OF_NOTHING


def _check_without_numbers(plain: Callable, args: tuple, named: dict) -> None:
    """Refuse what is wrong with the sizes and dtypes of a call, which PyTorch checks before it looks for a kernel."""
    with suppress(NotImplementedError):  # of results that depend on numbers
        plain(*map(_without_numbers, args), **{name: _without_numbers(value) for name, value in named.items()})


def _without_numbers(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(map(_without_numbers, value)) if type(value) in (tuple, list) else value
    if not isinstance(value, Tensor):
        return value
    a = value._array
    return wrap_any(MetaArray(a.shape, a.strides, a.dtype), value._dtype)


def checked(name: str, plain: Callable) -> Callable:
    """A row's function that refuses these dtypes first; the function itself if PyTorch has kernels for them."""
    entry = _MISSING.get(name) or _MISSING.get(name.removesuffix("_"))
    if entry is None:
        return plain
    kernel, missing = entry

    def call(*args: Any, **kwargs: Any) -> Any:
        first = args[0] if args else kwargs.get("input")
        if isinstance(first, Tensor) and first._dtype in missing:
            found = kernel if isinstance(kernel, str) else kernel(args or (first,), kwargs)
            if found and type(first._array) is not MetaArray and _has_work(name, first, args, kwargs):
                if name not in _KERNEL_FIRST:
                    _check_without_numbers(plain, args, kwargs)
                refuse_kernel(found, first._dtype)
        return plain(*args, **kwargs)

    call.__qualname__ = plain.__qualname__
    call.__wrapped__ = plain  # type: ignore[attr-defined]
    return call


def refuse_kernel(kernel: str, d: dtype) -> None:
    """PyTorch's refusal of a dtype that it has no kernel for."""
    because = f"PyTorch has no kernel for {d} here: it stores and converts such numbers, and computes little with them"
    refuse_dtype(kernel, d, because, "x.float()" if d in FLOAT8 else "x.int()")
