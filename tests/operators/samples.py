"""PyTorch's own samples of its documented operators, as data: packed into one file, unpacked for either engine.

A sample is an operator's name and its arguments. Tensors are kept as the bytes that they span, with size and stride,
so that a sample is seen by our engine exactly as PyTorch saw it, overlaps and gaps included.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
REFERENCE = HERE / "reference.zip"
DTYPES = ("float32", "int64", "bool")


class Packer:
    """Turns arguments and results of PyTorch into JSON, with the bytes of tensors in a blob beside it."""

    def __init__(self) -> None:
        self.blob = io.BytesIO()

    def pack(self, value: Any) -> Any:
        import torch

        if isinstance(value, torch.Tensor):
            return self._tensor(value)
        if isinstance(value, torch.dtype):
            return {"dtype": str(value)[6:]}
        if isinstance(value, torch.Size):
            return {"size": list(value)}
        if isinstance(value, (torch.memory_format, torch.layout)):
            return {"constant": str(value)[6:]}
        if isinstance(value, torch.device):
            return {"device": str(value)}
        if isinstance(value, complex):
            return {"complex": [repr(value.real), repr(value.imag)]}
        if isinstance(value, float):
            return {"float": repr(value)}
        if isinstance(value, slice):
            return {"slice": [self.pack(v) for v in (value.start, value.stop, value.step)]}
        if value is Ellipsis:
            return {"constant": "..."}
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, (tuple, list)):
            kind = "list" if isinstance(value, list) else "tuple"
            return {kind: [self.pack(v) for v in value]}
        if isinstance(value, dict):
            return {"dict": {k: self.pack(v) for k, v in value.items()}}
        if type(value).__name__ in ("int64", "int32", "float64", "float32", "bool"):
            return self.pack(value.item())
        raise TypeError(f"a sample holds a {type(value).__name__}")

    def _tensor(self, t: Any) -> Any:
        import torch

        if t.layout is not torch.strided or t.is_quantized or t.is_meta:
            raise TypeError("a sample holds a tensor that is not strided")
        if t.dtype is torch.complex32:
            raise TypeError("a sample holds a complex number of two 16-bit floats, which NumPy does not have")
        plain = t.detach().resolve_neg()
        conj = plain.is_conj()
        if conj:
            plain = plain.conj()
        storage = plain.untyped_storage()
        # A small storage is kept whole, for ops that look past the tensor; of a large one, what the tensor spans.
        offset, itemsize = plain.storage_offset(), plain.element_size()
        span = 1 + sum((n - 1) * s for n, s in zip(plain.shape, plain.stride(), strict=True)) if plain.numel() else 0
        whole = storage.nbytes() <= 1024 and storage.nbytes() % itemsize == 0
        first, last = (0, storage.nbytes()) if whole else (offset * itemsize, (offset + span) * itemsize)
        every = torch.empty(0, dtype=torch.uint8).set_(storage, 0, (storage.nbytes(),))
        data = every[first:last].numpy().tobytes()
        at = self.blob.tell()
        self.blob.write(data)
        facts = [str(t.dtype)[6:], list(t.shape), list(t.stride()), at, len(data), offset if whole else 0]
        return {"tensor": [*facts, 1] if conj else facts}

    def save(self, samples: list[Any], path: Path) -> None:
        """One zip file, the same bytes for the same samples."""
        with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as file:
            for name, data in (
                ("samples.json", json.dumps(samples, separators=(",", ":")).encode()),
                ("data.bin", self.blob.getvalue()),
            ):
                info = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
                info.compress_type = zipfile.ZIP_LZMA
                file.writestr(info, data)


class Unpacker:
    """Turns packed arguments into those of an engine that spells like PyTorch."""

    def __init__(self, torch: Any, blob: bytes):
        self.torch, self.blob = torch, blob

    def unpack(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.unpack(v) for v in value]
        if not isinstance(value, dict):
            return value
        [(kind, inner)] = value.items()
        torch = self.torch
        if kind == "tensor":
            return self._tensor(*inner)
        if kind == "dtype":
            return getattr(torch, inner)
        if kind == "size":
            return torch.Size(inner)
        if kind == "constant":
            return ... if inner == "..." else getattr(torch, inner)
        if kind == "device":
            return torch.device(inner)
        if kind == "complex":
            return complex(float(inner[0]), float(inner[1]))
        if kind == "float":
            return float(inner)
        if kind == "slice":
            return slice(*self.unpack(inner))
        if kind == "dict":
            return {k: self.unpack(v) for k, v in inner.items()}
        found = self.unpack(inner)
        return tuple(found) if kind == "tuple" else found

    def _tensor(self, dtype: str, size: list, stride: list, at: int, length: int, offset: int, conj: int = 0) -> Any:
        torch, d = self.torch, getattr(self.torch, dtype)
        if not length:
            return torch.empty_strided(size, stride, dtype=d)
        raw = torch.frombuffer(bytearray(self.blob[at : at + length]), dtype=d)
        t = raw.as_strided(size, stride, offset)
        return t.conj() if conj else t


def kind(sample: dict[str, Any]) -> tuple[str, str, str]:
    """What a part of the samples has one of at least."""
    return sample["op"], sample["variant"], sample["dtype"]


def load(torch: Any, path: Path = REFERENCE) -> tuple[list[dict[str, Any]], Unpacker]:
    """The frozen samples, and what unpacks them for an engine."""
    with zipfile.ZipFile(path) as file:
        return json.loads(file.read("samples.json")), Unpacker(torch, file.read("data.bin"))
