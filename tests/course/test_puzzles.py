"""Every puzzle can be solved by its rules and no other way, and every known slip gets its sentence."""

from __future__ import annotations

import ast
import json
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import tensorwidgets as torch
from tensorwidgets.course import progress, record
from tensorwidgets.course.marking.submissions import submissions
from tensorwidgets.course.puzzles import board, puzzle
from tensorwidgets.course.puzzles.asked import ALL, ROOMS
from tensorwidgets.course.puzzles.asking import NO_NAMES, NO_SOURCE
from tensorwidgets.course.puzzles.judging import COPIED, NOT_THE_FIRST, judge
from tensorwidgets.course.shelf import PUZZLES
from tests.course.puzzle_answers import ANSWERS
from tests.pictures.parsed import parse
from tests.project.running import ROOT

each_puzzle = pytest.mark.parametrize("number", ALL)
BOTH = pytest.mark.parametrize("library", ["tensorwidgets", pytest.param("torch", marks=pytest.mark.torch)])


def html(page: Any) -> str:
    return str(page._repr_mimebundle_()["text/html"])


def written(number: int, body: str) -> str:
    return f"{ALL[number].signature} {body}"


def squeezed(text: str) -> str:
    return "".join(text.split()).replace('"', "'")


def asked_of(library: str) -> list[int]:
    """PyTorch 2.13 has no named tensors."""
    return [n for n, one in ALL.items() if library == "tensorwidgets" or not one.names]


def test_there_are_thirty_and_all_have_what_a_puzzle_needs() -> None:
    assert list(ALL) == [*range(1, 31)] == list(ANSWERS)
    assert sum(len(one.slips) for one in ALL.values()) >= 120
    for one in ALL.values():
        assert 1 <= one.stars <= 5 and one.nudge and one.rule and len(one.slips) >= 3
        assert len({slip.says for slip in one.slips}) == len(one.slips)
        cases = one.given(torch)
        assert len(cases) >= 2 and all(len(case) == len(one.takes) for case in cases)
    assert len({one.title for one in ALL.values()}) == 30
    assert all([one.stars for one in room] == sorted(one.stars for one in room) for room in ROOMS.values())


@BOTH
def test_right_answers_are_taken_and_the_first_is_within_par(library: str) -> None:
    for number in asked_of(library):
        for k, body in enumerate(ANSWERS[number]):
            verdict = judge(ALL[number], written(number, body), import_module(library))
            assert verdict.state == "solved", (number, body, verdict.reason)
            assert verdict.length == len(squeezed(ast.unparse(ast.parse(body))))
            assert k or number == 3 or verdict.length <= ALL[number].par, (number, verdict.length)


@BOTH
def test_each_slip_gets_its_sentence(library: str) -> None:
    for number in asked_of(library):
        for slip in ALL[number].slips:
            verdict = judge(ALL[number], written(number, slip.source), import_module(library))
            assert (verdict.state, verdict.says) == ("not yet", slip.says), (number, slip.source, verdict.reason)


CHEATS = (
    "[v for v in {x}]",
    "sum(v for v in {x})",
    "{{v: 1 for v in {x}}}",
    "__import__('numpy').asarray({x})",
    "np.asarray({x})",
    "exec('import numpy')",
    "eval('{x}')",
    "(lambda y: y)({x})",
    "(y := {x})",
    "{x} if {x} is None else {x}",
    "{x} and {x}",
    "f'{{{x}}}'",
    "print(*{x})",
    "{x}.__class__",
    "{x}.tolist()",
    "torch.tensor([1, 2, 3])",
    "torch.from_numpy({x})",
    "b'bytes'",
    "1j",
    "({x}, {x}, {x}, {x}, {x}, {x}, {x}, {x}, {x}, {x}, {x}, {x}, {x}, {x}, {x}, {x}, {x}, {x}, {x}, {x})"
    + ", ({x})" * 60,
)


@each_puzzle
def test_no_cheat_is_judged(number: int) -> None:
    asked = ALL[number]
    x = asked.takes[0]
    for cheat in CHEATS:
        verdict = judge(asked, written(number, cheat.format(x=x)), torch)
        assert verdict.state == "against the rules", cheat
    body = ANSWERS[number][0]
    for source in (
        f"{written(number, body)}; 1",
        f"{written(number, body)}\nx",
        f"def f({x}): return {body}",
        f"lambda {x}={x}: {body}",
        f"lambda *{x}: {body}",
        f"lambda: {body}",
        f"[{written(number, body)}][0]",
        body,
        "f",
        "",
        "lambda",
        "(" * 500,
    ):
        assert judge(asked, source, torch).state == "against the rules", source


def test_what_breaks_a_rule_is_named() -> None:
    def reason(number: int, body: str) -> str:
        return judge(ALL[number], written(number, body), torch).reason

    assert reason(1, "x.diagonal()") == "diagonal is not among the tools here"
    assert reason(1, "x[0]") == "[ ] is not among the tools here"
    assert reason(12, "r[:, None] @ r") == "@ is not among the tools here"
    assert reason(12, "[a * b for a in r for b in r]") == "a loop, however it is spelled, is against the rules"
    assert reason(14, "r if r else r") == "if is not among the tools here"
    assert reason(19, "torch.einsum('ij->', torch.einsum('ij->ji', x))") == "there are 2 calls, and the rule is 1"
    assert reason(26, "x[at]" + " + x[at] * 0" * 9).endswith("characters are too many: the limit is 40")
    assert judge(ALL[12], "lambda q: q", torch).reason == "the answer begins with lambda r:"
    assert judge(ALL[12], "answer", torch).reason == "write the expression itself, behind lambda r:"
    assert judge(ALL[12], "r = 1", torch).reason == "this is not one expression of Python"


def test_a_picture_that_is_copied_fails_on_other_numbers() -> None:
    page = puzzle(30, "lambda x, v, g: 7 + g * (x - x.detach())")
    assert NOT_THE_FIRST in page.line and not page.done
    assert judge(ALL[12], "lambda r: r[:, None] * r % 37", torch).reason.startswith(NOT_THE_FIRST)


def test_a_copy_is_noticed_where_none_may_be_made() -> None:
    assert judge(ALL[7], "lambda x: x.view(4, 2, 3).permute(1, 0, 2).contiguous()", torch).reason == COPIED


@pytest.mark.parametrize(
    ("number", "body", "reason"),
    [
        (14, "(r[:, None] <= r) * 1", "* is not among the tools here"),
        (13, "r[:, None] % 2 != r % 2", "comparisons"),
        (12, "r[:, None] * r / 1", "has the right numbers as float32 instead of int64"),
        (12, "1", "it gives int 1, and not a tensor"),
        (12, "r[9]", "IndexError: "),
        (12, "None", "it gives nothing (None), and not a tensor"),
        (30, "v", "no gradient reaches x: nothing in it depends on x, or all of it is detached"),
        (24, "a @ a.t().rename(N='K')", "has the right numbers under the names (N, K) instead of (N, M)"),
        (8, "x.repeat(200000)", "ValueError: the result is too large to be looked at"),
    ],
)
def test_other_wrong_answers_are_told_in_words(number: int, body: str, reason: str) -> None:
    said = judge(ALL[number], written(number, body), torch).reason
    assert said.startswith(reason) or (reason == "comparisons" and said == "!= is not among the tools here")


# -- the call in a notebook ---------------------------------------------------------------------------


def test_the_source_is_read_where_it_stands(kept: Path) -> None:
    right = puzzle(12, lambda r: r[:, None] * r)
    assert right.done and right.line == "12 solved: 11 characters, par"
    wrong = puzzle(12, lambda r: r[:, None] + r)
    assert wrong.line.endswith("This is the table of sums.")
    mine = lambda r: r[:, None] * r  # noqa: E731
    named = puzzle(12, mine)
    assert named.line == "12 against the rules: write the expression itself, behind lambda r:"
    # fmt: off
    one = puzzle(12, lambda r: r[:, None] * r); two = puzzle(14, lambda r: r[:, None] <= r)  # noqa: E702
    three = (puzzle(12,
                    lambda r:  # broken where one likes
                    r[:, None]
                    * r), 0)[0]
    # fmt: on
    assert one.done and two.done and three.line == right.line
    dots = puzzle(12, lambda r: ...), puzzle(12, ...)
    assert {page.line for page in dots} == {"12 open"}
    assert record.read()["puzzles"] == {
        "12": {"tries": 5, "best": 11},
        "14": {"tries": 1, "best": 12},
    }


def test_without_a_source_the_page_says_so() -> None:
    names: dict[str, Any] = {"puzzle": puzzle}
    exec("page = puzzle(12, lambda r: r[:, None] * r)", names)
    assert names["page"].line == f"12 not yet: {NO_SOURCE}"
    assert f"your answer: {NO_SOURCE}" in repr(names["page"])


@pytest.mark.parametrize("number", [0, 31, -1, "one", None, 1.5, [1]])
def test_an_unknown_number_is_named(number: Any) -> None:
    assert puzzle(number, ...).line == f"there is no puzzle {number!r}: the puzzles are 1 to 30"


@each_puzzle
def test_yours_is_drawn_beside_the_wanted(number: int) -> None:
    asked = ALL[number]
    opened, solved = puzzle(number, "..."), puzzle(number, written(number, ANSWERS[number][0]))
    assert "yours" not in html(opened) and html(opened).count("par ") == 1
    assert repr(opened).splitlines()[0].startswith(f"{number}\u2002{asked.title}\u2002★")
    assert "wanted" in repr(opened) and asked.rule in html(opened).replace("&#39;", "'")
    assert solved.done and f"{asked.stars} star" in html(solved)
    for slip in asked.slips:
        page = puzzle(number, written(number, slip.source))
        drawn = html(page).partition("<script>")[0]
        assert parse(drawn).text() and slip.says in page.line
        verdict = judge(asked, written(number, slip.source), torch)
        assert ("yours" in drawn) == bool(verdict.yours)
        alike = [a.size == b.size for a, b in zip(verdict.yours, verdict.wanted, strict=False)]
        if alike and all(alike):
            assert drawn.count("the first that differs") == 2 * sum(
                a != b for a, b in zip(verdict.yours, verdict.wanted, strict=True)
            )


def test_nothing_from_outside_gets_onto_the_page_as_markup() -> None:
    page = puzzle(12, "lambda r: '<img src=x>'")
    assert "<img" not in html(page).partition("<script>")[0]


def test_a_cell_lights_up_wherever_it_went() -> None:
    """Cells of one class are linked: the 6 of the input and the 6 of the diagonal."""
    drawn = html(puzzle(1, "..."))
    assert drawn.count('class="i-v5"') == 2 and drawn.count('class="i-v4"') == 1


# -- the board ----------------------------------------------------------------------------------------


def test_the_board_counts_stars_and_strokes(kept: Path) -> None:
    assert repr(board()).endswith("0 of 30 solved: 0 of 77 stars") and "puzzles" not in repr(progress())
    puzzle(13, "lambda r: (r[:, None] + r) % 2")
    puzzle(13, "lambda r: r[:, None] + r & 1")
    puzzle(13, "lambda r: (r[:, None] ^ r) % 2")
    puzzle(3, "lambda x: x.as_strided((6, 3), (1, 1))")
    puzzle(5, "lambda x: x.as_strided((2, 3, 2, 2), (12, 4, 2, 1))")
    assert record.read()["puzzles"] == {
        "13": {"tries": 3, "best": 13},
        "3": {"tries": 1, "best": 25},
        "5": {"tries": 1},
    }
    lines = repr(board()).splitlines()
    assert "3:+5" in lines[1] and "5:." in lines[1] and "13:-2" in lines[3]
    assert lines[-2:] == ["2 of 30 solved: 3 of 77 stars, 3 over par in all", "1 beaten: shorter than par."]
    assert html(board()).partition("<script>")[0].count("<th ") == len(ROOMS)


def test_the_board_when_all_are_solved(kept: Path) -> None:
    for number, (body, *_) in ANSWERS.items():
        puzzle(number, written(number, body))
    assert "30 solved: board() in puzzles.ipynb shows them" in repr(progress())
    assert "30 of 30 solved: 77 of 77 stars" in repr(board()) and "All thirty." in repr(board())


def test_a_file_that_is_older_than_the_puzzles_is_read(kept: Path) -> None:
    kept.write_text(json.dumps({"version": 1, "predictions": {}, "exercises": {"03.8": {"tries": 1, "done": True}}}))
    puzzle(12, "lambda r: r[:, None] * r")
    assert record.read()["exercises"] == {"03.8": {"tries": 1, "done": True}}
    assert record.read()["puzzles"] == {"12": {"tries": 1, "best": 11}}


# -- the page -----------------------------------------------------------------------------------------


def test_the_page_asks_all_and_answers_none() -> None:
    cells = json.loads((ROOT / "notebooks" / PUZZLES.file).read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    asked = [source for source in sources if source.startswith("puzzle(")]
    assert asked == [f"puzzle({number}, {one.signature} ...)" for number, one in ALL.items()]
    page = squeezed("".join(sources) + "".join("".join(o["data"]["text/plain"]) for o in outputs_of(cells)))
    for number, bodies in ANSWERS.items():
        said = [slip.says for slip in ALL[number].slips]
        slips = {squeezed(slip.source) for slip in ALL[number].slips}
        for body in map(squeezed, bodies):
            assert body not in page and body not in slips
            assert body not in squeezed(" ".join([ALL[number].nudge, ALL[number].rule, *said]))


def outputs_of(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [output for cell in cells for output in cell.get("outputs", ())]


def test_puzzles_are_not_marked(tmp_path: Path) -> None:
    folder = tmp_path / "anna"
    folder.mkdir()
    (folder / PUZZLES.file).write_text((ROOT / "notebooks" / PUZZLES.file).read_text(encoding="utf-8"), "utf-8")
    assert list(submissions(tmp_path)) == []


def test_where_there_are_no_named_tensors_the_puzzle_is_drawn_and_says_so(kept: Path) -> None:
    """As on PyTorch 2.13."""
    other = ModuleType("torch")
    other.UntypedStorage, other.Tensor = object, object  # type: ignore[attr-defined]
    names: dict[str, Any] = {"puzzle": puzzle, "torch": other, "answer": written(23, ANSWERS[23][0])}
    exec("page = puzzle(23, answer)", names)
    assert names["page"].line == "23 open" and NO_NAMES in repr(names["page"]) and not kept.exists()
