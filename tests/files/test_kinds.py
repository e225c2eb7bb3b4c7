"""Sparse, quantized, meta and named tensors in files, both ways."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from typing import Any

import pytest

import tensorwidgets as tw
from tests.files.freeze_files import FROZEN
from tests.files.hostile import number, pt, storage, tensor, text
from tests.files.kinds import KINDS, words
from tests.files.test_trees import plain, saved


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_comes_back(name: str) -> None:
    value = KINDS[name](tw)
    assert words(tw.load(saved(value))) == words(value)


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_of_pytorchs_is_read(name: str) -> None:
    with zipfile.ZipFile(FROZEN) as archive:
        data, told = archive.read(f"kinds/{name}.pt"), json.loads(archive.read("kinds.json"))[name]
    assert plain(words(tw.load(io.BytesIO(data)))) == told


@pytest.mark.torch
@pytest.mark.parametrize("name", KINDS)
def test_pytorch_reads_each_kind_of_ours(name: str) -> None:
    import torch

    value = KINDS[name](tw)
    assert words(torch.load(saved(value), weights_only=True)) == words(value)


def named() -> Any:
    return tw.ones(2, 3, names=("N", "C"))


def test_names_of_dimensions_are_kept() -> None:
    found = tw.load(saved([named(), named().t(), tw.ones(2, names=(None,))]))
    assert [t.names for t in found] == [("N", "C"), ("C", "N"), (None,)]
    assert (found[0] + found[0]).names == ("N", "C")


@pytest.mark.torch
def test_pytorch_reads_named_tensors_and_keeps_the_names_as_an_attribute() -> None:
    import torch

    found = torch.load(saved(named()), weights_only=True)
    assert found.tensorwidgets_names == ("N", "C")
    assert found.tolist() == named().tolist()


@pytest.mark.parametrize("location", ["meta", {"cpu": "meta"}])
def test_kinds_as_shapes_alone(location: Any) -> None:
    found = tw.load(saved({"s": tw.eye(3).to_sparse(), "x": tw.ones(2, 3).t()}), map_location=location)
    assert found["x"].is_meta and found["x"].stride() == (1, 3)
    assert found["s"].is_meta and found["s"].shape == (3, 3)


LONG = b"ctorch\nLongStorage\n"


def sparse(indices: list[int], count: int, size: tuple[int, ...], coalesced: bytes = b"N") -> bytes:
    """A file with a sparse tensor of two dimensions."""
    held = {"data/0": struct.pack(f"<{len(indices)}q", *indices), "data/1": struct.pack(f"<{count}f", *range(count))}
    across = tensor(storage(LONG, "0", len(indices)), size=(2, len(indices) // 2), stride=(len(indices) // 2, 1))
    values = tensor(storage(key="1", length=count), size=(count,))
    whole = b"ctorch\nSize\n(" + b"".join(map(number, size)) + b"t\x85R"
    layout = b"ctorch.serialization\n_get_layout\n" + text("torch.sparse_coo") + b"\x85R"
    parts = b"(" + across + values + whole + coalesced + b"t"
    return pt(b"\x80\x02ctorch._utils\n_rebuild_sparse_tensor\n" + layout + parts + b"\x86R.", held)


def test_a_sparse_tensor_written_by_hand_is_read() -> None:
    found = tw.load(io.BytesIO(sparse([0, 1, 2, 0], 2, (2, 3))))
    assert found.to_dense().tolist() == [[0, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize(
    "data",
    [
        sparse([0, 9, 0, 0], 2, (2, 3)), sparse([0, -1, 0, 0], 2, (2, 3)), sparse([0, 1, 2, 0], 3, (2, 3)),
        sparse([0, 1, 2, 0], 2, (2, 3, 4)), sparse([1, 0, 0, 0], 2, (2, 3), b"\x88"), sparse([0, 0], 1, (-2, 3)),
        sparse([0, 0, 1, 1], 2, (2, 3), b"\x88"),
    ],
    ids=["too large", "negative", "too many values", "a dimension too many", "not in order", "negative size", "twice"],
)  # fmt: skip
def test_sparse_tensors_that_do_not_hold_together_are_refused(data: bytes) -> None:
    with pytest.raises(tw.FileError):
        tw.load(io.BytesIO(data))


def quantized(how: bytes, kind: bytes = b"ctorch\nQInt8Storage\n") -> bytes:
    words = storage(kind) + number(0) + b"K\4\x85K\1\x85" + how + b"\x89ccollections\nOrderedDict\n)R"
    return pt(b"\x80\x02ctorch._utils\n_rebuild_qtensor\n(" + words + b"tR.", {"data/0": b"\1\2\3\4"})


HALF = b"G" + struct.pack(">d", 0.5)


def test_a_quantized_tensor_written_by_hand_is_read() -> None:
    found = tw.load(io.BytesIO(quantized(b"ctorch\nper_tensor_affine\n" + HALF + b"K\2\x87")))
    assert found.dequantize().tolist() == [-0.5, 0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    "how",
    [
        b"N", b"ctorch\nper_tensor_affine\nK\1K\2\x87", b"ctorch\nper_tensor_affine\n" + HALF + HALF + b"\x87",
        b"ctorch\nper_tensor_affine\n" + HALF + number(1 << 70) + b"\x87",
        b"ctorch\nper_tensor_affine\nG" + struct.pack(">d", float("nan")) + b"K\2\x87",
        b"(ctorch\nper_channel_affine\nNNK\0t", b"(ctorch\nper_channel_affine\n" + tensor() * 2 + b"K\7t",
    ],
)  # fmt: skip
def test_quantized_tensors_without_sense_are_refused(how: bytes) -> None:
    with pytest.raises(tw.FileError):
        tw.load(io.BytesIO(quantized(how)))


def test_a_class_of_ones_own_is_refused_and_told_what_to_write() -> None:
    class Mine(tw.Tensor):
        pass

    with pytest.raises(tw.FileError, match="class .*Mine") as refusal:
        tw.save(tw.ones(2).as_subclass(Mine), io.BytesIO())
    assert "as_subclass(torch.Tensor)" in refusal.value.__notes__[0]
