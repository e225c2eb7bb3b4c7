"""Tables that complete the signatures of rows: types by parameter name, and ops with several overloads."""

from __future__ import annotations

DIMS = "int | Sequence[int]"

ORDER = "int float Tensor Number Sequence[int] Sequence[Number] Sequence[Tensor] str None "
"""In which order the types of one parameter are written."""

TYPES = {
    "input": "Tensor", "other": "Tensor", "tensors": "Sequence[Tensor]", "tensor": "Tensor", "out": "Tensor | None",
    "src": "Tensor", "condition": "Tensor", "weights": "Tensor", "prepend": "Tensor", "append": "Tensor", "x": "Tensor",
    "dim": "int", "dim0": "int", "dim1": "int", "dims": "int", "axis": "int", "size": "int", "shape": "int", "n": "int",
    "steps": "int", "index": "int", "from_": "int", "to": "int", "sizes": "Sequence[int]", "stride": "Sequence[int]",
    "split_sizes": "Sequence[int]", "s": "Sequence[int]", "source": DIMS, "destination": DIMS,
    "split_size_or_sections": DIMS, "split_size": DIMS, "indices_or_sections": f"{DIMS} | Tensor",
    "value": "Number", "fill_value": "Number", "alpha": "Number", "start": "Number", "end": "Number", "step": "Number",
    "correction": "Number", "dx": "Number", "p": "float | Tensor", "q": "float | Tensor", "mean": "float | Tensor",
    "std": "float | Tensor", "d": "float", "norm": "str", "rounding_mode": "str",
    "dtype": "dtype", "device": "device | str", "layout": "layout", "memory_format": "memory_format",
    "generator": "Generator", "ndarray": "ndarray", "window_length": "int", "M": "int",
    "eps": "float", "maxnorm": "float", "posinf": "float", "neginf": "float", "center": "float", "values": "Tensor",
    "exponent": "Tensor | Number", "repeats": "int", "shifts": DIMS, "ord": "Number | str", "driver": "str",
    **dict.fromkeys(("atol", "rtol", "tol", "rcond"), "float | Tensor"),
    "requires_grad": "bool", "pin_memory": "bool", "keepdim": "bool", "non_blocking": "bool",
}  # fmt: skip
"""The type of a parameter by its name, for rows that declare none. If the default is None, the type includes None; if
the default of a dimension is a tuple, the type includes sequences."""

TYPES_IN_OP = {
    "to.tensor": "Tensor",
    "map_.callable": "Callable[..., Any]",
    "signal.windows.general_cosine.a": "Sequence[float]",
    "sparse.sum.dim": f"{DIMS} | None",
    **{f"nn.functional.adaptive_avg_pool{n}d.output_size": f"{DIMS} | None" for n in (2, 3)},
    **{
        f"nn.functional.adaptive_max_pool{n}d{more}.output_size": "int" if n == 1 else f"{DIMS} | None"
        for n in (1, 2, 3)
        for more in ("", "_with_indices")
    },
    **{
        f"{name}.{of}_lengths": "Tensor | Sequence[int]"
        for name in ("nn.functional.ctc_loss", "_ctc_loss")
        for of in ("input", "target")
    },
    **{
        f"nn.functional.{name}.scale_factor": "float | Sequence[float] | None"
        for name in ("interpolate", "upsample", "upsample_bilinear", "upsample_nearest")
    },
    "nn.functional.linear_cross_entropy.options": "object",
    "nn.functional.layer_norm.normalized_shape": "Sequence[int]",
    **{
        f"sparse_{kind}_tensor.{part}": "Tensor | Sequence[Any]"
        for kind, parts in {
            "coo": "indices values",
            "csr": "crow_indices col_indices values",
            "csc": "ccol_indices row_indices values",
            "bsr": "crow_indices col_indices values",
            "bsc": "ccol_indices row_indices values",
            "compressed": "compressed_indices plain_indices values",
        }.items()
        for part in parts.split()
    },
}
"""Types of parameters that neither the notation nor the name gives."""

OPTIONS = (
    "(*, dtype: dtype | None = None, layout: layout | None = None, device: device | str | None = None, "
    "pin_memory: bool = False, requires_grad: bool = False)"
)
"""What `**options` means in functions that make tensors."""

WAYS = {
    "einsum": ("(equation: str, *operands: Tensor) -> Tensor",),
    **{
        op: (
            f"(input, {ordered}*, dim: int | None = None) -> Tensor",
            f"(input, {ordered}*, return_inverse: bool, return_counts: bool = False, dim: int | None = None)"
            " -> tuple[Tensor, ...]",
            f"(input, {ordered}*, return_counts: bool, dim: int | None = None) -> tuple[Tensor, ...]",
        )
        for op, ordered in (("unique", "sorted: bool = True, "), ("unique_consecutive", ""))
    },
}
"""Ops written in Python in PyTorch, whose parameters say too little, or whose flags decide the type of the result."""

_SEVERAL = (((), "tuple[Tensor, ...]"),)
RETURNS: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    **{name: ((("dim",), f"return_types.{name}"), ((), "Tensor")) for name in ("max", "min", "median", "nanmedian")},
    **dict.fromkeys(("std_mean", "var_mean"), (((), "tuple[Tensor, Tensor]"),)),
    "where": ((("other",), "Tensor"), ((), "tuple[Tensor, ...]")),
    **dict.fromkeys(("split_copy", "split_with_sizes_copy", "unbind_copy", "split", "tensor_split"), _SEVERAL),
}
"""The types of results that differ between the ways to call an op: the first whose parameters the way has."""

RESULTS = {
    **dict.fromkeys(
        ("cummax", "cummin", "kthvalue", "max", "median", "min", "mode", "nanmedian", "sort", "topk"),
        ("values", "indices"),
    ),
    "aminmax": ("min", "max"), "frexp": ("mantissa", "exponent"), "geqrf": ("a", "tau"),
    "histogram": ("hist", "bin_edges"), "histogramdd": ("hist", "bin_edges"),
    "linalg_cholesky_ex": ("L", "info"), "linalg_eig": ("eigenvalues", "eigenvectors"),
    "linalg_eigh": ("eigenvalues", "eigenvectors"), "linalg_inv_ex": ("inverse", "info"),
    "linalg_ldl_factor": ("LD", "pivots"), "linalg_ldl_factor_ex": ("LD", "pivots", "info"),
    "linalg_lstsq": ("solution", "residuals", "rank", "singular_values"), "linalg_lu": ("P", "L", "U"),
    "linalg_lu_factor": ("LU", "pivots"), "linalg_lu_factor_ex": ("LU", "pivots", "info"), "linalg_qr": ("Q", "R"),
    "linalg_slogdet": ("sign", "logabsdet"), "linalg_solve_ex": ("result", "info"), "linalg_svd": ("U", "S", "Vh"),
    "lu_unpack": ("P", "L", "U"), "qr": ("Q", "R"), "slogdet": ("sign", "logabsdet"), "svd": ("U", "S", "V"),
    "triangular_solve": ("solution", "cloned_coefficient"),
}  # fmt: skip
"""The fields of named results, such as ``return_types.max``. In these names `_` separates module and function."""

NOT_TENSORS = ("bool", "int", "float", "qscheme", "Report")
"""Result types other than tensors; rows in PyTorch's notation declare them by the annotation of their function."""

PIECES = "Pieces"
"""The annotation of view rules that return several views."""

PYTORCH_TYPES = {
    "Tensor": "Tensor", "Tensor or number": "Tensor | Number", "Scalar": "Number", "PyObject*": "Any",
    **dict.fromkeys(("int64_t", "SymInt", "DeviceIndex"), "int"), "double": "float", "bool": "bool",
    **dict.fromkeys(("c10::string_view", "std::string_view", "std::string"), "str"),
    **dict.fromkeys(("TensorList", "c10::List<::std::optional<Tensor>>"), "Sequence[Tensor]"),
    **dict.fromkeys(("IntArrayRef", "SymIntArrayRef"), "Sequence[int]"), "ArrayRef<double>": "Sequence[float]",
    "ScalarList": "Sequence[Number]", "ScalarType": "dtype", "Layout": "layout", "MemoryFormat": "memory_format",
    "Device": "device | str", "Storage": "TypedStorage | UntypedStorage", "Generator": "Generator",
    "Stream": "Any", "DispatchKeySet": "Any",
}  # fmt: skip
"""The types of arguments in PyTorch's notation, as Python types."""
