"""HDF5 files whose links lead in circles, out of the file, or to one object by millions of names."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import tensorwidgets as tw


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file beside one that keeps a secret."""
    with h5py.File(tmp_path / "other.h5", "w") as other:
        other["group/secret"] = np.arange(5.0)
    return tmp_path / "x.h5"


def inspected(path: Path) -> str:
    """What is told of a file, on one line."""
    return " ".join(str(tw.inspect_file(path)).split())


def test_a_soft_link_whose_way_leads_through_another_file_is_refused_by_name(path: Path) -> None:
    with h5py.File(path, "w") as file:
        file["x"] = np.ones(2)
        file["out"] = h5py.ExternalLink(str(path.with_name("other.h5")), "/group")
        file["way"] = h5py.SoftLink("/out/secret")
        file["g/to_way"] = h5py.SoftLink("/way")
        file["g/to_out"] = h5py.SoftLink("/out")
    for name in ("way", "g/to_way", "g/to_out/secret", "out/secret", "out"):
        with pytest.raises(tw.FileError, match=f"{name}: is a link to another file") as refusal:
            tw.load_hdf5(path, name)
        assert "other.h5" in refusal.value.reason.because  # type: ignore[attr-defined]
        assert refusal.value.reason.instead  # type: ignore[attr-defined]
    with pytest.raises(tw.FileError, match="link to another file"):
        tw.load_hdf5(path)
    assert "link to another file" in inspected(path)


def test_soft_links_inside_the_file_are_followed(path: Path) -> None:
    with h5py.File(path, "w") as file:
        file["a/b/x"] = np.arange(3.0)
        file["short"] = h5py.SoftLink("/a/b")
        file["a/next"] = h5py.SoftLink("./b/x")
        file["twice"] = h5py.SoftLink("/short/x")
    with h5py.File(path.with_name("up.h5"), "w") as file:
        file["a/up"] = h5py.SoftLink("../x")  # HDF5 knows no `..`
    with pytest.raises(tw.FileError, match="broken link"):
        tw.load_hdf5(path.with_name("up.h5"), "a/up")
    for name in ("short/x", "a/next", "twice", "/a//b/./x"):
        assert tw.load_hdf5(path, name).tolist() == [0, 1, 2]
    assert tw.load_hdf5(path)["short"]["x"].tolist() == [0, 1, 2]


def test_a_loop_of_soft_links_is_one_clear_error(path: Path) -> None:
    with h5py.File(path, "w") as file:
        file["a"], file["b"] = h5py.SoftLink("/b"), h5py.SoftLink("/a")
        file["own"] = h5py.SoftLink("own")
        file["longer"] = h5py.SoftLink("longer/longer")
    for name in ("a", "own", "longer"):
        with pytest.raises(tw.FileError, match=f"{name}: follows more than 64 soft links"):
            tw.load_hdf5(path, name)
    with pytest.raises(tw.FileError, match="cycle"):
        tw.load_hdf5(path)


def test_each_object_is_read_once_however_many_names_it_has(path: Path) -> None:
    with h5py.File(path, "w") as file:
        group = file["/"]
        for _ in range(26):
            inside = group.create_group("left")
            group["right"] = inside
            group = inside
        group["x"] = np.arange(2.0)
    loaded = tw.load_hdf5(path)
    assert loaded["left"] is loaded["right"]
    for _ in range(26):
        loaded = loaded["right"]
    assert loaded["x"].tolist() == [0, 1]
    assert "1 dataset" in inspected(path)


def test_one_dataset_of_two_names_is_one_tensor(path: Path) -> None:
    with h5py.File(path, "w") as file:
        file["x"] = np.arange(3.0)
        file["y"] = file["x"]
    found = tw.load_hdf5(path)
    assert found["x"] is found["y"]


@pytest.mark.parametrize("levels", [501, 3000])
def test_groups_that_are_nested_too_deep_are_one_clear_error(path: Path, levels: int) -> None:
    with h5py.File(path, "w") as file:
        group = file["/"]
        for _ in range(levels):
            group = group.create_group("g")
        group["x"] = np.ones(2)
    with pytest.raises(tw.FileError, match="nested more than 500 levels") as refusal:
        tw.load_hdf5(path)
    assert len(str(refusal.value)) < 300
    assert "nested more than 500 levels" in inspected(path)
    assert tw.load_hdf5(path, "g/" * levels + "x").tolist() == [1, 1]


def test_what_is_nested_too_deep_is_not_written(path: Path) -> None:
    deep: dict[str, Any] = {"x": tw.ones(1)}
    for _ in range(3000):
        deep = {"g": deep}
    own: dict[str, Any] = {}
    own["own"] = own
    for value in (deep, own):
        with pytest.raises(tw.FileError, match="nested more than 500 levels"):
            tw.save_hdf5(path, value)
    assert [p.name for p in path.parent.iterdir()] == ["other.h5"]


def test_a_circle_of_groups_is_one_clear_error(path: Path) -> None:
    with h5py.File(path, "w") as file:
        file["a/b"] = file["/"]
    with pytest.raises(tw.FileError, match="group that contains itself"):
        tw.load_hdf5(path)
    assert tw.inspect_file(path) is not None


@pytest.mark.parametrize("how", ["never written", "gzip"])
def test_a_small_file_that_grows_huge_is_refused_with_both_numbers(path: Path, how: str) -> None:
    with h5py.File(path, "w") as file:
        size = (1 << 40,) if how == "never written" else (1 << 21, 1024)
        made = file.create_dataset("bomb", size, "u1", chunks=(1 << 20,) if len(size) == 1 else (1 << 10, 1024),
                                   compression="gzip")  # fmt: skip
        for k in range(0 if len(size) == 1 else 3):
            made[k << 10 : (k + 1) << 10] = np.zeros((1 << 10, 1024), "u1")
    with pytest.raises(
        tw.FileError, match=r"bomb: would unpack to [\d,]+ bytes from [\d,]+ bytes in the file"
    ) as refusal:
        tw.load_hdf5(path)
    assert "np.s_" in refusal.value.reason.instead[0]  # type: ignore[attr-defined]
    assert tw.load_hdf5(path, "bomb", np.s_[:3]).shape[0] == 3


def test_dtypes_that_hold_no_numbers_are_refused_by_name(path: Path) -> None:
    kinds = {
        "vlen": h5py.vlen_dtype(np.int32), "text": h5py.string_dtype(), "reference": h5py.ref_dtype,
        "region": h5py.regionref_dtype, "compound": np.dtype([("a", "f4"), ("b", "i8", (2,))]),
        "opaque": h5py.opaque_dtype(np.dtype("M8[s]")), "array": np.dtype(("f4", (3,))),
    }  # fmt: skip
    with h5py.File(path, "w") as file:
        for name, dtype in kinds.items():
            file.create_dataset(name, (2,), dtype)
    for name in kinds:
        if name == "array":
            assert tw.load_hdf5(path, name).shape == (2, 3)
            continue
        with pytest.raises(tw.FileError, match=f"^/?{name}: "):
            tw.load_hdf5(path, name)


def test_a_file_that_is_cut_short_anywhere_is_refused(path: Path) -> None:
    tw.save_hdf5(path, {"a": {"x": tw.arange(1000.0)}, "y": tw.ones(3)}, chunks=True, compression="gzip")
    whole = path.read_bytes()
    for cut in itertools.chain(range(0, len(whole), 331), [len(whole) - 1]):
        path.write_bytes(whole[:cut])
        with pytest.raises(tw.FileError):
            tw.load_hdf5(path)


def parts(data: bytes) -> list[int]:
    """Where the records of an HDF5 file begin, by their signatures."""
    return [k for k in range(len(data) - 3) if data[k : k + 4] in (b"TREE", b"SNOD", b"HEAP")]


def test_damaged_records_are_refused_as_such_wherever_they_are_met(path: Path) -> None:
    """Neither KeyError, TypeError nor AttributeError: h5py raises them for one damaged byte."""
    with h5py.File(path, "w") as file:
        file["group/values"] = np.arange(6.0)
        file["half"] = np.ones((3, 2), "f2")
    whole = path.read_bytes()
    places = [*parts(whole), *(k + whole.index(b"half") for k in range(4)), *range(96, 160), *range(800, 1000, 4)]
    refused = 0
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        for read in (tw.load_hdf5, inspected):
            try:
                read(path)
            except tw.FileError:
                refused += 1
    assert refused > 20


def test_a_damaged_dataset_leaves_the_others_to_be_inspected(path: Path) -> None:
    with h5py.File(path, "w") as file:
        file["half"] = np.ones((3, 2), "f2")
        address = h5py.h5o.get_info(file["half"].id).addr
        file["values"] = np.arange(6.0)
    damaged = bytearray(path.read_bytes())
    damaged[address] = 77
    path.write_bytes(damaged)
    assert "half: cannot be read" in inspected(path) and "values" in inspected(path)
    with pytest.raises(tw.FileError, match="half: cannot be read"):
        tw.load_hdf5(path, "half")
