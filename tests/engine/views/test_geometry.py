"""Geometry answers as PyTorch 2.13 does, and its refusals explain themselves."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tensorwidgets.engine import geometry as geo
from tensorwidgets.engine.errors.reasons import Reason
from tensorwidgets.engine.geometry import Geometry
from tests.engine.views.geometry_cases import QUESTIONS, ask, case, our_answer

REFERENCE = json.loads(gzip.decompress(Path(__file__).with_name("geometry_reference.json.gz").read_bytes()))
ANSWERS = REFERENCE["answers"]


ROW = Geometry((4,), (1,), 0)
CUBE = Geometry((2, 3, 4), (12, 4, 1), 0)


def numbers(function: str) -> range:
    return range(list(QUESTIONS).index(function), len(ANSWERS), len(QUESTIONS))


def refused(answer: Any) -> Reason:
    assert isinstance(answer, Reason), answer
    return answer


# --- against PyTorch ---


def test_the_reference_is_of_the_version_that_is_followed():
    assert REFERENCE["torch"].split("+")[0] == "2.13.0"
    assert len(ANSWERS) >= 10_000


@pytest.mark.parametrize("function", QUESTIONS)
def test_answers_are_those_of_pytorch(function):
    wrong = [
        f"{case(number)}\n  PyTorch {ANSWERS[number]}\n  ours    {our_answer(case(number))}"
        for number in numbers(function)
        if our_answer(case(number)) != ANSWERS[number]
    ]
    assert not wrong, "\n".join(wrong[:5])


@pytest.mark.parametrize("function", QUESTIONS)
def test_every_refusal_says_why_and_holds_its_numbers(function):
    for number in numbers(function):
        reason = ask(case(number))
        if isinstance(reason, Reason):
            assert "." in reason.rule
            assert reason.because.endswith((".", ")")) and reason.because not in reason.message
            assert reason.facts
            assert str(reason.exception()) == reason.message


# --- what the refusals say ---


def test_a_view_that_cannot_be_names_two_dimensions_and_the_stride_that_they_lack():
    reason = refused(geo.view(Geometry((5, 3, 2), (6, 1, 3), 0), (5, -1)))
    assert reason.rule == "view.span"
    assert reason.because == (
        "Dimensions 1 and 2 would have to become one: that needs stride 2 * 3 = 6 in dimension 1, which has 1."
    )
    assert reason.instead == ("x.reshape(5, 6)", "x.contiguous().view(5, 6)")
    assert reason.facts == {
        "size": (5, 3, 2),
        "stride": (6, 1, 3),
        "shape": (5, 6),
        "dims": (1, 2),
        "sizes": (3, 2),
        "strides": (1, 3),
        "wanted": 6,
        "found": 1,
        "target": 1,
        "numel": 30,
    }


def test_dimensions_of_size_1_are_never_blamed_for_a_view_that_cannot_be():
    reason = refused(geo.view(Geometry((3, 1, 2), (1, 99, 3), 0), (6,)))
    assert reason.facts["dims"] == (0, 2)
    assert reason.instead[0] == "x.reshape(6)"


def test_a_broadcast_that_clashes_tells_each_axis():
    reason = refused(geo.broadcast((5, 1, 3), (4, 2)))
    assert reason.facts["verdict"] == ("missing", "stretch", "clash")
    assert (reason.facts["shapes"], reason.facts["sizes"]) == (((5, 1, 3), (4, 2)), (3, 2))
    assert (reason.facts["dim"], reason.facts["from_end"]) == (2, -1)
    assert reason.because == ("In dimension -1, [5, 1, 3] has 3 and [4, 2] has 2: not equal, and neither is 1.")


@pytest.mark.parametrize(
    ("a", "b", "ways"),
    [
        ((2, 3), (2,), ("[2] as [2, 1], by .unsqueeze(-1)",)),
        ((3,), (2,), ("[3] as [3, 1], by .unsqueeze(-1)",)),
        (
            (4, 5, 6),
            (4,),
            ("[4] as [4, 1, 1], by .unsqueeze(-1).unsqueeze(-1)",),
        ),
        ((2, 3), (3, 2), ("[3, 2] as [2, 3], by .t()",)),
        ((4, 3), (5, 6), ()),
    ],
)
def test_a_broadcast_that_clashes_tells_what_would_go_together(a, b, ways):
    assert refused(geo.broadcast(a, b)).instead == ways


@pytest.mark.parametrize(
    ("shape", "numel", "ways"),
    [
        ((4,), 6, ("x.reshape(6)",)),
        ((2, 4), 6, ("x.reshape(2, 3)",)),
        ((3, 4), 12 * 5, ("x.reshape(15, 4)", "x.reshape(3, 20)")),
        ((-1, 4), 6, ()),
        ((), 6, ()),
        ((0, 3), 6, ("x.reshape(2, 3)",)),
    ],
)
def test_a_shape_that_does_not_fit_tells_one_that_does(shape, numel, ways):
    assert refused(geo.infer_size(shape, numel)).instead == ways


def test_of_many_shapes_the_two_that_clash_are_named():
    reason = refused(geo.broadcast((4, 1), (1, 3), (2,)))
    assert "In dimension -1, [1, 3] has 3 and [2] has 2" in reason.because


def test_a_window_beyond_storage_tells_what_it_would_need():
    reason = refused(geo.as_strided(Geometry((6,), (1,), 0), (10,), (1,), 0, 24, 4))
    assert reason.message == (
        "setStorage: sizes [10], strides [1], storage offset 0, and itemsize 4 "
        "requiring a storage size of 40 are out of bounds for storage of size 24"
    )
    assert (reason.facts["needed"], reason.facts["storage_nbytes"], reason.facts["last"]) == (40, 24, 9)


@pytest.mark.parametrize(
    ("memory_format", "size", "stride", "dim", "wanted", "found"),
    [
        ("contiguous_format", (3, 2), (1, 3), 1, 1, 3),
        ("contiguous_format", (4, 1, 5, 2), (99, 7, 3, 1), 2, 2, 3),
        ("channels_last", (1, 3, 4, 5), (60, 20, 5, 1), 1, 1, 20),
        ("channels_last", (2, 3, 4, 5), (60, 1, 15, 4), 3, 3, 4),
        ("channels_last_3d", (2, 3, 1, 4, 5), (99, 1, 0, 15, 3), 0, 60, 99),
    ],
)
def test_what_is_not_contiguous_names_the_innermost_dimension_at_fault(memory_format, size, stride, dim, wanted, found):
    reason = refused(geo.why_not_contiguous(size, stride, memory_format))
    assert (reason.facts["dim"], reason.facts["wanted"], reason.facts["found"]) == (dim, wanted, found)
    assert reason.because == f"Dimension {dim} (size {size[dim]}) would need stride {wanted}, and has {found}."


def test_a_format_for_other_ranks_says_so():
    reason = refused(geo.why_not_contiguous((2, 3), (3, 1), "channels_last"))
    assert reason.because == "channels_last is about 4 dimensions; [2, 3] has 2."


def test_the_type_in_expands_message_is_the_callers():
    reason = refused(geo.expand(Geometry((2, 3), (3, 1), 0), (3,), "CPUBoolType"))
    assert reason.message.startswith("expand(CPUBoolType{[2, 3]}, size=[3]): the number of sizes provided (1)")


def test_a_new_dimension_counts_in_the_range_that_unsqueeze_tells():
    reason = refused(geo.unsqueeze(Geometry((2, 3), (3, 1), 0), 3))
    assert reason.because == "The new dimension is one of 3, so dim goes from -3 to 2; 3 is not among them."


def test_range_or_repetition_is_refused_first_as_the_caller_needs_it():
    assert refused(geo.wrap_dims((0, 0, 9), 2)).rule == "dim.range"
    assert refused(geo.wrap_dims((0, 0, 9), 2, one_by_one=True)).rule == "dim.twice"


def test_offset_of_refuses_what_indexing_refuses():
    g = Geometry((2, 3), (1, 2), 5)
    assert geo.offset_of(g, ()) == 5
    assert geo.offset_of(g, (-2, -1)) == 9
    assert refused(geo.offset_of(g, (0, 3))).message == "index 3 is out of bounds for dimension 1 with size 3"
    assert refused(geo.offset_of(g, (0, 0, 0))).message == "too many indices for tensor of dimension 2"


def test_an_index_out_of_bounds_is_told_by_its_place_in_the_brackets():
    reason = refused(geo.select(Geometry((3, 4), (4, 1), 0), 0, 9, "index", entry=1))
    assert reason.message == "index 9 is out of bounds for dimension 1 with size 3"
    assert (reason.facts["dim"], reason.facts["size"]) == (0, (3, 4))
    assert reason.because.startswith("The dimension that is left there has size 3, so its indices go from 0 to 2")
    assert refused(geo.select(Geometry((3,), (1,), 0), 0, -4, "index")).because == (
        "Dimension 0 has size 3, so its indices go from 0 to 2 (or -3 to -1 from the end); -4 is not among them."
    )
    assert refused(geo.select(Geometry((0,), (1,), 0), 0, 0)).because == (
        "Dimension 0 has size 0: there is nothing to pick."
    )


@pytest.mark.parametrize(
    ("answer", "because", "instead"),
    [
        (geo.narrow(ROW, 0, 2, 3), "Dimension 0 has size 4; from 2 on there are 2, not 3.", "x.narrow(0, 2, 2)"),
        (
            geo.permute(CUBE, (0, -1, 2)),
            "(0, -1, 2) names dimension 2 twice, and leaves out 1.",
            "each of the dimensions 0, 1, 2 once",
        ),
        (geo.t(CUBE), "With 3 dimensions, [2, 3, 4], there is more than one pair to swap.", "x.mT for the last two"),
        (geo.matrix_transpose(ROW), "[4] has 1 dimension; mT swaps rows and columns.", "x[:, None] for a column"),
        (geo.flatten(CUBE, 2, 1), "start_dim means dimension 2, and end_dim 1, which comes before it.",
         "x.flatten(1, 2)"),
        (geo.wrap_dim(1, 0), "There are no dimensions (a 0-dim tensor counts as one here), "
         "so dim goes from -1 to 0; 1 is not among them.", "dim=0, the last one"),
        (geo.wrap_dims((0, 1, -3), 3), "Of 3 dimensions, -3 and an earlier entry both mean dimension 0.",
         "dims=(0, 1)"),
        (geo.hsplit(ROW, 3), "4 does not fall into 3 equal pieces.",
         "x.tensor_split(3, 0), whose pieces may differ by 1"),
        (geo.slice(ROW, 0, None, None, -2), "A step of -2 would go backwards; a step must go forwards.",
         "x.flip(dim), which copies"),
        (geo.view_as_complex(Geometry((3, 2), (3, 1), 0)),
         "A step of dimension 0 is 3 real numbers, not a whole number of pairs.", "torch.complex(real, imag)"),
    ],
)  # fmt: skip
def test_a_refusal_names_the_fault_and_a_way_out(answer, because, instead):
    assert refused(answer).because == because
    assert refused(answer).instead[0] == instead


def test_results_without_elements_keep_pytorchs_odd_strides():
    size, stride = (0, 1, 3), (3, 3, 1)
    assert geo.pointwise_stride(size, [(size, stride), (size, stride)]) == (3, 3, 1)
    assert geo.pointwise_stride(size, [(size, stride), ((), ())]) == (3, 0, 1)


def test_sizes_below_0_are_refused_even_beside_a_0():
    g = Geometry((1, 0), (1, 1), 0)
    assert refused(geo.expand(g, (-5, 0))).message == "numel: integer multiplication overflow"
    assert refused(geo.as_strided(g, (-2, 0), (1, 1), 0, 0, 4)).because == "-2 is not a size."


def test_elements_are_counted_as_pytorch_counts_them():
    g = Geometry((1, 0), (1, 1), 0)
    assert geo.expand(Geometry((), (), 0), (3, 2**62, 0)).size == (3, 2**62, 0)
    for shape in [(2**40, 2**40, 0), (2**62, 2), (-1, 0)]:
        assert refused(geo.expand(Geometry((), (), 0), shape)).rule == "size.count"
    assert refused(geo.as_strided(g, (2**40, 2**40), (0, 0), 0, 4, 4)).rule == "size.count"


def test_dims_left_out_are_pytorchs_defaults():
    assert geo.flatten(CUBE) == Geometry((24,), (1,), 0)
    assert geo.diagonal(CUBE) == geo.diagonal(CUBE, 0, 0, 1)
    assert geo.unbind(CUBE) == geo.unbind(CUBE, 0)
    assert geo.split(CUBE, 1) == geo.split(CUBE, 1, 0)
    assert geo.chunk(CUBE, 2) == geo.chunk(CUBE, 2, 0)
    assert geo.tensor_split(CUBE, 2) == geo.tensor_split(CUBE, 2, 0)
    assert geo.slice(ROW, 0, 1, 3) == geo.slice(ROW, 0, 1, 3, 1)
    assert geo.as_strided(Geometry((), (), 2), (3,), (1,), None, 20, 4).offset == 2
