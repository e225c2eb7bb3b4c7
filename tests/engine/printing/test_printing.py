"""Tensors print as PyTorch 2.13 prints them, to the character."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest

from tensorwidgets.engine.printing.printing import (
    get_printoptions,
    printoptions,
    set_printoptions,
    tensor_repr,
    values_text,
    with_suffixes,
)
from tensorwidgets.engine.tensor.storages.typed import storage_repr
from tensorwidgets.engine.types import dtypes
from tests.engine.printing import freeze_printing as frozen
from tests.engine.printing.printing_cases import NAMES, case, our_storage_text, our_text, storage_case

ANSWERS = json.loads(gzip.decompress(frozen.REFERENCE.read_bytes()))
KINDS = range(len(NAMES))
BAD = range(len(frozen.BAD_SETTINGS))


@pytest.fixture(autouse=True)
def default_settings() -> Iterator[None]:
    set_printoptions(profile="default")
    yield
    set_printoptions(profile="default")


def wrong_texts(wanted: dict[int, str]) -> list[str]:
    """What differs, told so that a failing case can be found and read."""
    printed = {number: our_text(case(number)) for number in wanted}
    return [
        f"{case(number)}\nwanted:\n{wanted[number]}\nprinted:\n{printed[number]}"
        for number in wanted
        if printed[number] != wanted[number]
    ]


def our_refusal(settings: dict, shape: tuple[int, ...]) -> list[str]:
    try:
        our_text(frozen.bad_case(settings, shape))
    except Exception as error:
        return [type(error).__name__, str(error)]
    return []


# --- against PyTorch ---


def test_the_reference_is_of_the_version_that_is_followed():
    assert ANSWERS["torch"].split("+")[0] == "2.13.0"
    assert len(ANSWERS["texts"]) == frozen.CASES >= 2000


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_random_tensors_print_as_frozen(kind):
    wanted = {n: text for n, text in enumerate(ANSWERS["texts"]) if n % len(NAMES) == kind}
    assert wrong_texts(wanted) == []


@pytest.mark.torch
@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_random_tensors_print_as_pytorch_prints_them(kind):
    numbers = range(100_000 + kind, 106_000, len(NAMES))
    assert wrong_texts({n: frozen.torch_text(case(n)) for n in numbers}) == []


@pytest.mark.torch
def test_the_reference_is_what_pytorch_says():
    assert [frozen.torch_text(case(n)) for n in range(0, frozen.CASES, 7)] == ANSWERS["texts"][::7]


def test_storages_print_their_elements_as_frozen():
    for number, lines in enumerate(ANSWERS["storages"]):
        assert our_storage_text(number).split("\n")[:-1] == lines, storage_case(number)


@pytest.mark.torch
def test_storages_print_their_elements_as_pytorch_does():
    for number in range(1000, 1400):
        ours = our_storage_text(number).split("\n")[:-1]
        assert ours == frozen.torch_storage_lines(number), storage_case(number)


@pytest.mark.parametrize("bad", BAD, ids=[str(settings) for settings in frozen.BAD_SETTINGS])
def test_bad_settings_fail_where_they_fail_in_pytorch(bad):
    for shape, wanted in zip(frozen.SHAPES_FOR_BAD_SETTINGS, ANSWERS["refusals"][bad], strict=True):
        assert our_refusal(frozen.BAD_SETTINGS[bad], shape)[:1] == wanted[:1], shape


@pytest.mark.torch
@pytest.mark.parametrize("bad", BAD, ids=[str(settings) for settings in frozen.BAD_SETTINGS])
def test_bad_settings_fail_with_the_same_words(bad):
    for shape in frozen.SHAPES_FOR_BAD_SETTINGS:
        settings = frozen.BAD_SETTINGS[bad]
        assert our_refusal(settings, shape) == frozen.torch_refusal(frozen.bad_case(settings, shape)), shape


@pytest.mark.torch
def test_settings_are_kept_as_pytorch_keeps_them():
    import torch

    theirs = torch._tensor_str
    calls = [
        {"precision": 2, "sci_mode": True}, {"threshold": 5}, {"profile": "short"}, {"edgeitems": 0},
        {"profile": "full", "edgeitems": 7}, {"profile": "unknown"}, {"profile": "default"},
    ]  # fmt: skip
    for call in calls:
        torch.set_printoptions(**call)
        set_printoptions(**call)
        assert get_printoptions() == theirs.get_printoptions(), call
        with printoptions(linewidth=33, sci_mode=False), theirs.printoptions(linewidth=33, sci_mode=False):
            assert get_printoptions() == theirs.get_printoptions(), call
        assert get_printoptions() == theirs.get_printoptions(), call


# --- the documents, and what 2.13 cannot be asked ---


def test_a_storage_ends_with_the_line_of_the_documents():
    points = np.array([4.0, 1.0, 5.0, 3.0, 2.0, 1.0], np.float32)
    assert storage_repr(points, "FloatStorage").split("\n") == [
        " 4.0", " 1.0", " 5.0", " 3.0", " 2.0", " 1.0", "[torch.FloatStorage of size 6]",
    ]  # fmt: skip


def test_a_storage_prints_all_its_elements():
    assert storage_repr(np.zeros(3000), "DoubleStorage").split("\n").count(" 0.0") == 3000


def test_names_come_last():
    matrix = np.array([[1.5, 2], [3, 4]], np.float32)
    assert tensor_repr(matrix, dtypes.float32, names=("N", None), requires_grad=True) == (
        "tensor([[1.5000, 2.0000],\n"
        "        [3.0000, 4.0000]], requires_grad=True, names=('N', None))"
    )  # fmt: skip
    assert tensor_repr(np.zeros(1, np.int64), dtypes.int64, names=("C",)) == "tensor([0], names=('C',))"
    assert tensor_repr(np.zeros(1, np.int64), dtypes.int64, names=(None,)) == "tensor([0])"


def test_a_sparse_tensor_can_be_put_together_from_the_parts():
    indices, values = np.array([[0, 1, 1], [2, 0, 2]]), np.array([3, 4, 5])
    head = "tensor(indices=tensor("
    text = head + values_text(indices, dtypes.int64, len(head)) + "),\n       values=tensor("
    text += values_text(values, dtypes.int64, 21) + ")"
    suffixes = ["size=(3, 3)", "nnz=3", "layout=torch.sparse_coo"]
    assert with_suffixes(text, suffixes, 7, new_line=True).split("\n") == [
        "tensor(indices=tensor([[0, 1, 1],",
        "                       [2, 0, 2]]),",
        "       values=tensor([3, 4, 5]),",
        "       size=(3, 3), nnz=3, layout=torch.sparse_coo)",
    ]


# --- our own promises ---


def test_the_default_dtype_in_force_decides_what_goes_without_saying(monkeypatch):
    ones = np.ones(1)
    assert tensor_repr(ones, dtypes.float64) == "tensor([1.], dtype=torch.float64)"
    monkeypatch.setattr(dtypes, "_default", dtypes.float64)
    assert tensor_repr(ones, dtypes.float64) == "tensor([1.])"


@pytest.mark.parametrize("shape", [(1 << 31,), (1 << 16, 1 << 15), (1 << 20, 1, 1 << 11), (2, 1 << 15, 2, 1 << 15)])
def test_a_long_tensor_is_read_at_its_edges_only(shape):
    values = np.broadcast_to(np.float32(0.25), shape)
    tracemalloc.start()
    text = tensor_repr(values, dtypes.float32)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "..." in text
    assert peak < 200_000


def test_the_elements_between_the_edges_are_not_looked_at():
    values = np.zeros((50, 50), np.float32)
    values[3:47, :] = values[:, 3:47] = np.nan
    assert "nan" not in tensor_repr(values, dtypes.float32)


def test_printing_leaves_the_array_as_it_was():
    values = np.array([[1.5, np.nan], [-0.0, np.inf]], np.float32)[:, ::-1]
    values.flags.writeable = False
    before = values.tobytes()
    tensor_repr(values, dtypes.float32)
    assert values.tobytes() == before


def test_a_bad_setting_is_explained_when_it_bites():
    set_printoptions(precision=-1)
    with pytest.raises(ValueError, match="Format specifier missing precision") as caught:
        tensor_repr(np.array(0.5), dtypes.float64)
    assert caught.value.reason.rule == "print.options"
    assert "precision is -1" in caught.value.reason.because
    assert caught.value.__notes__ == [caught.value.reason.note()]


def test_an_error_that_is_not_the_settings_is_passed_on():
    with pytest.raises(TypeError) as caught:
        tensor_repr(np.array(["text"]), dtypes.float32)
    assert not hasattr(caught.value, "reason")


def test_settings_come_back_after_a_block_that_failed():
    set_printoptions(precision=7, sci_mode=False)
    with pytest.raises(KeyError), printoptions(profile="short", sci_mode=True):
        assert get_printoptions()["edgeitems"] == 2
        raise KeyError
    assert get_printoptions() == {
        "precision": 7, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": False,
    }  # fmt: skip


def test_an_unknown_setting_is_refused():
    with pytest.raises(TypeError, match="unexpected keyword argument 'digits'"):
        set_printoptions(digits=3)
    with pytest.raises(TypeError, match="unexpected keyword argument 'digits'"), printoptions(digits=3):
        pytest.fail("the block must not run")
