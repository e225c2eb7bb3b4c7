"""Dimensions with names, held to PyTorch 2.12, the last that had them."""

from __future__ import annotations

import copy
import gzip
import io
import json
import pickle
import subprocess
import sys
import threading
from typing import Any

import pytest

import tensorwidgets as torch
from tests.engine.named import named_programs
from tests.engine.named.freeze_named import REFERENCE
from tests.engine.named.named_cases import LISTED, OTHERS, case, cases, outcome
from tests.parts import Part, in_parts

WEIGHTS = [0.2126, 0.7152, 0.0722]


def test_the_example_of_the_documents() -> None:
    """A picture and a batch of them in shades of grey: by hand, by einsum and by names."""
    torch.manual_seed(0)
    img_t, batch_t, weights = torch.randn(3, 5, 5), torch.randn(2, 3, 5, 5), torch.tensor(WEIGHTS)
    weights_named = torch.tensor(WEIGHTS, names=["channels"])
    assert repr(weights_named) == "tensor([0.2126, 0.7152, 0.0722], names=('channels',))"
    assert weights_named.names == ("channels",)
    for plain, size in ((img_t, "torch.Size([5, 5])"), (batch_t, "torch.Size([2, 5, 5])")):
        named = plain.refine_names(..., "channels", "rows", "columns")
        aligned = weights_named.align_as(named)
        by_hand = (plain * weights.unsqueeze(-1).unsqueeze(-1)).sum(-3)
        by_einsum = torch.einsum("...chw,c->...hw", plain, weights)
        both = torch.einsum("...chw,c->...hw", named, weights_named)
        grey = (named * aligned).sum("channels")
        assert str(grey.shape) == size and grey.names[-2:] == both.names[-2:] == ("rows", "columns")
        assert aligned.names == named.names and aligned.shape[-3:] == (3, 1, 1)
        dropped = grey.rename(None)
        assert dropped.names == (None,) * dropped.ndim
        assert torch.allclose(dropped, by_hand) and torch.allclose(dropped, by_einsum)
        assert torch.allclose(dropped, both.rename(None))


def test_what_the_documents_print() -> None:
    img_named = torch.randn(3, 5, 5).refine_names(..., "channels", "rows", "columns")
    assert f"{img_named.shape} {img_named.names}" == "torch.Size([3, 5, 5]) ('channels', 'rows', 'columns')"
    with pytest.raises(RuntimeError, match="'columns'.*'channels'.*do not match") as told:
        img_named * torch.tensor(WEIGHTS, names=["channels"])
    assert told.value.reason.facts["names"] == ("columns", "channels")


# -- what PyTorch 2.12 answers ------------------------------------------------------------------------------------

FROZEN = json.loads(gzip.decompress(REFERENCE.read_bytes()))
ANSWERS: dict[str, list[Any]] = {}
for (_row, _), _answer in zip(cases(), FROZEN["answers"], strict=True):
    ANSWERS.setdefault(_row, []).append(_answer)


def otherwise(call: str, theirs: list[Any], ours: list[Any]) -> str:
    """Why an answer is not PyTorch's; docs/differences.md has each of these."""
    said = theirs[0][1] if isinstance(theirs[0], list) and isinstance(theirs[0][0], str) else ""
    if "flatten" in call and ours[0] == theirs[0] and "x" in theirs[-1]:
        return "flatten of one dimension gives the tensor itself the new name"
    if "squeeze" in call and theirs[0] == {**ours[0], "names": [None] * len(ours[0]["size"])}:
        return "squeeze takes all names off where the dimension is not of size 1"
    if said.startswith("masked_fill_: attempted to broadcast"):
        return "masked_fill_ refuses masks of fewer dimensions"
    if said.startswith("Name mismatch") and ours[0][1].startswith("Cannot resize named tensor"):
        return "out= of another number of dimensions is resized before its names are refused"
    if said.startswith(("aten::unsqueeze", "aten::view")) and ("[" in call or "vstack" in call):
        return "None as an index, and what is written to be stretched, have a rule here"
    if said.startswith("index 5 is out of bounds"):
        return "names are asked about before numbers"
    if said.startswith("diagonal() received"):
        return "PyTorch lists the ways with names"
    return ""


@pytest.mark.parametrize("row", LISTED)
def test_each_row_of_the_list(row: str) -> None:
    """Every function that PyTorch lists as supporting names: names, sizes, dtypes, and refusals to the letter."""
    if row in ("normal", "topk", "register_hook"):
        assert row not in ANSWERS  # on the list, and refused by 2.12; see below
        return
    assert len(ANSWERS[row]) >= 40
    compare(row)


@pytest.mark.parametrize("row", OTHERS)
def test_what_the_list_does_not_have(row: str) -> None:
    compare(row)


def compare(row: str) -> None:
    wrong = []
    for number, theirs in enumerate(ANSWERS[row]):
        lines, call = case(row, number)
        ours = json.loads(json.dumps(outcome(torch, lines, call)))
        if ours != theirs and not otherwise(call, theirs, ours):
            wrong.append((lines, call, theirs, ours))
    assert not wrong, wrong[:3]


def test_the_list_is_whole() -> None:
    assert len(LISTED) == 201 and FROZEN["torch"].startswith("2.12.0")


@in_parts(4)
def test_programs(part: Part) -> None:
    """Ten lines each, every line's names, size, dtype and numbers, or its refusal."""
    wrong = []
    programs = named_programs.read()
    for lines, theirs in part.of(zip(programs, FROZEN["programs"], strict=True)):
        ours = json.loads(json.dumps(named_programs.outcome(torch, lines)))
        first = next((k for k, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1]), None)
        if first is not None and not str(theirs[first][1]).startswith(SIZES_FIRST):
            wrong.append((lines[: first + 1], theirs[first], ours[first]))
    assert len(programs) == 600 and not wrong, wrong[:3]


SIZES_FIRST = ("unsupported operation: some elements of the input", "Expected size for first two dimensions of batch2")
"""Refusals that PyTorch comes to before names, or on another way through its products."""


# -- beyond PyTorch -----------------------------------------------------------------------------------------------

X = torch.arange(6.0).reshape(2, 3).refine_names("N", "C")
Y = torch.arange(24.0).reshape(2, 3, 4).refine_names("N", "C", "L")


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ("Y.permute(2, 0, 1)", ("L", "N", "C")),
        ("Y.permute('L', 'N', 'C')", ("L", "N", "C")),
        ("torch.permute(Y, ('L', 'N', 'C'))", ("L", "N", "C")),
        ("X.T", ("C", "N")),
        ("Y.mT", ("N", "L", "C")),
        ("X.H", ("C", "N")),
        ("Y.movedim('L', 0)", ("L", "N", "C")),
        ("Y.movedim((0, 1), (1, 2))", ("L", "N", "C")),
        ("X.swapaxes('N', 'C')", ("C", "N")),
        ("X.unsqueeze(0)", (None, "N", "C")),
        ("X.unsqueeze(-1)", ("N", "C", None)),
        ("X[:, None]", ("N", None, "C")),
        ("torch.stack([X, X])", (None, "N", "C")),
        ("torch.stack([X, X.rename('N', None)], 2)", ("N", "C", None)),
        ("X.expand_as(torch.zeros(4, 2, 3))", (None, "N", "C")),
        ("X.topk(2, 'C').values", ("N", "C")),
        ("torch.normal(X, 1.0)", ("N", "C")),
        ("(X > 1).all('C')", ("N",)),
        ("(X > 1).any(('N', 'C'))", ()),
        ("X.narrow('C', 0, 2)", ("N", "C")),
        ("X.split(1, 'C')[0]", ("N", "C")),
        ("X.chunk(3, 'C')[0]", ("N", "C")),
        ("Y.flatten(1)", ("N", None)),
        ("Y.unflatten(2, (('H', 2), ('W', 2)))", ("N", "C", "H", "W")),
        ("torch.unflatten(Y, 'L', (2, 2), ('H', 'W'))", ("N", "C", "H", "W")),
        ("torch.einsum('ncl,nc->ln', Y, X)", ("L", "N")),
        ("torch.einsum('nc,dc->nd', X, torch.ones(4, 3))", ("N", None)),
        ("torch.einsum('...l->...', Y)", ("N", "C")),
        ("torch.einsum(Y, [0, 1, 2], [2, 0])", ("L", "N")),
        ("torch.zeros(2, 3, names=('N', 'C'), device='meta').sum('N')", ("C",)),
        ("torch.zeros(2, 3).add_(X)", ("N", "C")),
        ("X.clone().t_()", ("C", "N")),
        ("X[:1].clone().squeeze_()", ("C",)),
        ("X.clone().unsqueeze_(1)", ("N", None, "C")),
    ],
)
def test_names_go_with_their_dimensions(call: str, names: tuple) -> None:
    found = eval(call, {"torch": torch, "X": X, "Y": Y})
    assert found.names == names and found.ndim == len(names)


def test_a_hook_is_refused_for_want_of_gradients_not_of_names() -> None:
    with pytest.raises(RuntimeError, match="a tensor that doesn't require gradient"):
        X.register_hook(print)


def test_align_tensors_takes_the_order_of_the_one_with_most_dimensions() -> None:
    one, other = torch.align_tensors(X.t(), Y)
    assert one.names == other.names == ("N", "C", "L") and one.shape == (2, 3, 1)
    assert torch.align_tensors() == ()


def test_a_letter_of_an_einsum_is_one_name() -> None:
    with pytest.raises(RuntimeError, match="the letter c names dim 'C' and dim 'L'") as told:
        torch.einsum("nc,cl->nl", X, torch.ones(3, 4).refine_names("L", None))
    assert "x.rename(L='C')" in told.value.__notes__[0]
    with pytest.raises(RuntimeError, match="duplicate names"):
        torch.einsum("nc,mc->nm", X, X)


def test_names_are_copied_and_pickled() -> None:
    x = torch.arange(6.0).reshape(2, 3).refine_names("N", None)
    x.mark = "the user's"
    for other in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert other.names == ("N", None) and other.tolist() == x.tolist() and other.mark == x.mark
        assert (other + 1).names == ("N", None)
    file = io.BytesIO()
    torch.save({"x": x, "row": x[0]}, file)
    file.seek(0)
    loaded = torch.load(file)
    assert loaded["x"].names == ("N", None) and loaded["row"].names == (None,)
    z = (x * 1j).conj()
    assert copy.deepcopy(z).names == z.names == ("N", None)


def test_names_stay_with_their_tensor() -> None:
    """A call leaves its operands as they are: names, identity, the view's base and the count of writes."""
    x = X.clone()
    assert x.contiguous() is x and x.float() is x and x.flatten(0, 0) is not None
    view = x[0]
    assert view._base is x and view.names == ("C",)
    version = x._version
    x.add_(1)
    assert x._version == version + 1 and x.names == ("N", "C") and view.tolist() == [1.0, 2.0, 3.0]
    view.rename_("Q")
    assert x.names == ("N", "C")


def test_a_clash_changes_nothing() -> None:
    x = X.clone()
    for call in (
        lambda: x.add_(X.rename("N", "Q")),
        lambda: x.copy_(X.rename("Q", "C")),
        lambda: torch.add(X, 1, out=x.rename_("A", "B")),
        lambda: x.rename_("N", "C").__setitem__(0, X[0].rename("Q")),
    ):
        with pytest.raises(RuntimeError):
            call()
        assert x.tolist() == X.tolist()
    with pytest.raises(RuntimeError, match="Cannot resize named tensor"):
        torch.sum(X, 0, out=torch.zeros(0, names=("C",)))


def test_a_recorded_flatten_by_name_has_a_gradient() -> None:
    for call in (
        lambda x: x.flatten([0, 1], "F"),
        lambda x: x.flatten(0, 1, "F"),
        lambda x: torch.flatten(x, 0, 1, out_dim="F"),
        lambda x: x.refine_names("N", "C").flatten(["N", "C"], "F"),
    ):
        x = torch.ones(2, 3, requires_grad=True)
        flat = call(x)
        assert flat.names == ("F",) and flat.grad_fn is not None
        (flat.rename(None) * torch.arange(6.0)).sum().backward()
        assert x.grad.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert torch.ones((), requires_grad=True).flatten(0, 0, "F").names == ("F",)


def test_random_numbers_have_the_names_of_both_operands() -> None:
    assert torch.normal(torch.ones(2, 1, names=("N", None)), torch.ones(3, names=("C",))).names == ("N", "C")
    assert torch.normal(torch.tensor(1.0), X + 1).names == ("N", "C")


def test_names_in_threads() -> None:
    """Operands are read without their names, never changed: no other thread sees them bare."""
    x, wrong = X.clone(), []

    def work() -> None:
        for _ in range(300):
            if (x + x).names != ("N", "C") or x.t().names != ("C", "N"):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


def test_refusals_say_what_to_do() -> None:
    with pytest.raises(RuntimeError) as told:
        torch.tril(X)
    assert "x.rename(None) for the call" in told.value.__notes__[0]
    with pytest.raises(RuntimeError, match="Name 'Q' not found") as told:
        X.sum("Q")
    assert "The dimensions are called N, C." in told.value.__notes__[0]
    with pytest.raises(TypeError, match="got \\(str, str\\)") as told:
        X.sum("N", "C")
    assert "x.sum(('N', 'C'))" in told.value.__notes__[0]


def test_plain_tensors_have_no_names() -> None:
    x = torch.zeros(2, 3)
    assert x.names == (None, None) and not x.has_names() and x._keys == 0
    assert X.rename(None)._keys == 0 and (X[0] @ X[1]).names == ()
    x.names = ["N", None]
    assert x.has_names() and x.names == ("N", None)
    x.names = None
    assert x._keys == 0 and x.names == (None, None)


def test_names_in_a_class_of_ones_own_and_through_data() -> None:
    class Mine(torch.Tensor):
        pass

    mine = X.as_subclass(Mine)
    assert mine.names == ("N", "C") and (mine + 1).names == ("N", "C")
    assert torch.zeros(2).as_subclass(Mine).__dict__ == {}
    x = torch.zeros(2, 3)
    assert X.data.names == ("N", "C")
    x.data = X.clone()
    assert x.names == ("N", "C")
    x.data = torch.ones(2)
    assert x.names == (None,) and not x.has_names()


@pytest.mark.parametrize(
    "call",
    [
        "X @ 3", "X.masked_fill(3, 3)", "X.unflatten('C', {'a': 3})", "torch.equal(X, 3)", "X.sum((0, 'N'))",
        "X.std('N', 'C')", "X.kthvalue('C')", "X.cumsum()", "torch.cat([X, 3])", "X.rename(1)", "X.align_to(['C'])",
        "torch.zeros(2, names='N')", "torch.rand(2, names=3)", "X.expand()", "X.unflatten('C', [('H',)])",
        "torch.ones(6).unflatten(0, [('H',)])", "torch.ones(()).flatten([None, True], 'F')",
    ],
)  # fmt: skip
def test_arguments_of_the_wrong_kind_are_refused_in_words(call: str) -> None:
    with pytest.raises(TypeError) as told:
        eval(call, {"torch": torch, "X": X})
    assert hasattr(told.value, "reason"), told.value


# -- what it costs, and what tells of it --------------------------------------------------------------------------


def test_names_cost_nothing_before_there_are_some() -> None:
    """What computes with names is loaded with the first named tensor; a plain call never comes near it."""
    program = (
        "import sys, tensorwidgets as torch\n"
        "x = torch.ones(2, 3); (x + x).sum(0); x.names\n"
        "names = 'tensorwidgets.engine.modes.named_tensors.'\n"
        "print([m for m in ('calls', 'table', 'rules', 'several') if names + m in sys.modules])\n"
        "x.refine_names('N', 'C') + 1\n"
        "print(names + 'table' in sys.modules)\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert found == "[]\nTrue\n"


def test_the_route_passes_by_names() -> None:
    assert str(torch.route("add", X, X)).splitlines()[1:3] == [
        "names   unifies: the result has the names ('N', 'C'), and the rest of the path is without names",
        "keys    none: plain strided tensors on the CPU go straight on",
    ]
    refused = torch.route("add", X, X.rename("A", "B")).stations
    assert [place for place, _ in refused] == ["call", "names"] and "refused before anything" in refused[1][1]


def test_why_and_pictures_tell_names() -> None:
    told = str(torch.why("x * w", x=Y, w=torch.ones(3, names=("C",))))
    assert "names ('N', 'C', 'L')" in told and "the one with dims ['C'] .align_as() the other" in told
    assert "N 2, stride 3" in repr(torch.show.names(X))


def test_an_op_of_ones_own_for_names() -> None:
    """Names are a kind like others: a kernel of one's own goes before the rule."""
    torch.register_kernel("tril", "names", lambda input: input.rename(None).tril())
    try:
        assert torch.tril(X).names == (None, None)
    finally:
        torch.forget_kernel("tril", "names")
    with pytest.raises(RuntimeError, match="aten::tril is not yet supported"):
        torch.tril(X)
