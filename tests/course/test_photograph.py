"""The photograph of the course: a tensor of the caller's library, fresh at each call, and a clear word without it."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

import tensorwidgets
from tensorwidgets.course import photo, photograph


def of_pytorch() -> Any:
    exec("import torch; made = photo()", names := {"photo": photo})
    return names["made"]


def test_it_is_a_tensor_of_ours() -> None:
    made = photo()
    assert type(made).__module__.startswith("tensorwidgets")
    assert tuple(made.size()) == (96, 128, 3) and made.stride() == (384, 3, 1) and str(made.dtype) == "torch.uint8"


@pytest.mark.torch
def test_it_is_a_tensor_of_the_callers_library() -> None:
    ours, theirs = photo(), of_pytorch()
    assert type(theirs).__module__ == "torch"
    assert ours.tolist() == theirs.tolist()


def test_the_flower_is_orange_before_a_dark_green() -> None:
    red, green, blue = photo()[48, 64].tolist()
    assert red > green > blue
    corner = photo()[:8, :8].float().mean((0, 1)).tolist()
    assert max(corner) < 100 and corner[0] < min(corner[1:])


def test_a_write_into_one_photograph_leaves_the_next_as_it_was() -> None:
    before = photo()
    photo().zero_()
    assert tensorwidgets.equal(photo(), before)
    with pytest.raises(ValueError, match="read-only"):
        photograph.pixels()[0, 0, 0] = 1


@pytest.mark.parametrize(("name", "package"), [("sklearn", "scikit-learn"), ("PIL", "pillow")])
def test_it_says_what_to_install(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photograph, "find_spec", lambda asked: None if asked == name else find_spec(asked))
    with pytest.raises(ModuleNotFoundError, match=rf"needs {package}, .*tensorwidgets\[lab\]"):
        photograph._file()
