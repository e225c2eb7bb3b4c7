"""Files with random damage: what comes of it is a `FileError` or a value, and never anything else."""

from __future__ import annotations

import io
import random
import zipfile
from functools import cache
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.interop.parameter import Parameter
from tests.files.hostile import pt
from tests.files.test_trees import frozen
from tests.files.trees import grow


def whole(value: Any) -> bytes:
    file = io.BytesIO()
    tw.save(value, file)
    return file.getvalue()


@cache
def samples() -> list[bytes]:
    """Files that are whole, of ours and of PyTorch: made when they are asked for, and not to collect the tests."""
    ours = [whole(grow(number, tw, Parameter)) for number in range(40, 48)]
    return ours + [data for name, data, _ in frozen()[:12] if len(data) < 12_000]


@cache
def pickles() -> list[bytes]:
    """The pickles in them."""
    return [zipfile.ZipFile(io.BytesIO(one)).read("archive/data.pkl") for one in samples() if one[:2] == b"PK"]


INSTRUCTIONS = (
    b"(.0123FIJKLMNPQRSTUVXabcdeghijlopqrstu}]\x80\x81\x82\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8f\x90\x91\x93\x94\x95"
)


def read(data: bytes) -> Any:
    """The value, or the refusal; anything else is the failure that the tests are looking for."""
    try:
        return tw.load(io.BytesIO(data))
    except tw.FileError as refusal:
        return refusal


KINDS = ("flip", "cut", "insert", "repeat", "swap", "set")


def edits(chance: random.Random) -> list[tuple[str, float, int, bytes]]:
    """Up to four damages: what is done, where in the file, to how many bytes, and with which."""
    return [
        (chance.choice(KINDS), chance.random(), chance.randint(1, 40), chance.randbytes(chance.randint(1, 8)))
        for _ in range(chance.randint(1, 4))
    ]


def edited(data: bytes, edits: list[tuple[str, float, int, bytes]]) -> bytes:
    for kind, where, count, some in edits:
        at = int(where * len(data))
        if kind == "flip" and data:
            data = data[:at] + bytes([data[at] ^ (1 << count % 8)]) + data[at + 1 :]
        elif kind == "cut":
            data = data[:at] + data[at + count :]
        elif kind == "insert":
            data = data[:at] + some + data[at:]
        elif kind == "repeat":
            data = data[: at + count] + data[at:]
        elif kind == "swap":
            data = data[:at] + data[at + count : at + 2 * count] + data[at : at + count] + data[at + 2 * count :]
        else:
            data = data[:at] + some + data[at + len(some) :]
    return data


SOME = 100
"""So many files or instructions are tried with each seed."""
seeds = pytest.mark.parametrize("seed", range(25))


@seeds
def test_damaged_files_are_refused_or_read(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(SOME):
        data = edited(chance.choice(samples()), edits(chance))
        read(data)
        assert tw.inspect_file(io.BytesIO(data)).anatomy.nbytes == len(data)


@seeds
def test_damaged_pickles_are_refused_or_read(seed: int) -> None:
    """The archive is whole, and its checksums right: only the pickle lies."""
    chance = random.Random(seed)
    for _ in range(SOME):
        pickle = edited(chance.choice(pickles()), edits(chance))
        data = pt(pickle, {"data/0": bytes(64), "data/1": bytes(8), "data/2": b""})
        read(data)
        assert tw.inspect_file(io.BytesIO(data)).anatomy.nbytes == len(data)


@seeds
def test_random_instructions_are_refused_or_read(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(SOME):
        words = [
            bytes([chance.choice(INSTRUCTIONS)]) if chance.random() < 0.5 else chance.randbytes(chance.randint(0, 3))
            for _ in range(chance.randint(0, 40))
        ]
        found = read(pt(b"\x80\x02" + b"".join(words) + b"."))
        assert not isinstance(found, tw.FileError) or str(found).startswith("data.pkl: ")


def test_each_flipped_bit_of_a_storage_is_found() -> None:
    x = tw.arange(8, dtype=tw.uint8) + 200
    data = whole([x])
    at = data.index(bytes(range(200, 208)))
    for bit in range(64):
        damaged = bytearray(data)
        damaged[at + bit // 8] ^= 1 << bit % 8
        refusal = read(bytes(damaged))
        assert isinstance(refusal, tw.FileError)
        assert "data/0: is damaged" in str(refusal)


def test_whatever_bit_is_flipped_the_numbers_are_never_wrong() -> None:
    """A bit of padding may be anything; no flip makes another value of what was saved."""
    x = tw.arange(12.0).reshape(3, 4)
    data = whole({"x": x, "n": 7})
    refused = 0
    for bit in range(0, 8 * len(data), 3):
        damaged = bytearray(data)
        damaged[bit // 8] ^= 1 << bit % 8
        found = read(bytes(damaged))
        if isinstance(found, tw.FileError):
            refused += 1
        else:
            assert found["n"] == 7
            np.testing.assert_array_equal(found["x"].numpy(), x.numpy())
    assert refused > len(data) // 4


def test_whatever_is_cut_off_is_missed() -> None:
    data = whole({"x": tw.arange(12.0), "n": 7})
    for length in range(len(data)):
        assert isinstance(read(data[:length]), tw.FileError), length
