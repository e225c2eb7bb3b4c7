"""In which dtypes calls compute in a block of `autocast` for GPUs: ours on a simulated one, PyTorch's on fake tensors.

python -m tests.devices.autocast --freeze     writes what PyTorch says to the calls in autocast.tsv; needs PyTorch
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("autocast.tsv")
PAIRS = (("float32", "float32"), ("float16", "float16"), ("float32", "float16"), ("float16", "float32"))


def answers(torch: Any, block: Callable[[], Any]) -> Iterator[str]:
    """For each call of the file its dtypes, one for each pair of dtypes of its tensors, or that it is refused."""
    for call in [line.partition("\t")[0] for line in FILE.read_text(encoding="utf-8").splitlines()]:
        yield "\t".join((call, *(_answer(torch, block, call, *pair) for pair in PAIRS)))


def _answer(torch: Any, block: Callable[[], Any], call: str, one: str, other: str) -> str:
    def ones(d: str) -> Callable[..., Any]:
        return lambda *size: torch.ones(*size, dtype=getattr(torch, d), device="cuda")

    index = torch.zeros(3, dtype=torch.int64, device="cuda")
    scope = {"torch": torch, "F": torch.nn.functional, "a": ones(one), "b": ones(other), "index": index}
    try:
        with block():
            return str(eval(call, scope).dtype).removeprefix("torch.")
    except Exception as error:
        return "refused: " + str(error).splitlines()[0] if "autocast" in str(error) else "refused"


def of_pytorch() -> list[str]:
    """PyTorch's answers, which need no GPU: its fake tensors have a device and a dtype, and no numbers."""
    from contextlib import contextmanager

    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    @contextmanager
    def block() -> Iterator[None]:
        torch.set_autocast_enabled("cuda", True)
        try:
            yield
        finally:
            torch.set_autocast_enabled("cuda", False)

    with FakeTensorMode():
        return list(answers(torch, block))


if __name__ == "__main__" and "--freeze" in sys.argv:
    FILE.write_text("\n".join(of_pytorch()) + "\n", encoding="utf-8")
