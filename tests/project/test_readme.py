"""What the README tells people to type is what the project does."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest

from tensorwidgets.course import cli
from tensorwidgets.course.marking import walls
from tensorwidgets.course.shelf import LESSONS
from tests.project.running import ROOT, run_python

RUN = 'pip install ".[lab]" && tensorwidgets lab'
TEST = 'pip install ".[test]" && pytest'
FOR_A_CLASS = ["tensorwidgets release --for students handout", "tensorwidgets check collected"]
BADGE = "https://mybinder.org/v2/gh/OWNER/REPOSITORY/HEAD?labpath="


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def commands(name: str) -> list[str]:
    """The lines of a document's shell blocks."""
    return [line for block in re.findall(r"^```sh\n(.*?)^```", text(name), re.M | re.S) for line in block.splitlines()]


def test_the_readme_has_one_line_before_the_two_commands() -> None:
    environment, *rest = commands("README.md")
    assert "-m venv" in environment
    assert rest == [RUN, TEST, *FOR_A_CLASS]


def test_the_lines_for_a_class_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hand out, collect, look: word by word, where one student hands in what was handed out."""
    monkeypatch.chdir(tmp_path)
    release, check = (line.split()[1:] for line in FOR_A_CLASS)
    assert cli.main(release) == 0
    (tmp_path / "collected" / "anna").mkdir(parents=True)
    shutil.copy(tmp_path / "handout" / "01_numbers_in_a_box.ipynb", tmp_path / "collected" / "anna")
    assert cli.main(check if walls.can_contain() else [*check, "--uncontained"]) == 0
    assert "anna" in (tmp_path / "marks.html").read_text(encoding="utf-8")


def test_the_extras_exist() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    asked_for = {
        extra for name in ("README.md", "CONTRIBUTING.md") for extra in re.findall(r'"\.\[(\w+)\]"', text(name))
    }
    assert asked_for == {"lab", "test"}
    assert asked_for < set(project["optional-dependencies"])


def test_the_options_exist() -> None:
    for command in re.findall(r"`tensorwidgets ([^`]*)`", text("README.md")):
        words = command.split()
        asked, rest = cli.parser().parse_known_args(words)
        assert asked.command in ("lab", "progress", "reset", "doctor") and rest == [], command


def python_blocks() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", text("README.md"), re.M | re.S)


def test_the_python_in_the_readme_runs() -> None:
    ours = [block for block in python_blocks() if "import torch\n" not in block]
    assert len(ours) == 2
    for block in ours:
        run_python(block)


@pytest.mark.torch
def test_the_readmes_lines_for_pytorch_run() -> None:
    (block,) = (block for block in python_blocks() if "import torch\n" in block)
    told = run_python(block.replace("why(", "print(why(") + ")")
    assert "copy" in told and "96 bytes" in told


def test_binder_opens_the_first_lesson() -> None:
    """The badge's link names no repository, since a copy has its own.

    It opens a copy in which nothing has been run: the committed outputs would answer every prediction in advance.
    """
    opened = {unquote(path) for path in re.findall(re.escape(BADGE) + r"([^\s)]+)", text("README.md"))}
    assert text("README.md").count(BADGE) == 2 and opened == {f"{cli.FOLDER}/{LESSONS[0].file}"}
    assert f"\ntensorwidgets release --for students {cli.FOLDER}\n" in text("binder/postBuild")


def test_the_pictures_have_words() -> None:
    first, second = re.findall(r'<img[^>]*? alt="([^"]+)"', text("README.md"))
    assert "v[1, 2]" in first and "1 + 1*1 + 2*4 = 10" in first
    assert "8\n  heads" in second and "65,536 bytes" in second


@pytest.mark.parametrize("name", [".ci/run", ".github/workflows/ci.yml"])
def test_continuous_integration_runs_the_same_command(name: str) -> None:
    commands = [TEST, "pytest -m thorough", "pytest -m torch"]
    places = [text(name).find(command) for command in commands]
    assert -1 not in places and places == sorted(places)


@pytest.mark.parametrize("name", [".ci/run", "binder/postBuild", "binder/start"])
def test_scripts_can_be_run_and_stop_at_the_first_failure(name: str) -> None:
    assert (ROOT / name).stat().st_mode & 0o111
    assert text(name).startswith("#!/usr/bin/env bash\n") and "\nset -euo pipefail\n" in text(name)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/differences.md"])
def test_links_between_documents_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)|(?:src|srcset)=\"([^\"]+)\"", text(name)):
        target = "".join(target)
        if "://" not in target:
            assert ((ROOT / name).parent / target).exists(), target


def test_binder_pins_exactly_and_leaves_jupyterlab_to_its_host() -> None:
    pins = [line for line in text("binder/requirements.txt").splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w-]+==[\d.]+", pin) for pin in pins)
    pinned = {pin.split("==")[0] for pin in pins}
    needed = {re.split("[<>=]", d)[0] for d in tomllib.loads(text("pyproject.toml"))["project"]["dependencies"]}
    assert needed | {"jupyterlab_widgets"} <= pinned
    assert not pinned & {"jupyterlab", "pytest", "nbval", "playwright"}
