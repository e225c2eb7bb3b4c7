"""A disk that is full in the middle of a save: one clear error, the old file whole, and a process that lives on.

Run in a child that may write no more than so many bytes to a file.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SAVE = """
import gc, os, resource, signal, sys
import tensorwidgets as tw
from tensorwidgets.engine.files.formats import hdf5

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # so that the write fails, as it does on a full disk
limit, large = int(sys.argv[1]), sys.argv[2] == "large"
if large:
    hdf5._SMALL = 0
x = {"a": {"x": tw.arange(float(1 << 18)), "empty": {}}, "y": tw.ones(1000), **{str(k): tw.ones(9) for k in range(50)}}
tw.save_hdf5("x", {"x": tw.ones(3)})
for options in ({}, {"chunks": True, "compression": "gzip"}, {"chunks": (7,)}):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        tw.save_hdf5("x", {"y": tw.rand(5000)} if options.get("chunks") == (7,) else x, **options)
    except OSError as error:
        assert error.errno == 27, error
        assert "ref count" not in str(error)
    else:
        raise SystemExit(f"nothing was refused, with {options}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    gc.collect()
    assert tw.load_hdf5("x")["x"].tolist() == [1, 1, 1] and os.listdir() == ["x"]
tw.save_hdf5("x", x)
assert tw.load_hdf5("x")["a"]["x"].equal(x["a"]["x"]) and os.listdir() == ["x"]
"""


@pytest.mark.parametrize(("limit", "size"), [(1000, "small"), (0, "large"), (9000, "large")])
def test_a_full_disk_is_one_clear_error(limit: int, size: str, tmp_path: Path, root: Path) -> None:
    command = [sys.executable, "-c", SAVE, str(limit), size]
    done = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(root)}, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
