"""Programs of views and writes, prints and results of `out=`, with every tensor on a simulated GPU."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

import tensorwidgets as torch
from tensorwidgets.engine.devices import counts
from tests.engine.programs import programs
from tests.engine.programs.freeze_programs import REFERENCE

OF_THE_CPU = re.compile(r"cpu|numpy|np\.|pickle")
"""Lines that lead to main memory, where the same program does something else."""


@pytest.fixture
def default_gpu() -> Iterator[None]:
    with torch.cuda.simulate(memory="256 MiB"):
        torch.set_default_device("cuda")
        torch.set_warn_always(True)
        try:
            yield
        finally:
            torch.set_default_device(None)
            torch.set_warn_always(False)


def without_device(seen: Any) -> Any:
    """What was seen without the device in prints, and without the lines that it makes longer."""
    if isinstance(seen, dict):
        return {name: without_device(value) for name, value in seen.items()}
    if isinstance(seen, list):
        return [without_device(value) for value in seen]
    if isinstance(seen, str) and "tensor(" in seen:
        return re.sub(r"\s+", "", seen).replace(",device='cuda:0'", "")
    return seen


@pytest.mark.usefixtures("default_gpu")
def test_programs_of_views_show_what_they_show_on_the_cpu() -> None:
    wrong, count = [], 0
    for each in json.loads(gzip.decompress(REFERENCE.read_bytes())):
        if OF_THE_CPU.search("\n".join(each["program"])):
            continue
        count += 1
        ours = json.loads(json.dumps(programs.run(each["program"], torch)))
        found = programs.first_difference(without_device(ours), without_device(each["seen"]))
        if found:
            wrong.append("\n".join([*each["program"][: found[0] + 1], *found[1]]))
    assert count > 120
    assert not wrong, f"{len(wrong)} programs differ\n" + "\n\n".join(wrong[:3])


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize(
    ("call", "printed"),
    [
        ("torch.ones(2, device='cuda')", "tensor([1., 1.], device='cuda:0')"),
        ("torch.ones(2, device='cuda').double()", "tensor([1., 1.], device='cuda:0', dtype=torch.float64)"),
        ("torch.ones(0, 2, device='cuda')", "tensor([], device='cuda:0', size=(0, 2))"),
        ("torch.tensor(3, device='cuda')", "tensor(3, device='cuda:0')"),
        ("torch.ones(1, device='cuda', requires_grad=True)", "tensor([1.], device='cuda:0', requires_grad=True)"),
        ("torch.ones(1, device='cuda', requires_grad=True) * 2",
         "tensor([2.], device='cuda:0', grad_fn=<MulBackward0>)"),
        ("torch.tensor([1 + 2j]).cuda()", "tensor([1.+2.j], device='cuda:0')"),
        ("torch.arange(2000.).cuda()", "tensor([0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 1.9970e+03, 1.9980e+03,\n"
         "        1.9990e+03], device='cuda:0')"),
        ("torch.nn.Parameter(torch.ones(1, device='cuda'))",
         "Parameter containing:\ntensor([1.], device='cuda:0', requires_grad=True)"),
    ],
)  # fmt: skip
def test_prints_are_pytorchs(call: str, printed: str) -> None:
    assert repr(eval(call, {"torch": torch})) == printed


FILLED = (
    "add sub mul div pow atan2 maximum minimum fmod remainder hypot logaddexp copysign eq lt bitwise_and exp sin sqrt "
    "abs neg floor erf sigmoid clamp cumsum sum mean prod amax argmax matmul sort topk cat stack gather index_select "
    "tril where nonzero"
).split()


LARGE = (
    "x.sum()", "x.sum(0)", "x.sum(1)", "x.mean(1)", "x.softmax(-1)", "x.view(3, 4, 5, -1).softmax(-1)", "x.norm()",
    "x[0] @ x[1]", "x.var(1)", "x.cumsum(1)", "x[:, :9].prod(1)", "x.sin()", "x.max(1).values", "(x + 1j * x).sum(0)",
)  # fmt: skip


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("call", LARGE)
def test_large_tensors_are_computed_there(call: str) -> None:
    x = (torch.arange(30_000.0) % 97 / 97).reshape(3, -1)
    counts.through_host.clear()
    there = eval(call, {"x": x.cuda()})
    assert not counts.through_host
    assert torch.allclose(there.cpu(), eval(call, {"x": x}), rtol=1e-4)


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("name", FILLED)
def test_out_is_filled_there(name: str) -> None:
    def outcome(device: str) -> Any:
        x = (torch.arange(9.0).reshape(3, 3) / 4 + 0.5).to(device)
        i = torch.tensor([[0, 2, 1]] * 3).to(device)
        given = {
            "bitwise_and": (i, i), "clamp": (x, 0.7, 1.5), "cumsum": (x, 0), "sum": (x, 0), "mean": (x, 0),
            "prod": (x, 0), "amax": (x, 0), "argmax": (x, 0), "sort": (x, 0, True), "topk": (x, 2), "cat": ([x, x],),
            "stack": ([x, x],),
            "gather": (x, 0, i), "index_select": (x, 0, i[0]), "where": (x > 1, x, x * 2), "nonzero": (x > 1,),
        }.get(name)  # fmt: skip
        one = "exp sin sqrt abs neg floor erf sigmoid tril".split()
        given = given or ((x,) if name in one else (x, x.t()))
        function = getattr(torch, name)
        made = function(*given)
        several = isinstance(made, tuple)
        out: Any = tuple(torch.empty_like(m) for m in made) if several else torch.empty_like(made)
        again = function(*given, out=out)
        assert all(a is o for a, o in zip(again, out, strict=True)) if several else again is out
        return [m.cpu() for m in (*(out if several else (out,)), *(made if several else (made,)))]

    there, here = outcome("cuda"), outcome("cpu")
    assert all(torch.allclose(a.double(), b.double()) for a, b in zip(there, here, strict=True))
