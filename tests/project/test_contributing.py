"""The steps that CONTRIBUTING.md shows are followed word by word in a copy of the package, and they are enough."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.project.running import ROOT, run_python

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


class Step(NamedTuple):
    """One block of code in CONTRIBUTING.md: lines that are written to a file of the package."""

    path: str
    where: str
    lines: str


STEPS = [
    Step(*parts)
    for parts in re.findall(r"^```python\n# (tensorwidgets/[\w/]+\.py)(?:, (.+?))?\n(.*?)^```", TEXT, re.M | re.S)
]


def follow(step: Step, top: Path) -> None:
    """Write the lines where the step says: at the end of a file, below a name, inside a table, or as a new file."""
    path = top / step.path
    if not step.where:
        assert not path.exists()
        path.parent.mkdir(exist_ok=True)
        path.write_text(step.lines, encoding="utf-8")
        return
    before = path.read_text(encoding="utf-8")
    if step.where == "at the end":
        after = before + "\n\n" + step.lines
    elif step.where.startswith("below "):
        name = step.where.removeprefix("below ")
        after, count = re.subn(rf"^{name} = .*\n", lambda line: line[0] + step.lines, before, flags=re.M)
        assert count == 1, step
    else:
        table = step.where.removeprefix("in ")
        after, count = re.subn(rf"^{table} = [({{]\n", lambda head: head[0] + step.lines, before, flags=re.M)
        assert count == 1, step
    path.write_text(after, encoding="utf-8")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a copy of the package in which every step has been followed."""
    top = tmp_path_factory.mktemp("contributed")
    shutil.copytree(ROOT / "tensorwidgets", top / "tensorwidgets", ignore=shutil.ignore_patterns("lessons"))
    for step in STEPS:
        follow(step, top)
    return top


def lines(text: str) -> int:
    return len([line for line in text.splitlines() if line.strip()])


@pytest.mark.parametrize(
    ("words", "room"), [("pointwise op", "pointwise"), ("reduction", "reductions"), ("view", "views")]
)
def test_an_op_takes_the_lines_that_are_promised(words: str, room: str) -> None:
    (promised,) = re.findall(rf"^A {words} takes (\d+) lines?", TEXT, re.M)
    (step,) = [step for step in STEPS if f"/ops/{room}/" in step.path]
    assert lines(step.lines) == int(promised)


def test_a_layout_takes_the_lines_that_are_promised() -> None:
    (promised,) = re.findall(r"takes (\d+) lines elsewhere", TEXT)
    elsewhere = [step for step in STEPS if re.search("/dispatch/|/loaded_later", step.path)]
    assert sum(lines(step.lines) for step in elsewhere) == int(promised)


def test_a_dtype_takes_the_lines_that_are_promised() -> None:
    (promised,) = re.findall(r"^A dtype takes (\d+) lines?", TEXT, re.M)
    (step,) = [step for step in STEPS if "/types/dtypes" in step.path]
    assert lines(step.lines) == int(promised)


def test_a_device_takes_the_lines_that_are_promised() -> None:
    (promised,) = re.findall(r"^A device takes one module of (\d+) lines and no line elsewhere", TEXT, re.M)
    (step,) = [step for step in STEPS if "/devices/" in step.path]
    assert lines(step.lines) == int(promised) and not step.where


def test_a_pointwise_op_follows_from_its_row(package: Path) -> None:
    printed = run_python(
        """
import tensorwidgets as torch
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(torch.tripled(x[0]), x.t().tripled().stride(), torch.tripled(x, out=torch.empty(0)).sum())
print(torch.tensor([1, 2]).tripled(), x.half().tripled().dtype, x.to("meta").tripled().shape)
print(x.tripled_() is x, x[0])
print("Three times each element." in torch.tripled.__doc__, "tripled" in torch.catalogue())
w = torch.ones(2, requires_grad=True)
w.tripled().sum().backward()
print(w.grad, w.tripled().grad_fn.name())
try:
    torch.sum_of_squares(w)
except NotImplementedError as refused:
    print(refused)
""",
        cwd=package,
    )
    assert printed.splitlines() == [
        "tensor([3., 6.]) (1, 2) tensor(30.)",
        "tensor([3, 6]) torch.float16 torch.Size([2, 2])",
        "True tensor([3., 6.])",
        "True True",
        "tensor([3., 3.]) TripledBackward0",
        "derivative for aten::sum_of_squares is not implemented",
    ]


def test_a_reduction_follows_from_its_row(package: Path) -> None:
    printed = run_python(
        """
import tensorwidgets as torch
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(torch.sum_of_squares(x), x.sum_of_squares(1), x.sum_of_squares((0, 1), True))
print(torch.sum_of_squares(x, 0, out=torch.empty(0)), x.bool().sum_of_squares(), x.to("meta").sum_of_squares(0).shape)
print(torch.catalogue("sum_of_squares"))
""",
        cwd=package,
    )
    assert printed.startswith(
        "tensor(30.) tensor([ 5., 25.]) tensor([[30.]])\ntensor([10., 20.]) tensor(4) torch.Size([2])\n"
        "sum_of_squares: The sum of the squares.\n"
    )


def test_a_view_follows_from_its_rule(package: Path) -> None:
    printed = run_python(
        """
import tensorwidgets as torch
x = torch.zeros(2, 3)
v = torch.swap_last(x)
print(v.shape, v.stride(), v._base is x, x.to("meta").swap_last().stride())
print(x.swap_last_() is x, x.shape)
w = torch.ones(2, 3, requires_grad=True)
(w.swap_last() * torch.arange(6.0).reshape(3, 2)).sum().backward()
print(w.grad.tolist())
try:
    torch.zeros(2).swap_last()
except IndexError as error:
    print(error)
""",
        cwd=package,
    )
    assert printed.splitlines() == [
        "torch.Size([3, 2]) (1, 3) True (1, 3)",
        "True torch.Size([3, 2])",
        "[[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]]",
        "Dimension out of range (expected to be in range of [-1, 0], but got -2)",
    ]


def test_a_layout_follows_from_its_room(package: Path) -> None:
    printed = run_python(
        """
import sys
import tensorwidgets as torch
print("tensorwidgets.engine.layouts.diagonal.kernels" in sys.modules)
d = torch.diagonal_matrix(torch.tensor([2.0, 3.0]))
print(d, d.shape, d.layout, torch.ones(1).layout)
print(torch.mm(d, torch.ones(2, 1)).tolist())
print(torch.route("mm", d, torch.ones(2, 1)))
try:
    d + 1
except NotImplementedError as error:
    print(error)
""",
        cwd=package,
    )
    assert printed.splitlines() == [
        "False",
        "diagonal_matrix([2.0, 3.0]) torch.Size([2, 2]) diagonal torch.strided",
        "[[2.0], [3.0]]",
        "call      mm: matmul, blas_lapack",
        "diagonal  a diagonal and zeros: its own kernel",
        "kernel    mm of tensorwidgets.engine.layouts.diagonal.kernels",
        "Could not run 'aten::add' with arguments from the 'diagonal' backend.",
    ]


def test_a_dtype_follows_from_its_line(package: Path) -> None:
    """Every pattern of bits is the number that ml_dtypes reads in it."""
    printed = run_python(
        """
import io
import ml_dtypes
import numpy as np
import tensorwidgets as torch
d = torch.float8_e3m4
x = torch.tensor([0.1, 1.0, 300.0], dtype=d)
print(x)
print(x.float(), x.view(torch.uint8), x.double().to(d)[1:].clone().dtype, torch.zeros(2, dtype=d, device="meta").dtype)
every = torch.arange(256).to(torch.uint8).view(d).double().numpy()
print(np.array_equal(every, np.arange(256, dtype=np.uint8).view(ml_dtypes.float8_e3m4).astype(float), equal_nan=True))
print(torch.finfo(d))
file = io.BytesIO()
torch.save(x, file)
print(torch.load(io.BytesIO(file.getvalue())).dtype, d.abbr, d.is_floating_point, "x.to(torch.float8_e3m4)" in
      str(torch.why("x.to(torch.float8_e3m4)", x=torch.ones(2), torch=torch)), "float8_e3m4" in str(torch.show(x)))
for call in (lambda: x + x, lambda: torch.promote_types(d, torch.float32)):
    try:
        call()
    except (NotImplementedError, RuntimeError) as error:
        print(error)
""",
        cwd=package,
    )
    assert printed.splitlines() == [
        "tensor([0.0938, 1.0000,    inf], dtype=torch.float8_e3m4)",
        "tensor([0.0938, 1.0000,    inf]) tensor([  6,  48, 112], dtype=torch.uint8) torch.float8_e3m4 "
        "torch.float8_e3m4",
        "True",
        "finfo(resolution=0.1, min=-15.5, max=15.5, eps=0.0625, smallest_normal=0.25, tiny=0.25, dtype=float8_e3m4)",
        "torch.float8_e3m4 f8e3m4 True True True",
        "\"add_stub\" not implemented for 'Float8_e3m4'",
        "Promotion for Float8 Types is not supported, attempted to promote Float8_e3m4 and Float",
    ]


def test_a_device_follows_from_its_module(package: Path) -> None:
    printed = run_python(
        """
import tensorwidgets as torch
x = torch.arange(6.0).reshape(2, 3)
try:
    x.to("privateuseone")
except NotImplementedError as error:
    print(error)
import tensorwidgets.engine.devices.pretended
y = x.to("privateuseone")
print(y.device, y.is_cpu, y.cpu().device, torch.ones(2, device="privateuseone").device)
makers = (torch.tensor, torch.as_tensor, torch.asarray, y.new_tensor, lambda data, device: torch.rand(2, device=device))
print({str(make(data, device="privateuseone").device) for make in makers for data in ([1.0, 2.0], [[1], [2]])})
results = [y + y, y + 1, y.t(), y[0], y.sum(1), y @ y.t(), torch.cat([y, y]), y.max(1).values, y.split(1)[0], y.half()]
print({str(result.device) for result in results}, [str((result + 1).device) for result in results].count("cpu"))
print([(getattr(torch, name)(y).cpu() - getattr(torch, name)(x)).abs().max().item() for name in ("exp", "mean", "std")])
y.t()[0].fill_(9)
print(y.tolist(), y._version, torch.zeros(3).copy_(y[0]))
print(torch.route("add", y, y))
for call in (lambda: x + y, lambda: torch.cat([x, y])):
    try:
        call()
    except RuntimeError as error:
        print(error)
""",
        cwd=package,
    )
    assert printed.splitlines() == [
        "Could not run on device 'privateuseone'.",
        "privateuseone False cpu privateuseone",
        "{'privateuseone'}",
        "{'privateuseone'} 0",
        "[0.0, 0.0, 0.0]",
        "[[9.0, 1.0, 2.0], [9.0, 4.0, 5.0]] 1 tensor([9., 1., 2.])",
        "call    add: pointwise",
        "device  on another device: no kernel, but a way for all ops",
        "kernel  computed of tensorwidgets.engine.devices.pretended",
        "add: all tensors must be on privateuseone, and one is on cpu",
        "cat: all tensors must be on privateuseone, and one is on cpu",
    ]


def test_the_hooks_use_the_tools_of_the_environment() -> None:
    """No hook downloads a tool of its own, so a commit is held to what the tests run."""
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert [entry.split()[0] for entry in re.findall(r"entry: (.+)", hooks)] == ["ruff", "ruff", "mypy"]
    assert re.findall(r"repo: (\w+)", hooks) == ["local"] and hooks.count("language: system") == 3


def test_every_path_and_command_exists() -> None:
    for path in re.findall(r"`((?:engine|pictures|tensorwidgets|docs|tests|\.ci)/[\w/.]*|\.[\w-]+\.yaml)`", TEXT):
        assert (ROOT / path).exists() or (ROOT / "tensorwidgets" / path).exists(), path
    for module in re.findall(r"python -m ([\w.]+)", TEXT):
        assert (ROOT / (module.replace(".", "/") + ".py")).exists(), module
    for script in re.findall(r"`python ([\w/]+\.py)`", TEXT):
        assert (ROOT / script).exists(), script


def test_documents_have_lines_of_at_most_120_columns() -> None:
    """But for rows of tables, links that cannot be broken, and the answers, which are written by a script."""
    pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    pages += [page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != "answers.md"]
    long = [
        f"{page.name}:{number}"
        for page in pages
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 120 and not line.startswith(("|", "[![", "https://"))
    ]
    assert long == []
