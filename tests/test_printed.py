"""Programs in the folders called printed print the same as on PyTorch."""

from __future__ import annotations

from pathlib import Path

import pytest

import tensorwidgets as tw
from tests.printed import disagreements, files, printed, read

FILES = pytest.mark.parametrize("path", files(), ids=lambda path: f"{path.parents[1].name}-{path.stem}")


@FILES
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # loaders have workers
def test_programs_print_the_same(path: Path) -> None:
    programs = read(path)[1]
    assert programs and all(program.text for program in programs)
    wrong = disagreements(tw, path)
    assert not wrong, f"{len(wrong)} differ\n" + "\n\n".join(wrong)


def test_a_difference_is_found() -> None:
    assert printed("print(torch.ones(2) * 3)", tw) == "tensor([3., 3.])"
    assert printed("torch.ones(2) @ torch.ones(3)", tw).startswith("RuntimeError: ")


def test_a_program_that_imports_pytorch_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("# A head\n\nif True:\n    import torch\nprint(torch.ones(2))\n#: tensor([1., 1.])\n")
    with pytest.raises(ValueError, match="own.txt: a program is given torch"):
        read(file)


def test_a_file_that_begins_with_a_program_is_refused(tmp_path: Path) -> None:
    """Its first program would not be run."""
    file = tmp_path / "own.txt"
    file.write_text("# a title\nx = 1\nprint(x)\n#: 1\n\n# another\nprint(2)\n#: 2\n")
    with pytest.raises(ValueError, match="own.txt: it begins with a program"):
        read(file)


@pytest.mark.torch
@FILES
def test_programs_are_pytorchs_still(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    # PyTorch's tools for tests, which other tests of ours import, forbid programs to set its switches.
    monkeypatch.setitem(torch.backends.flags_frozen.__globals__, "__allow_nonbracketed_mutation_flag", True)
    assert disagreements(torch, path) == []
