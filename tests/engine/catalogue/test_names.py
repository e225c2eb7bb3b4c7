"""Lessons say `import tensorwidgets as torch`: every public name is PyTorch's with PyTorch's meaning, or new to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.help.lazy_help import method_names, public_names
from tensorwidgets.live import EXPLORERS

NAMES = json.loads(Path(__file__).with_name("torch_names.json").read_text(encoding="utf-8"))
OWN = {
    "catalogue", "derivative", "recording", "route", "show", "why",
    # A user's own kernel, and the door by which IPython comes in.
    "load_ipython_extension", "add_kind", "forget_kernel", "forget_kind", "register_kernel",
    "quantization_report",
    # Files: what PyTorch leaves to other packages, and a look into a file.
    "save_hdf5", "load_hdf5", "save_npy", "load_npy", "save_npz", "load_npz", "save_safetensors", "load_safetensors",
    "inspect_file", "FileError", "RefusedGlobal", "TrainingLog", *EXPLORERS,
}  # fmt: skip
"""All that the face has beyond PyTorch."""
NAMED = {"align_as", "align_tensors", "align_to", "has_names", "names", "refine_names", "rename", "rename_"}
"""What PyTorch had for dimensions with names, up to 2.12."""


def documented() -> dict[str, str]:
    """The category in which PyTorch's documentation lists a function."""
    return {name: category for category, names in NAMES["documented"].items() for name in names}


def public(thing: object) -> set[str]:
    return {name for name in dir(thing) if not name.startswith("_")}


def test_the_face_has_pytorchs_names_and_a_few_of_its_own() -> None:
    known = set(NAMES["face"]) | {name.rpartition(".")[2] for name in documented()}
    assert public(tw) - known - NAMED == OWN


def test_none_of_our_own_names_stands_anywhere_in_pytorch() -> None:
    taken = {"face": NAMES["face"], "Tensor": NAMES["tensor"], "documented": documented(), **NAMES["modules"]}
    assert {(where, name) for where, names in taken.items() for name in OWN & set(names)} == set()


def test_tensors_have_pytorchs_names_alone() -> None:
    assert public(tw.Tensor) - set(NAMES["tensor"]) <= NAMED
    assert public(tw.ones(2)) - set(NAMES["tensor"]) <= NAMED


def test_rows_are_functions_or_methods_only_where_pytorchs_are() -> None:
    stray = []
    for name, op in public_names():
        module, _, own = name.rpartition(".")
        known = NAMES["modules"][module.replace(".", "_")] if module else NAMES["face"]
        stray += [f"torch.{name}"] if "function" in op.forms and own not in known else []
    stray += [f"Tensor.{name}" for name, _ in method_names() if name not in NAMES["tensor"]]
    asked = [name.partition(".")[2] for name in stray]
    assert [name for name in asked if name not in NAMED | OWN and not name.startswith("_")] == []


def test_ops_stand_in_the_category_of_pytorchs_documentation() -> None:
    listed = documented()
    ours = {entry.name: entry.category for entry in tw.catalogue() if entry.name in listed}
    assert {name: (category, listed[name]) for name, category in ours.items() if category != listed[name]} == {}


@pytest.mark.torch
def test_the_frozen_names_are_those_of_the_oracle() -> None:
    import torch

    assert torch.__version__.partition("+")[0] == NAMES["torch"]
    assert [n for n in NAMES["face"] if not hasattr(torch, n)] == []
    assert public(torch.Tensor) - set(NAMES["tensor"]) == set()
