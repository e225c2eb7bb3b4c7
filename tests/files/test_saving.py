"""save: where it writes, what it refuses, what it warns of, and that what was there is never lost."""

from __future__ import annotations

import hashlib
import io
import os
import resource
import stat
import subprocess
import sys
import warnings
import zipfile
from collections import OrderedDict, namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.files.disk import progress, zip_write
from tests.files.test_trees import saved


def test_by_path_by_text_and_by_open_file(tmp_path: Path) -> None:
    x = tw.arange(6.0)
    tw.save(x, tmp_path / "a.pt")
    tw.save(x, str(tmp_path / "b.t"))
    with open(tmp_path / "c.pt", "wb") as file:
        tw.save(x, file)
    for name in ("a.pt", "b.t", "c.pt"):
        assert tw.load(tmp_path / name).tolist() == x.tolist()
        with open(tmp_path / name, "rb") as file:
            assert tw.load(file).tolist() == x.tolist()
    assert zipfile.ZipFile(tmp_path / "b.t").namelist()[0] == "b/data.pkl"
    assert zipfile.ZipFile(tmp_path / "c.pt").namelist()[0] == "archive/data.pkl"


@pytest.mark.parametrize(("name", "folder"), [("ключ.pt", "archive"), (".pt", ".pt"), ("a.b.pt", "a.b"), ("x", "x")])
def test_the_folder_inside_is_called_as_the_file(tmp_path: Path, name: str, folder: str) -> None:
    tw.save(1, tmp_path / name)
    assert zipfile.ZipFile(tmp_path / name).namelist()[0] == f"{folder}/data.pkl"
    assert tw.load(tmp_path / name) == 1


def test_records_stand_in_their_order_at_multiples_of_64() -> None:
    data = saved([tw.ones(3), tw.ones(200)]).getvalue()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        names = [name.partition("/")[2] for name in archive.namelist()]
        first = ["data.pkl", ".format_version", ".storage_alignment", "byteorder"]
        assert names == [*first, "data/0", "data/1", "version", ".data/serialization_id"]
        for info in archive.infolist():
            at = info.header_offset + 30 + sum(np.frombuffer(data, "<u2", 2, info.header_offset + 26))
            assert at % 64 == 0
        texts = [archive.read(f"archive/{name}") for name in (".format_version", ".storage_alignment", "version")]
        assert texts == [b"1", b"64", b"3\n"]


def test_the_same_bytes_in_every_process() -> None:
    line = (
        "import io, hashlib, tensorwidgets as tw; f = io.BytesIO();"
        "tw.save({'s': {'b', 'a', 'ccc', 'd', 5, 2.5, (1, 'x')}, 'f': frozenset('xyz'), 'x': tw.arange(5)}, f);"
        "print(hashlib.sha256(f.getvalue()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", line], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(found) == 1


def test_equal_texts_are_one_whether_they_are_one_object_or_two() -> None:
    one, two = "".join(["a", "bc"]), "".join(["ab", "c"])
    assert one is not two
    assert saved([one, two]).getvalue() == saved([one, one]).getvalue()


# -- whole or not at all -----------------------------------------------------------------------------------------


def test_a_refusal_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "x.pt"
    tw.save("old", path)
    with pytest.raises(tw.FileError):
        tw.save([tw.ones(10), print], path)
    assert tw.load(path) == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["x.pt"]


def test_a_full_disk_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "x.pt"
    tw.save("old", path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, hard))
    try:
        with pytest.raises(OSError):
            tw.save(tw.ones(1 << 20), path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert tw.load(path) == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["x.pt"]


def test_an_interruption_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.pt"
    tw.save("old", path)

    def interrupted(handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tw.save("new", path)
    assert tw.load(path) == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["x.pt"]


@pytest.mark.thorough
def test_killed_a_hundred_times_it_leaves_a_readable_file(tmp_path: Path, root: Path) -> None:
    command = [sys.executable, "-m", "tests.files.kill_while_saving", str(tmp_path), "100"]
    found = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120)
    whole, different, hidden, left = map(int, found.stdout.split())
    assert whole == 100 and hidden == left <= 2, (found.stdout, found.stderr)
    assert different >= 10  # some saves came through


def test_permissions_links_and_pipes_stay_what_they_are(tmp_path: Path) -> None:
    path, link = tmp_path / "x.pt", tmp_path / "link.pt"
    tw.save(1, path)
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    path.chmod(0o600)
    link.symlink_to(path)
    tw.save(2, link)
    assert link.is_symlink() and tw.load(path) == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    tw.save(3, os.devnull)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"^Parent directory .*/nowhere does not exist\.\n"):
        tw.save(1, tmp_path / "nowhere" / "x.pt")


# -- what is written ---------------------------------------------------------------------------------------------


def test_memory_seen_as_two_dtypes_is_written_once() -> None:
    x = tw.arange(4.0)
    data = saved([x, x.view(tw.int32), x.view(tw.uint8)[4:], x.untyped_storage()])
    assert [n for n in zipfile.ZipFile(data).namelist() if "data/" in n and "." not in n] == ["archive/data/0"]
    data.seek(0)
    a, b, c, s = tw.load(data)
    a[1] = 0.5
    assert b[1] == 0x3F000000
    assert c[:4].tolist() == [0, 0, 0, 0x3F]
    assert s.nbytes() == 16 and s.data_ptr() == a.data_ptr()


@pytest.mark.torch
def test_pytorch_reads_memory_seen_as_two_dtypes() -> None:
    import torch

    x = tw.arange(4.0)
    a, b = torch.load(saved([x, x.view(tw.int32)]), weights_only=True)
    assert a.data_ptr() == b.data_ptr() and b.tolist() == x.view(tw.int32).tolist()


def test_storages_are_written_as_what_they_are() -> None:
    x = tw.arange(4.0)
    typed, untyped = tw.load(saved([x.storage(), tw.arange(3, dtype=tw.uint8).untyped_storage()]))
    assert list(untyped) == [0, 1, 2] and untyped.nbytes() == 3
    assert typed.untyped().nbytes() == 16


def test_a_list_that_holds_itself_comes_back_so() -> None:
    x: list[Any] = [1]
    x += [x, (x,)]
    found = tw.load(saved(x))
    assert found[1] is found and found[2][0] is found


def test_one_object_twice_is_one_object_again() -> None:
    part = {"x": tw.ones(2)}
    first, second = tw.load(saved([part, part]))
    assert first is second


def test_deep_objects_are_refused_and_less_deep_ones_are_not() -> None:
    def nested(levels: int) -> Any:
        x: Any = 1
        for _ in range(levels):
            x = [x]
        return x

    assert tw.load(saved(nested(400))) == nested(400)
    with pytest.raises(tw.FileError, match="levels deep"):
        saved(nested(100_000))


Point = namedtuple("Point", "x y")  # noqa: PYI024


@pytest.mark.parametrize("layer", [tw.nn.LazyLinear(2), tw.nn.LazyBatchNorm1d()], ids=["parameter", "buffer"])
def test_what_has_no_size_yet_is_refused(layer: Any) -> None:
    with pytest.raises(tw.FileError, match="cannot write a tensor of the class UninitializedParameter"):
        tw.save(layer.state_dict(), io.BytesIO())


@pytest.mark.parametrize(
    ("value", "named", "way"),
    [
        (np.ones(2), "numpy.ndarray", "from_numpy"), (np.float64(2.5), "numpy.float64", "item()"),
        (Point(1, 2), "Point", "tuple(value)"), (lambda: 1, "function", ""), (print, "builtin_function", ""),
        (tw.Tensor, "object of type", ""), (range(3), "range", ""), (io.BytesIO(), "BytesIO", ""),
        (type("Mine", (dict,), {})(), "Mine", "dict(value)"),
    ],
    ids=["array", "NumPy's number", "named tuple", "lambda", "builtin", "class", "range", "file", "dict of a class"],
)  # fmt: skip
def test_what_could_only_be_read_by_running_code_is_refused(value: Any, named: str, way: str) -> None:
    with pytest.raises(tw.FileError, match="cannot write an object of") as refusal:
        saved({"value": value})
    assert named in str(refusal.value)
    assert way in "\n".join(refusal.value.__notes__)


def test_attributes_of_an_ordered_dict_are_kept() -> None:
    state = OrderedDict(weight=tw.ones(2))
    state._metadata = {"version": 2}  # type: ignore[attr-defined]
    assert tw.load(saved(state))._metadata == {"version": 2}


def test_the_arguments_of_pytorchs_save() -> None:
    import pickle

    assert tw.load(saved(1, pickle_module=pickle, pickle_protocol=4)) == 1
    with pytest.raises(RuntimeError, match="pickle_module"):
        saved(1, pickle_module=json_like)
    with pytest.raises(RuntimeError, match="before PyTorch 1.6"):
        saved(1, _use_new_zipfile_serialization=False)
    with pytest.raises(AttributeError, match="expected 'f' to be string, path, or a file-like object with a 'write'"):
        tw.save(1, 5)


class json_like:  # noqa: N801
    __name__ = "json"


# -- numbers that 32 bits do not hold ----------------------------------------------------------------------------


def test_large_files_have_large_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_write, "WIDE", 1000)  # as if files ended there
    value = [tw.arange(100.0), tw.arange(1000.0), tw.ones(3)]
    data = saved(value)
    assert b"\1\0\x18\0" in data.getvalue()
    assert zipfile.ZipFile(data).testzip() is None
    data.seek(0)
    assert [t.tolist() for t in tw.load(data)] == [t.tolist() for t in value]


@pytest.mark.torch
def test_pytorch_reads_large_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(zip_write, "WIDE", 2000)
    assert torch.load(saved([tw.arange(1000.0), tw.ones(3)]))[1].tolist() == [1, 1, 1]


# -- warnings and progress ---------------------------------------------------------------------------------------


def test_a_small_view_of_a_large_storage_is_warned_of_once() -> None:
    x = tw.zeros(1000, 1000)
    data = io.BytesIO()
    with pytest.warns(UserWarning) as caught:
        tw.save([x[0], x[1], x[2, :3]], data)
    assert len(caught) == 1
    assert "4,000,000 bytes" in str(caught[0].message) and "8,012" in str(caught[0].message)
    assert "x.clone()" in str(caught[0].message) and caught[0].filename == __file__
    assert len(data.getvalue()) > 4_000_000


def test_what_is_seen_is_not_warned_of() -> None:
    x = tw.zeros(1000, 1000)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        saved([x, x[0]])
        saved(x[0].clone())
        saved(x[:600])
        saved(tw.zeros(100)[:1])
    assert caught == []


def test_a_bar_appears_after_a_second(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    x = tw.zeros(3 << 20)
    data = saved(x)
    tw.load(data)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    saved(x)
    assert "saving" in capsys.readouterr().err
    data.seek(0)
    tw.load(data)
    assert "loading" in capsys.readouterr().err


def test_without_tqdm_there_is_no_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    x = tw.zeros(3 << 20)
    assert hashlib.sha256(saved(x).getvalue()).digest() == hashlib.sha256(saved(x).getvalue()).digest()
    assert capsys.readouterr().err == ""
