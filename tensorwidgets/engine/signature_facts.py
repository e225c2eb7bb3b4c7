"""What the rows leave open about how they are called: types by the names of parameters, ops with several ways in."""

from __future__ import annotations

DIMS = "int | Sequence[int]"

TYPES = {
    "input": "Tensor", "other": "Tensor", "tensors": "Sequence[Tensor]", "tensor": "Tensor", "out": "Tensor | None",
    "src": "Tensor", "dim": "int", "dim0": "int", "dim1": "int", "dims": "int", "axis": "int", "size": "int",
    "shape": "int", "sizes": "Sequence[int]", "stride": "Sequence[int]", "split_sizes": "Sequence[int]",
    "source": DIMS, "destination": DIMS, "indices_or_sections": f"{DIMS} | Tensor",
    "split_size_or_sections": DIMS, "value": "Number", "fill_value": "Number", "alpha": "Number",
    "start": "Number", "end": "Number", "step": "Number", "steps": "int", "index": "int",
    "dtype": "dtype", "device": "device | str", "layout": "layout", "memory_format": "memory_format",
    "requires_grad": "bool", "pin_memory": "bool", "keepdim": "bool", "non_blocking": "bool",
    "rounding_mode": "str", "data": "Any", "obj": "Any",
}  # fmt: skip
"""The type of a parameter that its row leaves open, by its name. Where the default is None, None may be given, too."""

TYPES_IN_OP = {
    **{f"{op}.dim": DIMS for op in ("sum", "mean", "all", "any", "amax", "amin", "squeeze", "squeeze_")},
    **{f"{op}.size": "Sequence[int]" for op in ("broadcast_to", "as_strided", "as_strided_", "full", "set_")},
    "narrow.start": "int | Tensor",
    "broadcast_tensors.tensors": "Tensor",
    "fill_.value": "Tensor | Number",
    "set_.source": "Tensor | TypedStorage | UntypedStorage",
}
"""The same where one name means another thing in one op."""

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
    "view": ("(input, *size: int) -> Tensor", "(input, dtype: dtype) -> Tensor"),
    "split": ("(input, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]",),
    "tensor_split": ("(input, indices_or_sections: int | Sequence[int] | Tensor, dim: int = 0) -> tuple[Tensor, ...]",),
}
"""Ops that can be called in ways of different results, where the row's function takes whatever comes."""

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
