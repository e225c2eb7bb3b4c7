"""Two GPUs share a batch, a function has results on several devices, and gradients find their way home."""

from __future__ import annotations

from typing import Any

import pytest

import tensorwidgets as torch
from tensorwidgets import nn

pytestmark = pytest.mark.usefixtures("gpus")


def copied(model: nn.Module, make: Any) -> nn.Module:
    """The same numbers in main memory."""
    twin = make()
    twin.load_state_dict({name: t.cpu() for name, t in model.state_dict().items()})
    return twin


def test_a_batch_in_halves_has_the_gradients_of_the_whole() -> None:
    model = nn.Linear(3, 2).cuda()
    shared, alone = nn.DataParallel(model), copied(model, lambda: nn.Linear(3, 2))
    x = torch.randn(7, 3)
    y = shared(x.cuda())
    assert (y.device, y.shape, y.grad_fn.name()) == (torch.device("cuda:0"), (7, 2), "GatherBackward")
    y.pow(2).sum().backward()
    alone(x).pow(2).sum().backward()
    for ours, theirs in zip(model.parameters(), alone.parameters(), strict=True):
        assert ours.grad.device == torch.device("cuda:0")
        assert torch.allclose(ours.grad.cpu(), theirs.grad, atol=1e-5)
    with torch.no_grad():
        assert not shared(x.cuda()).requires_grad


def test_running_statistics_are_those_of_the_first_half() -> None:
    model = nn.BatchNorm1d(2).cuda()
    first = copied(model, lambda: nn.BatchNorm1d(2))
    x = torch.randn(8, 2)
    nn.DataParallel(model)(x.cuda()).sum().backward()
    first(x[:4])
    assert torch.allclose(model.running_mean.cpu(), first.running_mean)
    assert torch.allclose(model.running_var.cpu(), first.running_var)
    assert model.bias.grad.tolist() == [8, 8]


def test_structures_are_scattered_and_gathered() -> None:
    x = torch.arange(6.0, device="cuda", requires_grad=True)
    halves = nn.parallel.scatter({"x": (x, 3)}, [0, 1])
    assert [half["x"][0].device.index for half in halves] == [0, 1] and halves[1]["x"][1] == 3
    whole = nn.parallel.gather([{"y": half["x"][0] * (1 + k)} for k, half in enumerate(halves)], 1)
    assert whole["y"].tolist() == [0, 1, 2, 6, 8, 10] and whole["y"].device.index == 1
    whole["y"].sum().backward()
    assert x.grad.tolist() == [1, 1, 1, 2, 2, 2] and x.grad.device.index == 0


def test_an_error_of_a_copy_is_raised_and_says_which() -> None:
    class Wrong(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            raise ValueError(f"no way on {x.device}")

    with pytest.raises(
        ValueError, match=r"^Caught ValueError in replica 0 on device 0\.\nOriginal Traceback"
    ) as raised:
        nn.DataParallel(Wrong())(torch.ones(4, device="cuda"))
    trace = str(raised.value)
    assert "in forward" in trace and trace.endswith("ValueError: no way on cuda:0\n")
    with pytest.raises(AssertionError, match="The number of modules 1 is not equal to the number of inputs 2"):
        nn.parallel.parallel_apply([Wrong()], [(), ()])
    with pytest.raises(RuntimeError, match="parameters and buffers on device cuda:0"):
        nn.DataParallel(nn.Linear(1, 1))(torch.ones(1, 1, device="cuda"))


def test_a_copy_that_wants_to_exit_is_not_passed_over() -> None:
    class Ends(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            raise SystemExit(f"{x.device}")

    with pytest.raises(SystemExit, match="^Caught SystemExit in replica 0 on device 0"):
        nn.DataParallel(Ends())(torch.ones(4, device="cuda"))


class Unpinnable(list):
    """A batch that cannot be pinned."""

    def pin_memory(self) -> None:
        raise KeyError("no pins")


def test_an_error_while_a_batch_is_pinned() -> None:
    loader = torch.utils.data.DataLoader([1, 2], num_workers=1, collate_fn=Unpinnable, pin_memory=True)
    with pytest.raises(KeyError) as raised:
        next(iter(loader))
    first, *_, last = str(raised.value).strip().splitlines()
    assert (first, last) == ("Caught KeyError in pin memory thread for device 0.", "KeyError: 'no pins'")


def test_a_copy_computes_as_the_block_around_says_and_on_its_own_gpu() -> None:
    seen = []

    class Asked(nn.Linear):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = super().forward(x)
            seen.append((torch.cuda.current_device(), y.device.index, y.dtype))
            return y

    with torch.autocast("cuda"):
        nn.DataParallel(Asked(3, 2).cuda())(torch.ones(4, 3, device="cuda"))
    assert sorted(seen, key=str) == [(0, 0, torch.float16), (1, 1, torch.float16)]


class Elsewhere(torch.autograd.Function):
    """Two results on two devices, neither of them the input's, and one that is no tensor."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> tuple:
        return x.cpu() * 2, "beside", x.to("cuda:1") * 5

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        here, none, there = grads
        assert (here.device.type, none, there.device) == ("cpu", None, torch.device("cuda:1"))
        return here.to("cuda:0") * 2 + there.to("cuda:0") * 5


@pytest.mark.parametrize(("asked", "slope"), [("first", 2), ("second", 5), ("both", 7)])
def test_results_of_a_function_may_be_on_several_devices(asked: str, slope: int) -> None:
    x = torch.ones(3, device="cuda", requires_grad=True)
    here, _, there = Elsewhere.apply(x)
    total = {"first": here.sum(), "second": there.sum(), "both": here.sum() + there.sum().cpu()}[asked]
    total.backward()
    assert x.grad.tolist() == [slope] * 3 and x.grad.device == torch.device("cuda:0")
    places = [facts.device for facts in here.grad_fn._input_metadata]
    assert [places[0].type, places[2]] == ["cpu", torch.device("cuda:1")]


def test_a_gradient_on_the_other_gpu_is_refused() -> None:
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return x * 1

        @staticmethod
        def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
            return grad.to("cuda:1")

    x = torch.ones(3, device="cuda", requires_grad=True)
    with pytest.raises(RuntimeError, match="expected device cuda:0 but got cuda:1"):
        Wrong.apply(x).sum().backward()
