"""`why` in a notebook: the text, and the refusal as a picture made of the reason alone."""

from __future__ import annotations

import pytest

import tensorwidgets as torch
from tensorwidgets import why
from tensorwidgets.engine.errors.reasons import Reason
from tensorwidgets.pictures.operations.explained import reason_picture

x = torch.arange(12).reshape(3, 4)
b = torch.ones(3)


@pytest.mark.parametrize(
    ("call", "drawn"),
    [
        ("x - b", "x - b, when the shapes do not fit ((3, 4) - (3,) is refused)"),
        ("torch.add(x, b)", "x + b, when the shapes do not fit"),
        ("x @ x", "einsum('ij,jk->ik', x, x) (is refused)"),
        ("x @ b", "einsum('ij,j->i', x, b) (is refused)"),
        ("x.t().view(-1)", "0 (+4) 4 (+4) 8 (-7) 1 (+4) 5"),
        ("x.t().reshape(-1)", "tensor.reshape(12): where does it copy?"),
    ],
)
def test_a_refusal_is_drawn_below_its_text(call: str, drawn: str) -> None:
    answer = why(call, x=x, b=b, torch=torch)
    bundle = answer._repr_mimebundle_()
    assert bundle["text/plain"] == repr(answer)
    assert bundle["text/html"].startswith("<pre") and 'class="tw"' in bundle["text/html"]
    assert answer.reason is not None
    assert drawn in repr(reason_picture(answer.reason, [], call))


def test_an_error_that_was_caught_is_drawn_too() -> None:
    with pytest.raises(RuntimeError) as caught:
        x + b
    assert "do not fit" in why(caught.value)._repr_mimebundle_()["text/html"]


def test_what_cannot_be_drawn_stays_text() -> None:
    assert sorted(why("x[5]", x=x)._repr_mimebundle_()) == ["text/plain"]
    broken = Reason("view.span", RuntimeError, "no", "because", (), {"size": (2,), "stride": (-1,), "shape": (2,)})
    assert reason_picture(broken) is None
    assert reason_picture(Reason("matmul.size", RuntimeError, "no", "because", (), {})) is None
