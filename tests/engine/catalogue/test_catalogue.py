"""The catalogue lists every op once, finds it by any of its names, and says nothing that the op does not do."""

from __future__ import annotations

import doctest
import re
from types import FunctionType
from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.engine import FACE
from tensorwidgets.engine.dispatch.registry import OPS, Op
from tensorwidgets.engine.help.catalogue import Catalogue, Explanation
from tensorwidgets.engine.help.pages import CATEGORIES, examples, gives, page


def test_every_public_function_and_method_is_listed_once() -> None:
    whole = tw.catalogue()
    about_the_engine = {"add_kind", "forget_kernel", "forget_kind", "register_kernel", "route"}
    functions = {n for n, f in FACE.items() if isinstance(f, FunctionType)} - about_the_engine
    methods = {n for n, f in vars(tw.Tensor).items() if isinstance(f, (FunctionType, property))}
    assert {n for n in functions | methods if n not in whole and not n.startswith("_")} == set()
    assert len({entry.name for entry in whole}) == len(whole)
    assert [entry.name for entry in whole if not entry.words] == []


def test_rows_for_the_engine_alone_are_not_listed() -> None:
    internal = {op.name for op in OPS.values() if not op.forms}
    assert {"numpy_T", "real_part", "getitem"} <= internal
    assert {name for name in internal if name in tw.catalogue()} == set()


def test_categories_come_in_the_order_of_the_documentation() -> None:
    shown = list(tw.catalogue().categories())
    assert shown == [category for category in CATEGORIES if category in shown]
    headings = [line for line in str(tw.catalogue()).splitlines() if line and not line.startswith(" ")]
    assert headings[:-1] == [CATEGORIES[category] for category in shown]


def test_the_catalogue_counts_its_rows() -> None:
    last = str(tw.catalogue()).splitlines()[-1]
    counts = [int(n) for n in re.findall(r"\d+", last)]
    assert counts[0] == len(OPS) == sum(counts[1:])
    assert counts[1] + counts[2] == sum(op.rule is not None for op in OPS.values())
    composite = tw.catalogue("composite")
    assert "tensordot" in composite and "mm" not in composite
    assert 50 < len(composite) <= counts[4]


def test_a_line_for_each() -> None:
    text = str(tw.catalogue())
    assert re.search(r"^  narrow +Returns `length` slices along one dimension", text, re.M)
    assert len([line for line in text.splitlines() if line.startswith("  ")]) == len(tw.catalogue())
    assert text == repr(tw.catalogue()) and "0x" not in text


def test_a_word_finds_ops() -> None:
    found = tw.catalogue("trans")
    assert isinstance(found, Catalogue)
    assert {"t", "transpose", "adjoint"} <= {entry.name for entry in found}
    assert "add" not in found
    assert "adjoint" in str(found) and len(found) < len(tw.catalogue()) / 5


def test_every_category_of_the_documentation_has_entries_and_is_found_by_its_name() -> None:
    for category, title in CATEGORIES.items():
        listed = tw.catalogue().categories()[category]
        found = tw.catalogue(title.removeprefix("Math: "))
        assert isinstance(found, Catalogue) and {entry.name for entry in found} >= set(listed), title
    assert {"save", "load", "save_hdf5", "load_hdf5"} <= {entry.name for entry in tw.catalogue("serialization")}
    mentioned = tw.catalogue("and")  # words of a title that say nothing find no category
    assert all("and" in e.words.lower() or any("and" in name for name in e.names) for e in mentioned)


def test_files_have_a_page() -> None:
    text = str(tw.catalogue("save"))
    assert text.startswith("save: Save tensors") and "called    torch.save(obj, f" in text
    assert [entry.name for entry in tw.catalogue("hdf5")] == ["load_hdf5", "save_hdf5"]


def test_nothing_found_says_so_and_what_is_near() -> None:
    assert "did you mean transpose" in str(tw.catalogue("tranpsose"))
    assert str(tw.catalogue("%%%")) == "there is no entry called '%%%' and none that mentions it"


@pytest.mark.parametrize(
    ("asked", "name"), [("max", "max"), ("concat", "cat"), ("swapaxes_", "transpose"), ("add_", "add")]
)
def test_any_name_explains_the_op(asked: str, name: str) -> None:
    explained = tw.catalogue(asked)
    assert isinstance(explained, Explanation)
    assert str(explained).startswith(f"{name}: {OPS[name].words}")


def test_an_explanation_says_how_what_and_where() -> None:
    told = str(tw.catalogue("max"))
    assert "torch.max(input, dim, keepdim=False, *, out=None) -> return_types.max" in told
    assert "x.max(other)" in told
    assert "complex64 refused" in told
    assert ">>> x.max(0).values\ntensor([7, 5])" in told
    assert "see also" in told and "amax" in told
    told = str(tw.catalogue("transpose"))
    for line in ("in place  x.transpose_(dim0, dim1)", "also      swapaxes, swapdims", "kind      view"):
        assert line in told
    assert str(tw.catalogue("add")) == str(tw.catalogue("add"))


def test_what_is_no_row_is_explained_too() -> None:
    assert "called    torch.can_cast(from_, to) -> bool" in str(tw.catalogue("can_cast"))
    assert "read      x.shape" in str(tw.catalogue("shape"))
    assert "called    x.stride(dim=None)" in str(tw.catalogue("stride"))


# -- what a page claims ------------------------------------------------------------------------------------------

ARGUMENTS: dict[str, tuple] = {
    "refine_names": ("a", "b", None), "rename": ("a", "b", "c"),
    "as_strided": ((2,), (1,)), "broadcast_to": ((2, 2, 2),), "chunk": (2,), "clone": (), "detach": (),
    "diagonal": (), "dsplit": (1,), "expand": (2, 2, 2), "expand_as": (tw.ones(2, 2, 2),), "hsplit": (2,),
    "movedim": (0, 1), "narrow": (0, 0, 1), "permute": (1, 0, 2), "select": (0, 1), "split": (1,),
    "split_with_sizes": ([1, 1],), "tensor_split": (2,), "transpose": (0, 1), "unflatten": (0, (2, 1)),
    "unfold": (0, 1, 1), "unsqueeze": (0,), "view": (4,), "view_as": (tw.ones(4),), "vsplit": (2,),
}  # fmt: skip


def called_alone(op: Op) -> tuple[tw.Tensor, tw.Tensor]:
    """The tensor that an op is called with, and the first tensor of its result."""
    flat = op.name in ("t", "adjoint", "imag", "view_as_real", "view_as_complex")
    x = tw.ones(2, 2, *[] if flat else [1], dtype=tw.complex64 if op.name in ("imag", "view_as_real") else tw.float32)
    result = op.function(x, *ARGUMENTS.get(op.name, ()))
    return x, result[0] if isinstance(result, tuple) else result


NAMED = ("align_to", "align_as")
VIEWS = [op for op in OPS.values() if op.forms and gives(op).startswith("a view: ") and callable(op.rule)]
VIEWS = [op for op in VIEWS if op.name not in NAMED]
VIEWS += [OPS[name] for name in ("as_strided", "expand_as", "imag", "adjoint", "view_as")]
ONE_OPERAND = ["Tensor input, *, Tensor out = None"]
UNARY = [op for op in OPS.values() if op.name + "_" in OPS and [way.text for way in op.notations.all] == ONE_OPERAND]
FRESH = [op for op in UNARY if gives(op) == "a new tensor"]


@pytest.mark.parametrize("op", VIEWS, ids=lambda op: op.name)
def test_what_is_said_to_be_a_view_is_one(op: Op) -> None:
    x, result = called_alone(op)
    assert result.untyped_storage() is x.untyped_storage()
    assert result._base is x


@pytest.mark.parametrize("op", FRESH, ids=lambda op: op.name)
def test_what_is_said_to_be_new_or_in_place_is(op: Op) -> None:
    x = tw.ones(2, dtype=tw.int32 if "bitwise" in op.name else tw.float32)
    result = op.function(x)
    assert result is not x and result.untyped_storage() is not x.untyped_storage()
    assert OPS[op.name + "_"].function(x) is x
    assert gives(OPS[op.name + "_"]) == "the tensor itself, overwritten"


def test_every_page_can_be_made_and_names_no_address() -> None:
    for op in OPS.values():
        if op.forms:
            text = page(op)
            assert "gives  " in text and "0x" not in text, op.name


# -- examples ----------------------------------------------------------------------------------------------------


def failures_with(library: Any) -> list[str]:
    """The examples that print something else than is written, with a library in the place of torch."""
    told: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    for name, text in examples().items():
        if name == "quantization_report" and library is not tw:
            continue  # ours alone
        test = doctest.DocTestParser().get_doctest(text, {"torch": library}, name, None, 0)
        runner.run(test, out=told.append)
    return told


def test_examples_run() -> None:
    assert len(examples()) > 100
    assert failures_with(tw) == []


def test_examples_are_of_ops_in_the_order_of_the_alphabet() -> None:
    assert [name for name in examples() if name not in tw.catalogue()] == []
    assert list(examples()) == sorted(examples())


@pytest.mark.torch
def test_examples_print_the_same_on_pytorch() -> None:
    import torch

    assert failures_with(torch) == []
