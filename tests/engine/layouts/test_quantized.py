"""Quantized tensors agree with PyTorch 2.13: what they print, round, view, move and refuse."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tests.engine.layouts.freeze_quantized import REFERENCE
from tests.engine.layouts.quantized_cases import BY_VALUES, POOL, asked, expressions, rounded

FROZEN = json.loads(gzip.decompress(REFERENCE.read_bytes()))
CASES = list(expressions())
VALUE_CASES = [(name, text) for name in POOL for text in BY_VALUES]

LOOSER = {
    "'message': 'Quantized copy only works with contiguous and NHWC": "a view of any strides may be written here",
    "INTERNAL ASSERT FAILED": "the sentence after PyTorch's own call for a bug report",
    "clone for quantized Tensor only works for": "a copy needs nothing but the numbers",
    "length of scales must equal to channel, expected 12": "PyTorch makes a view that cannot be read",
    "Channel axis out of range in per channel affine quantization. Got: 1Expected: [0, 1)": "the same",
}
"""Refusals of PyTorch's that ours has no need of, or other words for, and why."""

OTHERWISE = {
    ("turned", "q.copy_(other)"): "a view that took over another ladder would tell its base other numbers",
    ("one number", "q.copy_(other)"): "the same",
    ("a row", "q.copy_(other)"): "the same",
    ("nothing", "q.max()"): "the words of plain tensors",
    ("nothing", "q.min()"): "the words of plain tensors",
    ("nothing", "q.mean()"): "nan is put on the last rung, as everywhere else",
    ("nothing", "q.std()"): "nan is put on the last rung, as everywhere else",
}


def ours(*case: Any, **how: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return json.loads(json.dumps(asked(tw, *case, **how)))


def alike(a: Any, b: Any) -> bool:
    """Equal, with numbers as near as float32 functions are in two libraries."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_near(key, a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(alike, a, b))
    return a == b


def _near(key: str, a: Any, b: Any) -> bool:
    if key in ("values", "rungs") and a != b:
        try:
            return np.allclose(np.array(a, float), np.array(b, float), rtol=2e-6, atol=0, equal_nan=True)
        except ValueError:
            return False
    return a == b


def test_every_answer_is_pytorchs() -> None:
    assert len(CASES) == len(FROZEN["expressions"]) > 1400
    wrong = []
    for case, theirs in zip(CASES, FROZEN["expressions"], strict=True):
        if "'broken': True" in str(theirs) or any(why in str(theirs) for why in LOOSER) or case[:2] in OTHERWISE:
            continue
        found = ours(*case)
        if not alike(found, theirs):
            wrong.append(f"{case}\n  ours   {found}\n  theirs {theirs}")
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong[:5])


def test_the_exceptions_are_few_and_all_differ() -> None:
    excused = [
        (case, theirs)
        for case, theirs in zip(CASES, FROZEN["expressions"], strict=True)
        if any(why in str(theirs) for why in LOOSER) or case[:2] in OTHERWISE
    ]
    assert len(excused) < 40
    for case, theirs in excused:
        assert not alike(ours(*case), theirs), case


def test_where_pytorch_makes_what_cannot_be_read_ours_has_the_values_or_refuses() -> None:
    broken = [c for c, theirs in zip(CASES, FROZEN["expressions"], strict=True) if "'broken': True" in str(theirs)]
    assert len(broken) > 10
    for name, expression, _ in broken:
        found, plain = ours(name, f"({expression}).dequantize()", False), ours(name, expression, False, values=True)
        if "unbind" in expression:
            found = ours(name, f"[one.dequantize() for one in {expression}]", False)
        if "refused" in found:
            assert found["message"] == "Setting strides is possible only on uniformly quantized tensor"
        else:
            assert [one["values"] for one in _listed(found)] == [one["values"] for one in _listed(plain)]


def _listed(found: Any) -> list:
    return found if isinstance(found, list) else [found]


def test_arithmetic_is_done_with_the_values() -> None:
    wrong = []
    for (name, text), theirs in zip(VALUE_CASES, FROZEN["by values"], strict=True):
        found = ours(name, text, False)
        if "refused" in theirs:
            if found.get("refused") != theirs["refused"]:
                wrong.append((name, text, found, theirs))
        elif not _same_values(found, theirs):
            wrong.append((name, text, found, theirs))
    assert not wrong, "\n".join(map(str, wrong[:5]))


def _same_values(a: dict, b: dict) -> bool:
    if "values" not in a or (a["dtype"], a["size"]) != (b["dtype"], b["size"]):
        return False
    if a["dtype"] == "torch.bool":
        return a["values"] == b["values"]
    one, two = np.array(a["values"], float), np.array(b["values"], float)
    size = np.abs(two[np.isfinite(two)]).max(initial=0)
    return np.allclose(one, two, rtol=1e-5, atol=1e-6 * size, equal_nan=True)


def test_generated_numbers_are_rounded_clipped_and_chosen_as_pytorch_does_to_the_bit() -> None:
    for seed, theirs in enumerate(FROZEN["roundings"]):
        assert json.loads(json.dumps(rounded(tw, seed))) == theirs, seed


@pytest.mark.torch
def test_the_frozen_answers_are_pytorchs() -> None:
    import torch

    warnings.simplefilter("ignore")
    for case, frozen in list(zip(CASES, FROZEN["expressions"], strict=True))[::3]:
        assert json.loads(json.dumps(asked(torch, *case))) == frozen, case
    for seed, frozen in enumerate(FROZEN["roundings"][:300]):
        assert json.loads(json.dumps(rounded(torch, seed))) == frozen, seed


@pytest.mark.torch
def test_generated_numbers_are_rounded_as_the_pytorch_of_today_does() -> None:
    import torch

    warnings.simplefilter("ignore")
    for seed in range(5000, 6500):
        assert rounded(tw, seed) == rounded(torch, seed), seed


# -- what has no oracle ------------------------------------------------------------------------------------------


def made(zero_point: int = 10) -> tw.Tensor:
    return tw.quantize_per_tensor(tw.arange(6.0).reshape(2, 3), 0.1, zero_point, tw.quint8)


def test_views_share_the_whole_numbers_and_the_storage() -> None:
    q = made()
    row, turned = q[1], q.t()
    assert row.storage() is q.storage() is turned.storage()
    assert row.storage_offset() == 3 and turned.stride() == (1, 3)
    row.fill_(0.0)
    assert q.int_repr().tolist() == [[10, 20, 30], [10, 10, 10]]
    assert turned.dequantize().tolist() == [[0, 0], [1, 0], [2, 0]]
    assert q._version == row._version > 0
    assert repr(q.storage()).splitlines()[-1] == "[torch.QUInt8Storage of size 6]"


def test_no_warning_is_given() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        q = made()
        tw.quantize_per_channel(tw.ones(2, 3), tw.ones(2), tw.zeros(2).long(), 0, tw.qint8)
        q.storage()
        assert (q + q).dtype is tw.float32


def test_copies_keep_the_ladder_and_what_they_share() -> None:
    q = made()
    pair = copy.deepcopy([q, q[1]])
    pair[0].fill_(2.0)
    assert pair[1].dequantize().tolist() == [2.0, 2.0, 2.0] and q[1, 2].item() == 5.0
    by_rows = tw.quantize_per_channel(tw.ones(2, 3), tw.tensor([0.5, 0.25]), tw.tensor([1, 2]), 0, tw.qint8)
    back = pickle.loads(pickle.dumps(by_rows))
    assert back.equal(by_rows) and back.q_per_channel_axis() == 0 and back[1].q_zero_point() == 2
    assert pickle.loads(pickle.dumps(tw.quint8)) is tw.quint8
    assert pickle.loads(pickle.dumps(q.qscheme())).name == "per_tensor_affine"


def test_what_is_overwritten_stays_on_its_ladder() -> None:
    q = made()
    q += 1
    q *= 5.0
    assert q.is_quantized and q.q_scale() == 0.1 and q.int_repr().tolist() == [[60, 110, 160], [210, 255, 255]]
    target = made(0)
    tw.add(q, 1.0, out=target)
    assert target.dequantize()[0, 0].item() == pytest.approx(6.0)


@pytest.mark.parametrize(
    "name, args", [("clamp", (0, 1)), ("sigmoid", ()), ("tanh", ()), ("mean", (0,)), ("std", (0,))]
)
def test_ops_with_quantized_results_write_out_with_its_own_scale(name: str, args: tuple) -> None:
    values = tw.tensor([[-1.0, 2.0], [0.5, 3.0]])
    q = tw.quantize_per_tensor(values, 0.5, 0, tw.qint8)
    expected = getattr(tw, name)(values, *args)
    plain, target = tw.zeros_like(expected), tw.quantize_per_tensor(tw.zeros_like(expected), 0.05, 0, tw.qint8)
    assert getattr(tw, name)(q, *args, out=plain) is plain and tw.equal(plain, expected)
    assert getattr(tw, name)(q, *args, out=target) is target
    assert tw.equal(target, tw.quantize_per_tensor(expected, 0.05, 0, tw.qint8))


def test_what_was_clipped_can_be_asked_for() -> None:
    x = tw.tensor([0.0, 0.26, -5.0, 100.0, float("nan"), 25.52])
    q = tw.quantize_per_tensor(x, 0.1, 0, tw.quint8)
    report = tw.quantization_report(x, q)
    assert report.below.tolist() == [False, False, True, False, False, False]
    assert report.above.tolist() == [False, False, False, True, False, False]
    assert report.clipped == 2 and report.error[4].isnan()
    assert report.error[1].item() == pytest.approx(0.04) and report.largest_error == pytest.approx(0.04)
    assert repr(report).splitlines()[0] == "2 of 6 values clipped: 1 below the ladder, 1 above; 1 was no number"
    by_rows = tw.quantize_per_channel(x.reshape(2, 3), tw.tensor([0.1, 1.0]), tw.tensor([0, 0]), 0, tw.quint8)
    assert tw.quantization_report(x.reshape(2, 3), by_rows).clipped == 1
    with pytest.raises(NotImplementedError):
        tw.quantization_report(x, x)


def test_a_kernel_of_ones_own() -> None:
    from tensorwidgets.engine.dispatch.registry import OPS
    from tensorwidgets.engine.layouts.quantized.tensors import KIND

    try:
        tw.register_kernel("neg", "quantized", lambda q: "mine")
        assert -made() == "mine"
    finally:
        del OPS["neg"].kernels[KIND.key]
    assert (-made()).dtype is tw.float32


def test_packed_numbers_and_bare_dtypes_are_refused_with_a_reason() -> None:
    with pytest.raises(NotImplementedError, match="quint4x2") as packed:
        tw.quantize_per_tensor(tw.ones(2), 0.1, 0, tw.quint4x2)
    assert "share a byte" in packed.value.reason.because
    for call in (lambda: tw.zeros(2, dtype=tw.quint8), lambda: tw.ones(2).to(tw.qint8), lambda: made().view(tw.uint8)):
        with pytest.raises(RuntimeError) as refused:
            call()
        assert refused.value.reason.instead


def test_one_number_of_a_quantized_tensor_is_its_value() -> None:
    q = made()
    assert (int(q[1, 2]), float(q[0, 1]), bool(q[0, 0]), f"{q[1, 1]:.1f}") == (5, 1.0, False, "4.0")
    assert [v.item() for v in q[1]] == [3.0, 4.0, 5.0] and 4.0 in q


def test_the_engine_loads_none_of_it_until_it_is_used() -> None:
    import subprocess
    import sys

    code = (
        "import sys, tensorwidgets as t; t.ones(2) + 1; "
        "print(any(m.endswith('quantized.tensors') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


def test_values_are_never_mixed_up_with_whole_numbers() -> None:
    q, x = made(), tw.full((2, 3), 1.5)
    assert tw.max(q, x).tolist() == tw.max(x, q).tolist() == tw.max(x, q.dequantize()).tolist()
    assert tw.min(q, q * 0).tolist() == [[0.0] * 3] * 2
    for call in (lambda: np.asarray(q), lambda: np.add(q, 1), lambda: q.numpy(), lambda: memoryview(q)):
        with pytest.raises(TypeError):
            call()
    assert float((x + q).sum()) == 24.0 and tw.einsum("ij->i", q).tolist() == [3.0, 12.0]


def _refused(op: Any, kind: type) -> bool:
    """Whether a plain tensor alone, where more is wanted, is refused in the same way."""
    with pytest.raises(kind):
        op.function(tw.ones(2, 3))
    return True


def test_every_op_of_the_catalogue_takes_it_or_says_why_not() -> None:
    from tensorwidgets.engine.dispatch.registry import OPS

    asked = 0
    for op in list(OPS.values()):
        if "method" not in op.forms or op.name.startswith("_"):
            continue
        for q in (made(), tw.quantize_per_channel(tw.ones(2, 3), tw.ones(2), tw.zeros(2).long(), 0, tw.quint8)):
            asked += 1
            try:
                op.function(q)
            except Exception as error:
                assert hasattr(error, "reason") or _refused(op, type(error)), (op.name, error)
            assert q.is_quantized and q.int_repr().dtype is tw.uint8, op.name
    assert asked > 700


def test_why_tells_how_many_were_clipped() -> None:
    x = tw.tensor([0.0, 1.03, 60.0])
    told = str(tw.why("torch.quantize_per_tensor(x, 0.1, 0, torch.quint8)[1:]", x=x, torch=tw))
    assert "1 of 3 exceed the range and are clipped" in told and "view of torch.quantize_per_tensor" in told
    refused = str(tw.why("x.int_repr()", x=x))
    assert "question about quantized tensors" in refused


def test_elements_of_meta_tensors_are_not_quantized() -> None:
    x = tw.ones(2, device="meta")
    with pytest.raises(NotImplementedError, match="aten::quantize_per_tensor_dynamic: attempted to run this operator"):
        tw.quantize_per_tensor_dynamic(x, tw.quint8, False)
    with pytest.raises(NotImplementedError, match="aten::quantize_per_channel: attempted to run this operator"):
        tw.quantize_per_channel(x, tw.ones(2), tw.zeros(2, dtype=tw.long), 0, tw.quint8)
