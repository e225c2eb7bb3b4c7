"""Small named constants that print as PyTorch prints them: memory formats, layouts, schemes of quantization."""

from __future__ import annotations

from .built_in import BuiltIn, Fixed, no_more


class _Constant(Fixed):
    """One object for each name: it prints, and is pickled, as its name."""

    __slots__ = ("name",)
    name: str

    def __init__(self, name: str):
        object.__setattr__(self, "name", name)

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name


class memory_format(_Constant, metaclass=BuiltIn):
    """In which order the elements of a fresh tensor lie."""

    __slots__ = ()


contiguous_format = memory_format("contiguous_format")
channels_last = memory_format("channels_last")
channels_last_3d = memory_format("channels_last_3d")
preserve_format = memory_format("preserve_format")


class layout(_Constant, metaclass=BuiltIn):
    """How a tensor keeps its elements: each of them, or only some."""

    __slots__ = ()


strided = layout("strided")
sparse_coo = layout("sparse_coo")
sparse_csr = layout("sparse_csr")
sparse_csc = layout("sparse_csc")
sparse_bsr = layout("sparse_bsr")
sparse_bsc = layout("sparse_bsc")


class qscheme(_Constant, metaclass=BuiltIn):
    """How whole numbers stand for others: by one scale and zero point, or by one for each channel."""

    __slots__ = ()


per_tensor_affine = qscheme("per_tensor_affine")
per_tensor_symmetric = qscheme("per_tensor_symmetric")
per_channel_affine = qscheme("per_channel_affine")
per_channel_symmetric = qscheme("per_channel_symmetric")
per_channel_affine_float_qparams = qscheme("per_channel_affine_float_qparams")

no_more(memory_format, layout, qscheme)
