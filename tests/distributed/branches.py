"""A network whose layers are used or not, trained by ranks, for the programs of calls.txt."""

from __future__ import annotations

from contextlib import nullcontext
from importlib import import_module
from types import ModuleType
from typing import Any


def names(torch: ModuleType, rank: int) -> dict[str, Any]:
    """`Branch`, a network of three layers, `DDP`, `steps`, which trains it by a plan, and hooks that send gradients."""
    nn: Any = torch.nn

    class Branch(nn.Module):  # type: ignore[misc, name-defined]
        """Calls the layers that a word names, each with the result of the one before."""

        def __init__(self) -> None:
            super().__init__()
            for name in "abc":
                layer = nn.Linear(1, 1, bias=False)
                nn.init.constant_(layer.weight, 1 + "abc".index(name))
                self.add_module(name, layer)

        def forward(self, x: Any, word: str) -> Any:
            for name in word:
                x = getattr(self, name)(x)
            return x

    def steps(model: Any, plan: str) -> list[list[float | None]]:
        """The gradients after each step of a plan.

        A step is the layers that it uses. "-" before them: without sending, "0" and "n" behind them: with gradients of
        zero and None.
        """
        found: list[list[float | None]] = []
        for word in plan.split():
            if word[-1] in "0n":
                model.zero_grad(set_to_none=word[-1] == "n")
            with model.no_sync() if word[0] == "-" else nullcontext():
                model(torch.ones(1, 1) * (rank + 1), word.strip("-0n")).sum().backward()
            grads = [p.grad for p in model.parameters()]
            found.append([None if grad is None else round(grad.item(), 3) for grad in grads])
        return found

    def hooked(model: Any, hook: Any, state: Any = None) -> Any:
        """The model, whose gradients a hook sends."""
        model.register_comm_hook(state, hook)
        return model

    def added(state: Any, bucket: Any) -> Any:
        """A hook that adds up, and notes what it was given."""
        if state is not None:
            sizes = [tuple(each.shape) for each in bucket.gradients() + bucket.parameters()]
            state.append((bucket.index(), bucket.is_last(), bucket.buffer().tolist(), sizes))
        work = torch.distributed.all_reduce(bucket.buffer(), async_op=True)
        return work.get_future().then(lambda future: future.value()[0])

    added.__annotations__ = {}  # PyTorch refuses those that are text
    hooks = import_module(f"{torch.__name__}.distributed.algorithms.ddp_comm_hooks.default_hooks")
    ddp = nn.parallel.DistributedDataParallel
    return {"Branch": Branch, "DDP": ddp, "steps": steps, "hooked": hooked, "added": added, "hooks": hooks}
