"""HDF5, NumPy's formats and safetensors: one line each way, parts without the rest, and refusals in words of ours."""

from __future__ import annotations

import io
import os
import stat
import sys
import threading
import zipfile
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import tensorwidgets as tw
from tests.files.trees import DTYPES

X = tw.arange(24.0).reshape(6, 4)


def every_dtype() -> dict[str, Any]:
    return {name: tw.tensor([[0, 1], [1, 0]]).to(getattr(tw, name)) for name in DTYPES}


def same(a: Any, b: Any) -> bool:
    return a.dtype is b.dtype and a.shape == b.shape and bytes(a.untyped_storage()) == bytes(b.untyped_storage())


# -- HDF5 --------------------------------------------------------------------------------------------------------


def test_every_dtype_and_size_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    values = {**every_dtype(), "number": tw.tensor(3.5), "nothing": tw.empty(0, 3), "view": X.t().contiguous()}
    tw.save_hdf5(path, values)
    found = tw.load_hdf5(path)
    assert list(found) == sorted(values)
    assert [name for name in values if not same(found[name], values[name])] == []


def test_dicts_are_groups(tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    tw.save_hdf5(path, {"a": {"b": X, "c": {}}, "d/e": [1, 2]}, chunks=True, compression="gzip")
    found = tw.load_hdf5(path)
    assert same(found["a"]["b"], X) and found["a"]["c"] == {} and found["d"]["e"].tolist() == [1, 2]
    assert same(tw.load_hdf5(path, "a/b"), X) and same(tw.load_hdf5(path, "/a")["b"], X)


def test_a_part_is_read_without_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    tw.save_hdf5(path, {"coords": X, "half": X.bfloat16()}, chunks=(2, 4))
    assert tw.load_hdf5(path, "coords", np.s_[-2:]).tolist() == X[-2:].tolist()
    assert tw.load_hdf5(path, "coords", np.s_[1:5:2, 3]).tolist() == X[1:5:2, 3].tolist()
    assert tw.load_hdf5(path, "coords", 0).tolist() == X[0].tolist()
    assert tw.load_hdf5(path, "coords", tw.tensor([0, 2])).tolist() == X[[0, 2]].tolist()
    half = tw.load_hdf5(path, "half", np.s_[2])
    assert half.dtype is tw.bfloat16 and half.tolist() == X[2].tolist()
    # Damage in the first chunk does no harm to who reads the last.
    told = tw.inspect_file(path, "coords", np.s_[:1]).anatomy
    ((start, end),) = told.touched
    data = bytearray(path.read_bytes())
    data[start:end] = b"\xff" * (end - start)
    path.write_bytes(bytes(data))
    assert tw.load_hdf5(path, "coords", np.s_[-2:]).tolist() == X[-2:].tolist()
    assert tw.load_hdf5(path, "coords", np.s_[:1]).isnan().all()


def test_the_same_input_gives_the_same_hdf5(tmp_path: Path) -> None:
    for name in ("a.h5", "b.h5"):
        tw.save_hdf5(tmp_path / name, {"x": X, "g": {"y": X}}, compression="gzip")
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()


def test_names_are_kept_in_hdf5(tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    tw.save_hdf5(path, {"x": tw.ones(2, 3, names=("N", None)), "y": X})
    assert tw.load_hdf5(path, "x").names == ("N", None)
    assert tw.load_hdf5(path, "y").names == (None, None)
    assert tw.load_hdf5(path, "x", np.s_[:1]).names == ("N", None)
    assert tw.load_hdf5(path, "x", 0).names == (None,)  # a dimension is gone, and nobody says which


def test_hdf5_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.h5"
    tw.save_hdf5(path, {"x": X})
    with pytest.raises(tw.FileError):
        tw.save_hdf5(path, {"x": X, "y": print})
    monkeypatch.setattr(h5py.File, "create_dataset", None)
    with pytest.raises(tw.FileError, match="y: cannot be written"):
        tw.save_hdf5(path, {"y": X})
    assert [p.name for p in tmp_path.iterdir()] == ["x.h5"]
    assert same(tw.load_hdf5(path, "x"), X)


def test_by_hand_tensors_simply_work(tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("coords", data=X)
        file["turned"] = X.t()
        file["truth"] = tw.tensor([True, False])
    with h5py.File(path) as file:
        dataset = file["coords"]
        assert tw.from_numpy(dataset[-2:]).tolist() == X[-2:].tolist()
        assert tw.tensor(dataset).tolist() == tw.as_tensor(dataset).tolist() == X.tolist()
        assert tw.from_numpy(file["turned"][...]).tolist() == X.t().tolist()
        assert tw.tensor(file["truth"]).dtype is tw.bool
        with pytest.raises(TypeError, match=r"expected np.ndarray \(got Dataset\)") as refusal:
            tw.from_numpy(dataset)
        assert "dataset[:]" in refusal.value.__notes__[0]


@pytest.mark.parametrize("name", ["tensor", "as_tensor", "asarray", "from_numpy"])
def test_a_dataset_of_a_closed_file_is_explained(tmp_path: Path, name: str) -> None:
    path = tmp_path / "x.h5"
    tw.save_hdf5(path, {"coords": X})
    with h5py.File(path) as file:
        dataset = file["coords"]
    with pytest.raises((TypeError, ValueError)) as refusal:
        getattr(tw, name)(dataset)
    assert "has been closed" in refusal.value.__notes__[0]
    assert "load_hdf5(path, 'name', np.s_[-2:])" in refusal.value.__notes__[0]


def hostile_hdf5(path: Path) -> None:
    other = path.with_name("other.h5")
    with h5py.File(other, "w") as file:
        file["secret"] = np.ones(3)
    with h5py.File(path, "w") as file:
        file["elsewhere"] = h5py.ExternalLink(str(other), "secret")
        file["nowhere"] = h5py.SoftLink("/nothing")
        file.create_dataset("raw", (3,), "f8", external=[(str(other), 0, 24)])
        layout = h5py.VirtualLayout((3,), "f8")
        layout[:] = h5py.VirtualSource(str(other), "secret", (3,))
        file.create_virtual_dataset("virtual", layout)
        file["text"] = "words"
        file["empty"] = h5py.Empty("f8")
        file["compound"] = np.zeros(2, [("a", "f8"), ("b", "i4")])
        file["lies"] = np.zeros(3)
        file["lies"].attrs["dtype"] = "bfloat16"
        file["strange"] = np.zeros(3, np.uint16)
        file["strange"].attrs["dtype"] = "<script>"
        group = file.create_group("circle")
        group["again"] = group


WRONG = ["elsewhere", "nowhere", "raw", "virtual", "text", "empty", "compound", "lies", "strange", "circle", "missing"]


@pytest.mark.parametrize("name", WRONG)
def test_datasets_that_are_no_tensors_are_refused(tmp_path: Path, name: str) -> None:
    hostile_hdf5(tmp_path / "x.h5")
    with pytest.raises(tw.FileError):
        tw.load_hdf5(tmp_path / "x.h5", name)
    told = tw.inspect_file(tmp_path / "x.h5")
    assert len(told.anatomy.problems) >= 3
    assert "<script>" not in told.html()


@pytest.mark.parametrize("data", [b"", b"text", b"\x89HDF\r\n\x1a\n", b"\x89HDF\r\n\x1a\n" + b"x" * 999])
def test_damaged_hdf5_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.h5").write_bytes(data)
    with pytest.raises(tw.FileError):
        tw.load_hdf5(tmp_path / "x.h5")
    with pytest.raises(FileNotFoundError):
        tw.load_hdf5(tmp_path / "y.h5")


# -- NumPy -------------------------------------------------------------------------------------------------------


def test_npy_and_npz_hold_every_dtype_of_numpys(tmp_path: Path) -> None:
    values = {name: t for name, t in every_dtype().items() if not name.startswith(("bfloat", "float8"))}
    for name, value in values.items():
        tw.save_npy(tmp_path / "x.npy", value)
        assert same(tw.load_npy(tmp_path / "x.npy"), value), name
        assert np.array_equal(np.load(tmp_path / "x.npy"), value.numpy())
    for packed in (False, True):
        tw.save_npz(tmp_path / "x.npz", {**values, "file": X, "a/b": X}, compressed=packed)
        found = tw.load_npz(tmp_path / "x.npz")
        assert list(found) == [*values, "file", "a/b"]
        assert all(same(found[name], values[name]) for name in values)
        assert same(tw.load_npz(tmp_path / "x.npz", "file"), X)
    assert tw.load_npy(tmp_path / "x.npy", np.s_[:1]).shape == (1, 2)


def test_a_mapped_npy_is_no_copy_and_never_writes(tmp_path: Path) -> None:
    tw.save_npy(tmp_path / "x.npy", X)
    found = tw.load_npy(tmp_path / "x.npy", mmap=True)
    found[0, 0] = 99
    assert found[0, 0] == 99 and tw.load_npy(tmp_path / "x.npy")[0, 0] == 0


def test_numpys_formats_refuse_what_they_have_no_word_for(tmp_path: Path) -> None:
    with pytest.raises(tw.FileError, match="cannot store torch.bfloat16"):
        tw.save_npy(tmp_path / "x.npy", X.bfloat16())
    with pytest.raises(tw.FileError, match="pickle"):
        np.save(tmp_path / "o.npy", np.array([print], object), allow_pickle=True)
        tw.load_npy(tmp_path / "o.npy")
    with pytest.raises(tw.FileError, match="has dtype <U1"):
        np.save(tmp_path / "u.npy", np.array(["a"]))
        tw.load_npy(tmp_path / "u.npy")


@pytest.mark.parametrize("data", [b"", b"text", b"\x93NUMPY", b"\x93NUMPY\1\0\xff\xff{", b"PK\3\4", b"\x80\x04N."])
def test_damaged_files_of_numpys_are_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x").write_bytes(data)
    for load in (tw.load_npy, tw.load_npz):
        with pytest.raises(tw.FileError):
            load(tmp_path / "x")
        with pytest.raises(FileNotFoundError):
            load(tmp_path / "nothing")


def test_an_npy_that_says_too_much_is_refused(tmp_path: Path) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (1 << 50,)})
    (tmp_path / "x.npy").write_bytes(header.getvalue() + b"x" * 80)
    for options in ({}, {"mmap": True}):
        with pytest.raises(tw.FileError):
            tw.load_npy(tmp_path / "x.npy", **options)


# -- safetensors -------------------------------------------------------------------------------------------------


def test_safetensors_hold_what_they_have_a_word_for(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    values = {name: t for name, t in every_dtype().items() if name != "complex128"}
    tw.save_safetensors(path, {**values, "number": tw.tensor(2.5), "turned": X.t()}, {"made by": "hand"})
    found = tw.load_safetensors(path)
    assert [name for name in values if not same(found[name], values[name])] == []
    assert found["number"].shape == () and found["turned"].tolist() == X.t().tolist()
    assert tw.load(path)["number"] == tw.load(str(path), map_location="cpu")["number"] == 2.5
    assert tw.load(path, map_location="meta")["turned"].is_meta
    assert tw.load_safetensors(path, "turned", np.s_[-1:]).tolist() == X.t()[-1:].tolist()
    assert tw.load_safetensors(path, "float8_e5m2", 0).dtype is tw.float8_e5m2
    with pytest.raises(tw.FileError, match="complex128"):
        tw.save_safetensors(path, {"x": X.to(tw.complex128)})
    with pytest.raises(tw.FileError, match="no tensor of that name"):
        tw.load_safetensors(path, "nothing")
    with pytest.raises(RuntimeError, match="dict map_location"):
        tw.load(path, map_location={})
    assert [p.name for p in tmp_path.iterdir()] == ["x.safetensors"]


@pytest.mark.parametrize("data", [b"", b"text text text", b"\xff" * 8 + b"{}", b"\2\0\0\0\0\0\0\0{}x"])
def test_damaged_safetensors_are_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.safetensors").write_bytes(data)
    with pytest.raises(tw.FileError):
        tw.load(tmp_path / "x.safetensors")
    with pytest.raises(FileNotFoundError):
        tw.load(tmp_path / "y.safetensors")


# -- what they share ---------------------------------------------------------------------------------------------


def test_a_package_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package, save in (("h5py", tw.save_hdf5), ("safetensors", tw.save_safetensors)):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises((ImportError, RuntimeError), match=f"{package} is not installed") as refusal:
            save(tmp_path / "x", {"x": X})
        assert f"pip install {package}" in "\n".join(refusal.value.__notes__)


@pytest.mark.parametrize("save", [tw.save_hdf5, tw.save_npz, tw.save_safetensors])
def test_only_named_arrays_are_written(tmp_path: Path, save: Any) -> None:
    with pytest.raises(TypeError, match="writes a dict of tensors"):
        save(tmp_path / "x", X)
    for value in (tw.ones(2, device="meta"), tw.eye(2).to_sparse(), "text", None):
        with pytest.raises(tw.FileError, match="x:"):
            save(tmp_path / "x", {"x": value})
    save(tmp_path / "x", {"x": np.ones(2), "y": 5, "z": [1.5]})
    assert os.path.getsize(tmp_path / "x") > 0


@pytest.mark.parametrize(
    ("name", "said"),
    [("\ud800", "surrogate"), ("a\udfff", "surrogate"), ("a\0b", "null character"), (7, "not int")],
)
@pytest.mark.parametrize("save", [tw.save_npz, tw.save_safetensors, tw.save_hdf5])
def test_names_that_a_file_cannot_hold_are_refused(save: Any, name: Any, said: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    with pytest.raises(tw.FileError) as refusal:
        save(path, {"first": tw.ones(2), name: tw.ones(2)})
    assert said in str(refusal.value) or "cannot be called 7" in str(refusal.value)
    str(refusal.value).encode()  # the words can be printed
    assert path.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == ["x"]


def test_what_safetensors_says_about_itself_is_checked_too(tmp_path: Path) -> None:
    for metadata in ({"a": "\ud800"}, {"\ud800": "a"}, {"a": 3}):
        with pytest.raises(tw.FileError):
            tw.save_safetensors(tmp_path / "x", {"x": tw.ones(2)}, metadata)  # type: ignore[arg-type]
    with pytest.raises(tw.FileError, match="__metadata__"):
        tw.save_safetensors(tmp_path / "x", {"__metadata__": tw.ones(2)})


def test_a_pt_file_holds_text_that_is_half_a_surrogate_pair(tmp_path: Path) -> None:
    tw.save({"\ud800": tw.ones(2), "text": "\udfff"}, tmp_path / "x.pt")
    found = tw.load(tmp_path / "x.pt")
    assert [*found] == ["\ud800", "text"] and found["text"] == "\udfff"
    str(tw.inspect_file(tmp_path / "x.pt")).encode()


@pytest.mark.parametrize("save", [tw.save_safetensors, tw.save_hdf5, tw.save_npz])
def test_a_pipe_is_written_to_and_never_replaced(save: Any, tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()))
    reader.start()
    save(path, {"x": tw.ones(3)})
    reader.join(60)
    assert stat.S_ISFIFO(path.stat().st_mode) and len(found[0]) > 60
    copy = tmp_path / "copy"
    copy.write_bytes(found[0])
    load = {tw.save_safetensors: tw.load_safetensors, tw.save_hdf5: tw.load_hdf5, tw.save_npz: tw.load_npz}[save]
    assert load(copy)["x"].tolist() == [1, 1, 1]


@pytest.mark.parametrize("save", [tw.save_safetensors, tw.save_hdf5, tw.save_npz])
def test_a_folder_is_named_as_it_was_given(save: Any, tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as refusal:
        save(tmp_path, {"x": tw.ones(3)})
    assert str(refusal.value).endswith(f"{str(tmp_path)!r}") and not list(tmp_path.iterdir())


def npy(header: bytes) -> bytes:
    return b"\x93NUMPY\x01\0" + len(header).to_bytes(2, "little") + header + bytes(16)


@pytest.mark.parametrize("header", [
    b"(" * 5000, b"[" * 9000, b"{'descr': '<f4', 'fortran_order': False, 'shape': (9**9**9,)}", b"",
    b"{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776,)}", b"{'descr': '|O', 'shape': (1,)}",
    b"{'descr': '|V999999999', 'fortran_order': False, 'shape': (3,)}",
])  # fmt: skip
def test_headers_of_npy_that_make_no_sense_are_refused(header: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.npy").write_bytes(npy(header))
    with pytest.raises(tw.FileError):
        tw.load_npy(tmp_path / "x.npy")


def test_an_npz_that_unpacks_to_far_more_than_it_holds_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("x.npy", "w") as record:
        record.write(npy(b"{'descr': '|u1', 'fortran_order': False, 'shape': (2147483648,)}"))
        record.write(bytes(1 << 20))
    data = path.read_bytes()
    at = data.index(b"PK\1\2") + 24
    path.write_bytes(data[:at] + (1 << 31).to_bytes(4, "little") + data[at + 4 :])
    with pytest.raises(tw.FileError, match=r"x: would unpack to 2,147,483,648 bytes from [\d,]+ bytes in the file"):
        tw.load_npz(path)


def test_a_dtype_of_safetensors_that_nobody_has_is_refused(tmp_path: Path) -> None:
    header = b'{"a":{"dtype":"F4","shape":[2],"data_offsets":[0,1]}}'
    (tmp_path / "x").write_bytes(len(header).to_bytes(8, "little") + header + b"\0")
    with pytest.raises(tw.FileError, match="cannot be read as safetensors"):
        tw.load_safetensors(tmp_path / "x")


@pytest.mark.torch
def test_pytorch_reads_and_writes_such_text_as_well(tmp_path: Path) -> None:
    import torch

    tw.save({"\ud800": tw.ones(2)}, tmp_path / "x.pt")
    assert [*torch.load(tmp_path / "x.pt")] == ["\ud800"]
    torch.save({"\ud800": torch.ones(2)}, tmp_path / "y.pt")
    assert [*tw.load(tmp_path / "y.pt")] == ["\ud800"]
