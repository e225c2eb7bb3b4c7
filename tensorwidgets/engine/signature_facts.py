"""What the rows leave open about how they are called: types by the names of parameters, ops with several ways in."""

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
    "eps": "float", "posinf": "float", "neginf": "float", "center": "float", "values": "Tensor",
    "exponent": "Tensor | Number",
    "requires_grad": "bool", "pin_memory": "bool", "keepdim": "bool", "non_blocking": "bool",
}  # fmt: skip
"""The type of a parameter that its row leaves open, by its name. Where the default is None, None may be given, too; a
dimension whose default is several takes several."""

TYPES_IN_OP = {
    **{f"{op}.dim": DIMS for op in ("sum", "mean", "all", "any", "amax", "amin", "squeeze", "squeeze_")},
    **{f"{op}.size": "Sequence[int]" for op in ("broadcast_to", "as_strided", "as_strided_", "full", "set_", "normal")},
    "narrow.start": "int | Tensor",
    "broadcast_tensors.tensors": "Tensor",
    "signal.windows.general_cosine.a": "Sequence[float]",
    "gradient.spacing": "Number | Tensor | Sequence[Number] | Sequence[Tensor]",
    **{f"{op}.dim": f"{DIMS} | None" for op in ("gradient", "quantile", "nanquantile")},
    **{f"fft.{op}.dim": DIMS for op in ("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn")},
    **{f"fft.{op}.dim": DIMS for op in ("fftshift", "ifftshift")},
    "fill_.value": "Tensor | Number",
    "set_.source": "Tensor | TypedStorage | UntypedStorage",
}
"""The same where one name means another thing in one op."""

OPTIONS = (
    "(*, dtype: dtype | None = None, layout: layout | None = None, device: device | str | None = None, "
    "pin_memory: bool = False, requires_grad: bool = False)"
)
"""What `**options` stands for in functions that make tensors."""

_TO = "non_blocking: bool = False, copy: bool = False, *, memory_format: memory_format | None = None"
_TWO_OUT = "out: tuple[Tensor, Tensor] | None = None"

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
            f"(input, dim: int, keepdim: bool = False, *, {_TWO_OUT}) -> return_types.{name}",
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
            (("std", "var"), "out: Tensor | None = None", "Tensor"),
            (("std_mean", "var_mean"), _TWO_OUT, "tuple[Tensor, Tensor]"),
        )
        for name in names
    },
    "randint": (
        "(high: int, size: Sequence[int], *, generator=None, **options) -> Tensor",
        "(low: int, high: int, size: Sequence[int], *, generator=None, **options) -> Tensor",
    ),
    "randint_like": (
        "(input, high: int, *, generator=None, **options) -> Tensor",
        "(input, low: int, high: int, *, generator=None, **options) -> Tensor",
    ),
    "where": (
        "(condition, input: Tensor | Number, other: Tensor | Number, *, out=None) -> Tensor",
        "(condition) -> tuple[Tensor, ...]",
    ),
    "view": ("(input, *size: int) -> Tensor", "(input, dtype: dtype) -> Tensor"),
    "split": ("(input, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]",),
    "tensor_split": ("(input, indices_or_sections: int | Sequence[int] | Tensor, dim: int = 0) -> tuple[Tensor, ...]",),
}
"""Ops that can be called in ways of different results, where the row's function takes whatever comes."""

METHOD_WAYS = {"where": ("(self, condition, other: Tensor | Number) -> Tensor",)}
"""Ops whose methods take their arguments in another order."""

RESULTS = {
    "aminmax": ("min", "max"), "frexp": ("mantissa", "exponent"), "histogram": ("hist", "bin_edges"),
    "slogdet": ("sign", "logabsdet"),
    **dict.fromkeys(
        ("cummax", "cummin", "kthvalue", "max", "median", "min", "mode", "nanmedian", "sort", "topk"),
        ("values", "indices"),
    ),
}  # fmt: skip
"""The places of results with names, by op: ``return_types.max`` above is one."""

PIECES = "Pieces"
"""How view rules write that they answer with several views."""

PYTORCH_KINDS = {
    "Tensor": "Tensor", "Number": "Number", "int": "int", "float": "float", "bool": "bool", "str": "str",
    "object": "Any", "tuple of ints": "Sequence[int]", "tuple of Tensors": "Sequence[Tensor]",
    "torch.dtype": "dtype", "torch.layout": "layout", "torch.memory_format": "memory_format",
    "torch.device": "device | str", "torch.Storage": "TypedStorage | UntypedStorage",
}  # fmt: skip
"""PyTorch's words for kinds of argument, as types."""
