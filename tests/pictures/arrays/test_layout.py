"""What a layout knows: where things lie, who shares, and never more than a window of values."""

from __future__ import annotations

import resource
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets import why
from tensorwidgets.pictures import Layout, show
from tensorwidgets.pictures.arrays.reading import readers
from tensorwidgets.pictures.arrays.storages import storages_of
from tests.pictures.parsed import cells, keys, parse


def letters(*arrays: Any) -> list[tuple[str, int, int]]:
    return [(s.letter, s.unit, s.units) for s in storages_of([Layout.of(a) for a in arrays])]


def test_offset_counts_from_the_start_of_the_owner() -> None:
    x = np.arange(20.0)
    assert Layout.of(x[5:]).offset == 5
    assert Layout.of(x[5:][::-1]).offset == 19
    assert Layout.of(x[::-1]).stride == (-1,)
    assert Layout.of(np.frombuffer(bytes(32), np.float32, offset=8)).offset == 2
    assert Layout.of(np.lib.stride_tricks.as_strided(x[3:], (2, 2), (8, 8))).offset == 3


def test_as_strided_beyond_its_array_is_still_placed() -> None:
    x = np.arange(8.0)
    wide = np.lib.stride_tricks.as_strided(x[:4].copy(), (2,), (8,))
    assert Layout.of(wide).owner.nbytes == 32
    layout = Layout.of(np.lib.stride_tricks.as_strided(x[4:], (2,), (-64,)))
    assert layout.offset == 8 and layout.owner.nbytes == 8 * 12


def test_sharing_is_found_across_libraries() -> None:
    a = np.arange(6.0)
    t = tw.from_numpy(a)
    assert letters(a, t, t[2:], a.copy()) == [("A", 8, 6), ("B", 8, 6)]
    assert Layout.of(t).library == "tensorwidgets"
    assert Layout.of(t.numpy()[1:]).offset == 1


def test_merged_by_address_and_lettered_by_appearance() -> None:
    buffer = bytearray(64)
    left, right = np.frombuffer(buffer, np.uint8, 32), np.frombuffer(buffer, np.uint8, 32, 32)
    other = np.zeros(3)
    assert letters(other, right, left) == [("A", 8, 3), ("B", 1, 64)]
    assert letters(np.empty(0), np.empty(0)) == [("A", 8, 0), ("B", 8, 0)]


def test_units_are_the_common_divisor() -> None:
    z = np.arange(6.0)
    assert letters(z, z.view(np.float32)) == [("A", 4, 12)]
    assert letters(z, z.view(np.uint8)) == [("A", 1, 48)]
    packed = np.zeros(4, dtype=[("a", "u1"), ("b", "<i4")])
    assert letters(packed["b"]) == [("A", 1, 20)]
    page = parse(show(z[1:3], z.view(np.float32)[2:4], labels=["z", "f"]).html())
    z_cells, f_cells = (cells(table) for table in page.all("table", "tw-view"))
    assert [keys(td) for td in z_cells] == [[("A", 2), ("A", 3)], [("A", 4), ("A", 5)]]
    assert [keys(td) for td in f_cells] == [[("A", 2)], [("A", 3)]]
    assert "units of 4 bytes" in page.text()


def test_packed_records_are_told_in_bytes() -> None:
    packed = np.zeros(3, dtype=[("a", "u1"), ("b", "<i4")])
    layout = Layout.of(packed["b"])
    assert layout.sum_of((2,)) == "byte = 1 + 2*5 = 11 -> bytes 11..14"


def test_bytes_are_shown_where_sizes_meet() -> None:
    z = np.array([1.0])
    page = parse(show(z, z.view(np.uint8)[6:], labels=["z", "u"]).html())
    (strip,) = page.all("table", "tw-storage")
    assert [td.text() for td in cells(strip)] == ["0"] * 6 + ["240", "63"]


@pytest.mark.parametrize(
    "array",
    [
        np.array(3, np.int8),
        np.array([True, False]),
        np.array([1 + 2j]),
        np.array(["word", "a longer word"]),
        np.array(["2024-01-01"], dtype="datetime64[D]"),
        np.array([None, 1, "a"], dtype=object),
        np.array([float("nan"), float("inf"), -float("inf"), -0.0]),
        np.zeros((2, 0, 3)),
        np.ma.masked_array([1, 2], [True, False]),
        memoryview(b"abc"),
        bytearray(4),
        np.float32(2.5),
        np.arange(4, dtype=">i4"),
    ],
    ids=lambda a: f"{type(a).__name__}-{getattr(a, 'dtype', '')}",
)
def test_every_kind_of_array_can_be_drawn(array: Any) -> None:
    page = parse(show(array, labels=["x"]).html())
    (table,) = page.all("table", "tw-view")
    assert len(cells(table)) == np.asarray(array).size


def test_odd_values_have_glyphs_and_the_text_has_words() -> None:
    x = np.array([float("nan"), float("inf"), -float("inf")])
    picture = show(x, labels=["x"])
    (table,) = parse(picture.html()).all("table", "tw-view")
    assert [td.text() for td in cells(table)] == ["×", "∞", "−∞"]
    assert "nan" in repr(picture) and "-inf" in repr(picture)


def test_what_has_no_memory_is_refused_with_a_way_out() -> None:
    with pytest.raises(TypeError, match="list_or_tensor"):
        show([1, 2, 3])
    with pytest.raises(TypeError, match="draws arrays .* not a str$"):
        show("abc")
    with pytest.raises(TypeError, match="is a class"):
        show(np.ndarray)
    with pytest.raises(TypeError, match=r"drawn beneath the views that read it: show\(x\)"):
        show(tw.ones(2).storage())
    with pytest.raises(TypeError, match="at least one"):
        show()


def test_a_promised_conjugate_is_told_and_the_storage_shows_what_lies_there() -> None:
    x = tw.tensor([1 + 2j])
    assert Layout.of(x.conj()).values == (1 + 2j,)
    assert Layout.of(x.conj()).dtype == "complex64 read conjugated"
    assert Layout.of(x.conj().imag).dtype == "float32 read negated"
    # What is computed goes by the numbers that are read.
    c = x.conj()
    assert "= 1-2j + 1+2j = 2+0j" in repr(show.broadcast(c, x, labels=["c", "x"]))


@pytest.mark.torch
def test_pytorchs_promises_and_other_kinds_of_tensor() -> None:
    import torch

    x = torch.tensor([1 + 2j])
    ours = tw.tensor([1 + 2j])
    for theirs, mine in ((x.conj(), ours.conj()), (x.conj().imag, ours.conj().imag)):
        assert show(theirs, labels=["v"]).html().replace("PyTorch", "tensorwidgets") == show(mine, labels=["v"]).html()
    with pytest.raises(TypeError, match="unbind"):
        show(torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]))
    ragged = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged)
    with pytest.raises(ValueError, match="not known beforehand"):
        why("x.reshape(-1)", x=ragged)


def test_meta_tensors_have_places_and_no_values() -> None:
    layout = Layout.of(tw.empty(2, 3, device="meta"))
    assert layout.values is None and layout.device == "meta"
    page = parse(show(tw.empty(2, 3, device="meta"), labels=["x"]).html())
    assert [td.text() for td in cells(page.all("table", "tw-view")[0])] == [*"012345"]


class Strange:
    """An array of a library that nobody knows, with a protocol that everybody does."""

    def __init__(self, array: np.ndarray, protocol: str):
        self.array = array
        if protocol == "interface":
            self.__array_interface__ = array.__array_interface__

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


@pytest.mark.parametrize("protocol", ["interface", "dlpack"])
def test_protocols_share_memory(protocol: str) -> None:
    x = np.arange(6, dtype=np.int32)
    strange = Strange(x, protocol)
    (storage,) = storages_of([Layout.of(x), Layout.of(strange)])
    assert storage.units == 6 and storage.layouts[1].values == tuple(range(6))


class Cupy:
    """What a CuPy array offers, with memory that refuses to be read but in small blocks."""

    def __init__(self, array: np.ndarray, start: int, whole: int):
        self.array = array
        self.moved = 0
        self.__cuda_array_interface__ = {
            "shape": array.shape, "strides": array.strides, "typestr": array.dtype.str, "data": (start, False),
            "version": 3,
        }  # fmt: skip
        memory = type("Memory", (), {"ptr": start, "size": whole})()
        self.data = type("Pointer", (), {"ptr": start, "mem": memory})()
        self.device = type("Device", (), {"id": 0})()

    def __getitem__(self, block: Any) -> np.ndarray:
        part = self.array[block]
        self.moved += part.size
        assert part.size < 4000
        return part


def test_a_device_moves_no_more_than_the_window() -> None:
    array = Cupy(np.arange(1_000_000.0).reshape(1000, 1000), 4096, 8_000_000)
    layout = Layout.of(array)
    assert layout.device == "cuda:0" and layout.owner.nbytes == 8_000_000
    assert array.moved < 4000
    host = np.arange(4.0)
    assert [s.letter for s in storages_of([layout, Layout.of(host)])] == ["A", "B"]


@pytest.mark.parametrize("shape", [(1 << 15, 1 << 15), (1 << 30,), (1 << 10, 1 << 10, 1 << 10)])
def test_a_mapped_file_of_four_gigabytes_stays_on_disk(tmp_path: Path, shape: tuple[int, ...]) -> None:
    path = tmp_path / "large.bin"
    with path.open("wb") as file:
        file.truncate(4 << 30)
    mapped = np.memmap(path, np.float32, "r", shape=shape)
    show(np.ones((99, 99)), labels=["warm"]).html()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tracemalloc.start()
    html = show(mapped, mapped.T, labels=["x", "x.T"]).html()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert peak < 8 << 20
    assert grown * 1024 < 50 << 20
    assert len(html) < 200_000 and "of 1,073,741,824 cells are not drawn" in html


def test_readers_by_brute_force() -> None:
    """The count of cells that read a byte, for small views of any strides."""
    import itertools
    import random

    dice = random.Random(3)
    for _ in range(400):
        size = tuple(dice.randint(0, 4) for _ in range(dice.randint(0, 4)))
        stride = tuple(dice.randint(-5, 5) for _ in size)
        found: dict[int, list[tuple[int, ...]]] = {}
        for index in itertools.product(*map(range, size)):
            found.setdefault(sum(i * s for i, s in zip(index, stride, strict=True)), []).append(index)
        for target in range(-12, 13):
            hits = found.get(target, [])
            assert readers(size, stride, target) == (len(hits), min(hits) if hits else None)


@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8", "bool"])
def test_ours_and_numpy_give_the_same_bytes(dtype: str) -> None:
    a = np.arange(12).reshape(3, 4).astype(dtype)
    t = tw.tensor(a.tolist(), dtype=getattr(tw, dtype))
    numpy_html = show(a, a.T, a[1:, ::2], labels=list("xyz")).html()
    ours = show(t, t.t(), t[1:, ::2], labels=list("xyz")).html()
    assert ours.replace("tensorwidgets", "NumPy") == numpy_html


@pytest.mark.torch
@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8", "bool", "float64"])
def test_pytorch_gives_the_same_bytes(dtype: str) -> None:
    import torch

    a = np.arange(12).reshape(3, 4).astype(dtype)
    t = torch.from_numpy(a.copy())
    numpy_html = show(a, a.T, a[1:, ::2], np.broadcast_to(a[:1], (3, 4)), labels=list("wxyz")).html()
    theirs = show(t, t.t(), t[1:, ::2], t[:1].expand(3, 4), labels=list("wxyz")).html()
    assert theirs.replace("PyTorch", "NumPy") == numpy_html


@pytest.mark.torch
def test_pytorch_shares_with_numpy_and_its_sparse_tensors_have_no_layout() -> None:
    import torch

    t = torch.arange(6.0, requires_grad=True)
    assert letters(t.detach().numpy(), t, t[2:]) == [("A", 4, 6)]
    assert Layout.of(torch.zeros(3, dtype=torch.bfloat16)).values == (0.0, 0.0, 0.0)
    with pytest.raises(TypeError, match="sparse_coo"):
        Layout.of(torch.eye(3).to_sparse())
    assert Layout.of(torch.empty(2, device="meta")).values is None
