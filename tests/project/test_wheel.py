"""What `pip install` gets: pure Python, typed, with the lessons in it, standing by itself."""

from __future__ import annotations

import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from tests.project.running import ROOT, run_module, run_python


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    return folder / run_python(build, str(folder)).split()[-1]


def test_wheel_is_pure_python(wheel: Path) -> None:
    assert wheel.name == "tensorwidgets-0.1.0-py3-none-any.whl"


def test_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    shipped = {n for n in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in n}
    package = ROOT / "tensorwidgets"
    present = {
        p.relative_to(ROOT).as_posix()
        for p in package.rglob("*")
        if p.is_file() and not {"__pycache__", ".ipynb_checkpoints"} & set(p.parts)
    }
    settings = "tensorwidgets-0.1.0.data/data/etc/jupyter/jupyter_server_config.d/tensorwidgets.json"
    assert shipped == present | {settings}
    assert "tensorwidgets/py.typed" in shipped
    assert "tensorwidgets/course/lessons/00_start_here.ipynb" in shipped


def test_wheel_says_what_it_needs(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        info = {Path(n).name: archive.read(n).decode() for n in archive.namelist() if ".dist-info/" in n}
    metadata = Parser().parsestr(info["METADATA"])
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "BSD-3-Clause"
    assert set(metadata.get_all("Provides-Extra", [])) == {"lab", "gpu", "parallel", "test"}
    assert "tensorwidgets = tensorwidgets.course.cli:main" in info["entry_points.txt"]
    assert "The tensorwidgets authors" in info["LICENSE"]


def test_wheel_stands_by_itself(wheel: Path, tmp_path: Path) -> None:
    """The command line of the unpacked wheel lists the lessons, far from the checkout."""
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    where = run_python("import tensorwidgets; print(tensorwidgets.__file__)", cwd=tmp_path, PYTHONPATH=str(site))
    assert where.startswith(str(site))
    listed = run_module("tensorwidgets.course.cli", "list", cwd=tmp_path, PYTHONPATH=str(site))
    assert listed.startswith("00  Start here")
