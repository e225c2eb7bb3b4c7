"""No topic is open: each has a lesson that is there, and an exercise or prediction that asks for it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tensorwidgets.course.shelf import LESSONS
from tests.course.answers import ASKED
from tests.course.topics import PAGE, START, Topic, page, topics
from tests.project.running import run_python


@pytest.mark.parametrize("row", topics(), ids=lambda row: f"{row.notes[0]}: {row.topic}")
def test_a_topic_is_met(row: Topic) -> None:
    ready = {lesson.number for lesson in LESSONS if lesson.ready}
    assert row.lesson in ready and row.met_by
    assert all(number in ASKED for number in row.met_by)
    assert any(number.startswith(row.lesson) for number in row.met_by)


def test_the_lines_to_try_run(tmp_path: Path) -> None:
    """In a process of their own: they simulate a GPU. Each begins with a fresh x, and shows what it evaluates to."""
    program = f"""
import ast
start, lines = {START!r}, {[row.line for row in topics()]!r}
names = {{}}
exec(start, names)
for line in lines:
    scope = dict(names)
    exec(start.splitlines()[-1], scope)
    try:
        for part in ast.parse(line).body:
            if isinstance(part, ast.Expr):
                str(eval(compile(ast.Expression(part.value), line, "eval"), scope))
            else:
                exec(compile(ast.Module([part], []), line, "exec"), scope)
    except Exception as error:
        print(f"{{line}}: {{type(error).__name__}} {{error}}")
"""
    told = run_python(program, cwd=tmp_path)
    assert [line for line in told.splitlines() if "simulates" not in line] == []


def test_every_topic_has_a_line_to_try_and_many_are_drawn() -> None:
    assert all(row.line and len(row.line) < 115 and "`" not in row.line and "|" not in row.line for row in topics())
    drawn = [row for row in topics() if "show" in row.line]
    assert len(drawn) > len(topics()) / 3


def test_the_page_is_what_the_table_gives() -> None:
    """To rewrite it: `python -m tests.course.topics`."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_each_set_of_notes_is_there_and_no_topic_twice() -> None:
    assert sorted({row.notes[0] for row in topics()}) == ["A", "B", "C", "D", "E"]
    assert max(Counter((row.notes, row.topic) for row in topics()).values()) == 1
