"""Sparse tensors: held against PyTorch 2.13 line by line, printed form included, and what PyTorch does not check."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.layouts.sparse.parts import checks
from tensorwidgets.sparse import from_scipy, stored_bytes, to_scipy
from tests.engine.layouts import sparse_cases
from tests.parts import Part, in_parts

REFERENCE: dict[str, list] = json.loads(gzip.decompress(sparse_cases.FILE.read_bytes()))
GIVEN = {"torch": tw, "S": tw.sparse_coo_tensor}


def differences(wanted: dict[str, list]) -> dict[str, tuple]:
    hand = set(sparse_cases.lines())
    found = {}
    for text, answer in wanted.items():
        given = sparse_cases.names(tw, text) if text in hand else GIVEN
        got = json.loads(json.dumps(sparse_cases.seen(tw, text, given)))
        if not sparse_cases.same(answer, got):
            found[text] = (answer, got)
    return found


@in_parts(5)
def test_every_line_that_was_asked_is_answered_as_by_pytorch(part: Part) -> None:
    """Every call and operator in the plain run, and a fifth of their combinations."""
    assert len(REFERENCE) > 4500
    assert set(sparse_cases.lines()) <= set(REFERENCE)
    asked = part.of(REFERENCE, lambda text: tuple(sorted(set(re.findall(r"\w+\(| [^\w ]+ ", text)))))
    assert differences({text: REFERENCE[text] for text in asked}) == {}


@pytest.mark.torch
def test_fresh_lines_are_answered_as_by_pytorch() -> None:
    import torch

    given = {"torch": torch, "S": torch.sparse_coo_tensor}
    lines = dict.fromkeys(map(sparse_cases.generated, range(100_000, 106_000)))
    wanted = {text: sparse_cases.seen(torch, text, given) for text in lines}
    wrong = differences(json.loads(json.dumps(wanted)))
    assert len(wrong) <= len(wanted) // 500, wrong  # orders and flags that depend on PyTorch's insides


def test_a_long_tensor_is_summarised() -> None:
    x = tw.sparse_coo_tensor(tw.arange(2000)[None], tw.arange(2000.0), (2000,))
    assert repr(x).split("\n")[:2] == [
        "tensor(indices=tensor([[   0,    1,    2,  ..., 1997, 1998, 1999]]),",
        "       values=tensor([0.0000e+00, 1.0000e+00, 2.0000e+00,  ...,",
    ]


# -- what is shared, copied, kept --------------------------------------------------------------------------------


def test_parts_are_shared() -> None:
    indices, values = tw.tensor([[0, 1], [1, 0]]), tw.tensor([1.0, 2.0])
    x = tw.sparse_coo_tensor(indices, values, (2, 2))
    values[0] = 7
    assert x._values().tolist() == [7.0, 2.0]
    x._values().mul_(2)
    assert values.tolist() == [14.0, 4.0]
    assert x._values().untyped_storage() is values.untyped_storage()
    y = x.detach()
    x.div_(2)  # in the values that both share
    assert y._values().tolist() == [7.0, 2.0]
    x.mul_(2)  # which gives x values of its own, as in PyTorch
    assert (x._values().tolist(), y._values().tolist()) == ([14.0, 4.0], [7.0, 2.0])


def test_in_place_counts_a_write() -> None:
    x = tw.eye(2).to_sparse()
    before = x._version
    x.add_(x)
    assert x._version == before + 1
    assert x.to_dense().tolist() == [[2.0, 0.0], [0.0, 2.0]]


@pytest.mark.parametrize("layout", ["coo", "csr", "csc", "bsr", "bsc"])
def test_copies_and_pickles_come_back_whole(layout: str) -> None:
    dense = tw.tensor([[0.0, 1.0], [2.0, 0.0]])
    args = ((1, 1),) if layout.startswith("b") else ()
    x = getattr(dense, f"to_sparse_{layout}")(*args)
    deep = x.clone()
    if layout == "coo":
        deep = copy.deepcopy(x)
    else:  # as in PyTorch
        with pytest.raises(NotImplementedError, match="Cannot access storage of SparseCsrTensorImpl"):
            copy.deepcopy(x)
    for y in (deep, pickle.loads(pickle.dumps(x)), copy.copy(x), x.clone()):
        assert repr(y) == repr(x)
        assert y.layout is x.layout
        assert tw.equal(y.to_dense(), dense)
    thin = copy.copy(x)
    part = "values" if layout != "coo" else "_values"
    getattr(x, part)()[0] = 9
    assert getattr(thin, part)().max() == 9
    assert getattr(deep, part)().max() == 2


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "int64", "uint8", "bool", "complex64"])
def test_conversions_keep_values_exactly(dtype: str) -> None:
    dense = (tw.arange(24).reshape(4, 6) % 5 * (tw.arange(24).reshape(4, 6) % 3 == 0)).to(getattr(tw, dtype))
    coo = dense.to_sparse()
    ways = [
        coo, coo.to_sparse_csr(), coo.to_sparse_csc(), coo.to_sparse_bsr((2, 3)), coo.to_sparse_bsc((2, 2)),
        coo.to_sparse_csr().to_sparse_csc().to_sparse(), coo.to_sparse_bsr((2, 3)).to_sparse(), dense.to_sparse(1),
    ]  # fmt: skip
    for x in ways:
        assert x.dtype is dense.dtype
        assert tw.equal(x.to_dense(), dense)
        assert x._nnz() <= 24


# -- invariants --------------------------------------------------------------------------------------------------


def refusal(run: Any) -> tuple[str, str]:
    with pytest.raises(RuntimeError) as found:
        run()
    return str(found.value), "\n".join(found.value.__notes__)


def test_the_index_at_fault_is_named() -> None:
    message, note = refusal(lambda: tw.sparse_coo_tensor([[0, 1], [1, 5]], [1.0, 2.0], (2, 3)))
    assert message == "size is inconsistent with indices: for dim 1, size is 3 but found index 5"
    assert note.startswith("indices[1, 1] is 5, and dimension 1 has the indices 0 to 2")
    message, note = refusal(lambda: tw.sparse_coo_tensor([[0, -2]], [1.0, 2.0]))
    assert message == "found negative index -2 for dim 0"
    assert "indices[0, 1] is -2" in note
    message, note = refusal(lambda: tw.sparse_csr_tensor([0, 1, 2], [0, 3], [1.0, 2.0], (2, 3)))
    assert message == "`0 <= col_indices < ncols` is not satisfied."
    assert note == "col_indices[1] is 3, and cols are counted from 0 to 2"


def test_large_tensors_are_checked_at_their_first_use() -> None:
    n = checks.AT_ONCE + 1
    indices = tw.arange(n)[None]
    wrong = tw.sparse_coo_tensor(indices, tw.ones(n), (n - 1,))
    for use in (wrong.coalesce, wrong.to_dense, lambda: wrong + wrong, lambda: wrong.sum(0), lambda: wrong[0]):
        assert f"size is {n - 1} but found index {n - 1}" in refusal(use)[0]
    with tw.sparse.check_sparse_tensor_invariants():
        refusal(lambda: tw.sparse_coo_tensor(indices, tw.ones(n), (n - 1,)))
    assert not tw.sparse.check_sparse_tensor_invariants.is_enabled()
    crow = tw.tensor([0, n])
    matrix = tw.sparse_csr_tensor(crow, tw.arange(1, n + 1), tw.ones(n), (1, n))
    for use in (matrix.to_dense, lambda: matrix @ tw.ones(n), matrix.to_sparse):
        assert f"col_indices[{n - 1}] is {n}" in refusal(use)[1]


def test_unchecked_on_request_and_still_safe() -> None:
    x = tw.sparse_coo_tensor([[5]], [1.0], (3,), check_invariants=False)
    assert x._nnz() == 1
    refusal(x.to_dense)


def test_sizes_beyond_memory_are_refused_and_not_tried() -> None:
    x = tw.sparse_coo_tensor([[5, 5], [7, 7]], [1.0, 2.0], (10**9, 10**9))
    assert x.coalesce().values().tolist() == [3.0]
    assert (x + x.t()).coalesce()._nnz() == 2
    assert x[5, 7].item() == 3.0
    for use in (x.to_dense, lambda: x.to_sparse_bsr((10**8, 10**8)).to_dense()):
        assert "can't allocate memory" in refusal(use)[0]
    assert refusal(lambda: tw.sparse_coo_tensor((10**12, 10**12)))[0] == "numel: integer multiplication overflow"


# -- memory and SciPy --------------------------------------------------------------------------------------------


def test_bytes_are_counted_part_by_part() -> None:
    x = tw.sparse_coo_tensor([[0, 1], [1, 2]], [1.0, 2.0], (1000, 1000))
    told = stored_bytes(x)
    assert told == {"indices": 32, "values": 8, "all parts": 40, "dense": 4_000_000}
    assert stored_bytes(x.to_sparse_csr())["crow_indices"] == 8 * 1001
    message, note = refusal(lambda: x.nbytes)
    assert "indices take 32 bytes, values 8; a dense tensor would take 4000000" in note


def test_scipy_and_back() -> None:
    dense = tw.tensor([[0.0, 1.0, 0.0], [2.0, 0.0, 3.0]])
    for x in (dense.to_sparse(), dense.to_sparse_csr(), dense.to_sparse_csc(), dense.to_sparse_bsr((1, 1))):
        array = to_scipy(x)
        assert np.array_equal(array.toarray(), dense.numpy())
        assert repr(from_scipy(array).to_dense()) == repr(dense)
        assert np.shares_memory(array.data, x._array.values._array)


def test_a_large_product_is_that_of_dense_matrices() -> None:
    tw.manual_seed(0)
    dense = tw.randn(200, 300) * (tw.rand(200, 300) < 0.05)
    other = tw.randn(300, 7)
    for x in (dense.to_sparse(), dense.to_sparse_csr(), dense.to_sparse_csc()):
        assert tw.allclose(x @ other, dense @ other, atol=1e-5)
        assert tw.allclose(other.t() @ x.t(), (dense @ other).t(), atol=1e-5)
    square = dense[:, :200]
    for x in (square.to_sparse(), square.to_sparse_csr()):
        assert tw.allclose((x @ x).to_dense(), square @ square, atol=1e-4)


# -- the route ---------------------------------------------------------------------------------------------------


def test_the_route_is_chosen_by_keys() -> None:
    x, plain = tw.eye(2).to_sparse(), tw.eye(2)
    assert [place for place, _ in tw.route("add", plain, x).stations] == ["call", "sparse", "kernel"]
    assert "its own kernel" in repr(tw.route(tw.add, x, x))
    assert "the call is refused" in repr(tw.route("cos", x))
    assert [place for place, _ in tw.route("mm", x.to_sparse_csr(), plain).stations][1] == "sparse_csr"


def test_a_user_gives_an_op_a_kernel_for_sparse_tensors() -> None:
    x = tw.eye(2).to_sparse()
    with pytest.raises(
        NotImplementedError, match="Could not run 'aten::cos' with arguments from the 'SparseCPU' backend"
    ):
        x.cos()

    @tw.register_kernel("cos", "sparse")
    def cos(input: tw.Tensor) -> tw.Tensor:
        return input.to_dense().cos()

    try:
        assert x.cos().tolist() == [[tw.tensor(1.0).cos().item(), 1.0], [1.0, tw.tensor(1.0).cos().item()]]
    finally:
        tw.forget_kernel("cos", "sparse")
    with pytest.raises(NotImplementedError):
        x.cos()


def test_nothing_is_loaded_before_the_first_sparse_tensor() -> None:
    code = (
        "import sys, tensorwidgets as torch; torch.ones(2) + 1;"
        "loaded = lambda: 'tensorwidgets.engine.layouts.sparse.kernels' in sys.modules;"
        "assert not loaded() and 'scipy' not in sys.modules;"
        "assert not torch.ones(2).is_sparse and torch.ones(2).layout is torch.strided;"
        "torch.eye(2).to_sparse(); assert loaded() and 'scipy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
