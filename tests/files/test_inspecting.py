"""inspect_file: what a file holds, without loading it, and with every name escaped."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tests.files.hostile import FOUR, Attack, calls, pt, storage, tensor, text
from tests.files.kinds import KINDS
from tests.files.test_trees import frozen, saved
from tests.pictures.parsed import parse

INJECTIONS = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'-alert(1)-'", "\u202egnp.exe", "a\nb\x00c",
    "</table></div>", "&lt;", "javascript:alert(1)", "x" * 5000, "<!--",
]  # fmt: skip


def told(value: Any, *place: Any) -> Any:
    return tw.inspect_file(saved(value), *place).anatomy


def test_tensors_are_listed_with_their_places() -> None:
    x = tw.arange(6.0).reshape(2, 3)
    found = told({"layers": [{"w": x.t()}, x[1:]], "n": 7})
    assert [(t.place, t.words()) for t in found.tensors] == [
        ("['layers'][0]['w']", "tensor float32 [3, 2], stride [1, 3], data/0"),
        ("['layers'][1]", "tensor float32 [1, 3], offset 3, data/0"),
    ]
    assert found.loadable and found.refused == () and found.problems == ()
    assert [r.name for r in found.records if r.kind == "storage"] == ["data/0"]


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_is_told(name: str) -> None:
    found = told(KINDS[name](tw))
    assert found.loadable
    assert found.tensors or name == "schemes"


def test_files_of_pytorch_are_told() -> None:
    for name, data, words in frozen():
        found = tw.inspect_file(io.BytesIO(data)).anatomy
        assert found.loadable, name
        told = str(words)
        assert len(found.tensors) == told.count("'Tensor', 'torch.") + told.count("'Parameter', 'torch."), name


def test_the_bytes_of_one_tensor_are_marked(tmp_path: Path) -> None:
    path = tmp_path / "x.pt"
    x = tw.arange(100.0)
    tw.save({"x": x, "part": x[10:20]}, path)
    found = tw.inspect_file(path, "part")
    ((start, end),) = found.anatomy.touched
    assert path.read_bytes()[start:end] == x[10:20].numpy().tobytes()
    assert "touched: 40 of" in repr(found)


def test_strangers_are_named_and_what_they_hold_is_told() -> None:
    inside = b"\x80\x02c__main__\nNet\n)R}" + text("weight") + tensor() + b"sb."
    found = tw.inspect_file(io.BytesIO(pt(inside, {"data/0": FOUR}))).anatomy
    assert found.refused == ("__main__.Net",)
    assert [t.place for t in found.tensors] == [".weight"]
    assert not found.loadable


@pytest.mark.parametrize("data", [b"", b"import os\n", b"\x93NUMPY\x01", b"PK\5\6" + bytes(18)], ids=repr)
def test_a_file_of_another_program_is_not_called_one_of_pytorch(data: bytes) -> None:
    found = tw.inspect_file(io.BytesIO(data))
    assert "(not a file of PyTorch, " in repr(found)
    assert "1.6" not in repr(found)
    assert not found.anatomy.loadable


@pytest.mark.parametrize("key", INJECTIONS)
def test_no_name_from_a_file_becomes_html(key: str) -> None:
    words = b"\x80\x02}" + text(key) + tensor(storage(key=key)) + b"s."
    for data in (saved({key: tw.ones(2)}).getvalue(), pt(words), pt(calls("os", key.replace("\n", "")))):
        picture = tw.inspect_file(io.BytesIO(data))
        html = picture.html()
        for tag in ("<script", "<img", "onerror=alert(1)>", "</table></div></", "<!--", "\u202e", "\x00"):
            assert tag not in html, tag
        assert parse(html)
        assert max(map(len, repr(picture).splitlines())) < 500
        assert max(map(len, str(picture.anatomy).splitlines())) < 500


def test_nothing_is_loaded_and_nothing_runs() -> None:
    import os

    data = pt(pickle.dumps([Attack(os.system, "exit 1"), Attack(eval, "1/0")], 2))
    found = tw.inspect_file(io.BytesIO(data))
    assert found.anatomy.refused == ("posix.system" if os.name == "posix" else "nt.system", "__builtin__.eval")
    assert "posix.system" in found.html() or os.name != "posix"
    large = saved(tw.ones(1 << 22))
    read: list[int] = []
    file = Counting(large.getvalue(), read)
    tw.inspect_file(file)
    assert sum(read) < 100_000


class Counting(io.BytesIO):
    """A file that notes how much of it is read."""

    def __init__(self, data: bytes, read: list[int]):
        super().__init__(data)
        self._read = read

    def read(self, size: int | None = -1, /) -> bytes:
        found = super().read(size)
        self._read.append(len(found))
        return found

    def readinto(self, room: Any, /) -> int:
        self._read.append(len(room))
        return super().readinto(room)


def test_the_file_stands_where_it_stood() -> None:
    file = saved([tw.ones(2)])
    tw.inspect_file(file)
    assert file.tell() == 0
    assert tw.load(file)[0].tolist() == [1, 1]


def test_hdf5_is_told_with_the_chunks_that_a_slice_touches(tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    tw.save_hdf5(path, {"a": {"coords": tw.zeros(100, 8)}, "flat": tw.arange(100.0), "no": tw.empty(0)}, chunks=(10, 4))
    whole = tw.inspect_file(path)
    assert whole.anatomy.form == "HDF5"
    assert [t.place for t in whole.anatomy.tensors] == ["a/coords", "flat", "no"]
    assert len([r for r in whole.anatomy.records if r.name.startswith("a/coords")]) == 20
    assert len(tw.inspect_file(path, "a/coords", np.s_[-2:]).anatomy.touched) == 2
    assert len(tw.inspect_file(path, "a/coords", np.s_[5:15, 0]).anatomy.touched) == 2
    assert len(tw.inspect_file(path, "a/coords", np.s_[..., 5]).anatomy.touched) == 10
    assert len(tw.inspect_file(path, "a/coords").anatomy.touched) == 20
    with pytest.raises(tw.FileError, match="no dataset of that name"):
        tw.inspect_file(path, "b")


def test_the_picture_is_the_same_each_time(tmp_path: Path) -> None:
    path = tmp_path / "x.pt"
    tw.save({"x": tw.ones(3), "y": [tw.eye(2)] * 3}, path)
    assert tw.inspect_file(path).html() == tw.inspect_file(path).html()
    assert len(tw.inspect_file(path).html()) < 20_000


def test_many_tensors_are_told_in_a_few_lines() -> None:
    found = tw.inspect_file(saved([tw.ones(3) for _ in range(2000)]))
    assert len(found.html()) < 60_000
    assert "1,976 more" in repr(found) and "1,940 more" in str(found.anatomy)
