"""Nothing that a lesson says of PyTorch is false: each sentence is paired with code that runs on PyTorch itself."""

from __future__ import annotations

import gzip
import io
import json
import operator
import os
import pickle
import re
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import pytest

import tensorwidgets
from tensorwidgets.course.building import student_copy
from tensorwidgets.course.checking.plainly import plainly
from tensorwidgets.course.checking.plans_asked import Ran, ran
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import StatementsExercise
from tensorwidgets.course.ranks import in_ranks
from tensorwidgets.course.shelf import LESSONS
from tensorwidgets.engine.memory.caching import CachingAllocator, SimulatedDriver
from tests.course.answers import ASKED, EXERCISES, PREDICTIONS
from tests.course.claims import Claim, claims, is_about_pytorch, plain, sentences, texts

CLAIMS = claims()
TEXTS = texts()
STATEMENTS = {number: one.statements for number, one in EXERCISES.items() if isinstance(one, StatementsExercise)}


def kind_and_number(claim: Claim) -> tuple[str, str]:
    kind, _, number = claim.cell.partition(" ")
    return (kind, number) if number else ("cell", "")


def statement_of(claim: Claim) -> Any:
    (one,) = [s for s in STATEMENTS[kind_and_number(claim)[1]] if claim.words in s.says]
    return one


def test_the_words_of_every_claim_are_still_there() -> None:
    for claim in CLAIMS:
        kind, number = kind_and_number(claim)
        assert claim.code and "\t" not in claim.code and claim.reason != " ", claim
        if kind == "prediction":
            assert claim.words in PREDICTIONS[number].question, claim
        elif kind == "statement":
            assert statement_of(claim), claim
        elif kind == "hint":
            assert all(any(part in words for words in said_to(number)) for part in claim.parts), claim
        elif kind == "answer":
            assert claim.words in f"{EXERCISES[number].task} {getattr(EXERCISES[number], 'asked', '')}", claim
        else:
            text = plain(TEXTS[claim.lesson, claim.cell])
            assert [part for part in claim.parts if part not in text] == [], claim


def test_every_sentence_about_pytorch_is_paired_with_code_or_with_a_reason() -> None:
    covered: dict[tuple[str, str], list[str]] = {}
    for claim in CLAIMS:
        covered.setdefault((claim.lesson, claim.cell), []).extend(claim.parts)
    open_ends = [
        (*place, sentence)
        for place, text in TEXTS.items()
        for sentence in sentences(text)
        if is_about_pytorch(sentence) and not any(part in sentence for part in covered.get(place, ()))
    ]
    assert open_ends == []


def test_every_prediction_and_every_statement_is_in_the_table() -> None:
    there = [kind_and_number(claim) for claim in CLAIMS]
    assert [number for number in PREDICTIONS if there.count(("prediction", number)) != 1] == []
    assert {n: len(s) for n, s in STATEMENTS.items()} == {n: there.count(("statement", n)) for n in STATEMENTS}


def said_to(number: str) -> list[str]:
    """The sentences that a prediction or an exercise has for those who answer it."""
    asked = ASKED[number]
    if isinstance(asked, WordPrediction):
        return [asked.reason, *asked.otherwise.values()]
    if isinstance(asked, StatementsExercise):
        return [statement.hint for statement in asked.statements]
    return [*getattr(asked, "hints", ()), *(mistake.hint for mistake in getattr(asked, "mistakes", ()))]


def test_every_hint_that_names_pytorch_is_in_the_table() -> None:
    covered = {number: claim.parts for claim in CLAIMS for kind, number in [kind_and_number(claim)] if kind == "hint"}
    open_ends = [
        (number, words)
        for number in ASKED
        for words in said_to(number)
        if re.search(r"\bPyTorch\b(?!'s)", words) and not any(part in words for part in covered.get(number, ()))
    ]
    assert open_ends == []


def test_most_of_what_is_said_is_run() -> None:
    """A reason to run nothing is the exception, and few reasons are enough."""
    reasons = {claim.reason for claim in CLAIMS if claim.reason}
    assert sum(bool(claim.reason) for claim in CLAIMS) * 4 < len(CLAIMS)
    assert len(reasons) < 40


# -- on PyTorch itself -----------------------------------------------------------------------------------------------


NAMES = Path(__file__).parents[1] / "engine" / "catalogue" / "torch_names.json"
DOCUMENTED = json.loads(NAMES.read_text(encoding="utf-8"))["documented"]
"""What the sections of PyTorch's documentation list."""
AT_HAND = {
    "documented": DOCUMENTED, "in_ranks": in_ranks, "io": io, "np": np, "operator": operator, "os": os,
    "ours": tensorwidgets, "pickle": pickle, "sleep": sleep, "sys": sys, "zipfile": zipfile,
}  # fmt: skip


class Surprise:
    """An object of a class of one's own."""


def same(one: Any, other: Any) -> bool:
    """Whether two tensors read one storage."""
    return bool(one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr())


def refused(call: Callable[[], Any], kind: type[Exception] = Exception) -> bool:
    try:
        call()
    except kind:
        return True
    return False


def message(call: Callable[[], Any]) -> str:
    with pytest.raises(Exception) as refusal:
        call()
    return str(refusal.value)


def quiet(call: Callable[[], Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call()


def in_a_fresh_process(code: str) -> str:
    """What Python says on stderr: some warnings of PyTorch come once in a process."""
    whole = [sys.executable, "-c", f"import torch\n{code}"]
    return subprocess.run(whole, capture_output=True, text=True, timeout=120).stderr


def started(ranks: int, *code: str) -> list[str]:
    """What a program prints that PyTorch's launcher starts in some ranks, line by line.

    Each line has to be one write: the launcher turns buffering off, and the ranks write at the same time.
    """
    Path("train.py").write_text("\n".join(code), encoding="utf-8")
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", str(ranks), "train.py"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120).stdout.split("\n")[:-1]


def instructions(call: Callable[[], Any]) -> int:
    """The instructions of Python's own that a call takes; compiled code takes none."""
    count = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


DEVICE_ANSWERS = dict(
    line.split("\t")
    for line in (Path(__file__).parents[1] / "devices" / "device_messages.tsv").read_text(encoding="utf-8").splitlines()
)


def gpu(call: str) -> str:
    """What PyTorch's CUDA build said to a call that begins so: g is on a GPU, c in main memory."""
    return next(said for asked, said in DEVICE_ANSWERS.items() if asked.startswith(call))


def plan(*lines: str) -> Ran:
    """What a GPU of 44 MiB comes to by PyTorch's rules: `tests/allocator` replays 150 programs of its allocator."""
    return ran(lines, 44)


def taken(*sizes: int) -> tuple[int, int]:
    """The bytes allocated and reserved for requests to an empty GPU, by the same rules."""
    allocator = CachingAllocator(SimulatedDriver(1 << 30))
    for size in sizes:
        allocator.allocate(size)
    return allocator.allocated, allocator.reserved


def out_of_memory() -> str:
    """What PyTorch's allocator said in the longest of its refusals that are kept there."""
    kept = Path(__file__).parents[1] / "allocator" / "reference.json.gz"
    return max(
        (said for one in json.loads(gzip.decompress(kept.read_bytes())) for said in one["errors"].values()), key=len
    )


def sampled(n: int, get: Callable[[Any, int], Any]) -> Any:
    """A dataset of so many samples, by a function of the dataset and the place."""
    from torch.utils.data import Dataset

    return type("Sampled", (Dataset,), {"__len__": lambda self: n, "__getitem__": get})()


def streamed(n: int) -> Any:
    """A dataset without places, which gives the numbers from 0 on."""
    from torch.utils.data import IterableDataset

    return type("Streamed", (IterableDataset,), {"__iter__": lambda self: iter(range(n))})()


def operators(call: Callable[[], Any]) -> int:
    """How many of PyTorch's operators a call runs."""
    return work(call)[0]


def work(call: Callable[[], Any]) -> tuple[int, int]:
    """What a call takes, without a clock: the operators that PyTorch runs, and the bytes that they ask for."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as seen:
        call()
    events = list(seen.events())
    bytes_asked = sum(event.self_cpu_memory_usage for event in events if event.self_cpu_memory_usage > 0)
    return sum(event.name.startswith("aten::") for event in events), bytes_asked


def allocated(call: Callable[[], Any]) -> int:
    """The bytes that PyTorch asked for, given back or not."""
    return work(call)[1]


def sum_with(threads: int, tensor: Any) -> float:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    total = tensor.sum().item()
    torch.set_num_threads(before)
    return float(total)


def loaded(data: bytes) -> Any:
    import torch

    return torch.load(io.BytesIO(data))


def written(thing: Any) -> bytes:
    import torch

    file = io.BytesIO()
    torch.save(thing, file)
    return file.getvalue()


def saved(thing: Any) -> Any:
    """To a file and back."""
    return loaded(written(thing))


def size(thing: Any) -> int:
    """Bytes of its file."""
    return len(written(thing))


def run(code: str) -> Any:
    """The value of the last part of some code; x and f are a fresh table of 3 by 4 in whole numbers and in floats."""
    import torch

    x = torch.arange(12).reshape(3, 4)
    names = {**globals(), **AT_HAND, "torch": torch, "x": x, "f": x.float()}
    *before, last = code.split("; ")
    exec("\n".join(before), names)
    return eval(last, names)


@pytest.mark.torch
@pytest.mark.parametrize(
    "claim", [c for c in CLAIMS if not c.reason], ids=lambda c: f"{c.lesson} {c.cell}: {c.words[:40]}"
)
def test_it_is_so_on_pytorch(claim: Claim, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kind, number = kind_and_number(claim)
    found = run(claim.code)
    if kind == "prediction":
        assert plainly(found) == PREDICTIONS[number].says()
    elif kind == "statement":
        assert bool(found) is statement_of(claim).true
    else:
        assert found is True or bool(found) is True


@pytest.mark.torch
def test_what_pytorch_lacks_is_labelled_as_ours_where_it_is_first_met() -> None:
    """In the text of that cell, or in the first text after it."""
    import torch

    met: list[tuple[str, str, bool]] = []
    for lesson in LESSONS:
        cells = student_copy(lesson)["cells"] if lesson.ready else []
        for k, cell in enumerate(cells):
            for name in re.findall(r"\btorch\.([a-z_]\w*)", "".join(cell["source"])):
                if not hasattr(torch, name) and (lesson.number, name) not in {(n, one) for n, one, _ in met}:
                    after = next(c for c in cells[k:] if c["cell_type"] == "markdown")
                    met.append((lesson.number, name, "ours" in "".join(after["source"] + cells[k - 1]["source"])))
    assert {name for _, name, _ in met} == {"load_hdf5", "register_kernel", "save_hdf5"}
    assert [(number, name) for number, name, labelled in met if not labelled] == []
