"""why(): each step a view or a copy and why, each refusal with the dimension, the numbers and a way out."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.errors import reasons
from tensorwidgets.engine.errors.reasons import Reason
from tensorwidgets.engine.explain import Explanation, why
from tensorwidgets.engine.explain.frames import body_of
from tensorwidgets.engine.explain.messages.patterns import reason_from_message
from tensorwidgets.engine.explain.mirrors import mirror_of

from .known_errors import ERRORS, Known


@pytest.fixture(autouse=True)
def nothing_has_happened(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("last_type", "last_value", "last_traceback", "last_exc"):
        monkeypatch.setitem(vars(sys), name, None)
    monkeypatch.setattr(reasons, "latest", None)
    yield


def names(torch: Any = tw) -> dict[str, Any]:
    return {
        "x": torch.arange(6).reshape(2, 3).to(torch.float32),
        "a": np.arange(6)[::-1],
        "torch": torch,
        "tw": tw,
        "np": np,
    }


def exists(known: Known) -> bool:
    """Whether our engine has the ops that an entry uses."""
    found = re.findall(r"torch\.(\w+)", known.text) + re.findall(r"\)\.(\w+)\(", known.text)
    return all(hasattr(tw, name) or hasattr(tw.Tensor, name) for name in found)


# -- the errors that people meet ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("known", [k for k in ERRORS if exists(k)], ids=lambda k: k.what)
def test_our_refusal_is_pytorchs_with_an_explanation(known: Known) -> None:
    explained = why(known.text, **names())
    last = explained.steps[-1]
    assert last.outcome == "refused" and type(last.error) is known.error
    assert str(last.error) == known.message
    check_explanation(known, explained)
    note = "\n".join(last.error.__notes__)
    assert explained.reason is last.error.reason and explained.reason.because in note  # type: ignore[union-attr]


def check_explanation(known: Known, explained: Explanation) -> None:
    reason = explained.reason
    assert reason is not None
    for word in known.names:
        assert word in reason.because, (word, reason.because)
    assert reason.instead
    ways = "\n".join(explained.steps[-1].instead)
    assert known.way in ways
    text = repr(explained)
    assert reason.message.splitlines()[0] in text and "Instead: " in text and "!" not in text.replace("!=", "")


@pytest.mark.parametrize("known", ERRORS, ids=lambda k: k.what)
def test_the_message_alone_can_be_explained(known: Known) -> None:
    reason = reason_from_message(known.error(known.message))
    assert reason is not None
    assert reason.error is known.error and reason.message == known.message
    assert len(reason.because) > 20 and reason.instead and reason.rule
    for number in re.findall(r"\d+", reason.because):
        assert number in known.message or int(number) in derived(known.message), reason.because


def derived(message: str) -> set[int]:
    """Numbers that follow from those in a message: off by one, negated, and what counts or divides them."""
    given = {int(n) for n in re.findall(r"\d+", message)}
    return given | {n - 1 for n in given} | {n + 1 for n in given} | {0, 1, 64} | {len(given)}


def test_a_result_that_shares_with_a_part_of_an_object_is_no_new_one() -> None:
    layer = tw.nn.Linear(3, 2)
    told = why(lambda: layer.weight.data)
    assert told.steps[-1].outcome == "view" and told.steps[-1].shares == "layer.weight" and told.allocated == 0


@pytest.mark.torch
@pytest.mark.parametrize("known", ERRORS, ids=lambda k: k.what)
def test_pytorchs_own_error_is_explained(known: Known) -> None:
    import torch

    explained = why(known.text, **names(torch))
    last = explained.steps[-1]
    assert type(last.error) is known.error and str(last.error) == known.message
    assert explained.reason is not None and explained.reason.message == str(last.error)
    if exists(known):
        check_explanation(known, explained)
    assert explained.reason.because and explained.reason.instead


NUMPY_ERRORS = [
    ("b + np.ones(2)", ValueError, ("3", "2", "imension -1"), "[..., None]"),
    ("b @ b", ValueError, ("size 3", "2"), "b @ b.T"),
    ("b.dot(b)", ValueError, ("size 3", "2"), "b @ b.T"),
    ("b[5]", IndexError, ("Dimension 0", "size 2", "5"), "from -2 to 1"),
    ("b.sum(3)", ValueError, ("2 dimensions", "3"), "axis=1"),
    ("b.reshape(4)", ValueError, ("4 elements", "6"), "b.reshape(6)"),
    ("np.concatenate([b, b[:, :2]])", ValueError, ("imension 1", "3", "2"), "axis=1"),
    ("np.broadcast_to(b, (2, 6))", ValueError, ("Dimension 1", "3", "6"), "np.tile(x, (1, 2))"),
    ("b.transpose(0, 0)", ValueError, ("(0, 0)", "1"), ""),
    ("not b", ValueError, ("6",), "b.any()"),
    ("b[b]", IndexError, ("float64",), ".astype(int)"),
    ("b.swapaxes(0, 3)", ValueError, ("2 dimensions", "3"), "axis=1"),
    ("b.astype(int).mean(axis=2)", IndexError, ("dim goes from -2 to 1", "2 is not"), "axis=1"),
    ("b[0] * [1, 2]", ValueError, ("[3] has 3", "[2] has 2"), "[..., None]"),
    ("np.sum(b, dim=0)", TypeError, ("NumPy calls this argument axis",), "axis=... in place of dim=..."),
    ("b.max(0, keepdim=True)", TypeError, ("NumPy calls this argument keepdims",), "keepdims=..."),
    ("np.max(b[:0])", ValueError, ("no extreme element",), ".size first"),
    ("np.zeros(2, 3)", TypeError, ("one tuple", "3"), "np.zeros((2, 3))"),
    ("np.array([[1, 2], [3]])", ValueError, ("equally long",), "[np.array(row) for row in rows]"),
    ("np.split(b, 5)", ValueError, ("no multiple",), "np.array_split"),
    ("np.linalg.inv(b)", ValueError, ("square matrices",), "np.linalg.pinv"),
    ("np.linalg.inv(np.ones((2, 2)))", ValueError, ("depend on one another",), "np.linalg.pinv"),
    ("np.squeeze(b, 0)", ValueError, ("size 1",), "a[0]"),
    ("b.item()", ValueError, ("several elements",), "a.tolist()"),
    ("int(b)", TypeError, ("several elements",), "a.tolist()"),
]

NUMPY_ALONE = [
    ("np.ones(3).T()", "square brackets", "a.T"),
    ("np.ones(3).shape(0)", "square brackets", "a.shape[0]"),
    ("np.broadcast_to(1, 3).__setitem__(0, 2)", "only reads its memory", "a.copy()"),
    ("[1].shape", "no shape", "np.array(values).shape"),
    ("np.ones((2, 3)).T.resize(9)", "belongs to another array", "np.resize"),
    ("np.argmax([])", "no extreme element", "if a.size"),
    ("np.empty(10**17)", "more than the machine can give", "np.broadcast_to"),
]


@pytest.mark.parametrize(("text", "word", "way"), NUMPY_ALONE)
def test_numpys_errors_are_explained_by_their_message(text: str, word: str, way: str) -> None:
    with pytest.raises(Exception) as error:  # noqa: B017, PT011
        eval(text, {"np": np})
    reason = reason_from_message(error.value)
    assert reason is not None and word in reason.because and way in "\n".join(reason.instead)


@pytest.mark.parametrize(("text", "error", "words", "way"), NUMPY_ERRORS)
def test_numpys_errors_are_explained_in_numpys_names(text: str, error: type, words: tuple[str, ...], way: str) -> None:
    explained = why(text, b=np.arange(6.0).reshape(2, 3), np=np)
    last = explained.steps[-1]
    assert isinstance(last.error, error) and explained.reason is not None
    for word in words:
        assert word in explained.reason.because
    assert way in "\n".join(last.instead) and "torch" not in "\n".join(last.instead)


def test_what_cannot_be_explained_says_what_was_given() -> None:
    explained = why("np.cross(b, b[:, :1])", b=np.ones((2, 3)), np=np)
    assert (
        explained.reason is not None
        and explained.reason.because == "The arguments were float64 [2, 3], float64 [2, 1]."
    )


# -- view or copy ------------------------------------------------------------------------------------------------------

VERDICTS = [
    ("x.t()", "view", 0, "Sizes and strides change their order together"),
    ("x.t().reshape(-1)", "copy", 24, "stride 2 * 3 = 6 in dimension 0, which has 1"),
    ("x.reshape(3, 2)", "view", 0, "Strides can express the new shape"),
    ("x.view(-1)", "view", 0, "Strides can express the new shape"),
    ("x.contiguous()", "itself", 0, "already contiguous"),
    ("x.t().contiguous()", "copy", 24, "Dimension 1 (size 2) would need stride 1, and has 3"),
    ("x[1:, ::2]", "view", 0, "the offset goes from 0 to 3 and a larger stride skips elements"),
    ("x[1]", "view", 0, "the offset goes from 0 to 3"),
    ("x[:, :2]", "view", 0, "fewer elements remain"),
    ("x[None]", "view", 0, "a dimension of size 1 is added"),
    ("x[:1][0:, None][0]", "view", 0, "a dimension of size 1 is removed"),
    ("x[...]", "view", 0, "nothing moves"),
    ("x[[0, 1]]", "copy", 24, "contains a list"),
    ("x[x > 2]", "copy", 12, "is a mask"),
    ("x.expand(4, 2, 3)", "view", 0, "Dimension 0 has stride 0: all of its 4 indices"),
    ("x.clone()", "copy", 24, "clone() copies"),
    ("x.to(tw.float64)", "copy", 48, "from float32 (4 bytes) to float64 (8 bytes)"),
    ("x.to(tw.float32)", "itself", 0, "already"),
    ("x.view(tw.int32)", "view", 0, "same bytes, read as int32"),
    ("x.diagonal()", "view", 0, "stride 4"),
    ("x + 1", "new", 24, "new storage"),
    ("x + tw.ones(4, 1, 1)", "new", 96, "stride 0 broadcasts [2, 3] and [4, 1, 1]"),
    ("x.sum()", "new", 4, "new storage"),
    ("tw.zeros(3)", "new", 12, "Created in a new storage"),
    ("x.add_(1)", "in place", 0, "every tensor that shares the storage"),
    ("tw.cat([x, x])", "copy", 48, "A tensor has one storage"),
    ("x.split(1)", "view", 0, "2 results"),
    ("x.unsqueeze(0)", "view", 0, "Strides can express the new shape"),
    ("x.stride()", "value", 0, ""),
]


@pytest.mark.parametrize(("text", "outcome", "allocated", "because"), VERDICTS)
def test_verdicts(text: str, outcome: str, allocated: int, because: str) -> None:
    step = why(text, **names()).steps[-1]
    assert (step.text, step.outcome, step.allocated) == (text, outcome, allocated)
    assert because in step.because


@pytest.mark.torch
@pytest.mark.parametrize(("text", "outcome", "allocated", "because"), VERDICTS)
def test_verdicts_on_pytorch(text: str, outcome: str, allocated: int, because: str) -> None:
    import torch

    step = why(text.replace("tw.", "torch."), **names(torch)).steps[-1]
    assert (step.outcome, step.allocated) == (outcome, allocated)
    assert because in step.because


@pytest.mark.parametrize(
    ("text", "outcome", "allocated"),
    [
        ("b.T", "view", 0), ("b.T.reshape(-1)", "copy", 48), ("b.ravel()", "view", 0), ("b.flatten()", "copy", 48),
        ("b.T.ravel()", "copy", 48), ("b[::-1]", "view", 0), ("b[:, ::-1][1]", "view", 0), ("b[[0]]", "copy", 24),
        ("b.astype('float32')", "copy", 24), ("b.astype(float)", "copy", 48), ("b.view('int64')", "view", 0),
        ("np.broadcast_to(b, (4, 2, 3))", "view", 0), ("np.ascontiguousarray(b)", "itself", 0), ("b * b", "new", 48),
        ("np.concatenate([b, b])", "copy", 96), ("b.swapaxes(0, 1)", "view", 0), ("b.shape", "value", 0),
    ],
)  # fmt: skip
def test_verdicts_on_numpy(text: str, outcome: str, allocated: int) -> None:
    step = why(text, b=np.arange(6.0).reshape(2, 3), np=np).steps[-1]
    assert (step.outcome, step.allocated) == (outcome, allocated)


def random_views(library: Any, count: int, seed: int) -> Iterator[tuple[Any, str]]:
    """Arrays of odd strides, and an expression that may or may not copy."""
    chance = Random(seed)
    for _ in range(count):
        size = [chance.choice((1, 2, 3, 4)) for _ in range(chance.choice((1, 2, 3)))]
        total = int(np.prod(size))
        x = library.arange(total).reshape(*size)
        for _ in range(chance.choice((0, 1, 2))):
            d = chance.randrange(len(x.shape))
            x = chance.choice((lambda x=x, d=d: x.swapaxes(0, d), lambda x=x, d=d: x[..., :: chance.choice((1, 2))]))()
        total = int(np.prod(tuple(x.shape)))
        split = chance.choice([n for n in (1, 2, 3, 4, 6) if total % n == 0])
        yield (
            x,
            chance.choice(
                ("x.reshape(-1)", f"x.reshape({split}, -1)", "x.ravel()", "x[..., None]", "x.T", "x.swapaxes(0, -1)")
            ),
        )


@pytest.mark.parametrize("seed", range(4))
def test_verdicts_agree_with_memory(seed: int) -> None:
    for x, text in random_views(np, 60, seed):
        step = why(text, x=x).steps[-1]
        value = eval(text, {"x": x})
        shared = np.shares_memory(x, value)
        assert (step.outcome in ("view", "itself")) == shared, (text, x.shape, x.strides)
        assert step.allocated == (0 if shared else value.nbytes)
        if step.outcome == "copy":
            assert step.reason is not None and step.reason.rule in ("view.span", "contiguous.stride")


@pytest.mark.parametrize("seed", range(4))
def test_our_verdicts_agree_with_our_storages(seed: int) -> None:
    for x, text in random_views(tw, 60, seed):
        if text in ("x.T",) and x.dim() != 2:
            continue  # PyTorch warns about it
        step = why(text, x=x).steps[-1]
        value = eval(text, {"x": x})
        shared = value.untyped_storage() is x.untyped_storage()
        assert (step.outcome in ("view", "itself")) == shared, (text, x.shape, x.stride())


def test_steps_name_what_they_are_views_of() -> None:
    explained = why("(x + 1).t()[1:]", **names())
    assert [(s.text, s.outcome, s.shares) for s in explained.steps] == [
        ("x", "input", ""),
        ("x + 1", "new", ""),
        ("(x + 1).t()", "view", "x + 1"),
        ("(x + 1).t()[1:]", "view", "(x + 1).t()"),
    ]
    assert explained.allocated == 24 and explained.reason is None


def test_a_copy_carries_the_reason_that_geometry_gave() -> None:
    explained = why("x.t().reshape(-1)", **names())
    assert explained.reason is not None and explained.reason.rule == "view.span"
    assert explained.reason.facts["dims"] == (0, 1) and explained.reason.facts["wanted"] == 6


def test_ways_out_are_spelled_with_the_users_own_words() -> None:
    assert why("x.t().view(6)", **names()).steps[-1].instead[0] == "x.t().reshape(6)"
    assert why("(x + 1).view(4)", **names()).steps[-1].instead == ("(x + 1).reshape(6)",)
    assert why("x.t() @ x.t()", **names()).steps[-1].instead[0] == "x.t() @ x.t().t()"
    assert why("y.add_(1)", y=tw.ones(1).expand(3)).steps[-1].instead == ("y = y.clone()",)
    assert why("x.expand(9, 1)", **names()).steps[-1].instead == ()
    assert why("x.expand(4, 3)", **names()).steps[-1].instead == ("x.repeat(2, 1), which copies",)
    column = why("x.expand(3, 5)", x=tw.tensor([7, 8, 9])).steps[-1].instead[0]
    assert tw.tensor([7, 8, 9]).unsqueeze(-1).expand(3, 5)[1].tolist() == [8] * 5
    assert column.startswith("x.unsqueeze(-1).expand(3, 5), a view")


def test_a_meta_tensor_has_no_bytes_to_give() -> None:
    plan = tw.empty(50_000, 50_000, device="meta")
    told = str(why("plan.t()", plan=plan))
    assert "0 bytes, on meta" in told and "10000000000" not in told
    assert "24 bytes" in str(why("x.t()", x=tw.tensor([7, 8, 9])))


def test_ways_out_that_are_whole_expressions_work() -> None:
    given = names()
    for text in ("x.t().view(6)", "x.t().view(-1)", "x.reshape(4)", "x @ x", "x @ x.double().t()", "not x"):
        for way in why(text, **given).steps[-1].instead:
            if way.startswith("x.double().t().to"):
                assert (given["x"] @ eval(way, given)).shape == (2, 2)
            else:
                eval(way, given)


def test_numbers_asked_on_the_way_are_left_out() -> None:
    assert [s.text for s in why("x.view(x.numel() // 2, -1)", **names()).steps] == ["x", "x.view(x.numel() // 2, -1)"]


def test_a_text_that_is_not_read_is_the_callers_error() -> None:
    with pytest.raises(ValueError, match="is private") as caught:
        why("x.__class__", **names())
    assert caught.value.reason.rule == "expression.private"  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="explains an expression"):
        why(3)


def test_names_are_taken_from_around_the_call() -> None:
    y = tw.arange(6).reshape(2, 3)
    assert why("y.t()").steps[0].facts.geometry.size == tuple(y.shape)  # type: ignore[union-attr]
    assert why("y.t()", y=tw.ones(5, 7)).steps[0].facts.geometry.size == (5, 7)  # type: ignore[union-attr]


# -- the last error ----------------------------------------------------------------------------------------------------


def provoke(do: Any) -> Exception:
    try:
        do()
    except Exception as error:
        return error
    raise AssertionError("nothing was refused")


def show(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """What an interactive Python does with an error that reaches it."""
    monkeypatch.setitem(vars(sys), "last_value", error)


def test_nothing_to_explain() -> None:
    assert repr(why()) == "There has been no error to explain." and why().reason is None


def test_the_error_that_was_shown_is_explained_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    x = names()["x"]
    show(monkeypatch, provoke(lambda: x.t().view(-1)))
    explained = why()
    assert [s.text for s in explained.steps] == ["x", "x.t()", "x.t().view(-1)"]
    assert explained.steps[-1].instead[0] == "x.t().reshape(6)"


def test_the_error_being_handled_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    show(monkeypatch, provoke(lambda: tw.ones(2).view(3)))
    try:
        names()["x"].sum(3)
    except IndexError:
        assert "2 dimensions" in repr(why())


def test_an_error_that_was_caught_is_remembered() -> None:
    error = provoke(lambda: tw.ones(2).view(3))
    explained = why()
    assert explained.reason is error.reason  # type: ignore[attr-defined]
    assert repr(explained).startswith(
        "RuntimeError: shape '[3]' is invalid for input of size 2\n    [3] holds 3 elements"
    )


def test_of_a_caught_and_a_shown_error_the_later_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    show(monkeypatch, provoke(lambda: tw.ones(2).view(3)))
    provoke(lambda: tw.ones(2)[7])
    assert why().reason.rule == "index.range"  # type: ignore[union-attr]
    show(monkeypatch, provoke(lambda: np.ones(2).reshape(5)))
    assert why().reason.message == "cannot reshape array of size 2 into shape (5,)"  # type: ignore[union-attr]


def test_asking_why_does_not_change_which_error_came_last() -> None:
    error = provoke(lambda: tw.ones(2).view(3))
    assert why().reason is why().reason is error.reason  # type: ignore[attr-defined]
    assert why(error).steps and why().reason is error.reason  # type: ignore[attr-defined]


def test_an_error_can_be_handed_over() -> None:
    b = np.arange(6.0).reshape(2, 3)
    explained = why(provoke(lambda: b.T + b))
    assert [s.text for s in explained.steps] == ["b", "b.T", "b.T + b"]
    assert explained.reason is not None and explained.reason.rule == "broadcast.clash"


def test_what_changes_something_is_not_taken_again() -> None:
    y = tw.zeros(3)
    error = provoke(lambda: y.add_(1).view(5))
    explained = why(error)
    assert y.tolist() == [1, 1, 1] and explained.steps == []
    assert explained.reason is error.reason  # type: ignore[attr-defined]


def test_an_error_from_deep_within_somebodys_code_is_told_by_its_message() -> None:
    def model(y: Any, hidden: dict[str, Any]) -> Any:
        return y @ hidden["weight"]

    explained = why(provoke(lambda: model(tw.ones(2, 3), {"weight": tw.ones(4, 5)})))
    assert explained.reason is not None and "3" in explained.reason.because


def test_tensors_that_objects_hold_are_operands_too() -> None:
    class Layer:
        shared = tw.ones(2, 3)

        def __init__(self) -> None:
            self.weight = tw.ones(4, 5)

        @property
        def computed(self) -> Any:
            raise AssertionError("a property was run to explain an error")

        def forward(self, y: Any) -> Any:
            return y @ self.weight

    explained = why(provoke(lambda: Layer().forward(tw.ones(2, 3))))
    assert [s.text for s in explained.steps] == ["y", "self.weight", "y @ self.weight"]
    layer, state = Layer(), {"w": [tw.ones(2, 3)]}
    assert why(provoke(lambda: layer.shared.t().view(-1))).steps[1].text == "layer.shared.t()"
    assert why(provoke(lambda: state["w"][0].t().view(-1))).steps[-1].instead[0] == 'state["w"][0].t().reshape(6)'
    assert isinstance(why(provoke(lambda: layer.computed @ layer.weight)), Explanation)


@pytest.mark.torch
def test_the_weights_of_a_pytorch_module_are_operands_too() -> None:
    import torch

    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(4, 5))

        def forward(self, y: Any) -> Any:
            return y @ self.weight

    explained = why(provoke(lambda: Net()(torch.ones(2, 3))))
    assert [s.text for s in explained.steps] == ["y", "self.weight", "y @ self.weight"]
    assert "size 3" in explained.reason.because  # type: ignore[union-attr]


def test_errors_of_others_are_told_as_they_are() -> None:
    explained = why(provoke(lambda: {}["missing"]))
    assert repr(explained) == "KeyError: 'missing'"


def test_in_a_notebook() -> None:
    from IPython.core.interactiveshell import InteractiveShell

    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    try:
        shell.user_ns |= {"tw": tw, "why": why}
        shell.run_cell("x = tw.arange(6).reshape(2, 3)")
        shell.run_cell("x.t().view(-1)")
        assert [s.text for s in shell.run_cell("why()").result.steps] == ["x", "x.t()", "x.t().view(-1)"]
        assert shell.run_cell("why(lambda: x.t().reshape(-1))").result.steps[-1].outcome == "copy"
        assert shell.run_cell("why('x.t()')").result.steps[-1].outcome == "view"
    finally:
        shell.history_manager.end_session()
        InteractiveShell.clear_instance()


# -- lambdas -----------------------------------------------------------------------------------------------------------


def test_a_lambda_is_taken_step_by_step() -> None:
    x = names()["x"]
    explained = why(lambda: x.t().reshape(-1))
    assert [(s.text, s.outcome) for s in explained.steps] == [
        ("x", "input"),
        ("x.t()", "view"),
        ("x.t().reshape(-1)", "copy"),
    ]


def test_the_right_one_of_two_lambdas_on_a_line() -> None:
    x = names()["x"]
    pair = (lambda: x.t(), lambda: x.t().reshape(6))
    assert [body_of(f).text for f in pair] == ["x.t()", "x.t().reshape(6)"]  # type: ignore[union-attr]


def test_a_lambda_that_writes_is_called_once() -> None:
    y = tw.zeros(3)
    explained = why(lambda: y.add_(1))
    assert y.tolist() == [1, 1, 1]
    assert explained.steps[-1].outcome == "itself" and explained.steps[-1].shares == "y"


def test_a_lambda_that_cannot_be_walked_is_called_and_its_result_explained() -> None:
    x = names()["x"]
    explained = why(lambda: [x.t()][0] if x.dim() else x)
    result = explained.steps[-1]
    assert (result.outcome, result.shares, result.allocated) == ("view", "x", 0)
    assert "not contiguous" in result.because and "would need stride 1, and has 3" in result.because
    other = why(lambda: {"sum": x + 1}["sum"]).steps
    assert other[0].text.startswith("add(") and other[0].allocated == 24
    assert other[-1].outcome == "new" and "shares no memory with x" in other[-1].because


def test_a_function_is_called_and_its_error_explained() -> None:
    x = names()["x"]

    def do() -> Any:
        y = x.t()
        return y.view(-1)

    explained = why(do)
    assert [s.text for s in explained.steps] == ["y", "y.view(-1)"]
    assert explained.steps[-1].instead[0] == "y.reshape(6)"


def test_a_lambda_on_numpy() -> None:
    b = np.arange(6.0).reshape(2, 3)
    assert why(lambda: b.T.reshape(-1)).allocated == 48
    assert why(lambda: dict(a=b.T)["a"]).steps[-1].shares == "b"


# -- mirrors and costs -------------------------------------------------------------------------------------------------


def test_a_mirror_has_the_geometry_and_none_of_the_memory() -> None:
    b = np.broadcast_to(np.arange(4.0)[::2], (10**9, 2))
    mirror = mirror_of(b)
    assert tuple(mirror.shape) == (10**9, 2) and mirror.stride() == (0, 2) and mirror.dtype is tw.float64
    reversed_ = mirror_of(np.arange(6)[::-1])
    assert reversed_.tolist() == [5, 4, 3, 2, 1, 0] and reversed_.stride() == (-1,)


def test_nothing_is_loaded_before_it_is_asked() -> None:
    code = (
        "import sys, tensorwidgets as tw\n"
        "try: tw.ones(2).view(3)\n"
        "except RuntimeError: pass\n"
        "print([m for m in sys.modules if 'explain' in m or 'express' in m or m in ('torch', 'executing')])\n"
        "tw.why('tw.ones(2, 3).t().view(6)')\n"
        "print('torch' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "False"]


def test_a_reason_of_ones_own_prints_without_steps() -> None:
    reason = Reason("mine", ValueError, "no", "because of 3", ("x[0]",))
    assert repr(Explanation(reason=reason)) == "ValueError: no\n    Because of 3.\n    Instead: x[0]"
