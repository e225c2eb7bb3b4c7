"""The drawn graph: ours says what PyTorch's says, rows are folded, and what has no graph is refused."""

from __future__ import annotations

import json
import re
from importlib import import_module

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.autograd.facts import kept_by
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.graphs.tape import Tape, tape_of
from tensorwidgets.pictures.operations.gradients.folds import MOST, Fold, folded
from tensorwidgets.pictures.operations.gradients.graph import tape_picture
from tensorwidgets.pictures.parts.rails import rail_texts, rails
from tests.pictures.operations.freeze_graph import REFERENCE, facts, thawed
from tests.pictures.operations.graph_programs import PROGRAMS
from tests.pictures.parsed import parse

FROZEN = json.loads(REFERENCE.read_text())["graphs"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_ours_is_drawn_as_pytorchs(name: str) -> None:
    ours, theirs = tape_picture(facts(tw, name), name), tape_picture(thawed(FROZEN[name]), name)
    assert repr(ours) == repr(theirs)
    assert ours.html() == theirs.html()


@pytest.mark.torch
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_frozen_graphs_are_pytorchs(name: str) -> None:
    import torch

    assert facts(torch, name) == thawed(FROZEN[name])


def drawn(name: str) -> str:
    return repr(tape_picture(facts(tw, name), "y"))


def test_rows_name_what_the_caller_names() -> None:
    x = tw.ones(2, requires_grad=True)
    held = {"weight": tw.ones(2, requires_grad=True)}
    h = x * held["weight"]
    text = repr(show.graph(h.sum()))
    assert text.startswith("The graph of h.sum() (2 nodes, 2 leaves)\n")
    assert "x leaf" in text and "held['weight'] leaf" in text and "h = Mul" in text
    assert "3    h = Mul" in repr(show.graph(h.grad_fn))


def test_each_storage_is_counted_once() -> None:
    tape = facts(tw, "shared")
    assert "Kept for backward: 5 tensors in 3 storages, 72 bytes, each storage counted once." in drawn("shared")
    assert sum(tape.storages) == 72 and len(tape.of_leaves) == 1
    assert drawn("shared").count(" again") == 2
    assert "other (10,) A 40 bytes of 4,000 bytes" in drawn("part_of_a_storage")


def test_a_shared_input_has_a_rail_to_each_use() -> None:
    assert rail_texts(rails([(), (0,), (1, 0)])) == ["○", "├─●", "●─╯"]
    assert rail_texts(rails([(), (), (), (0,), (3, 1, 2)])) == ["○", "│ ○", "│ │ ○", "● │ │", "●─┴─╯"]
    assert rail_texts(rails([(), (), (0,), (0, 1, 2)])) == ["○", "│ ○", "├─│─●", "●─┴─╯"]


def test_what_was_freed_and_what_was_written_to() -> None:
    assert drawn("freed").count("freed\n") == 5
    assert "5 nodes freed what they kept. Nothing is kept for backward." in drawn("freed").replace("\n", " ")
    assert "✗ written to since" in drawn("written") and "✗ written to since" not in drawn("shared")


def test_hooks_of_the_user_are_not_run() -> None:
    unpacked: list[object] = []
    x = tw.ones(3, requires_grad=True)
    with tw.autograd.graph.saved_tensors_hooks(lambda t: t.tolist(), lambda held: unpacked.append(held)):
        y = x * x.exp()
    text = repr(show.graph(y))
    assert text.count("kept by a hook") == 3 and not unpacked
    assert "Hooks keep 3 tensors in a form of their own" in text and "Nothing is kept" not in text


@pytest.mark.parametrize("name", ["recurrent", "deep", "chain"])
def test_a_long_graph_is_folded(name: str) -> None:
    picture = tape_picture(facts(tw, name), "y")
    rows = [row for row in parse(picture.html()).all("tr") if row.all("th")[0].attributes["scope"] == "row"]
    assert 5 < len(rows) <= MOST
    spans = [row.all("th")[0].text().split("–") for row in rows]
    numbers = [k for span in spans for k in range(int(span[0]), int(span[-1]) + 1)]
    assert numbers == list(range(1, len(facts(tw, name).steps) + 1))


def test_what_repeats_is_said() -> None:
    assert "47 times the 4 rows above again" in drawn("recurrent")
    assert "37 times the 6 rows above again" in drawn("deep")
    chain = [(), *[(k,) for k in range(99)]]
    assert folded(chain, [str(k) for k in range(100)]) == [Fold(3, 97)]
    assert folded(chain[:MOST], ["same"] * MOST) == []
    pairs = [(k - 2, k - 1) if k > 1 else () for k in range(200)]
    left_out = folded(pairs, [str(k) for k in range(200)])
    assert len(left_out) == 1 and 200 - (left_out[0].stop - left_out[0].start - 1) <= MOST


def test_five_thousand_nodes() -> None:
    y = x = tw.ones(1, requires_grad=True)
    for _ in range(2500):
        y = y.sin() + x
    picture = show.graph(y, labels=["y"])
    assert repr(picture).startswith("The graph of y (5,000 nodes, 1 leaf)\n")
    assert len(picture.html()) < 30_000


def test_the_table_can_be_read_without_the_rails() -> None:
    page = parse(tape_picture(facts(tw, "layer"), "y").html())
    (table,) = page.all("table", "tw-graph")
    heads = [th.text() for th in table.all("tr")[0].all("th")]
    assert heads == ["", "row", "node", "from", "result", "kept for backward"]
    cells = [[td.text() for td in row.children[1:]] for row in table.all("tr")[1:]]
    assert cells[3] == ["4", "h = Add", "3, 2", "(3, 5)", ""]
    assert [div.text().split()[0] for div in table.all("tr")[6].all("td")[-1].all("div")] == ["other", "self"]
    titles = [td.attributes["title"] for td in table.all("td") if "i-row6" in td.classes]
    assert "row 6, Mul | MulBackward0 sends gradients to row 5 (Exp), row 4 (h); its result is (3, 5) float32" in titles


def test_what_has_no_graph_is_refused() -> None:
    plain, leaf = tw.ones(2), tw.ones(2, requires_grad=True)
    with pytest.raises(ValueError, match=r"^plain has no graph: .* Call requires_grad_\(\) on a leaf"):
        show.graph(plain)
    with pytest.raises(ValueError, match=re.escape("show.graph((leaf * 2).sum())")):
        show.graph(leaf)
    for other, word in ((np.ones(2), "an array of NumPy"), ([leaf], "'list'")):
        with pytest.raises(TypeError, match=word):
            show.graph(other)


@pytest.mark.parametrize("library", ["tensorwidgets", pytest.param("torch", marks=pytest.mark.torch)])
def test_a_lazy_layer_nearby_does_no_harm(library: str) -> None:
    torch = import_module(library)
    lazy = torch.nn.LazyLinear(3)
    x = torch.ones(2, requires_grad=True)
    y = x * x
    assert repr(show.graph(y)).startswith("The graph of y") and repr(show.saved(y)).startswith("What the graph of y")
    assert repr(show.versions(x, y)).startswith("Saves and writes of x")
    assert "lazy" not in repr(show.memory(lazy, x, y))
    with pytest.raises(TypeError, match="a lazy parameter has no size and no memory yet: call its module"):
        show(lazy.weight)


def test_the_facts_hold_no_tensor() -> None:
    tape = tape_of(tw.ones(2, requires_grad=True).exp(), "y", {})
    assert isinstance(tape, Tape) and json.loads(json.dumps(tape)) == json.loads(json.dumps(list(tape)))


def test_what_is_kept_is_read_as_separate_words() -> None:
    """Each kept tensor has a line of its own, and a screen reader hears where it ends."""
    x = tw.ones(2, 3, requires_grad=True)
    bare = re.sub("<[^>]+>", "", show.graph((x @ tw.ones(3, 2)).relu() @ tw.ones(2, 4, requires_grad=True)).html())
    assert "24 bytes" in bare and re.search("bytes(?=[a-z])", bare) is None


def test_what_layers_keep_has_the_names_of_their_nodes() -> None:
    """What a picture calls `input` is `grad_fn._saved_input`, in PyTorch too."""
    functional = tw.nn.functional
    x = tw.ones(2, 3, 4, 4, requires_grad=True)
    y = functional.conv2d(x, tw.ones(3, 3, 1, 1))
    y = functional.layer_norm(functional.batch_norm(y, None, None, training=True), (4,))
    node, names = y.grad_fn, []
    while hasattr(node, "next_functions") and node.next_functions:
        names += [(node.name(), kept.name) for kept in kept_by(node)]
        assert all(hasattr(node, f"_saved_{kept.name}") for kept in kept_by(node))
        node = node.next_functions[0][0]
    assert [node for node, name in names if name == "input"] == [
        "NativeLayerNormBackward0", "NativeBatchNormBackward0", "ConvolutionBackward0"
    ]  # fmt: skip


def test_a_layer_of_one_node_is_called_by_its_layer() -> None:
    """PyTorch records a GRU step by step, and its last step is a stack."""
    out, _ = tw.nn.GRU(3, 4)(tw.ones(2, 1, 3))
    assert out.grad_fn is not None and out.grad_fn.name() == "StackBackward0"
    assert "out = GruLayer " in repr(show.graph(out.sum()))
    both = tw.stack([out, out])
    assert "both = Stack " in repr(show.graph(both))


def test_what_is_expanded_takes_the_bytes_of_its_storage() -> None:
    x = tw.ones(3, requires_grad=True)
    (slope,) = tw.autograd.grad((x**3).sum(), x, create_graph=True)
    assert re.search(r"Mul +3 +\(3,\) +self \(3,\) B 4 bytes\n", repr(show.graph(slope.sum())))
