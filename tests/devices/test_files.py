"""Files of tensors on a GPU: where they were is in the file, and `map_location` says where they go."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

import tensorwidgets as tw


@pytest.fixture
def saved() -> Any:
    with tw.cuda.simulate(2):
        g = tw.arange(6.0, device="cuda").reshape(2, 3).t()
        file = io.BytesIO()
        tw.save({"g": g, "h": tw.ones(2, device="cuda:1", requires_grad=True), "row": g[0]}, file)
        del g
        yield file


@pytest.mark.parametrize(
    ("where", "g", "h"),
    [
        (None, "cuda:0", "cuda:1"),
        ("cpu", "cpu", "cpu"),
        ("cuda:1", "cuda:1", "cuda:1"),
        (tw.device("cuda"), "cuda:0", "cuda:0"),
        ({"cuda:0": "cpu"}, "cpu", "cuda:1"),
        ({"cuda:1": "cuda:0"}, "cuda:0", "cuda:0"),
        (lambda storage, location: storage, "cpu", "cpu"),
        (lambda storage, location: None, "cuda:0", "cuda:1"),
    ],
)
def test_map_location(saved: io.BytesIO, where: str | dict | Callable | None, g: str, h: str) -> None:
    saved.seek(0)
    loaded = tw.load(saved, map_location=where)
    assert (str(loaded["g"].device), str(loaded["h"].device), loaded["h"].requires_grad) == (g, h, True)
    assert loaded["g"].stride() == (1, 3) and loaded["g"].tolist() == [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]
    assert loaded["row"].untyped_storage().data_ptr() == loaded["g"].untyped_storage().data_ptr()
    del loaded


def test_without_a_gpu_the_file_is_refused() -> None:
    with tw.cuda.simulate():
        file = io.BytesIO()
        tw.save(tw.ones(2, device="cuda"), file)
    file.seek(0)
    with pytest.raises(tw.FileError, match="^Attempting to deserialize object on a CUDA device"):
        tw.load(file)


@pytest.mark.torch
def test_pytorch_reads_it(saved: io.BytesIO) -> None:
    import torch

    saved.seek(0)
    loaded = torch.load(saved, map_location="cpu")
    assert loaded["g"].tolist() == [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]] and loaded["h"].requires_grad
    saved.seek(0)
    with pytest.raises(RuntimeError, match="Attempting to deserialize object on a CUDA device"):
        torch.load(saved)
