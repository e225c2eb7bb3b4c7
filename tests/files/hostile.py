"""Files made to do harm, and damaged ones. Each is a name, the bytes, and a word that the refusal has to say.

Nothing here is read from a disk: the pickles are assembled by hand, so that each line shows what an attack looks like.
"""

from __future__ import annotations

import io
import pickle
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

MARKER = "touched-by-a-hostile-file"


def pt(pickled: bytes, records: dict[str, bytes] | None = None, **more: bytes) -> bytes:
    """A .pt archive around a pickle."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("archive/data.pkl", pickled)
        for name, data in (records or {}).items():
            archive.writestr(f"archive/{name}", data)
        for name, data in more.items():
            archive.writestr(f"archive/{name}", data)
        archive.writestr("archive/version", b"3\n")
    return out.getvalue()


def text(value: str) -> bytes:
    raw = value.encode()
    return b"X" + struct.pack("<I", len(raw)) + raw


def number(value: int) -> bytes:
    size = value.bit_length() // 8 + 1
    return b"\x8a" + bytes([size]) + value.to_bytes(size, "little", signed=True)


def calls(module: str, name: str, *args: bytes) -> bytes:
    """A pickle that calls a global."""
    return b"\x80\x02c" + f"{module}\n{name}\n".encode() + b"(" + b"".join(args) + b"tR."


class Attack:
    """Pickles as a call, in whatever protocol."""

    def __init__(self, function: Any, *args: Any):
        self.function, self.args = function, args

    def __reduce__(self) -> Any:
        return self.function, self.args


def storage(kind: bytes = b"ctorch\nFloatStorage\n", key: str = "0", length: int = 4, where: str = "cpu") -> bytes:
    return b"(" + text("storage") + kind + text(key) + text(where) + number(length) + b"tQ"


def sizes(*numbers: int) -> bytes:
    return b"(" + b"".join(map(number, numbers)) + b"t"


def tensor(held: bytes = storage(), offset: int = 0, size: tuple = (4,), stride: tuple = (1,)) -> bytes:
    return (
        b"ctorch._utils\n_rebuild_tensor_v2\n(" + held + number(offset) + sizes(*size) + sizes(*stride)
        + b"\x89ccollections\nOrderedDict\n)RtR"
    )  # fmt: skip


FOUR = struct.pack("<4f", 1, 2, 3, 4)


def pickles() -> Iterator[tuple[str, bytes, str]]:
    """Pickles that ask for what no tensor needs."""
    import os
    import runpy
    import subprocess

    shell = f"echo {MARKER} > {MARKER}"
    for protocol in range(6):
        yield f"os.system, protocol {protocol}", pickle.dumps(Attack(os.system, shell), protocol), ""
        yield f"eval, protocol {protocol}", pickle.dumps(Attack(eval, "1/0"), protocol), ""
    yield "exec", calls("builtins", "exec", text("raise SystemExit")), "builtins.exec"
    yield "__builtin__ eval", calls("__builtin__", "eval", text("1")), "eval"
    yield "runpy", pickle.dumps(Attack(runpy.run_path, "/nowhere"), 2), "runpy"
    yield "subprocess", pickle.dumps(Attack(subprocess.Popen, ["true"]), 3), "subprocess"
    yield "getattr chain", calls("builtins", "getattr", text("x"), text("__class__")), "getattr"
    yield "operator.attrgetter", calls("operator", "attrgetter", text("__globals__")), "operator"
    yield "a dotted name", calls("collections", "OrderedDict.__init__.__globals__"), "OrderedDict.__init__"
    yield "a dotted torch name", calls("torch", "serialization.os.system", text(shell)), "torch.serialization.os"
    yield "torch.load", calls("torch", "load", text("x")), "torch.load"
    yield "torch.hub", calls("torch.hub", "load", text("x")), "torch.hub"
    yield "torch.jit", calls("torch.jit._script", "unpackage_script_module"), "torch.jit"
    yield "numpy", calls("numpy.core.multiarray", "_reconstruct"), "numpy"
    yield "our own engine", calls("tensorwidgets.engine.interop.copy_and_pickle", "rebuilt"), "tensorwidgets"
    yield "importlib", calls("importlib", "import_module", text("os")), "importlib"
    yield "a stack global", b"\x80\x04" + b"\x8c\x02os\x8c\x06system\x93" + b"(" + text(shell) + b"tR.", "os.system"
    yield "instance", b"(" + text(shell) + b"ios\nsystem\n.", ""
    yield "object by class", b"(cos\nsystem\n" + text(shell) + b"o.", "os.system"
    yield "a new object", b"\x80\x02cos\nsystem\n(" + text(shell) + b"t\x81.", "os.system"
    yield "a new object with keywords", b"\x80\x04cbuiltins\ndict\n)}\x92.", "builtins.dict"
    for code in (b"\x82\x01", b"\x83\x01\0", b"\x84\1\0\0\0"):
        yield f"extension {code!r}", b"\x80\x02" + code + b".", "unsupported"
    yield "a buffer from outside", b"\x80\x05\x97.", "unsupported"
    build = b"\x80\x02ccollections\nOrderedDict\n)R}"
    yield "__class__ by BUILD", build + text("__class__") + b"Nsb.", "__class__"
    yield "a method by BUILD", build + text("items") + b"Nsb.", "items"
    yield "__setstate__ by BUILD", build + text("__setstate__") + b"Nsb.", "__setstate__"
    yield "state of a list", b"\x80\x02]}" + text("x") + b"Nsb.", "state"
    yield "state of a function", b"\x80\x02c_codecs\nencode\n}b.", "state"
    yield "state that is no dict", b"\x80\x02ccollections\nOrderedDict\n)R]b.", "state"
    yield "attributes of a tensor", b"\x80\x02" + tensor() + b"}" + text("_array") + b"Nsb.", "_array"
    yield "a method of a tensor", b"\x80\x02" + tensor() + b"}" + text("sum") + b"Nsb.", "sum"
    yield "a call of a dtype", b"\x80\x02ctorch\nfloat32\n)R.", "not a function"
    yield "a call of a storage", b"\x80\x02ctorch\nFloatStorage\n)R.", "not a function"
    yield "a call of text", b"\x80\x02" + text("os.system") + b")R.", "not a function"
    yield "arguments that are none", b"\x80\x02ctorch\nSize\n]R.", "list"
    yield "an encoding", calls("_codecs", "encode", text("x"), text("zlib_codec")), "encoding"
    yield "a class as a value", b"\x80\x02]ctorch\nSize\na.", "torch.Size"
    yield "a kind of storage as a value", b"\x80\x02ctorch\nFloatStorage\n.", "FloatStorage"
    yield "the engine's own attributes", b"\x80\x02" + tensor() + b"}" + text("_quantizer") + b"Nsb.", "_quantizer"
    yield "a module as storage", b"\x80\x02(" + text("module") + b"NNNNtQ.", "not a storage"


def broken_pickles() -> Iterator[tuple[str, bytes, str]]:
    """Pickles that are no pickles, or grow without measure."""
    yield "nothing", b"", "truncated"
    yield "no end", b"\x80\x02]q\0", "truncated"
    yield "an empty stack", b"\x80\x02.", "on the stack"
    yield "two objects", b"\x80\x02NN.", "on the stack"
    yield "an open mark", b"\x80\x02(N.", "on the stack"
    yield "a pop too many", b"\x80\x0200.", "empty stack"
    yield "a mark too few", b"\x80\x02Nt.", "empty stack"
    yield "an object never made", b"\x80\x02h\x07.", "does not exist yet"
    yield "an object never made, far", b"\x80\x02j\xff\xff\xff\xff.", "does not exist yet"
    yield "text longer than the file", b"\x80\x02X\xff\xff\xff\x7fa.", "follow"
    yield "very long text", b"\x80\x04\x8d" + b"\xff" * 8 + b"a.", "follow"
    yield "very long bytes", b"\x80\x04\x8e" + b"\xff" * 8 + b"a.", "follow"
    yield "a very long bytearray", b"\x80\x05\x96" + b"\xff" * 8 + b"a.", "follow"
    yield "a frame longer than the file", b"\x80\x04\x95" + b"\xff" * 8 + b"N.", "follow"
    yield "a negative long", b"\x80\x02\x8b\xff\xff\xff\xff.", "follow"
    yield "a negative string", b"\x80\x02T\xff\xff\xff\xff.", "follow"
    yield "a huge whole number", b"\x80\x02\x8b" + struct.pack("<i", 1 << 20) + b"\xff" * (1 << 20) + b".", "integer"
    yield "text that is none", b"\x80\x02X\2\0\0\0\xff\xfe.", "UTF-8"
    yield "a name that is no text", b"\x80\x02c\xff\xfe\nx\n.", "not text"
    yield "a name without end", b"\x80\x02c" + b"a" * 2000, "end of line"
    yield "an unknown instruction", b"\x80\x02\xfe.", "unsupported"
    yield "a protocol to come", b"\x80\x99N.", "protocol"
    yield "a list as key", b"\x80\x02}]Ns.", "key"
    yield "a dict in a set", b"\x80\x04\x8f(}\x90.", "key"
    yield "items of a number", b"\x80\x02K\1K\2K\3s.", "sets items"
    yield "appended to a tuple", b"\x80\x02)K\1a.", "appends"
    yield "a key without value", b"\x80\x02}(K\1u.", "without a value"
    yield "nested lists", b"\x80\x02" + b"]" * 20_000 + b"a" * 19_999 + b".", "levels deep"
    yield "nested tuples", b"\x80\x02)" + b"\x85" * 20_000 + b".", "levels deep"
    yield "nested tuples as a key", b"\x80\x02})" + b"\x85" * 100_000 + b"Ns.", "key"
    yield "a key of doubled tuples", b"\x80\x02})" + b"q\0h\0\x86" * 40 + b"Ns.", "key"
    yield "nested dicts", b"\x80\x02" + b"}K\1" * 5000 + b"N" + b"s" * 5000 + b".", "levels deep"
    same = [number((2**61 - 1) * k) for k in range(1, 3001)]  # all of them have the hash 0
    yield "keys of one hash", b"\x80\x02}(" + b"N".join(same) + b"Nu.", "same hash"
    yield "keys of one hash, one by one", b"\x80\x02}" + b"Ns".join(same) + b"Ns.", "same hash"
    yield "tuples of one hash", b"\x80\x02}(" + b"\x85N".join(same) + b"\x85Nu.", "same hash"
    yield "a set of one hash", b"\x80\x04\x8f(" + b"".join(same) + b"\x90.", "same hash"
    yield "a frozenset of one hash", b"\x80\x04(" + b"".join(same) + b"\x91.", "same hash"
    yield "a list of one hash, made a set", b"\x80\x02c__builtin__\nset\n](" + b"".join(same) + b"e\x85R.", "same hash"
    pairs = b"".join(b"](" + n + b"Ne" for n in same)
    yield "pairs of one hash", b"\x80\x02ccollections\nOrderedDict\n](" + pairs + b"e\x85R.", "same hash"
    long = b"(" + b"N" * 2000 + b"tq\0"
    many = b"".join(b"h\0" + number(k) + b"\x86N" for k in range(3000))
    yield "long tuples as keys", b"\x80\x02" + long + b"0}(" + many + b"u.", "parts"
    yield "very deep lists", b"\x80\x02" + b"]" * 60_000 + b"a" * 59_999 + b".", "levels deep"
    yield "marks", b"\x80\x02" + b"(" * 100_000 + b".", "on the stack"
    blow = b"c_codecs\nencode\n" + text("x" * 100_000) + text("latin1") + b"\x86q\1"
    yield "bytes again and again", b"\x80\x02](" + blow + (b"c_codecs\nencode\nh\1R") * 5000 + b"e.", "repetition"
    many = b"](" + b"N" * 50_000 + b"e\x85q\1"
    yield "sets again and again", b"\x80\x02](" + many + b"cbuiltins\nset\nh\1R" * 5000 + b"e.", "repetition"


def bad_tensors() -> Iterator[tuple[str, bytes, str]]:
    """Whole files whose tensors do not fit their storages."""
    good = {"data/0": FOUR}

    def file(words: bytes, records: dict[str, bytes] = good) -> bytes:
        return pt(b"\x80\x02" + words + b".", records)

    yield "a view that is too long", file(tensor(size=(5,))), "data/0"
    yield "a view that begins too late", file(tensor(offset=1)), "data/0"
    yield "a view with wide steps", file(tensor(size=(2,), stride=(4,))), "data/0"
    yield "an offset below zero", file(tensor(offset=-1)), "storage offset"
    yield "a size below zero", file(tensor(size=(-4,))), "size"
    yield "a stride below zero", file(tensor(offset=3, stride=(-1,))), "stride"
    yield "a size beyond 64 bits", file(tensor(size=(1 << 70,), stride=(0,))), "size"
    yield "sizes whose product is beyond", file(tensor(size=(1 << 40, 1 << 40), stride=(0, 0))), "memory"
    yield "an offset beyond", file(tensor(offset=1 << 61, size=(0,))), "memory"
    yield "a stride too few", file(tensor(size=(2, 2), stride=(1,))), "dimensions"
    yield "a hundred dimensions", file(tensor(size=(1,) * 100, stride=(1,) * 100)), "size"
    yield "a size of text", file(tensor().replace(sizes(4), b"(" + text("4") + b"t", 1)), "size"
    yield "a storage that is missing", file(tensor(storage(key="7"))), "data/7"
    yield "a storage by a path", file(tensor(storage(key="../data.pkl"))), "data/../data.pkl"
    yield "a short storage", file(tensor(), {"data/0": FOUR[:8]}), "data/0"
    yield "an empty storage", file(tensor(), {"data/0": b""}), "data/0"
    yield "a storage with too much", file(tensor(), {"data/0": FOUR * 2}), "data/0"
    yield "a storage that says too much", file(tensor(storage(length=1 << 55))), "data/0"
    yield "a storage below zero", file(tensor(storage(length=-4))), "storage"
    swapped = b"](" + tensor(storage(key="0")) + tensor(storage(key="1", length=2), size=(2,)) + b"e"
    yield "swapped storages", file(swapped, {"data/0": FOUR[:8], "data/1": FOUR}), "data/0"
    yield "a storage on a device", file(tensor(storage(where="cuda:0"))), "CUDA"
    yield "a storage on no device", file(tensor(storage(where="nowhere"))), "nowhere"
    yield "a storage of no kind", file(tensor(storage(kind=b"ctorch\nfloat32\n"))), "storage"
    yield "a tensor on nothing", file(tensor(b"N")), "storage"
    yield "a tensor of bytes without dtype", file(tensor(storage(b"ctorch.storage\nUntypedStorage\n", length=16))), ""
    yield "a tensor without arguments", file(b"ctorch._utils\n_rebuild_tensor_v2\n)R"), "invalid arguments"
    yield "a parameter of no tensor", file(b"ctorch._utils\n_rebuild_parameter\n(N\x88NtR"), "tensor"
    yield (
        "a gradient for numbers that count",
        file(tensor(storage(b"ctorch\nIntStorage\n")).replace(b"\x89", b"\x88")),
        "",
    )
    yield "a byte order", pt(b"\x80\x02" + tensor() + b".", {**good, "byteorder": b"middle"}), "byteorder"


def archives() -> Iterator[tuple[str, bytes, str]]:
    """Zip archives that are damaged, or lie."""
    good = pt(b"\x80\x02" + tensor() + b".", {"data/0": FOUR})
    yield "nothing", b"", "empty"
    yield "text", b"Dear reader,\nthis is no archive.\n" * 40, "not a .pt file"
    yield "PK and nothing else", b"PK\3\4", "truncated"
    yield "an empty archive", b"PK\5\6" + b"\0" * 18, "zip"
    for cut in (30, 100, len(good) // 2, len(good) - 30, len(good) - 1):
        yield f"cut to {cut} bytes", good[:cut], ""
    yield "something behind it", good + b"x", "after its end"
    at = good.index(FOUR)
    yield "a flipped bit", good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :], "data/0"
    at = good.index(b"_rebuild")
    yield "a flipped bit in the pickle", good[:at] + b"~" + good[at + 1 :], "data.pkl"
    for name in ("../evil", "/etc/passwd", "archive/../../evil", "C:\\evil", "archive/\\evil", "other/data"):
        out = io.BytesIO(good)
        with zipfile.ZipFile(out, "a") as archive:
            archive.writestr(name, b"x")
        yield f"a record called {name}", out.getvalue(), ""
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", b"\x80\x02" + b"N0" * (20 << 20) + b"N.")
    yield "a zip bomb", bomb.getvalue(), "unpack"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", b"\x80\x02" + tensor(storage(length=1 << 20)) + b".")
        archive.writestr("archive/data/0", bytes(4 << 20))
    raw = packed.getvalue()
    yield "packed data, damaged", raw.replace(zlib.compress(bytes(4 << 20))[2:40], b"\xff" * 38), ""
    twice = io.BytesIO(good)
    with zipfile.ZipFile(twice, "a") as archive, _quiet():
        archive.writestr("archive/data.pkl", b"\x80\x02N.")
    yield "two pickles", twice.getvalue(), "twice"
    yield "a record over another", _with_entry(good, 1, 42, struct.pack("<I", 0)), ""
    yield "a record beyond the file", _with_entry(good, 1, 42, struct.pack("<I", 1 << 30)), ""
    yield "a size beyond the file", _with_entry(good, 1, 20, struct.pack("<II", 1 << 30, 1 << 30)), ""
    yield "an encrypted record", _with_entry(good, 1, 8, struct.pack("<H", 1)), "unsupported compression"
    yield "an unknown packing", _with_entry(good, 1, 10, struct.pack("<H", 99)), "unsupported compression"
    yield "stored in two sizes", _with_entry(good, 1, 24, struct.pack("<I", 17)), ""
    yield "more records than there are", good[:-12] + struct.pack("<HHIIH", 9, 9, *_place(good), 0)[2:], ""
    yield "TorchScript", pt(b"\x80\x02N.", {"constants.pkl": b"\x80\x02)."}), "TorchScript"
    yield "no pickle", good.replace(b"data.pkl", b"data.pkx"), "data.pkl"


def _place(archive: bytes) -> tuple[int, int]:
    return struct.unpack("<II", archive[-10:-2])


def _with_entry(archive: bytes, number: int, at: int, what: bytes) -> bytes:
    """An archive in whose list one field of one record is changed."""
    place = _place(archive)[1]
    for _ in range(number):
        name, extra, comment = struct.unpack_from("<HHH", archive, place + 28)
        place += 46 + name + extra + comment
    return archive[: place + at] + what + archive[place + at + len(what) :]


def _quiet() -> Any:
    import warnings

    return warnings.catch_warnings(action="ignore")


def legacy() -> Iterator[tuple[str, bytes, str]]:
    """The same in the older format."""

    def header(words: bytes, keys: bytes = b"\x80\x02].", rest: bytes = b"") -> bytes:
        return (
            pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2)
            + pickle.dumps({"little_endian": True}, 2) + b"\x80\x02" + words + b"." + keys + rest
        )  # fmt: skip

    old = storage()[:-2] + b"NtQ"
    keys = b"\x80\x02](" + text("0") + b"e."
    yield "legacy, os.system", header(b"cos\nsystem\n(" + text("true") + b"tR"), "os.system"
    yield "legacy, no bytes", header(tensor(old), keys), ""
    yield "legacy, few bytes", header(tensor(old), keys, struct.pack("<q", 4) + FOUR[:10]), ""
    yield "legacy, another length", header(tensor(old), keys, struct.pack("<q", 3) + FOUR), ""
    yield "legacy, no list", header(tensor(old)), "list of storages"
    yield "legacy, huge", header(tensor(storage(length=1 << 50)[:-2] + b"NtQ"), keys), "storage 0"
    yield "legacy, a part outside", header(tensor(storage()[:-2] + b"(" + text("v") + b"K\2K\4ttQ"), keys), ""
    yield "a version to come", pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1002, 2), ""
    yield "another pickle", pickle.dumps({"x": 1}, 2), "pickle"
    yield "another pickle with a call", calls("os", "system", text("true")), "os.system"
    yield "a tar archive", b"\x80" + b"\0" * 256 + b"ustar" + b"\0" * 300, ""


def files() -> list[tuple[str, bytes, str]]:
    """All of them, as whole files."""
    inside = [*pickles(), *broken_pickles()]
    wrapped = [(name, pt(data, {"data/0": FOUR}), word) for name, data, word in inside]
    return [*wrapped, *bad_tensors(), *archives(), *legacy()]
