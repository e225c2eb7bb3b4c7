"""The set-up check asks for what the project asks for, and says what to do rather than raise."""

from __future__ import annotations

import json
import re
import sys
import tomllib

import pytest

from tensorwidgets.course import doctor, needs, setup_check
from tensorwidgets.course.shelf import NOTEBOOKS
from tests.project.running import ROOT


def test_needs_are_the_projects_own() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [f"{n.package}>={n.least}" for n in needs.NEEDS] == project["dependencies"]
    for_the_photograph = {f"{n.package}>={n.least}" for n in needs.FOR_THE_PHOTOGRAPH}
    assert for_the_photograph <= set(project["optional-dependencies"]["lab"])
    assert project["requires-python"] == ">=3.11"


def test_what_the_lessons_import_is_what_the_lab_brings() -> None:
    """In a fresh environment, not only where somebody has installed more."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    brought = {re.split("[<>=]", d)[0] for d in project["dependencies"] + project["optional-dependencies"]["lab"]}
    imported_as = {"scikit-learn": "sklearn", "pillow": "PIL"}
    known = {imported_as.get(name, name) for name in brought} | set(sys.stdlib_module_names)
    imported = set()
    for lesson in NOTEBOOKS:
        for cell in json.loads(lesson.source.read_text(encoding="utf-8"))["cells"] if lesson.ready else ():
            code = "".join(cell["source"]) if cell["cell_type"] == "code" else ""
            imported |= set(re.findall(r"^ *(?:import|from) (\w+)", code, re.M))
    assert {"numpy", "pandas"} <= imported <= known | {"tensorwidgets"}
    assert set(doctor.FOR_THE_LAB) - {"jupyterlab_widgets"} <= brought


def test_all_is_here(capsys: pytest.CaptureFixture[str]) -> None:
    setup_check()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(needs.NEEDS) + len(needs.FOR_THE_PHOTOGRAPH) + 3
    assert any(" scikit-learn " in line for line in lines) and any(" pillow " in line for line in lines)
    assert all(line.startswith("ok ") for line in lines[:-2])
    assert lines[-2:] == ["", "Everything is here."]


def test_what_is_missing_is_named_with_a_way_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = needs.Need("no-such-package", "no_such_module", "1", "nothing")
    monkeypatch.setattr(needs, "NEEDS", (*needs.NEEDS, missing))
    setup_check()
    told = capsys.readouterr().out
    assert "MISSING  no-such-package 1 or later: nothing\n" in told
    assert 'pip install "no-such-package>=1"' in told
    assert told.endswith("\n1 to fix.\n")


def test_no_installed_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    setup_check()
    printed = set(re.findall(r"\d+(?:\.\d+)*", capsys.readouterr().out.replace("float8", "").replace("bfloat16", "")))
    assert printed <= {"3.11", "5", *(n.least for n in needs.NEEDS + needs.FOR_THE_PHOTOGRAPH)}
