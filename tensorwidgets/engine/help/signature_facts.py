"""Tables that complete the signatures of rows: types by parameter name, and ops with several overloads."""

from __future__ import annotations

DIMS = "int | Sequence[int]"

TYPES = {
    "input": "Tensor", "other": "Tensor", "tensors": "Sequence[Tensor]", "tensor": "Tensor", "out": "Tensor | None",
    "src": "Tensor", "condition": "Tensor", "weights": "Tensor", "prepend": "Tensor", "append": "Tensor", "x": "Tensor",
    "dim": "int", "dim0": "int", "dim1": "int", "dims": "int", "axis": "int", "size": "int", "shape": "int", "n": "int",
    "steps": "int", "index": "int", "from_": "int", "to": "int", "sizes": "Sequence[int]", "stride": "Sequence[int]",
    "split_sizes": "Sequence[int]", "s": "Sequence[int]", "source": DIMS, "destination": DIMS,
    "split_size_or_sections": DIMS, "indices_or_sections": f"{DIMS} | Tensor",
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
    **{f"{op}.dim": DIMS for op in ("sum", "mean", "all", "any", "amax", "amin", "squeeze", "squeeze_")},
    **{f"{op}.size": "Sequence[int]" for op in ("broadcast_to", "as_strided", "as_strided_", "full", "set_", "normal")},
    "narrow.start": "int | Tensor",
    "broadcast_tensors.tensors": "Tensor",
    "signal.windows.general_cosine.a": "Sequence[float]",
    "gradient.spacing": "Number | Tensor | Sequence[Number] | Sequence[Tensor]",
    **{f"{op}.dim": f"{DIMS} | None" for op in ("gradient", "quantile", "nanquantile", "linalg.norm")},
    **{f"fft.{op}.dim": DIMS for op in ("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn")},
    **{f"fft.{op}.dim": DIMS for op in ("fftshift", "ifftshift")},
    "fill_.value": "Tensor | Number",
    **{f"to_sparse{kind}.blocksize": "Sequence[int] | int | None" for kind in ("", "_bsr", "_bsc")},
    "sparse.sum.dim": f"{DIMS} | None",
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
    "set_.source": "Tensor | TypedStorage | UntypedStorage",
}
"""Types of parameters whose name has another meaning in one op."""

OPTIONS = (
    "(*, dtype: dtype | None = None, layout: layout | None = None, device: device | str | None = None, "
    "pin_memory: bool = False, requires_grad: bool = False)"
)
"""What `**options` stands for in functions that make tensors."""

_TO = "non_blocking: bool = False, copy: bool = False, *, memory_format: memory_format | None = None"

WAYS = {
    "to": (
        f"(input, dtype: dtype, {_TO}) -> Tensor",
        f"(input, device: device | str | None = None, dtype: dtype | None = None, {_TO}) -> Tensor",
        f"(input, other: Tensor, {_TO}) -> Tensor",
    ),
    **{
        name: (
            "(input) -> Tensor",
            f"(input, dim: int, keepdim: bool = False) -> return_types.{name}",
            "(input, other: Tensor, *, out: Tensor | None = None) -> Tensor",
        )
        for name in ("max", "min")
    },
    **{
        name: (
            "(input) -> Tensor",
            f"(input, dim: int, keepdim: bool = False, *, out=None) -> return_types.{name}",
        )
        for name in ("median", "nanmedian")
    },
    **{
        name: (
            f"(input, dim: {DIMS} | None = None, *, correction: Number = 1, keepdim: bool = False, {out}) -> {result}",
            f"(input, dim: {DIMS} | None, unbiased: bool, keepdim: bool = False) -> {result}",
            f"(input, unbiased: bool) -> {result}",
        )
        for names, out, result in (
            (("std", "var"), "out=None", "Tensor"),
            (("std_mean", "var_mean"), "out=None", "tuple[Tensor, Tensor]"),
        )
        for name in names
    },
    **{
        op: (
            f"(input, {ordered}*, dim: int | None = None) -> Tensor",
            f"(input, {ordered}*, return_inverse: bool, return_counts: bool = False, dim: int | None = None)"
            " -> tuple[Tensor, ...]",
            f"(input, {ordered}*, return_counts: bool, dim: int | None = None) -> tuple[Tensor, ...]",
        )
        for op, ordered in (("unique", "sorted: bool = True, "), ("unique_consecutive", ""))
    },
    "where": (
        "(condition, input: Tensor | Number, other: Tensor | Number, *, out=None) -> Tensor",
        "(condition) -> tuple[Tensor, ...]",
    ),
    "view": ("(input, *size: int) -> Tensor", "(input, dtype: dtype) -> Tensor"),
    "split_copy": ("(input, split_size: int, dim: int = 0, *, out=None) -> tuple[Tensor, ...]",),
    "split_with_sizes_copy": ("(input, split_sizes: Sequence[int], dim: int = 0, *, out=None) -> tuple[Tensor, ...]",),
    "unbind_copy": ("(input, dim: int = 0, *, out=None) -> tuple[Tensor, ...]",),
    "split": ("(input, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]",),
    **dict.fromkeys(("transpose", "transpose_"), ("(input, dim0: int, dim1: int)",)),
    "tensor_split": ("(input, indices_or_sections: int | Sequence[int] | Tensor, dim: int = 0) -> tuple[Tensor, ...]",),
}
"""Ops whose overloads return different types and whose function accepts any arguments."""

METHOD_WAYS = {"where": ("(self, condition, other: Tensor | Number) -> Tensor",)}
"""Methods whose arguments have another order than those of the function."""

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

PYTORCH_KINDS = {
    "Tensor": "Tensor", "Number": "Number", "int": "int", "float": "float", "bool": "bool", "str": "str",
    "object": "Any", "tuple of ints": "Sequence[int]", "tuple of Tensors": "Sequence[Tensor]",
    "torch.dtype": "dtype", "torch.layout": "layout", "torch.memory_format": "memory_format",
    "torch.device": "device | str", "torch.Storage": "TypedStorage | UntypedStorage", "torch.Generator": "Generator",
}  # fmt: skip
"""Argument types in PyTorch's notation, as Python types."""
