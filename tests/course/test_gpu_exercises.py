"""Exercises on GPUs: a GPU for the time of a check, results told by their device, plans that the allocator runs."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

import tensorwidgets as torch
from tensorwidgets.course import check
from tensorwidgets.course.checking.gpus import NoGpu, gpu_for
from tensorwidgets.course.checking.plans_asked import ran
from tensorwidgets.course.marking.wire import Receiver, Sender
from tensorwidgets.engine.devices import gpus
from tests.course.answers import EXERCISES
from tests.course.test_exercises import html


def test_a_check_needs_no_gpu_and_leaves_none_behind(capsys: pytest.CaptureFixture[str]) -> None:
    assert check("12.2", lambda x: 2 * x.to("cuda")).done
    assert not torch.cuda.is_available() and capsys.readouterr().out == ""


def test_a_check_uses_the_gpu_that_is_there() -> None:
    with torch.cuda.simulate(memory="8 MiB"):
        assert check("12.2", lambda x: 2 * x.to("cuda")).done
        assert torch.cuda.mem_get_info()[1] == 8 << 20


def test_a_library_without_a_gpu_and_without_a_simulation_says_so() -> None:
    class Library:
        class cuda:
            @staticmethod
            def is_available() -> bool:
                return False

    with pytest.raises(NoGpu, match="needs a GPU"), gpu_for(EXERCISES["12.2"], Library):
        pass
    with gpu_for(EXERCISES["12.6"], Library):
        assert not Library.cuda.is_available()


def test_the_right_numbers_in_the_wrong_place_are_told_by_the_device() -> None:
    page = check("12.4", lambda x: (x.cpu() - torch.tensor([0.5, 0.25, 1.0])) * torch.tensor([2.0, 4.0, 1.0]))
    assert "gave a result on cpu, wanted cuda:0" in page.line
    assert "2 of 4 cases as wanted" in html(page)


def test_a_tensor_on_a_gpu_comes_through_the_wire() -> None:
    with torch.cuda.simulate():
        sender = Sender()
        told = json.loads(json.dumps(sender.value([torch.ones(2, 3, device="cuda"), torch.arange(3)])))
        there, here = Receiver(sender.storages()).value(told)
        assert str(there.device) == "cuda:0" and there.tolist() == [[1.0] * 3] * 2
        assert str(here.device) == "cpu"
        del there
    with pytest.raises(ValueError, match="unknown form"):
        Receiver(sender.storages()).value(told)


def test_what_crosses_the_bus_is_counted_and_not_believed() -> None:
    def evening(picture: Any, tint: Any, there: Any = None, back: Any = None) -> tuple[Any, int]:
        dark = picture.to("cuda", there) * tint.to("cuda")
        return (dark.to("cpu", torch.uint8) if back else dark.byte().cpu()), 2 * picture.nbytes + 12

    page = check("12.10", evening)
    assert page.done and "4 of 4 cases as wanted" in html(page).partition("bytes that crossed")[2]
    for wrong in ({"there": torch.float32}, {"back": torch.uint8}):
        line = check("12.10", partial(evening, **wrong)).line
        assert "moved 42 bytes over the bus, and 24 are enough. One way, floats cross" in line
    line = check("12.10", lambda picture, tint: ((picture * tint).byte(), 2 * picture.nbytes + 12)).line
    assert "moved 0 bytes over the bus, and 24 have to cross. The numbers are right, but the GPU had no part" in line


def test_what_is_computed_through_the_host_crosses_no_bus() -> None:
    with torch.cuda.simulate():
        gpus_there = gpus.simulated()
        assert gpus_there is not None
        x = torch.ones(3, device="cuda")
        before = gpus_there.crossed()
        assert x.to("cpu").nbytes == gpus_there.crossed() - before == 12
        torch.logcumsumexp(x, 0)  # which NumPy lacks
        assert gpus_there.crossed() - before == 12
        del x


def test_the_first_wrong_line_is_named_where_no_sentence_fits() -> None:
    assert check("12.6", (10**6, 1, 2, 3)).line.endswith("in each of the four lines. Look at line 2 first.")
    assert check("12.6", (10**6, 1)).line.endswith("in each of the four lines")


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (["a = 5", "b = five"], "line 2, 'b = five', is not a line of a plan: write 'a = 5' or 'del a'"),
        (["a = 5", "del b"], "line 2, 'del b', ends a tensor that is not there"),
        (["a = 5"] * 61, "your plan has 61 lines; 60 are more than enough"),
        (["a = 1e9"], "is not a line of a plan"),
        (["a = 0"], "is not a line of a plan"),
        ([5], "it should be a list of lines in quotation marks"),
        ("a = 5", "it should be a list of lines in quotation marks"),
    ],
)
def test_what_is_no_plan_is_told(plan: object, said: str) -> None:
    page = check("13.8", plan)
    assert not page.done and said in page.line


def test_a_name_that_is_used_again_lets_its_first_tensor_go_afterwards() -> None:
    again = ran(("a = 15", "a = 15"), 44)
    assert (again.free >> 20, again.allocator.reserved >> 20) == (28, 32)
    assert ran(("a = 30", "a = 30"), 44).why == "refused"


def test_a_plan_is_drawn_with_its_own_names() -> None:
    drawn = html(check("13.9", EXERCISES["13.9"].right[0]))
    assert ">k1<" in drawn and ">big<" in drawn
