"""PyTorch's own samples of wrong input: our engine refuses with its exception type and the first line of its message.

python -m tests.operators.refusals [NAME ...]      what differs, the samples asked of PyTorch, which is needed
python -m tests.operators.refusals --freeze        writes the samples and PyTorch's answers to refusals.json.gz
"""

from __future__ import annotations

import base64
import gzip
import json
import sys
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import tensorwidgets as tw
from tests.operators.ask import AS_THE_DATABASE_ASKS, function
from tests.operators.freeze import entries
from tests.operators.samples import HERE, Packer, Unpacker

FROZEN = HERE / "refusals.json.gz"
LARGE = 1 << 12
"""Of a tensor with more bytes only the geometry is kept: what is wrong about it are not its numbers."""


class Refusal(NamedTuple):
    op: str
    variant: str
    given: Any
    type: str
    line: str


class SharingPacker(Packer):
    """Keeps storages whole, and each once: an `out=` that lies on an input does so again when it is unpacked."""

    def __init__(self) -> None:
        super().__init__()
        self._storages: dict[int, int] = {}
        self._tensors: dict[int, int] = {}
        self._kept: list[Any] = []  # so that no address is used twice

    def _tensor(self, t: Any) -> Any:
        facts = super()._tensor(t.detach().new_empty(0))["tensor"][:6]  # refuses what has no strides or no numbers
        storage = t.untyped_storage()
        number = self._tensors.setdefault(id(t), len(self._tensors))
        self._kept += [t, storage]
        length = storage.nbytes()
        facts[1:3] = [list(t.shape), list(t.stride())]
        if length > LARGE:
            facts[3:6] = [0, 0, 0]
        else:
            address = storage.data_ptr() if length else -1 - number
            if address not in self._storages:
                self._storages[address] = self.blob.tell()
                self.blob.write(bytes(storage.tolist()))
            facts[3:6] = [self._storages[address], length, t.storage_offset()]
        return {"tensor": [*facts, int(t.is_conj()), number]}


class SharingUnpacker(Unpacker):
    """The other way round."""

    def __init__(self, torch: Any, blob: bytes):
        super().__init__(torch, blob)
        self._storages: dict[int, Any] = {}
        self._tensors: dict[int, Any] = {}

    def _tensor(
        self, dtype: str, size: list, stride: list, at: int, length: int, offset: int, conj: int = 0, number: int = 0
    ) -> Any:
        if number not in self._tensors:
            self._tensors[number] = self._made(dtype, size, stride, at, length, offset, conj)
        return self._tensors[number]

    def _made(self, dtype: str, size: list, stride: list, at: int, length: int, offset: int, conj: int) -> Any:
        torch, d = self.torch, getattr(self.torch, dtype)
        if not length:
            return torch.empty_strided(size, stride, dtype=d)
        if at not in self._storages:
            # A copy, since memory that is lent could not grow.
            raw = torch.frombuffer(bytearray(self.blob[at : at + length]), dtype=torch.uint8)
            self._storages[at] = raw.clone()
        t = self._storages[at].view(d).as_strided(size, stride, offset)
        return t.conj() if conj else t


def asked_of_pytorch(wanted: set[str] = frozenset()) -> Iterator[tuple[Refusal, bytes]]:  # type: ignore[assignment]
    """Each wrong input that PyTorch refuses, with the bytes of its tensors."""
    for op in entries():
        if wanted and op.name not in wanted or function(op.name) is None:
            continue
        try:
            samples = list(op.error_inputs("cpu"))
        except Exception:  # an entry without wrong inputs
            continue
        for sample in samples:
            s = sample.sample_input
            packer = SharingPacker()
            try:
                given = packer.pack([s.input, list(s.args), dict(s.kwargs)])
            except TypeError:  # sparse tensors and the like
                continue
            type, line = _error(op.op, s.input, s.args, s.kwargs)
            if type:
                yield Refusal(op.name, op.variant_test_name, given, type, line), packer.blob.getvalue()


def frozen() -> Iterator[tuple[Refusal, bytes]]:
    """The same from the file, without PyTorch."""
    for *told, blob in json.loads(gzip.decompress(FROZEN.read_bytes())):
        yield Refusal(*told), base64.b64decode(blob)


def ours(asked: Refusal, blob: bytes) -> tuple[str, str] | None:
    """Our exception type and first line for a wrong input; None where it cannot even be made here."""
    try:
        input, args, named = SharingUnpacker(tw, blob).unpack(asked.given)
    except RuntimeError as error:
        if "at most 64 dimensions" in str(error):  # NumPy's arrays end there, and so do ours
            return None
        raise
    return _error(AS_THE_DATABASE_ASKS.get((asked.op, asked.variant)) or function(asked.op), input, args, named)


def _error(op: Any, input: Any, args: Any, named: Any) -> tuple[str, str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            op(input, *args, **named)
        except Exception as error:  # whatever it is, it is the answer
            return type(error).__name__, str(error).split("\n")[0]
    return "", ""


def freeze() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = [[*asked, base64.b64encode(blob).decode()] for asked, blob in asked_of_pytorch()]
    text = json.dumps(rows, separators=(",", ":")).encode()
    FROZEN.write_bytes(gzip.compress(text, mtime=0))
    print(f"{len(rows)} wrong inputs of {len({row[0] for row in rows})} operators, {FROZEN.stat().st_size} bytes")


def main(names: list[str]) -> None:
    if names == ["--freeze"]:
        return freeze()
    warnings.simplefilter("ignore")
    count = kinds = words = 0
    for asked, blob in asked_of_pytorch(set(names)):
        found = ours(asked, blob)
        if found is None:
            continue
        count += 1
        kinds += found[0] == asked.type
        words += found == (asked.type, asked.line)
        if found != (asked.type, asked.line):
            print(f"{asked.op}\n    PyTorch: {asked.type}: {asked.line}\n    ours:    {found[0]}: {found[1]}")
    print(f"{count} wrong inputs: type {kinds / max(count, 1):.1%}, type and first line {words / max(count, 1):.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
