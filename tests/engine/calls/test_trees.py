"""Containers in containers are taken apart as by PyTorch 2.13's torch.utils._pytree, whose answers are below."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict, defaultdict, deque, namedtuple

import pytest

import tensorwidgets as torch
from tensorwidgets.utils import _pytree as trees

Pair = namedtuple("Pair", "a b")
Other = namedtuple("Other", "a b")

SPEC = f"""\
TreeSpec(dict, ['b', 'a', 'c', 'd', 'e'], [TreeSpec(list, None, [*,
    TreeSpec(tuple, None, [*,
      *])]),
  TreeSpec(namedtuple, {Pair!r}, [*,
    *]),
  TreeSpec(OrderedDict, ['z'], [*]),
  TreeSpec(deque, None, [*]),
  TreeSpec(defaultdict, [<class 'int'>, ['q']], [*])])"""


def test_a_tree_comes_back_from_its_leaves() -> None:
    tree = {
        "b": [0, (2, 3)], "a": Pair(1, None), "c": OrderedDict(z=4), "d": deque([5]), "e": defaultdict(int, {"q": 6}),
    }  # fmt: skip
    leaves, spec = trees.tree_flatten(tree)
    assert leaves == [0, 2, 3, 1, None, 4, 5, 6]
    assert repr(spec) == SPEC
    assert trees.tree_unflatten(leaves, spec) == tree
    assert type(trees.tree_unflatten(leaves, spec)["a"]) is Pair


def test_results_with_names_and_sizes_are_containers_and_slices_are_leaves() -> None:
    leaves, spec = trees.tree_flatten(torch.ones(2, 2).max(0))
    assert [leaf.tolist() for leaf in leaves] == [[1, 1], [0, 0]]
    assert isinstance(trees.tree_unflatten(leaves, spec), torch.return_types.max)
    assert repr(trees.tree_structure(torch.Size([2, 3]))) == "TreeSpec(Size, None, [*,\n  *])"
    assert trees.tree_leaves(slice(1)) == [slice(1)]


def test_functions_of_leaves() -> None:
    assert trees.tree_map(lambda a, b: a + b, [1, {"x": 2}], [3, {"x": 4}]) == [4, {"x": 6}]
    assert trees.tree_map_only(int, lambda a: -a, [1, 2.0, "x"]) == [-1, 2.0, "x"]
    assert trees.tree_map_only((int, float), lambda a: -a, [1, 2.0, "x"]) == [-1, -2.0, "x"]
    assert trees.tree_all(lambda a: a > 0, [1, 2]) and trees.tree_any(lambda a: a > 1, [1, 2])
    assert trees.tree_all_only(int, lambda a: a > 0, [1, -2.0])
    assert trees.tree_flatten([1, [2]], is_leaf=lambda v: v == [2])[0] == [1, [2]]
    assert trees.tree_structure({"a": [1, 2]}).flatten_up_to({"a": [1, [2]]}) == [1, [2]]
    paths = [(trees.keystr(path), leaf) for path, leaf in trees.tree_flatten_with_path({"a": [5, Pair(6, 7)]})[0]]
    assert paths == [("['a'][0]", 5), ("['a'][1].a", 6), ("['a'][1].b", 7)]


def test_specs_are_compared() -> None:
    assert trees.tree_structure([1]) == trees.tree_structure([2]) != trees.tree_structure((1,))
    assert trees.tree_structure({"a": 1, "b": 2}) != trees.tree_structure({"b": 1, "a": 2})
    assert trees.tree_structure(5).is_leaf() and repr(trees.tree_structure(5)) == "*"


@pytest.mark.parametrize(
    "tree, other, message",
    [
        ([1, 2], [3, 4, 5], "Node arity mismatch; expected 2, but got 3."),
        ([1, 2], (3, 4), "Node type mismatch; expected <class 'list'>, but got <class 'tuple'>."),
        ([1], Pair(1, 2), f"Node type mismatch; expected <class 'list'>, but got {namedtuple!r}."),
        (
            Pair(1, 2),
            Other(1, 2),
            f"Node context mismatch for node type {namedtuple!r}; expected {Pair!r}, but got {Other!r}.",
        ),
        (torch.Size([1]), (1,), "Type mismatch; expected <class 'torch.Size'>, but got <class 'tuple'>."),
        ({"a": 1}, {"b": 2}, "Node keys mismatch; missing key(s): {'a'}; extra key(s): {'b'}."),
    ],
    ids=["length", "list and tuple", "list and named", "two named", "size and tuple", "keys"],
)
def test_trees_that_do_not_fit_are_refused(tree: object, other: object, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        trees.tree_map(lambda a, b: a, tree, other)
    assert str(caught.value) == message


def test_dictionaries_of_any_class_and_queues_of_any_length_fit() -> None:
    mappings = {"a": 1, "b": 2}, OrderedDict(b=20, a=10), defaultdict(int, {"a": 10, "b": 20})
    for one in mappings:
        for other in mappings:
            found = trees.tree_map(lambda a, b: b, one, other)
            assert type(found) is type(one) and dict(found) == dict(other) and list(found) == list(one)
    assert trees.tree_map(lambda a, b: b, deque([1], 3), deque([2])) == deque([2])


def test_specs_are_pickled_copied_and_made_by_hand() -> None:
    tree = [{"a": (1, Pair(2, 3))}, deque([4], 5), defaultdict(list, b=OrderedDict(c=None))]
    leaves, spec = trees.tree_flatten(tree)
    for again in (pickle.loads(pickle.dumps(spec)), copy.deepcopy(spec)):
        assert again == spec and hash(again) == hash(spec) and trees.tree_unflatten(leaves, again) == tree
    assert trees.tree_structure(Pair(1, 2)).type is namedtuple
    with pytest.warns(
        FutureWarning, match=r"^`isinstance\(treespec, LeafSpec\)` is deprecated, use `isinstance\(treespec"
    ):
        leaf = trees.LeafSpec()
    assert trees.tree_unflatten([7], trees.TreeSpec(list, None, [leaf])) == [7]


def test_wrong_leaves_are_refused() -> None:
    with pytest.raises(ValueError, match=r"`leaves` has length 2 but the spec refers to a pytree that holds 1 items"):
        trees.tree_unflatten([1, 2], trees.tree_structure([1]))
    with pytest.raises(TypeError, match="Expected `treespec` to be an instance of PyTreeSpec"):
        trees.tree_unflatten([1, 2], 3)  # type: ignore[arg-type]


def test_a_class_becomes_a_container() -> None:
    class Box:
        def __init__(self, inside: object):
            self.inside = inside

    assert len(trees.tree_leaves(Box([1, 2]))) == 1
    trees.register_pytree_node(Box, lambda box: ([box.inside], None), lambda children, _: Box(*children))
    assert trees.tree_map(lambda a: a + 1, Box([1, 2])).inside == [2, 3]
    with pytest.raises(ValueError, match="is already registered as pytree node"):
        trees.register_pytree_node(Box, lambda box: ([], None), lambda children, _: Box(0))
    with pytest.raises(ValueError, match="Did not find a flatten_with_keys_fn for type"):
        trees.tree_flatten_with_path([Box(1)])
    with pytest.raises(TypeError, match=r"^Argument must be a type, a tuple of types, or a callable\."):
        trees.tree_map_only(3, abs, [1])


def test_a_class_says_what_leads_to_its_children() -> None:
    class Labelled:
        def __init__(self, inside: object):
            self.inside = inside

    trees.register_pytree_node(
        Labelled,
        lambda box: ([box.inside], None),
        lambda children, _: Labelled(*children),
        flatten_with_keys_fn=lambda box: ([(trees.GetAttrKey("inside"), box.inside)], None),
    )
    leaves, _ = trees.tree_flatten_with_path([Labelled([5])])
    assert [(trees.keystr(path), leaf) for path, leaf in leaves] == [("[0].inside[0]", 5)]
