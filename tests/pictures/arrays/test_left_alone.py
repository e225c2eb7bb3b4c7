"""What pictures call is left as it was, and what they count is all that is there: for our tensors and PyTorch's."""

from __future__ import annotations

import importlib
import random
import re
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show

LIBRARIES = ["tensorwidgets", pytest.param("torch", marks=pytest.mark.torch)]
OF_THE_MODULE = tw.ones(3, requires_grad=True)


def test_a_picture_asks_no_class_of_tensors() -> None:
    """It looks at all names of the caller, and the class of one of them is asked only about the user's calls."""
    seen: list[str] = []

    class Told(tw.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            seen.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs)

    told = tw.ones(3).as_subclass(Told)
    repr(show.graph((OF_THE_MODULE * 2).sum()))
    assert seen == []
    told.sum()
    assert seen == ["sum"]


def flat(picture: Any) -> str:
    return " ".join(repr(picture).split())


@pytest.fixture(params=LIBRARIES)
def torch(request: pytest.FixtureRequest) -> Any:
    importlib.import_module(f"{request.param}.utils.checkpoint")
    return importlib.import_module(request.param)


def test_inputs_with_keywords_are_seen(torch: Any) -> None:
    class Model(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(3, 2)

        def forward(self, x: Any) -> Any:
            return self.layer(input=x)

    text = repr(show.module(Model(), (5, 3)))
    assert text.count("(5, 3) → (5, 2)") == 2 and "no tensor" not in text


def test_lists_and_replaced_parameters_are_put_back(torch: Any) -> None:
    class Model(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(3, 3)
            self.seen: list[Any] = []

        def forward(self, x: Any) -> Any:
            self.seen.append(x)
            self.layer.weight = torch.nn.Parameter(self.layer.weight * 2)
            return self.layer(x)

    model = Model()
    weight, seen = model.layer.weight, model.seen
    assert "weights, buffers and random numbers are as they were before." in flat(show.module(model, (5, 3)))
    assert model.layer.weight is weight and model.seen is seen and seen == []


def test_a_weight_that_the_call_writes_to_is_named(torch: Any) -> None:
    class Model(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.codes = torch.nn.Parameter(torch.ones(3))

        def forward(self, x: Any) -> Any:
            with torch.no_grad():
                self.codes.mul_(0.9)
            return x * self.codes

    said = flat(show.module(Model(), (5, 3)))
    assert "wrote to codes, which is now as the call left them" in said and "weights, buffers" not in said


def test_an_error_that_a_module_catches_does_not_shift_the_sizes(torch: Any) -> None:
    class Model(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.wrong, self.right = torch.nn.Linear(7, 7), torch.nn.Linear(3, 2)

        def forward(self, x: Any) -> Any:
            try:
                return self.wrong(x)
            except RuntimeError:
                return self.right(x)

    rows = repr(show.module(Model(), (5, 3))).splitlines()
    assert [row.split("(bias)")[0] for row in rows if "Linear(3, 2)" in row and "(5, 3) → (5, 2)" in row]
    assert [row for row in rows if "Model" in row and "(5, 3) → (5, 2)" in row]


def test_a_checkpoint_is_computed_again_once_and_leaves_its_modules_alone(torch: Any) -> None:
    net = torch.nn.Sequential(
        torch.nn.Linear(3, 3), torch.nn.BatchNorm1d(3), torch.nn.Tanh(), torch.nn.Linear(3, 3), torch.nn.Dropout(0.5)
    )
    calls: list[int] = []

    def part(x: Any) -> Any:
        calls.append(1)
        return net(x)

    y = torch.utils.checkpoint.checkpoint(part, torch.ones(4, 3), use_reentrant=False).sum()
    before = net[1].running_mean.clone(), int(net[1].num_batches_tracked), net[1].running_mean._version
    state = torch.get_rng_state()
    text = flat(show.backward(y))
    assert len(calls) == 2
    assert (net[1].running_mean == before[0]).all() and int(net[1].num_batches_tracked) == before[1] == 1
    assert net[1].running_mean._version == before[2] and (torch.get_rng_state() == state).all()
    assert "a checkpoint by computing them again" in text and "the graph, or other hooks" in text
    y.backward()
    assert len(calls) == 3 and net[0].weight.grad is not None


def test_random_numbers_of_a_backward_are_put_back(torch: Any) -> None:
    class Noisy(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad + torch.rand(3)

    y = Noisy.apply(torch.ones(3, requires_grad=True)).sum()
    state = torch.get_rng_state()
    show.backward(y)
    assert (torch.get_rng_state() == state).all()


def test_what_a_function_keeps_in_its_ctx_is_counted(torch: Any) -> None:
    class Scale(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.table, ctx.parts, ctx.factor = torch.zeros(100), [torch.zeros(5), None], 3.0
            ctx.save_for_backward(x.clone())
            return x * 3.0

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 3.0

    y = Scale.apply(torch.ones(3, requires_grad=True)).sum()
    text = flat(show.saved(y))
    assert "(3 storages, 432 bytes)" in text and "Scale ctx.table (100,)" in text and "ctx.parts[0] (5,)" in text
    assert "backward() frees 12 bytes. 420 bytes in attributes of ctx stay until the graph goes." in text
    steps = repr(show.backward(y))
    assert re.search(r"2 +Scale +\[1, 1, 1\] +420 bytes, frees", steps) and "keeps 420 bytes alone" in flat(steps)
    y.backward()
    assert "freed, ctx.table (100,) A 400 bytes" in repr(show.graph(y))


def test_names_of_the_module_are_seen_inside_a_function() -> None:
    y = (OF_THE_MODULE * OF_THE_MODULE).sum()
    assert "OF_THE_MODULE leaf" in repr(show.graph(y)) and "OF_THE_MODULE leaf" in repr(show.backward(y))


def test_all_parameters_and_all_of_an_optimizers_state_are_counted(torch: Any) -> None:
    net = torch.nn.Sequential(*[torch.nn.Linear(4, 4) for _ in range(70)])
    adam = torch.optim.Adam(net.parameters())
    net(torch.ones(2, 4)).sum().backward()
    adam.step()
    text = flat(show.memory(net=net, adam=adam))
    parameters = 70 * 20 * 4
    assert f"parameters {parameters:,} bytes (140 storages); gradients {parameters:,} bytes" in text
    assert f"optimizer state {2 * parameters + 140 * 4:,} bytes (420 storages)" in text
    assert "looked at" not in text


def test_more_than_can_be_looked_at_is_said(torch: Any) -> None:
    many = torch.nn.ModuleList([torch.nn.Linear(1, 1) for _ in range(1500)])
    assert "Names lead to more than 4,000 things; the rest is not looked at." in flat(show.memory(many=many))


def test_sparse_gradients_are_counted(torch: Any) -> None:
    table = torch.nn.Embedding(10, 3, sparse=True)
    table(torch.tensor([1, 4])).sum().backward()
    text = flat(show.memory(table=table))
    assert "gradients 40 bytes (2 storages)" in text and "table.weight.grad.values" in text


def test_a_model_without_a_name_has_none(torch: Any) -> None:
    text = repr(show.module(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU(), torch.nn.Linear(2, 1)), (5, 3)))
    assert text.startswith("A Sequential (11 parameters")
    lazy = torch.nn.LazyLinear(2)
    assert "lazy: has 2 parameters whose sizes are not known yet" in repr(show.module(lazy)).replace(
        "lazy, LazyLinear", "lazy"
    )


def test_gradients_of_one_size_are_those_that_are_compared(torch: Any) -> None:
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 1))
    (net(torch.arange(32.0).reshape(8, 4) ** 2) ** 2).sum().backward()
    assert "gradients: are similar in size, vectors aside: the largest" in flat(show.flow(net))


def test_what_has_no_elements_to_draw_is_told(torch: Any) -> None:
    a = torch.ones(3)
    with pytest.raises(TypeError, match=r"a list has no memory of its own to draw.*show\(\*x\) draws them"):
        show([a, a])
    with pytest.raises(TypeError, match=r"show.memory\(x=...\) lists the array in it"):
        show((a, None))


def test_a_list_of_tensors_is_no_list_of_numbers(torch: Any) -> None:
    with pytest.raises(TypeError, match=r"an item of this list is an array already: show\(\*x\) draws the arrays"):
        show.list_or_tensor([torch.ones(()), torch.ones(())])


def test_random_numbers_of_a_dataset_are_put_back(torch: Any) -> None:
    class Noise(torch.utils.data.Dataset):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 4

        def __getitem__(self, at: int) -> float:
            return random.random() + float(np.random.rand()) + float(torch.rand(()))

    class Loader(torch.utils.data.DataLoader):  # type: ignore[misc, name-defined]
        """A class of the user's own."""

    before = random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state()
    assert "(2 batches" in repr(show.loader(Loader(Noise(), batch_size=2)))
    assert random.getstate() == before[0] and np.random.get_state()[1].tolist() == before[1]
    assert (torch.get_rng_state() == before[2]).all()


def test_what_data_returns_counts_writes_of_its_own(torch: Any) -> None:
    p = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        p.add_(1)
    loss = (p * p).sum()
    other = p.data
    text = flat(show.versions(other, loss))
    assert "p shares this memory, but not its versions: what .data returns counts writes of its own." in text
    assert "Saves and writes of other (version 0, 0 saves)" in text
    twin = p.detach()
    assert "p shares this memory and its versions." in flat(show.versions(twin, loss)) and twin._version == 1


def test_a_write_crosses_the_saves_of_the_version_before_it(torch: Any) -> None:
    w, z = torch.ones(3, requires_grad=True), torch.zeros(3)
    results = []
    for _ in range(20):
        results.append((w * z).sum())
        z.add_(1)
    rows = repr(show.versions(z, *results, labels=["z"])).splitlines()
    written = [row for row in rows if row.startswith("■")]
    assert len(written) == 9 and all("✗ write crosses 1 save " in row for row in written)
    assert any("14 saves of versions 5 to 18" in row for row in rows)


@pytest.mark.torch
def test_a_saved_tensor_whose_memory_is_gone_ends_no_process() -> None:
    import torch

    result = (torch.ones(3, requires_grad=True) * 2).exp()
    loss = result.sum()
    result.untyped_storage().resize_(0)
    assert "the storage of what it saved as result was made empty since" in flat(show.backward(loss))
    assert "result (3,) ✗ its storage is empty" in repr(show.graph(loss))
    assert "1 tensor without a storage that can be measured is not counted." in flat(show.saved(loss))


@pytest.mark.torch
def test_kinds_of_pytorchs_tensors_that_show_no_memory() -> None:
    import torch
    from torch._subclasses import FakeTensorMode

    with pytest.raises(TypeError, match="this FakeTensor has a size and no memory of its own"):
        show(FakeTensorMode().from_tensor(torch.ones(3)))
    with pytest.raises(TypeError, match=r"layout _mkldnn: draw x.to_dense\(\)"):
        show(torch.ones(2, 2).to_mkldnn())
    with pytest.raises(TypeError, match=r"draw the bytes, x.view\(torch.uint8\)"):
        show(torch.zeros(2, dtype=torch.bits8))

    class Mine(torch.Tensor):
        """A class of the user's own."""

    assert "PyTorch" in repr(show(torch.ones(3).as_subclass(Mine)))
