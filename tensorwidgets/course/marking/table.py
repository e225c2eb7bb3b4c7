"""The table: as CSV for a spreadsheet, and as a page that shows the class at a glance."""

from __future__ import annotations

import csv
import html
import io
from collections import Counter
from collections.abc import Iterable, Sequence

from .marks import Row

GLYPHS = {"done": "✓", "not yet": "✗", "not started": "·", "not judged": "?"}


def exercises_of(rows: Sequence[Row]) -> list[str]:
    """Every exercise that some row has a mark for, in order."""
    return sorted({n for row in rows for n in row.marks}, key=lambda n: [int(part) for part in n.split(".")])


def plain_cell(text: str) -> str:
    """A cell that a spreadsheet takes for words, whatever it begins with.

    >>> plain_cell("=1+1"), plain_cell("anna"), plain_cell("\\t@x")
    ("'=1+1", 'anna', "'\\t@x")
    """
    return f"'{text}" if text.lstrip()[:1] in tuple("=+-@") else text


def as_csv(rows: Sequence[Row]) -> str:
    """A row a notebook: whose, which lesson, how much is done, what went wrong, and each exercise."""
    numbers = exercises_of(rows)
    told = io.StringIO()
    table = csv.writer(told, lineterminator="\n")
    table.writerow(["student", "file", "lesson", "done", "of", "problem", *numbers])
    for row in rows:
        states = [row.marks[n].state if n in row.marks else "" for n in numbers]
        cells = [row.student, row.file, row.lesson, str(row.done), str(len(row.marks)), row.problem, *states]
        table.writerow(map(plain_cell, cells))
    return told.getvalue()


_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; background: #ffffff; color: #1b1f24; }
table { border-collapse: collapse; margin: 1rem 0 2rem; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { border: 1px solid #c9d1d9; padding: .25rem .55rem; text-align: center; }
th[scope=row], td.words { text-align: left; font-weight: 400; }
.done { background: #d3efe4; } .not-yet { background: #f8dcd3; } .not-judged { background: #f3ecc8; }
@media (prefers-color-scheme: dark) {
  body { background: #14181d; color: #e6e9ec; } th, td { border-color: #3d444d; }
  .done { background: #12463a; } .not-yet { background: #5a2b1d; } .not-judged { background: #4a431a; }
}
"""


def as_page(rows: Sequence[Row], title: str) -> str:
    """The class at a glance: a table a lesson, then the hints that were met most."""
    lessons = sorted({row.lesson for row in rows if row.lesson})
    parts = [f"<h1>{html.escape(title)}</h1>", _legend()]
    for lesson in lessons:
        parts += _lesson(lesson, [row for row in rows if row.lesson == lesson])
    lost = [row for row in rows if not row.lesson]
    if lost:
        parts.append("<h2>Not of any lesson</h2><ul>")
        parts += [f"<li>{_of(row)}: {html.escape(row.problem)}</li>" for row in lost]
        parts.append("</ul>")
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{_STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _legend() -> str:
    words = {"not judged": "not judged: see the problem"}
    return "<p>" + " &nbsp; ".join(f"{glyph} {words.get(state, state)}" for state, glyph in GLYPHS.items()) + "</p>"


def _of(row: Row) -> str:
    return f"{html.escape(row.student)} ({html.escape(row.file)})"


def _lesson(lesson: str, rows: list[Row]) -> Iterable[str]:
    numbers = exercises_of(rows)
    yield f"<h2>Lesson {html.escape(lesson)}</h2>"
    yield f"<table><caption>{len(rows)} notebooks</caption><thead><tr>"
    yield "".join(f'<th scope="col">{html.escape(x)}</th>' for x in ["student", *numbers, "done", "problem"])
    yield "</tr></thead><tbody>"
    for row in rows:
        cells = "".join(_cell(row, n) for n in numbers)
        yield (
            f'<tr><th scope="row">{html.escape(row.student)}</th>{cells}<td>{row.done} of {len(row.marks)}</td>'
            f'<td class="words">{html.escape(row.problem)}</td></tr>'
        )
    sums = [sum(row.marks[n].state == "done" for row in rows if n in row.marks) for n in numbers]
    yield '<tr><th scope="row">done by</th>' + "".join(f"<td>{n}</td>" for n in sums) + "<td></td><td></td></tr>"
    yield "</tbody></table>"
    met = Counter((n, mark.hint) for row in rows for n, mark in row.marks.items() if mark.hint)
    if met:
        yield "<h3>Mistakes met most</h3><ul>"
        for (number, hint), times in met.most_common(8):
            yield f"<li>{html.escape(number)}, {times} times: {html.escape(hint)}</li>"
        yield "</ul>"


def _cell(row: Row, number: str) -> str:
    mark = row.marks.get(number)
    if mark is None:
        return "<td></td>"
    words = html.escape(f"{mark.state}: {mark.line}" if mark.line else mark.state, quote=True)
    style = mark.state.replace(" ", "-")
    return f'<td class="{style}" title="{words}"><span aria-label="{words}">{GLYPHS[mark.state]}</span></td>'
