"""Expressions given as text: which steps are walked, and what each one knows."""

from __future__ import annotations

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine import OPS
from tensorwidgets.engine.expressions import addition, chain, walk
from tensorwidgets.engine.expressions import names as expression_names
from tensorwidgets.engine.expressions.objects import may_be_said
from tests.engine.reasons.expressions_given import names, refusal


def test_each_step_has_its_own_characters_and_value() -> None:
    stages = walk("t.t()[1:].reshape( -1 )", names())
    assert [(s.text, s.kind, s.callee) for s in stages] == [
        ("t", "name", "t"),
        ("t.t()", "call", "t"),
        ("t.t()[1:]", "index", "getitem"),
        ("t.t()[1:].reshape( -1 )", "call", "reshape"),
    ]
    assert [s.value.tolist() for s in stages[1:]] == [
        [[0, 3], [1, 4], [2, 5]],
        [[1, 4], [2, 5]],
        [1, 4, 2, 5],
    ]
    assert [s.inputs for s in stages] == [(), (0,), (1,), (2,)]


def test_a_step_keeps_what_it_was_called_with() -> None:
    t = names()["t"]
    stages = walk("tw.cat([t, t], dim=n - 2)", names(t=t))
    call = stages[-1]
    assert call.callee == "cat" and call.kwargs == {"dim": 1}
    assert [a is t for a in call.args[0]] == [True, True]
    assert [stages[i].text for i in call.inputs] == ["t", "t", "n - 2"]


def test_the_step_that_fails_is_the_last_one() -> None:
    stages = walk("t.t().view(-1).sum()", names())
    assert [s.text for s in stages] == ["t", "t.t()", "t.t().view(-1)"]
    assert isinstance(stages[-1].error, RuntimeError) and stages[-1].failed
    assert stages[-1].error.reason.rule == "view.span"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x.T[1:].reshape(-1).shape", (9,)),
        ("t[None, ..., ::2].shape", (1, 2, 2)),
        ("t[[0, 1], :2].shape", (2, 2)),
        ("t[t > 2].shape", (3,)),
        ("t[xs[0] > 2].shape", (3,)),
        ("(-t + 2 ** 3).sum().item()", 33.0),
        ("t.view(len(t), -1).shape", (2, 3)),
        ("tw.cat([*xs], 0).shape", (4, 3)),
        ("t.permute(*(1, 0)).stride()", (1, 3)),
        ("t.t().storage() is t.storage()", True),
        ("t.shape + (1,)", (2, 3, 1)),
        ("[0] * 3", [0, 0, 0]),
        ("x.strides[0] // x.itemsize", 4),
        ("x.astype('float32').dtype.name", "float32"),
        ("np.linalg.norm(x[0] * 0)", 0.0),
        ("np.einsum('ij->j', x).shape", (4,)),
        ("t.dtype.itemsize", 4),
        ("3 in t", True),
        ("t.max(0).values.tolist()", [3.0, 4.0, 5.0]),
        ("tw.finfo(tw.float16).max", 65504.0),
        ("not t.sum()", False),
        ("t.sum() and t[0, 0]", 0.0),
        ("t.sum() or t[0, 0]", 15.0),
        ("t[0, 0] is t[0, 0]", False),
        ("t.numpy().T.shape", (3, 2)),
        ("t.expand(10**9, 2, 3).stride()", (0, 3, 1)),
        ("2 ** 100", 2**100),
        ("n", 3),
        ("[n, 'a', None, ...]", [3, "a", None, ...]),
        ("x[1][2]", 6.0),
        ("  t.numel()", 6),
    ],
)
def test_values(text: str, value: object) -> None:
    stages = walk(text, names())
    assert stages[-1].error is None
    assert stages[-1].value == value


def test_python_skips_what_it_does_not_need() -> None:
    assert [s.text for s in walk("t.sum() or t.view(7)", names())] == [
        "t",
        "t.sum()",
        "t.sum()",
        "t.sum() or t.view(7)",
    ]


def test_steps_are_taken_once() -> None:
    t = tw.zeros(3)
    walk("t.add_(1).add_(1).sum()", {"t": t})
    assert t.tolist() == [2, 2, 2]


def test_every_op_that_computes_can_be_said() -> None:
    for op in OPS.values():
        said = op.category in expression_names.CATEGORIES and op.name not in expression_names.LEFT_OUT and op.forms
        if said and not op.name.startswith("_") and "." not in op.name:
            assert may_be_said(op.name), op.name


@pytest.mark.parametrize(
    "name", ["set_", "apply_", "map_", "set_default_dtype", "from_file", "save", "load", "manual_seed"]
)
def test_what_does_more_than_compute_cannot_be_said(name: str) -> None:
    assert not may_be_said(name)


def test_a_step_can_be_done_again_to_another_array() -> None:
    stages = walk("np.flip(t.numpy().T[1:] * 2, 0).reshape(-1)[n]", names())
    value: object = tw.arange(6.0).reshape(2, 3) + 1
    for stage in chain(stages)[1:]:
        value = stage.do(value)
    assert value == stages[-1].value + 2


def test_the_chain_leaves_out_what_only_made_arguments() -> None:
    texts = [s.text for s in chain(walk("t.view(t.numel())[n]", names()))]
    assert texts == ["t", "t.view(t.numel())", "t.view(t.numel())[n]"]
    assert [s.callee for s in chain(walk("tw.cat([t, t]).sum()", names()))] == ["cat", "sum"]
    assert [s.text for s in chain(walk("3 - t", names()))] == ["3 - t"]


def test_a_property_that_refuses_is_a_step_that_failed() -> None:
    stages = walk("tw.zeros(2, 3, 4).H", names())
    assert isinstance(stages[-1].error, RuntimeError) and stages[-1].callee == "H"
    assert refusal("tw.zeros(2, 3, 4).H()").reason.instead == ("tw.zeros(2, 3, 4).H",)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("x.T[1:].reshape(-1)", ["x", ".T", "[1:]", ".reshape(-1)"]),
        ("np.exp(x)", ["x", "np.exp(…)"]),
        ("((x * 2)).T", ["x", "… * 2", ".T"]),
        ("x + x.T", ["x", "… + x.T"]),
        ("( (x * 2) ) + 1", ["x", "… * 2", "… + 1"]),
        ("-(x + 1)", ["x", "… + 1", "-(…)"]),
        ("-x", ["x", "-…"]),
        ("(-x)[0]", ["x", "-…", "[0]"]),
        ("tw.cat([t, t])[0]", ["tw.cat([t, t])", "[0]"]),
        ("  np.flip(np.abs( x ), 0)", ["x", "np.abs( … )", "np.flip(…, 0)"]),
        ("é.T\r\n", ["é", ".T"]),
        ("(é +\n é.T)[0]", ["é", "… +\n é.T", "[0]"]),
    ],
)
def test_what_each_step_adds(text: str, added: list[str]) -> None:
    square = np.eye(3)
    stages = chain(walk(text, {**names(), "x": square, "é": square}))
    assert [addition(s, b, text) for b, s in zip([None, *stages], stages, strict=False)] == added
    whole = text.strip().replace("\r\n", "\n")
    assert all(whole[slice(*s.span)] == s.text for s in stages)
