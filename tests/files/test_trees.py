"""Trees of objects cross over: ours to ours, PyTorch's (frozen) to ours, and both ways with PyTorch itself."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.interop.parameter import Parameter
from tests.files.freeze_files import FROZEN, LIVE_TREES
from tests.files.trees import grow, told

OWN_TREES = range(300)


def saved(value: Any, library: Any = tw, **options: Any) -> io.BytesIO:
    file = io.BytesIO()
    library.save(value, file, **options)
    file.seek(0)
    return file


@pytest.mark.parametrize("part", range(6))
def test_trees_come_back_as_they_were(part: int) -> None:
    for number in OWN_TREES[part::6]:
        tree = grow(number, tw, Parameter)
        assert told(tw.load(saved(tree))) == told(tree), number


def test_the_same_tree_gives_the_same_bytes() -> None:
    for number in OWN_TREES[::10]:
        first, second = (saved(grow(number, tw, Parameter)).getvalue() for _ in range(2))
        assert first == second, number


def frozen() -> list[tuple[str, bytes, Any]]:
    with zipfile.ZipFile(FROZEN) as archive:
        words = json.loads(archive.read("told.json"))
        return [(name, archive.read(name), words[name]) for name in words]


@pytest.mark.parametrize("form", ["zip", "legacy"])
def test_files_of_pytorch_are_read(form: str) -> None:
    files = [file for file in frozen() if file[0].startswith(form)]
    assert len(files) >= 60
    for name, data, words in files:
        assert plain(told(tw.load(io.BytesIO(data)))) == words, name


def plain(words: Any) -> Any:
    """What JSON makes of it."""
    return json.loads(json.dumps(words))


@pytest.mark.torch
@pytest.mark.parametrize("part", range(4))
def test_pytorch_reads_ours(part: int) -> None:
    import torch

    for number in LIVE_TREES[part::4]:
        tree = grow(number, tw, Parameter)
        found = torch.load(saved(tree), weights_only=True)
        assert told(found) == told(tree), number


@pytest.mark.torch
@pytest.mark.parametrize("new", [True, False])
def test_we_read_pytorchs(new: bool) -> None:
    import torch

    for number in LIVE_TREES:
        tree = grow(number, torch, torch.nn.Parameter)
        found = tw.load(saved(tree, torch, _use_new_zipfile_serialization=new))
        assert told(found) == told(tree), number


@pytest.mark.torch
def test_the_bytes_are_pytorchs() -> None:
    """But for the number by which a file may be told apart, ours are PyTorch's bytes where text is interned alike."""
    import torch

    x, y = tw.arange(6.0).reshape(2, 3), torch.arange(6.0).reshape(2, 3)
    ours = saved({"a": x, "b": [x.t(), x[1:]], "c": (1, 2.5, None, True)}).getvalue()
    theirs = saved({"a": y, "b": [y.t(), y[1:]], "c": (1, 2.5, None, True)}, torch).getvalue()
    assert len(ours) == len(theirs)
    mine, other = zipfile.ZipFile(io.BytesIO(ours)), zipfile.ZipFile(io.BytesIO(theirs))
    assert mine.namelist() == other.namelist()
    assert [n for n in mine.namelist() if mine.read(n) != other.read(n)] == ["archive/.data/serialization_id"]
    assert [i.header_offset for i in mine.infolist()] == [i.header_offset for i in other.infolist()]
