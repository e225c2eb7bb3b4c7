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
