"""What an explanation claims of PyTorch holds there, and what it proposes works when it is done."""

from __future__ import annotations

from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets import why
from tensorwidgets.engine.explain.messages.patterns import reason_from_message

LIBRARIES = ["tensorwidgets", pytest.param("torch", marks=pytest.mark.torch)]


def names(library: str) -> dict[str, Any]:
    torch = __import__(library)
    return {"torch": torch, "x": torch.arange(12.0).reshape(3, 4), "v": torch.ones(3), "m": torch.ones(3, 5)}


def explained(text: str, library: str) -> tuple[str, list[str], dict[str, Any]]:
    """Why an expression is refused, and what is proposed in its place."""
    given = names(library)
    last = why(text, **given).steps[-1]
    assert last.outcome == "refused"
    return last.because, list(last.instead), given


WORKS = [
    ("torch.stack([x, m])", "torch.cat([a, b], dim=1)", {"a": "x", "b": "m"}),
    ("torch.stack([x, x[:2]])", "torch.cat([a, b], dim=0)", {"a": "x", "b": "x[:2]"}),
    ("torch.cat([x, m])", "torch.cat([a, b], dim=1)", {"a": "x", "b": "m"}),
    ("x.expand(2, 6, 4)", "x.repeat(2, 2, 1)", {}),
    ("torch.cat([x, x[0]])", "t.unsqueeze(0)", {"t": "x[0]", "then": "torch.cat([x, way])"}),
    ("x.repeat(2, 1, 1) @ x.t().repeat(3, 1, 1)", "x.repeat(2, 1, 1).unsqueeze(1)",
     {"then": "way @ x.t().repeat(3, 1, 1)"}),
]  # fmt: skip


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("case", WORKS, ids=lambda case: case[0])
def test_what_is_proposed_works(case: tuple[str, str, dict[str, str]], library: str) -> None:
    text, way, means = case
    _, ways, given = explained(text, library)
    assert any(one.startswith(way) for one in ways), ways
    used = {**given, **{name: eval(code, given) for name, code in means.items() if name != "then"}}
    used["way"] = eval(way, used)
    assert eval(means.get("then", "way"), used) is not None


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_way_is_proposed_that_does_not_work(library: str) -> None:
    for text in ("torch.stack([x, v])", "torch.cat([x, v])", "torch.cat([x, torch.ones(5, 6)])"):
        because, ways, _ = explained(text, library)
        assert because and ways == ["[a, b], a list, which holds tensors of any size"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_batches_are_told_from_matrices(library: str) -> None:
    because, _, _ = explained("torch.bmm(torch.ones(2, 3, 4), torch.ones(3, 4, 5))", library)
    assert because == "the first has 2 matrices and the second 3; each of the first needs a partner"
    because, _, _ = explained("torch.ones(2, 3, 4) @ torch.ones(3, 4, 5)", library)
    assert because.startswith("The matrices are in the last two dimensions. Before them are [2] and [3]")


def test_sentences_begin_with_a_capital_letter_unless_a_name_does() -> None:
    assert "    A tensor holds numbers." in repr(why("torch.tensor('a')", torch=tw)).splitlines()
    assert "The letter k appears only after the arrow" in repr(
        why("torch.einsum('ij->ijk', torch.ones(2, 2))", torch=tw)
    )
    assert "linspace() is not called with (int, int)" in repr(why("torch.linspace(0, 1)", torch=tw))


@pytest.mark.parametrize("library", LIBRARIES)
def test_meta_tensors_take_no_bytes(library: str) -> None:
    told = why("torch.ones(2, device='meta') + 1", **names(library))
    assert told.allocated == 0 and "0 bytes allocated, on meta" in repr(told)


@pytest.mark.torch
def test_an_explanation_of_ours_is_not_told_of_another_refusal_of_pytorchs() -> None:
    import torch

    p = torch.nn.Parameter(torch.ones(3))
    assert "this leaf tensor" in why("p.add_(1)", p=p).steps[-1].because  # it is no view of a leaf
    assert "view" not in why("p.add_(1)", p=p).steps[-1].because
    singular = why("torch.linalg.solve(torch.ones(2, 2), torch.ones(2))", torch=torch).steps[-1]
    assert "removed" not in singular.because
    condition = why("torch.where(torch.zeros(3), 1, 2)", torch=torch).steps[-1]
    assert condition.because == "a condition is true or false at each place"


@pytest.mark.torch
def test_pytorchs_devices_are_its_own() -> None:
    import torch

    told = repr(why("torch.ones(3).to('cuda:7')", torch=torch))
    assert "CuPy" not in told and "simulate" not in told
    mixed = why("torch.ones(2, device='meta') + torch.ones(2)", torch=torch).steps[-1]
    assert mixed.because == "one of the tensors has numbers, and one has a size alone"


STEPS = {
    "x.requires_grad_()": ("itself", "Only this tensor changes, its sizes, strides or flags"),
    "x.detach()": ("view", "Size, stride and offset are the same, and so is the storage."),
    "c.conj()": ("view", "and so is the storage. Each number is read conjugated."),
    "c.conj().imag": ("view", "with 4 bytes per element. Each number is read negated."),
    "x.view(torch.uint8)": ("view", "read as uint8 with 1 byte per element"),
    "x.bool()": ("copy", "to bool (1 byte)."),
    "x.new_tensor([1.0])": ("copy", "The values are written to a new storage."),
    "x.gather(0, torch.zeros(3, 4).long())": ("copy", "The elements that the index selects are written"),
    "torch.broadcast_tensors(x, x[0])": ("itself", "There are 2 results; this is the first. There was nothing"),
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("text", STEPS)
def test_what_a_step_did_is_told_as_it_was(text: str, library: str) -> None:
    given = names(library)
    step = why(text, c=given["torch"].ones(3, dtype=given["torch"].complex64), **given).steps[-1]
    outcome, because = STEPS[text]
    assert step.outcome == outcome and because in step.because
    assert "negated" in because or "negated" not in step.because


MESSAGES = {
    "mat1 and mat2 must have the same dtype, but got Double and Float": ("Double, the other Float", "x.to(layer"),
    "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking "
    "argument for argument mat1 in method wrapper_CUDA_addmm)": ("one is on cuda:0, another on cpu", "x.to(model"),
    "index out of range in self": ("negative, or not smaller than the number of rows", "index.min() and"),
    "Target 5 is out of bounds.": ("5 is not among them", "target - 1"),
    "Target -1 is out of bounds.": ("-1 is not among them", "ignore_index"),
    "expected target dtype to be Long or Byte, but got Float": ("Float is not a dtype for that", "target.long()"),
    "Expected input batch_size (3) to match target batch_size (2).": ("3 examples and 2 targets", "input.view"),
    "Given groups=1, weight of size [4, 3, 3, 3], expected input[1, 8, 8, 3] to have 3 channels, but got 8 channels "
    "instead": ("Each filter reads 3 channels, and the input has 8", "x.movedim(-1, -3)"),
    "Target size (torch.Size([3, 1])) must be the same as input size (torch.Size([3]))": ("[3] and [3, 1]", "view_as"),
    "Expected target size [2, 5], got [2, 7]": ("Dimension 1 of the input has the classes", "input.movedim(-1, 1)"),
    "Target size (torch.Size([4])) must be the same as input size (torch.Size([3]))": ("[3] and [4]", "a target for"),
    "\"bitwise_and_cpu\" not implemented for 'Float'": ("no bitwise_and_cpu kernel for Float", "x.long()"),
    "\"sort\" not implemented for 'ComplexFloat'": ("no sort kernel for ComplexFloat", "x.real or x.abs()"),
    "\"check_uniform_bounds\" not implemented for 'Long'": ("kernel for Long", "torch.randint"),
    "Dimension out of range (expected to be in range of [-3, 2], but got 5)": ("dim goes from -3 to 2", "dim=2"),
    "Caught KeyError in DataLoader worker process 1.\nOriginal Traceback (most recent call last):\n  File "
    '"/x/data.py", line 7, in __getitem__\n    return rows[i]\nKeyError: 0\n': (
        "in __getitem__, line 7 of data.py",
        "num_workers=0",
    ),
    "Caught RuntimeError in DataLoader worker process 0.\nOriginal Traceback (most recent call last):\nRuntimeError: "
    "stack expects each tensor to be equal size, but got [3] at entry 0 and [4] at entry 1": (
        "size 3 in tensor 0",
        "torch.cat",
    ),
    "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity": ("another 20.00 MiB", "loss.item()"),
    "CUDA error: device-side assert triggered": ("out of range", "CPU"),
    "Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same": (
        "on the GPU",
        "model.",
    ),
    "Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same": (
        "weight is on",
        "x.to",
    ),
    "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False": ("GPU", "map_location"),
    "Weights only load failed. Unsupported global: GLOBAL a.Config was not": ("a.Config", "weights_only=False"),
    "DataLoader worker (pid 7) is killed by signal: Killed. ": ("signal Killed", "num_workers=0"),
    "DataLoader worker (pid(s) 7, 8) exited unexpectedly": ("too little memory", "num_workers=0"),
    "Output 0 of SplitBackward0 is a view and is being modified inplace. This view is the output of a function that "
    "returns multiple views. Such functions do not allow": ("One call made several views", "x[:n], x[n:]"),
}


@pytest.mark.parametrize("message", MESSAGES)
def test_messages_of_layers_losses_and_devices(message: str) -> None:
    because, way = MESSAGES[message]
    reason = reason_from_message(RuntimeError(message))
    assert reason is not None and because in reason.because
    assert way in " ".join(reason.instead)


@pytest.mark.parametrize(("kernel", "padding"), [(9, 0), (9, 2), (8, 1), (5, 0)])
def test_the_padding_that_is_advised_is_the_smallest_that_fits(kernel: int, padding: int) -> None:
    """The padding that is there is not added to: it is replaced."""
    image = tw.ones(1, 1, 4, 4)
    with pytest.raises(RuntimeError) as refused:
        tw.nn.Conv2d(1, 1, kernel, padding=padding)(image)
    (advice,) = refused.value.reason.instead
    wide = int(advice.removeprefix("padding="))
    assert tw.nn.Conv2d(1, 1, kernel, padding=wide)(image).numel() > 0
    with pytest.raises(RuntimeError, match="Kernel size can't be greater"):
        tw.nn.Conv2d(1, 1, kernel, padding=wide - 1)(image)


def test_no_way_out_leads_to_numbers_that_a_meta_tensor_lacks() -> None:
    with pytest.raises(RuntimeError) as refused:
        tw.empty(2, device="meta").item()
    assert refused.value.reason.instead == ()


@pytest.mark.parametrize(
    ("numbers", "said"),
    [([7], "7 is not among them"), ([1, 9], "the numbers go from 1 to 9"), ([-1, -1], "-1 is not among them")],
)
def test_numbers_without_a_row_are_named(numbers: list[int], said: str) -> None:
    with pytest.raises(IndexError) as refused:
        tw.nn.Embedding(5, 2)(tw.tensor(numbers))
    assert refused.value.reason.because == f"the table has rows 0 to 4, and {said}"


def test_pools_and_blocks_advise_only_what_helps() -> None:
    with pytest.raises(RuntimeError) as padded:
        tw.nn.functional.max_pool2d(tw.ones(1, 1, 8, 8), 3, padding=2)
    assert padded.value.reason.because == "more than half of the first window would be padding"
    assert padded.value.reason.instead == ("padding=1, or less",)
    for call in (
        lambda: tw.nn.functional.fold(tw.ones(1, 4, 4), (4, 4), 2),
        lambda: tw.nn.functional.adaptive_avg_pool1d(tw.ones(1, 2, 3), (1, 2)),
    ):
        with pytest.raises(RuntimeError) as refused:
            call()
        assert refused.value.reason.instead == ()


@pytest.mark.parametrize("library", LIBRARIES)
def test_equations_without_a_row_of_b_are_counted_by_rows(library: str) -> None:
    """B of 3 rows and 2 columns has two right-hand sides, of 3 numbers each."""
    because, _, _ = explained("torch.linalg.solve(torch.eye(2), torch.ones(3, 2))", library)
    assert because.rstrip(".") == "A has 2 rows, so 2 equations, and B has 3 rows"
