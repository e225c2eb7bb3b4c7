"""The C++ names of dtypes, which some messages of PyTorch print."""

from __future__ import annotations

from .dtypes import dtype

_CPP = {
    "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int64": "long int", "float32": "float",
    "float64": "double", "float16": "c10::Half", "bfloat16": "c10::BFloat16", "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>", "complex32": "c10::complex<c10::Half>", "uint16": "short unsigned int",
    "uint32": "unsigned int", "uint64": "long unsigned int", "int32": "int", "bool": "bool",
}  # fmt: skip


def cpp_name(d: dtype, prefix: str = "c10::") -> str:
    """The name of the C++ type of a dtype, as some messages of PyTorch print it.

    A type that C++ lacks has PyTorch's own name, after `prefix`.

    >>> from .dtypes import int64
    >>> cpp_name(int64)
    'long int'
    """
    return _CPP.get(d._name) or prefix + d._type_name


_CLASSES = frozenset(("Byte", "Char", "Short", "Int", "Long", "Half", "Float", "Double"))
"""The dtypes for which PyTorch once had classes of tensors, such as FloatTensor."""


def cpp_tensor_type(d: dtype) -> str:
    """What PyTorch's C++ calls a tensor of a dtype in main memory: not all have a class of the old kind.

    >>> from .dtypes import bfloat16, float32
    >>> cpp_tensor_type(float32), cpp_tensor_type(bfloat16)
    ('torch.FloatTensor', 'CPUBFloat16Type')
    """
    return f"torch.{d._type_name}Tensor" if d._type_name in _CLASSES else f"CPU{d._type_name}Type"
