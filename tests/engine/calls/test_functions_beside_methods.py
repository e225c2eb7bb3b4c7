"""In-place forms as functions, Python's types as dtypes, sizes that nothing can count, words of one spelling alone."""

from __future__ import annotations

import pytest

import tensorwidgets as torch
from tensorwidgets.engine import ALSO_FUNCTIONS


def test_an_inplace_function_writes_into_its_tensor():
    x = torch.tensor([-1.5, 2.0])
    assert torch.abs_(x) is x
    assert torch.clip_(x, 0, 1.75) is x
    assert x.tolist() == [1.5, 1.75]
    assert torch.zero_(x) is x and x.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("d, name", [(float, "float64"), (int, "int64"), (bool, "bool")])
def test_a_python_type_is_a_dtype_wherever_one_is_asked_for(d: type, name: str):
    x = torch.tensor([1.0, 0.0])
    wanted = getattr(torch, name)
    found = [x.sum(dtype=d), x.prod(dtype=d), x.to(d), torch.zeros(2, dtype=d), torch.randint(2, (2,), dtype=d)]
    assert [t.dtype for t in found] == [wanted] * len(found)
    assert torch.promote_types(d, torch.bool) is wanted


def test_a_python_type_where_fractions_are_asked_for():
    found = [torch.zeros(2).softmax(0, float), torch.randn(2, dtype=float), torch.hann_window(3, dtype=float)]
    assert [t.dtype for t in found] == [torch.float64] * 3
    assert not torch.can_cast(float, int)
    assert (torch.finfo(float).bits, torch.iinfo(int).bits) == (64, 64)
    assert torch.zeros(2).view(int).tolist() == [0]


@pytest.mark.parametrize(
    "size, told",
    [
        ((2, 4, 2**29, 2**29), "Storage size calculation overflowed with sizes=[2, 4, 536870912, 536870912]"),
        ((8, 8, 2**29, 2**29), "numel: integer multiplication overflow"),
        ((0, 4, 2**61), "Stride calculation overflowed"),
        ((-1,), "numel: integer multiplication overflow"),
    ],
)
def test_a_size_that_nothing_can_count_leaves_the_tensor_as_it_was(size: tuple[int, ...], told: str):
    x = torch.ones((), dtype=torch.float64)
    with pytest.raises(RuntimeError) as error:
        x.resize_(size)
    assert str(error.value).splitlines()[0] == told
    assert x.item() == 1.0


def test_no_elements_in_sizes_that_nothing_can_count():
    with pytest.raises(RuntimeError, match="numel: integer multiplication overflow"):
        torch.empty(0).view(2**40, 2**40, 0)


def test_places_to_cut_are_whole_numbers():
    x = torch.zeros(4)
    for cuts, kind, told in (
        (1.0, TypeError, "received an invalid combination of arguments"),
        ((0, 1.5), TypeError, "failed to unpack the object at pos 2"),
        (torch.tensor(1.0), RuntimeError, "to have dtype of long, but got Float"),
        (torch.tensor([[1]]), RuntimeError, "but got a tensor with 2 dims"),
    ):
        with pytest.raises(kind, match=told):
            x.tensor_split(cuts)
    assert [len(piece) for piece in x.tensor_split(tensor_indices_or_sections=torch.tensor([1]))] == [1, 3]


def test_axes_are_words_of_swapaxes():
    x = torch.zeros(3, 4)
    assert torch.swapaxes(x, axis0=0, axis1=1).shape == x.swapaxes(0, axis1=1).shape == (4, 3)
    with pytest.raises(TypeError, match="transpose"):
        x.transpose(axis0=0, axis1=1)
    with pytest.raises(TypeError, match='transpose\\(\\) missing 1 required positional arguments: "dim1"'):
        x.transpose(0)


@pytest.mark.torch
def test_the_inplace_functions_are_those_of_pytorch():
    import torch as real

    theirs = {name for name in dir(real) if name.endswith("_") and not name.startswith("_")}
    assert {name for name in ALSO_FUNCTIONS if name.endswith("_")} <= theirs
    assert {name for name in theirs if hasattr(torch.Tensor, name)} <= set(dir(torch))
