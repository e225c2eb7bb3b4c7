"""The table: as CSV for a spreadsheet, and as a page that shows the class at a glance."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Iterable, Sequence
from unicodedata import category

from tensorwidgets.course import exercises
from tensorwidgets.course.checking.prediction import Prediction

from .first_guesses import distribution
from .marks import Row

FORMULA = tuple("=+-@＝＋－＠")
"""How what a spreadsheet computes begins; some read the wide signs alike."""
GLYPHS = {"done": "✓", "not yet": "✗", "not started": "·", "not judged": "?"}


def exercises_of(rows: Sequence[Row]) -> list[str]:
    """Every exercise that some row has a mark for, in order."""
    return sorted({n for row in rows for n in row.marks}, key=lambda n: [int(part) for part in n.split(".")])


def plain(text: str, most: int = 300) -> str:
    """Untrusted text in one line, without control characters and changes of writing direction.

    >>> plain("anna\\nben: 6 of 6"), plain("\\udcff.ipynb"), plain("a" * 400, most=9)
    ('anna\\\\nben: 6 of 6', '\\\\udcff.ipynb', 'aaaa…aaaa')
    """
    if len(text) > most:
        half = (most - 1) // 2
        text = f"{text[:half]}…{text[-half:]}"
    odd = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    return "".join(c.encode("unicode_escape").decode() if category(c) in odd else c for c in text)


def plain_cell(text: str) -> str:
    """A cell that a spreadsheet reads as text, whatever it begins with.

    >>> plain_cell("=1+1"), plain_cell("anna"), plain_cell("  @x")
    ("'=1+1", 'anna', "'  @x")
    """
    text = plain(text)
    return f"'{text}" if text.lstrip()[:1] in FORMULA else text


def as_csv(rows: Sequence[Row]) -> str:
    """A row for each notebook: the student, the lesson, how much is done, what went wrong, and each exercise.

    Every cell is in quotes: where a spreadsheet separates cells by semicolons, as in much of Europe, a name such
    as `anna;=1+1` would otherwise become two cells, and the second a formula.
    """
    numbers = exercises_of(rows)
    output = io.StringIO()
    table = csv.writer(output, lineterminator="\n", quoting=csv.QUOTE_ALL)
    table.writerow(["student", "file", "lesson", "done", "of", "problem", *numbers])
    for row in rows:
        states = [row.marks[n].state if n in row.marks else "" for n in numbers]
        cells = [row.student, row.file, row.lesson, str(row.done), str(len(row.marks)), row.problem, *states]
        table.writerow(map(plain_cell, cells))
    return output.getvalue()


_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1.5rem;
  background: #ffffff; color: #1b1f24; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; } h3 { font-size: 1rem; }
table { border-collapse: separate; border-spacing: 2px; margin: .5rem 0 1.5rem; }
caption { text-align: left; color: #57606a; padding: 0 0 .3rem; }
thead th { position: sticky; top: 0; background: #ffffff; font-size: .85rem; color: #57606a; }
th, td { padding: .2rem .55rem; text-align: center; font-weight: 400; border-radius: 3px; background: #f4f6f8; }
th[scope=row] { text-align: left; min-width: 9rem; max-width: 22rem; overflow-wrap: anywhere; background: none; }
td.words { text-align: left; background: none; min-width: 12rem; overflow-wrap: anywhere; }
td.count { white-space: nowrap; background: none; font-variant-numeric: tabular-nums; }
tr.sums > * { border-top: 2px solid #c9d1d9; border-radius: 0; background: none; }
td.bar { width: 12rem; min-width: 6rem; padding: 0; background: none; }
td.bar div { height: 1.1rem; border-radius: 3px; }
.who { color: #57606a; font-size: .85rem; }
@media print { body { margin: 0; max-width: none; } thead th { position: static; } tr { break-inside: avoid; }
  * { print-color-adjust: exact; } }
.done { background: #d3efe4; } .not-yet { background: #f8dcd3; } .not-judged { background: #f3ecc8; }
@media (prefers-color-scheme: dark) {
  body { background: #14181d; color: #e6e9ec; } th, td { background: #1d232a; }
  thead th { background: #14181d; color: #9aa4ae; } caption { color: #9aa4ae; }
  th[scope=row], td.words, td.count, td.bar { background: none; }
  .who { color: #9aa4ae; } tr.sums > * { border-color: #3d444d; background: none; }
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
        parts += [f"<li>{_of(row)}: {_safe(row.problem)}</li>" for row in lost]
        parts.append("</ul>")
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{_STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _safe(text: str, most: int = 300) -> str:
    return html.escape(plain(text, most))


def _legend() -> str:
    words = {"not judged": "not judged: see the problem"}
    return "<p>" + " &nbsp; ".join(f"{glyph} {words.get(state, state)}" for state, glyph in GLYPHS.items()) + "</p>"


def _of(row: Row) -> str:
    return f"{_safe(row.student)} ({_safe(row.file)})"


def _lesson(lesson: str, rows: list[Row]) -> Iterable[str]:
    numbers = exercises_of(rows)
    yield f"<h2>Lesson {html.escape(lesson)}</h2>"
    yield f"<table><caption>{len(rows)} notebooks</caption><thead><tr>"
    yield "".join(f'<th scope="col">{html.escape(x)}</th>' for x in ["student", *numbers, "done", "problem"])
    yield "</tr></thead><tbody>"
    for row in rows:
        cells = "".join(_cell(row, n) for n in numbers)
        yield (
            f'<tr><th scope="row">{_safe(row.student, 80)}</th>{cells}'
            f'<td class="count">{row.done} of {len(row.marks)}</td>'
            f'<td class="words">{_safe(row.problem)}</td></tr>'
        )
    sums = [sum(row.marks[n].state == "done" for row in rows if n in row.marks) for n in numbers]
    yield (
        '<tr class="sums"><th scope="row">done by</th>'
        + "".join(f"<td>{n}</td>" for n in sums)
        + "<td></td><td></td></tr>"
    )
    yield "</tbody></table>"
    yield from _mistakes(rows)
    yield from _first_guesses(rows)


def _mistakes(rows: list[Row]) -> Iterable[str]:
    """The mistakes that were met most, with the names of those who made them."""
    made: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        for number, mark in row.marks.items():
            if mark.hint:
                made.setdefault((number, mark.hint), []).append(row.student)
    if made:
        yield "<h3>Mistakes met most</h3><ul>"
        for (number, hint), who in sorted(made.items(), key=lambda one: -len(one[1]))[:8]:
            times = "once" if len(who) == 1 else f"{len(who)} times"
            yield f"<li>{html.escape(number)}, {times}: {_safe(hint)} {_who(who)}</li>"
        yield "</ul>"


def _first_guesses(rows: list[Row]) -> Iterable[str]:
    """What the class guessed before it saw the answer: a bar for each guess, the most frequent first."""
    found = distribution((row.student, row.guesses) for row in rows)
    if found:
        yield "<h3>First guesses</h3>"
    for number, guesses in found.items():
        count = sum(len(who) for _, _, who in guesses)
        asked = exercises.find(number)
        question = asked.question if isinstance(asked, Prediction) else ""
        yield f"<table><caption>{html.escape(number)} {html.escape(question)}</caption><tbody>"
        for text, right, who in guesses:
            share = round(100 * len(who) / count)
            style, glyph = ("done", "✓ right") if right else ("not-yet", "✗ not so")
            yield (
                f'<tr><th scope="row">{_safe(text, 80)}</th><td class="bar"><div class="{style}" '
                f'style="width:{share}%"></div></td><td class="count">{len(who)} of {count}, {share} %, {glyph}</td>'
                f'<td class="words">{_who(who)}</td></tr>'
            )
        yield "</tbody></table>"


def _who(students: list[str], most: int = 12) -> str:
    """The names, as many as are read."""
    more = f" and {len(students) - most} more" if len(students) > most else ""
    return f'<span class="who">{", ".join(_safe(name, 40) for name in students[:most])}{more}</span>'


def _cell(row: Row, number: str) -> str:
    mark = row.marks.get(number)
    if mark is None:
        return "<td></td>"
    words = _safe(f"{mark.state}: {mark.line}" if mark.line else mark.state)
    style = mark.state.replace(" ", "-")
    return f'<td class="{style}" title="{words}"><span aria-label="{words}">{GLYPHS[mark.state]}</span></td>'
