"""load: where it reads from, where storages go, what a map touches, and archives that others have packed."""

from __future__ import annotations

import gc
import io
import os
import resource
import struct
import subprocess
import sys
import weakref
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tensorwidgets as tw
from tensorwidgets.engine.files.disk import zip_read, zip_write
from tensorwidgets.engine.files.disk.checksum import joined
from tests.files.hostile import FOUR, pt, storage, tensor, text
from tests.files.test_trees import saved

X = tw.arange(12.0).reshape(3, 4)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    tw.save({"x": X, "t": X.t(), "n": 7}, tmp_path / "x.pt")
    return tmp_path / "x.pt"


def test_what_is_not_there_is_told_by_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        tw.load(tmp_path / "nothing.pt")
    with pytest.raises(IsADirectoryError):
        tw.load(tmp_path)


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:12\n"
STRANGERS = {
    b"": "is empty: there is nothing to load",
    LFS: "but a pointer of Git LFS, without the data that it points to",
    b"\n<!DOCTYPE html><html>404</html>": "but a web page",
    b"8\0\0\0\0\0\0\0{}": "a safetensors file",
    b"\x89HDF\r\n\x1a\n": "an HDF5 file",
    b"\x93NUMPY\1\0": "a NumPy file",
    b"Dear reader": "it begins with b'Dear reader'",
}


@pytest.mark.parametrize("ending", [".pt", ".npy", ".npz", ".safetensors", ".h5"])
@pytest.mark.parametrize("data", STRANGERS, ids=repr)
def test_what_a_file_is_instead_is_said_whoever_reads_it(tmp_path: Path, data: bytes, ending: str) -> None:
    readers = {".npy": tw.load_npy, ".npz": tw.load_npz, ".h5": tw.load_hdf5}
    path = tmp_path / f"x{ending}"
    path.write_bytes(data)
    with pytest.raises(tw.FileError) as caught:
        readers.get(ending, tw.load)(path)
    own = {".npy": b"\x93NUMPY", ".npz": b"\x93NUMPY", ".safetensors": b"8", ".h5": b"\x89HDF"}.get(ending)
    if own is None or not data.startswith(own):
        assert STRANGERS[data] in str(caught.value)
        assert f"The file: {path}" in caught.value.__notes__


def test_the_error_of_a_mapped_file_is_about_the_file(tmp_path: Path) -> None:
    (tmp_path / "x.pt").write_bytes(b"")
    with pytest.raises(tw.FileError, match="is empty"):
        tw.load(tmp_path / "x.pt", mmap=True)


def test_a_place_is_a_device_a_dict_or_a_function(path: Path) -> None:
    place: Any = 3
    with pytest.raises(
        TypeError, match="map_location says on which device the storages go: a device, a dict or a function"
    ):
        tw.load(path, map_location=place)


def test_one_kind_of_zip_is_not_taken_for_another(path: Path, tmp_path: Path) -> None:
    tw.save_npz(tmp_path / "x.npz", {"x": X})
    with pytest.raises(tw.FileError, match="is not a .pt file but an .npz file"):
        tw.load(tmp_path / "x.npz")
    for reader in (tw.load_npy, tw.load_npz):
        with pytest.raises(tw.FileError, match="is not a file of NumPy but a .pt file"):
            reader(path)
    tw.save_npy(tmp_path / "x.npy", X)
    with pytest.raises(tw.FileError, match="holds one array: it is an .npy"):
        tw.load_npz(tmp_path / "x.npy")


@pytest.mark.parametrize("value", [None, True])
@pytest.mark.filterwarnings("ignore:pickle_load_args")
def test_weights_only_is_how_it_is_anyway(path: Path, value: Any) -> None:
    assert tw.load(path, weights_only=value)["n"] == 7
    assert tw.load(path, weights_only=value, encoding="utf-8")["n"] == 7


def test_an_open_file_is_read_from_where_it_stands() -> None:
    file = io.BytesIO()
    file.write(b"before")
    tw.save(X, file)
    file.seek(6)
    assert tw.load(file).tolist() == X.tolist()


class Narrow:
    """A file that can do no more than it must."""

    def __init__(self, data: bytes):
        self._file = io.BytesIO(data)

    def read(self, size: int = -1) -> bytes:
        return self._file.read(min(size, 1000))

    def seek(self, place: int, whence: int = 0) -> int:
        return self._file.seek(place, whence)

    def tell(self) -> int:
        return self._file.tell()


def test_a_file_needs_read_seek_and_tell() -> None:
    large = tw.arange(2_000_000)
    assert tw.load(Narrow(saved(large).getvalue())).sum() == large.sum()
    with pytest.raises(AttributeError, match="seekable"):
        tw.load(5)
    reader, writer = os.pipe()
    os.close(writer)
    with open(reader, "rb") as file, pytest.raises(OSError, match="seekable"):
        tw.load(file)


def test_a_file_opened_as_text_is_refused(path: Path) -> None:
    with open(path, encoding="latin1") as file, pytest.raises(TypeError, match="must give bytes"):
        tw.load(file)


# -- places ------------------------------------------------------------------------------------------------------


def test_shapes_alone_read_no_storage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    at = bytes(data).index(X.numpy().tobytes())
    data[at] ^= 1  # the storage is damaged, and nobody looks
    found = tw.load(io.BytesIO(bytes(data)), map_location="meta")
    assert found["x"].is_meta and found["t"].stride() == (1, 4) and found["n"] == 7
    assert tw.load(io.BytesIO(bytes(data)), map_location=tw.device("meta"))["x"].is_meta


def from_gpu(where: str) -> io.BytesIO:
    return io.BytesIO(pt(b"\x80\x02" + tensor(storage(where=where)) + b".", {"data/0": FOUR}))


@pytest.mark.parametrize(
    "place", ["cpu", b"cpu", tw.device("cpu"), {"cuda:0": "cpu"}, lambda storage, location: storage]
)
def test_storages_of_a_gpu_come_to_the_cpu(place: Any) -> None:
    assert tw.load(from_gpu("cuda:0"), map_location=place).tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("place", [None, {}, {"cuda:1": "cpu"}, "cuda:0", lambda storage, location: None])
def test_without_a_gpu_its_storages_are_refused_in_pytorchs_words(place: Any) -> None:
    words = "Attempting to deserialize object on a CUDA device but torch.cuda.is_available\\(\\) is False"
    with pytest.raises(RuntimeError, match=words) as refusal:
        tw.load(from_gpu("cuda:0"), map_location=place)
    assert "map_location='cpu'" in refusal.value.__notes__[0]


def test_what_map_location_does_wrong_is_not_the_files_fault() -> None:
    def breaks(storage: Any, location: str) -> Any:
        raise KeyError(location)

    for place, kind, words in (
        (breaks, KeyError, "'cuda:0'"),
        (lambda storage, location: 3, TypeError, "TypedStorage.__init__ received an invalid combination"),
        (3, TypeError, "^'int' object is not callable\n"),
        ("xyz", tw.FileError, r"^don't know how to restore data location of .*UntypedStorage \(tagged with xyz\)\n"),
        ("xpu:0", tw.FileError, "^Attempting to deserialize object on a XPU device but torch.xpu.is_available"),
    ):
        with pytest.raises(kind, match=words) as refusal:
            tw.load(from_gpu("cuda:0"), map_location=place)
        assert type(refusal.value) is kind


PYTHON_2 = bytes.fromhex("5504c3a9c3bc")  # a pickle's text of Python 2: four bytes of UTF-8


@pytest.mark.parametrize("encoding", ["utf-8", "bytes", "latin1", "ascii", "utf-16", "no such"])
@pytest.mark.filterwarnings("ignore:pickle_load_args")
def test_the_caller_says_how_text_of_python_2_is_read(encoding: str) -> None:
    file = io.BytesIO(pt(b"\x80\x02" + PYTHON_2 + tensor(storage()) + b"\x86.", {"data/0": FOUR}))
    raw = PYTHON_2[2:]
    if encoding in ("ascii", "no such"):
        with pytest.raises((UnicodeDecodeError, LookupError)):
            tw.load(file, encoding=encoding)
        return
    text, x = tw.load(file, encoding=encoding)
    assert text == (raw if encoding == "bytes" else raw.decode(encoding)) and x.tolist() == [1, 2, 3, 4]


def test_other_settings_of_pythons_reader_are_refused() -> None:
    with pytest.warns(UserWarning, match="pickle_load_args only works if `weights_only=False`."):
        assert tw.load(saved(3), encoding="ascii") == 3
    with (
        pytest.raises(TypeError, match=r"^Unpickler.__init__\(\) got an unexpected keyword argument 'foo'\n"),
        pytest.warns(UserWarning),
    ):
        tw.load(saved(3), foo=1)


def test_a_function_gets_each_storage_once_with_its_place() -> None:
    calls = []

    def place(storage: Any, location: str) -> Any:
        calls.append((storage.nbytes(), location))
        return storage

    tw.load(saved([X, X.t(), tw.ones(2)]), map_location=place)
    assert calls == [(48, "cpu"), (8, "cpu")]


# -- maps --------------------------------------------------------------------------------------------------------


def test_a_map_is_no_copy_and_never_writes_to_the_file(path: Path) -> None:
    before = path.read_bytes()
    found = tw.load(path, mmap=True)
    assert found["x"].tolist() == X.tolist()
    assert found["x"].data_ptr() == found["t"].data_ptr()
    found["x"][0, 0] = 99
    assert found["t"][0, 0] == 99
    assert path.read_bytes() == before
    assert tw.load(path)["x"][0, 0] == 0


def test_a_map_of_four_gigabytes_touches_only_what_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.pt"
    with open(path, "wb", buffering=0) as file, monkeypatch.context() as patch:
        # The zeros are a hole in the file, and nobody sums them.
        real = zip_write.zlib.crc32
        patch.setattr(zip_write.zlib, "crc32", lambda data, *sum: 0 if len(data) > 1 << 30 else real(data, *sum))
        zip = zip_write.ZipWriter(lambda piece: skip(file, piece), "large")
        both = b"](" + tensor(storage(length=1 << 30), size=(1 << 30,)) + tensor(storage(key="1"), size=(4,)) + b"e"
        zip.record("data.pkl", b"\x80\x02" + both + b".")
        zip.record("data/0", np.zeros(1 << 32, np.uint8))
        zip.record("data/1", FOUR)
        zip.finish()
    assert path.stat().st_size > 1 << 32
    line = (
        "import resource, sys, tensorwidgets as tw\n"
        "tw.load(sys.argv[2], mmap=True)\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "large, small = tw.load(sys.argv[1], mmap=True)\n"
        "print(small.tolist(), large[-1].item(), large.shape[0])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    tw.save([tw.ones(2), tw.ones(3)], tmp_path / "small.pt")
    command = [sys.executable, "-c", line, str(path), str(tmp_path / "small.pt")]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert found[0] == "[1.0, 2.0, 3.0, 4.0] 0.0 1073741824"
    assert int(found[1]) < 4 << 10  # kilobytes


def skip(file: Any, piece: Any) -> None:
    if len(piece) == zip_write.CHUNK:
        file.seek(len(piece), os.SEEK_CUR)
    else:
        file.write(piece)


def test_what_cannot_be_mapped_is_refused(path: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="f must be a file path in order to use the mmap argument"):
        tw.load(io.BytesIO(path.read_bytes()), mmap=True)
    packed = tmp_path / "packed.pt"
    packed.write_bytes(repacked(path.read_bytes()))
    with pytest.raises(tw.FileError, match="data/0: is compressed"):
        tw.load(packed, mmap=True)
    old = tmp_path / "old.pt"
    old.write_bytes(b"\x80\x02" + b"x" * 100)
    with pytest.raises(RuntimeError, match=r"files saved with `torch.save\(.*old.pt, _use_new_zip"):
        tw.load(old, mmap=True)


# -- archives of others ------------------------------------------------------------------------------------------


def repacked(data: bytes) -> bytes:
    """What is left of an archive that somebody has unpacked and packed again."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        folder = old.namelist()[0].partition("/")[0]
        new.writestr(f"{folder}/", b"")
        for name in sorted(old.namelist()):
            new.writestr(name, old.read(name))
    return out.getvalue()


def test_an_archive_that_was_packed_again_is_read(path: Path) -> None:
    assert tw.load(io.BytesIO(repacked(path.read_bytes())))["t"].tolist() == X.t().tolist()


def test_numbers_that_begin_with_their_largest_byte_are_turned() -> None:
    records = {"data/0": struct.pack(">4f", 1, 2, 3, 4), "byteorder": b"big"}
    assert tw.load(io.BytesIO(pt(b"\x80\x02" + tensor() + b".", records))).tolist() == [1, 2, 3, 4]
    kind = b"ctorch\nComplexFloatStorage\n"
    words = b"\x80\x02" + tensor(storage(kind, length=2), size=(2,)) + b"."
    assert tw.load(io.BytesIO(pt(words, records))).tolist() == [1 + 2j, 3 + 4j]


def test_a_storage_may_be_a_little_longer_than_its_numbers() -> None:
    words = b"\x80\x02" + tensor(storage(length=3), size=(3,)) + b"."
    assert tw.load(io.BytesIO(pt(words, {"data/0": FOUR[:15]}))).tolist() == [1, 2, 3]


def test_attributes_of_a_tensor_are_kept() -> None:
    x = tw.ones(2)
    x.note = {"made by": "hand"}
    assert tw.load(saved(x)).note == {"made by": "hand"}


def test_text_of_python_2_is_read() -> None:
    assert tw.load(io.BytesIO(pt(b"\x80\x02}U\x03keyT\x05\0\0\0values."))) == {"key": "value"}
    assert tw.load(io.BytesIO(pt(b"\x80\x02" + text("x") + b"0N."))) is None


@pytest.mark.torch
@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_other_protocols_of_pytorchs_are_read(protocol: int) -> None:
    import torch

    value = {"x": torch.arange(5), "s": {1, 2}, "b": b"abc", "f": frozenset([1]), "a": bytearray(b"x"), "l": [1] * 300}
    found = tw.load(saved(value, torch, pickle_protocol=protocol))
    assert found.pop("x").tolist() == value.pop("x").tolist()
    assert found == value


def test_memory_of_a_load_is_what_is_loaded() -> None:
    import tracemalloc

    data = saved([tw.ones(1 << 20) for _ in range(4)])
    tracemalloc.start()
    found = tw.load(data)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found) == 4 and most < (20 << 20)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 0


def test_what_was_loaded_is_freed_with_the_last_who_sees_it(path: Path) -> None:
    gc.collect()
    gc.disable()
    try:
        for options in ({}, {"mmap": True}):
            found = tw.load(path, **options)
            storage = weakref.ref(found["x"].untyped_storage())
            del found
            assert storage() is None
    finally:
        gc.enable()


# -- several threads ---------------------------------------------------------------------------------------------


def test_large_records_are_read_by_several_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_read, "LARGE", 1000)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    large = tw.arange(2_000_001)
    path = tmp_path / "x.pt"
    tw.save([large, tw.ones(3)], path)
    found = tw.load(path)[0]
    assert bool((found == large).all())
    found[0] = 5
    assert tw.load(path)[0][0] == 0
    data = bytearray(path.read_bytes())
    for place in (2_000_000, 9_000_000, 15_000_000):
        data[place] ^= 1
        path.write_bytes(bytes(data))
        with pytest.raises(tw.FileError, match="data/0: is damaged"):
            tw.load(path)
        data[place] ^= 1


@given(st.binary(max_size=50), st.binary(max_size=3000))
def test_checksums_are_joined(first: bytes, second: bytes) -> None:
    assert joined(zlib.crc32(first), zlib.crc32(second), len(second)) == zlib.crc32(first + second)
