"""What a killed save leaves behind is cleared by the next one; what a living one writes is not touched."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.files.disk import temporary_file
from tensorwidgets.engine.files.disk.temporary_file import hidden_file_beside

SAVE_AND_WAIT = """
import sys
from tensorwidgets.engine.files.disk.temporary_file import hidden_file_beside
with hidden_file_beside(sys.argv[1]) as path:
    open(path, "wb").write(bytes(1000))
    print(path, flush=True)
    sys.stdin.read()
"""


def waiting(path: Path, root: Path) -> subprocess.Popen[str]:
    """A process in the middle of a save."""
    command = [sys.executable, "-c", SAVE_AND_WAIT, str(path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root)
    assert process.stdout is not None and process.stdout.readline().strip().endswith(".part")
    return process


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_the_next_save_clears_what_killed_ones_left_and_spares_living_ones(tmp_path: Path, root: Path) -> None:
    path = tmp_path / "x.pt"
    first, living, last = (waiting(path, root) for _ in range(3))
    try:
        assert len(names(tmp_path)) == 6
        for process in (first, last):
            process.send_signal(signal.SIGKILL)
            process.wait(60)
        assert len(names(tmp_path)) == 6  # nobody cleans up after a kill
        tw.save("new", path)
        assert len(names(tmp_path)) == 3 and tw.load(path) == "new"
        parts = [p for p in tmp_path.iterdir() if p.suffix == ".part"]
        assert [len(p.read_bytes()) for p in parts] == [1000]
    finally:
        living.communicate(timeout=60)
    assert names(tmp_path) == ["x.pt"]
    assert [p.returncode for p in (first, living, last)] == [-signal.SIGKILL, 0, -signal.SIGKILL]


@pytest.mark.parametrize("save", [
    lambda path: tw.save(tw.ones(3), path), lambda path: tw.save_hdf5(path, {"x": tw.ones(3)}),
    lambda path: tw.save_safetensors(path, {"x": tw.ones(3)}), lambda path: tw.save_npz(path, {"x": tw.ones(3)}),
    lambda path: tw.save_npy(path, tw.ones(3)),
])  # fmt: skip
def test_every_format_clears_what_is_left(save: object, tmp_path: Path, root: Path) -> None:
    with hidden_file_beside(str(tmp_path / "x")) as hidden:
        lock = hidden.removesuffix(".part") + ".lock"
    Path(hidden).write_bytes(b"half")
    Path(lock).write_bytes(b"")
    save(tmp_path / "x")  # type: ignore[operator]
    assert names(tmp_path) == ["x"]


def test_files_of_another_computer_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hidden_file_beside(str(tmp_path / "x.pt")) as hidden:
        other = Path(hidden.replace(temporary_file._boot_id(), "another1"))
    other.write_bytes(b"half")
    other.with_suffix(".lock").write_bytes(b"")
    tw.save(1, tmp_path / "x.pt")
    assert other.read_bytes() == b"half" and len(names(tmp_path)) == 3


def test_links_and_pipes_by_the_name_of_a_lock_are_not_followed(tmp_path: Path) -> None:
    with hidden_file_beside(str(tmp_path / "x.pt")) as hidden:
        lock = hidden.removesuffix(".part") + ".lock"
    victim = tmp_path / "victim"
    victim.write_text("kept")
    os.symlink(victim, lock)
    os.mkfifo(lock.replace("-0.lock", "-1.lock"))
    os.symlink(victim, hidden.replace("-0.part", "-2.part"))
    tw.save(1, tmp_path / "x.pt")
    assert victim.read_text() == "kept" and tw.load(tmp_path / "x.pt") == 1


def test_many_threads_save_to_one_name(tmp_path: Path) -> None:
    path = tmp_path / "x.pt"
    errors: list[BaseException] = []

    def save(number: int) -> None:
        try:
            for _ in range(10):
                tw.save({"number": number, "x": tw.full((100,), number)}, path)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=save, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == [] and names(tmp_path) == ["x.pt"]
    found = tw.load(path)
    assert (found["x"] == found["number"]).all()


def test_where_there_are_no_locks_the_names_are_random(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temporary_file, "_boot_id", lambda: "")
    with hidden_file_beside(str(tmp_path / "x.pt")) as one, hidden_file_beside(str(tmp_path / "x.pt")) as other:
        assert one != other and names(tmp_path) == sorted(map(os.path.basename, (one, other)))
    assert names(tmp_path) == []


def test_long_names_are_cut_by_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / ("漢" * 83)
    tw.save(3, path)
    assert tw.load(path) == 3
