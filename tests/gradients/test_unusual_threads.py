"""What is set for a thread is known without asking it: a small call asks its own settings only if there may be any."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from random import Random

import pytest

import tensorwidgets as torch
from tensorwidgets.engine.tensor.thread_state import state, unusual_threads

BLOCKS = {
    "no_grad": torch.no_grad,
    "enable_grad": torch.enable_grad,
    "inference_mode": torch.inference_mode,
    "set_grad_enabled": lambda: torch.set_grad_enabled(False),
    "autocast": lambda: torch.autocast("cpu", dtype=torch.bfloat16),
    "hooks": lambda: torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t),
    "multithreading": lambda: torch.autograd.set_multithreading_enabled(False),
}


def _known() -> bool:
    """Whether this thread is named if anything is set in it; a thread without settings is not."""
    return (threading.get_ident() in unusual_threads) is bool(state.__dict__)


def _switch_off(grad: torch.Tensor) -> None:
    torch.set_grad_enabled(False)


def _work(x: torch.Tensor) -> None:
    """Calls, a backward pass, a step, and named dimensions, all of which change settings for a while."""
    y = (x * x).exp().sum() + torch.nn.functional.linear(x, torch.ones(2, 3))[0]
    if y.requires_grad:
        x.register_hook(_switch_off)
        y.backward()
    torch.optim.SGD([x], 0.1).step()
    (torch.ones(2, names=("rows",)) * 2).sum("rows")


@pytest.mark.parametrize("seed", range(20))
def test_blocks_in_any_order(seed):
    random = Random(seed)
    for _ in range(5):
        with ExitStack() as stack:
            for name in random.choices(list(BLOCKS), k=random.randrange(4)):
                stack.enter_context(BLOCKS[name]())
                assert _known(), name
            x = torch.ones(3, requires_grad=True)
            if not x.is_inference():
                _work(x)
            assert _known()
            recorded = torch.is_grad_enabled() and not x.is_inference()
            for y in (x * x, x * 2, 2 - x, x.exp(), x + x, -x, x.relu()):
                assert y.requires_grad is recorded
        assert _known() and not state.__dict__


def test_a_thread_beside():
    """One thread records and another one does not, call by call."""
    x = torch.ones(3, requires_grad=True)
    turns = [threading.Barrier(2, timeout=20) for _ in range(40)]
    wrong: list[str] = []

    def other() -> None:
        for k, turn in enumerate(turns):
            with torch.no_grad() if k % 2 else torch.enable_grad():
                turn.wait()
                if (x * x).requires_grad is bool(k % 2) or x.exp().requires_grad is bool(k % 2):
                    wrong.append(f"other {k}")

    thread = threading.Thread(target=other)
    thread.start()
    for k, turn in enumerate(turns):
        turn.wait()
        if not (x * x).requires_grad or not x.exp().requires_grad:
            wrong.append(f"this {k}")
    thread.join()
    assert wrong == []
    assert thread.ident not in unusual_threads


def test_an_error_inside():
    x = torch.ones(3, requires_grad=True)
    x.register_hook(lambda grad: 1 / 0)
    for block in BLOCKS.values():
        with pytest.raises(ZeroDivisionError), block():
            (x.exp().sum() if torch.is_grad_enabled() and not torch.is_inference_mode_enabled() else _fail()).backward()
        assert _known() and not state.__dict__


def _fail() -> torch.Tensor:
    raise ZeroDivisionError
