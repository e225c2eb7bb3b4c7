"""PyTorch's samples of an operator with the inputs that a gradient is asked for, as data for either engine."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.one_by_one import each_of
from tests.operators.samples import Packer, Unpacker

DTYPES = ("float64", "complex128")


class Sample(NamedTuple):
    """One call: the operator, its packed arguments, and which of its tensors are tracked, in the order of packing."""

    op: str
    variant: str
    dtype: str
    given: Any
    tracked: list[int]
    settle: str = ""


class TrackingPacker(Packer):
    """Keeps beside the bytes which tensors require a gradient."""

    def __init__(self, grid: int = 0) -> None:
        super().__init__()
        self.tracked: list[int] = []
        self.grid = grid

    def _tensor(self, t: Any) -> Any:
        facts = super()._tensor(_on_a_grid(t, self.grid) if self.grid else t)
        self.tracked.append(int(t.requires_grad))
        return facts


def _on_a_grid(t: Any, grid: int) -> Any:
    """The tensor with short numbers, which take few bytes in a file; its strides and the room around it are kept."""
    if not (t.is_floating_point() or t.is_complex()) or not t.numel():
        return t
    whole = t.detach().new_empty(0).set_(t.detach().resolve_conj().untyped_storage()).clone()
    real = _real(whole)
    real.mul_(grid).round_().div_(grid)
    found = whole.as_strided(t.shape, t.stride(), t.storage_offset())
    return found.conj() if t.is_conj() else found


def _real(t: Any) -> Any:
    import torch

    return torch.view_as_real(t) if t.is_complex() else t


class TrackingUnpacker(Unpacker):
    """Unpacks arguments for an engine; `leaves` are those that require a gradient, in order."""

    def __init__(self, torch: Any, blob: bytes, tracked: list[int]):
        super().__init__(torch, blob)
        self.left = iter(tracked)
        self.leaves: list[Any] = []

    def _tensor(self, *facts: Any) -> Any:
        t = super()._tensor(*facts)
        if next(self.left):
            t = t.detach().requires_grad_()
            self.leaves.append(t)
        return t


def packed(op: Any, dtype: str, sample: Any, grid: int = 0) -> tuple[Sample, bytes]:
    """A sample of PyTorch's database as data. Raises TypeError where it holds what cannot be kept."""
    packer = TrackingPacker(grid)
    given = packer.pack([sample.input, list(sample.args), dict(sample.kwargs)])
    settle = getattr(sample.output_process_fn_grad, "__name__", "<lambda>")
    told = Sample(op.name, op.variant_test_name, dtype, given, packer.tracked, "" if "<" in settle else settle)
    return told, packer.blob.getvalue()


def save(rows: list[Any], blob: bytes, path: Path) -> None:
    """One zip file, the same bytes for the same samples."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as file:
        for name, data in (("samples.json", json.dumps(rows, separators=(",", ":")).encode()), ("data.bin", blob)):
            info = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_LZMA
            file.writestr(info, data)


def load_rows(path: Path) -> tuple[Iterator[Any], bytes]:
    """What `save` wrote."""
    with zipfile.ZipFile(path) as file:
        return each_of(file.read("samples.json")), file.read("data.bin")
