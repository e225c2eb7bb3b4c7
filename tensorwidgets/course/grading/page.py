"""The page of a class: who has done what, how each exercise went, what was guessed first, which answers are alike."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Sequence, Set

from tensorwidgets.course import exercises
from tensorwidgets.course.checking.prediction import Prediction
from tensorwidgets.course.checking.values_asked import StatementsExercise
from tensorwidgets.course.checking.verdict import Exercise
from tensorwidgets.course.marking.marks import Row
from tensorwidgets.pictures.arrays.values import count

from .first_guesses import distribution
from .marks_csv import exercises_of
from .points import Grade, graded, totals
from .rules import Rules
from .similarity import alike
from .statistics import statistics_of
from .text import plain, printable

MOST_PAIRS, MOST_CODE = 40, 2_000
GLYPHS = {"done": "✓", "not yet": "✗", "not started": "·", "not judged": "?"}


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
pre { background: #f4f6f8; padding: .6rem .8rem; border-radius: 4px; overflow-x: auto; font-size: .85rem; }
details { margin: .3rem 0; } summary { cursor: pointer; }
.who { color: #57606a; font-size: .85rem; }
@media print { body { margin: 0; max-width: none; } thead th { position: static; } tr { break-inside: avoid; }
  * { print-color-adjust: exact; } }
.done { background: #d3efe4; } .not-yet { background: #f8dcd3; } .not-judged { background: #f3ecc8; }
@media (prefers-color-scheme: dark) {
  body { background: #14181d; color: #e6e9ec; } th, td { background: #1d232a; }
  thead th { background: #14181d; color: #9aa4ae; } caption { color: #9aa4ae; }
  th[scope=row], td.words, td.count, td.bar { background: none; }
  pre { background: #1d232a; } .who { color: #9aa4ae; } tr.sums > * { border-color: #3d444d; background: none; }
  .done { background: #12463a; } .not-yet { background: #5a2b1d; } .not-judged { background: #4a431a; }
}
"""


def as_page(rows: Sequence[Row], title: str, rules: Rules | None = None) -> str:
    """The class at a glance: for each lesson a table, how each exercise went, and the first guesses; before them the
    totals, where there are several lessons, and at the end the answers that are alike."""
    rules = rules or Rules()
    grades = graded(rows, rules)
    lessons = sorted({row.lesson for row in rows if row.lesson})
    parts = [f"<h1>{html.escape(title)}</h1>", _legend()]
    lost = [row for row in rows if not row.lesson]
    if len(lessons) > 1:
        parts += _totals(totals(grades, rules), lessons, grades, {row.student for row in lost})
    for lesson in lessons:
        mine = [(row, grade) for row, grade in zip(rows, grades, strict=True) if row.lesson == lesson]
        parts += _lesson(lesson, [row for row, _ in mine], [grade for _, grade in mine])
    parts += _alike(rows)
    if lost:
        parts.append("<h2>Files that were not marked</h2><ul>")
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


def _totals(share: dict[str, float], lessons: Sequence[str], grades: Sequence[Grade], lost: Set[str]) -> Iterable[str]:
    """Each student over all lessons, also one with no file that could be marked."""
    points = {(grade.student, grade.lesson): f"{grade.points:g}" for grade in grades}
    yield "<h2>All lessons</h2><table><thead><tr>"
    yield "".join(f'<th scope="col">{html.escape(x)}</th>' for x in ["student", *lessons, "in all"])
    yield "</tr></thead><tbody>"
    for student in sorted({*share, *lost}):
        if student not in share:
            said = "no file could be marked: see the end of this page"
            wide = f'<td class="words" colspan="{len(lessons) + 1}">{said}</td>'
            yield f'<tr><th scope="row">{_safe(student, 80)}</th>{wide}</tr>'
            continue
        cells = "".join(f'<td class="count">{points.get((student, lesson), "")}</td>' for lesson in lessons)
        yield f'<tr><th scope="row">{_safe(student, 80)}</th>{cells}<td class="count">{share[student]:g} %</td></tr>'
    yield "</tbody></table>"


def _lesson(lesson: str, rows: list[Row], grades: list[Grade]) -> Iterable[str]:
    numbers = exercises_of(rows)
    yield f"<h2>Lesson {html.escape(lesson)}</h2>"
    yield f"<table><caption>{count(len(rows), 'notebook')}</caption><thead><tr>"
    yield "".join(f'<th scope="col">{html.escape(x)}</th>' for x in ["student", *numbers, "done", "points", "problem"])
    yield "</tr></thead><tbody>"
    handed_in = Counter(row.student for row in rows)
    for row, grade in zip(rows, grades, strict=True):
        cells = "".join(_cell(row, n) for n in numbers)
        name = _of(row) if handed_in[row.student] > 1 else _safe(row.student, 80)
        yield (
            f'<tr><th scope="row">{name}</th>{cells}'
            f'<td class="count">{row.done} of {len(row.marks)}</td><td class="count">{_points(grade)}</td>'
            f'<td class="words">{_safe(row.problem)}</td></tr>'
        )
    sums = [sum(row.marks[n].state == "done" for row in rows if n in row.marks) for n in numbers]
    yield (
        '<tr class="sums"><th scope="row">done by</th>'
        + "".join(f"<td>{n}</td>" for n in sums)
        + "<td></td><td></td><td></td></tr>"
    )
    yield "</tbody></table>"
    yield from _exercises(rows, numbers)
    yield from _reasons(rows, numbers)
    yield from _first_guesses(rows)


def _points(grade: Grade) -> str:
    late = "" if not grade.days_late else f", {grade.days_late} day{'s' * (grade.days_late > 1)} late"
    free = ", free" if grade.days_late and not grade.days_charged else ""
    return f"{grade.points:g} of {grade.possible:g}{late}{free}"


def _exercises(rows: list[Row], numbers: Sequence[str]) -> Iterable[str]:
    """How each exercise went: who has it, after how many tries, and the most common mistakes."""
    yield "<h3>Exercises</h3><table><thead><tr>"
    yield "".join(f'<th scope="col">{one}</th>' for one in ("", "done", "", "tries", "most common mistakes"))
    yield "</tr></thead><tbody>"
    for number in numbers:
        found = statistics_of(rows, number)
        done, count = found.states.get("done", 0), sum(found.states.values())
        asked = exercises.find(number)
        task = asked.task if isinstance(asked, Exercise) else ""
        tries = "" if found.tries is None else f"{found.tries:g}"
        mistakes = "<br>".join(
            f"{'once' if len(who) == 1 else f'{len(who)} times'}: {_safe(said)} {_who(list(who))}"
            for said, who in found.mistakes[:3]
        )
        yield (
            f'<tr><th scope="row">{html.escape(number)} <span class="who">{_safe(task)}</span></th>'
            f'<td class="bar"><div class="done" style="width:{round(100 * done / count)}%"></div></td>'
            f'<td class="count">{done} of {count}</td><td class="count">{tries}</td>'
            f'<td class="words">{mistakes}</td></tr>'
        )
    yield "</tbody></table>"


def _reasons(rows: list[Row], numbers: Sequence[str]) -> Iterable[str]:
    """What the class wrote beside its answers to lists of statements, statement by statement."""
    if any(row.reasons for row in rows):
        yield "<h3>Reasons</h3>"
    for number in numbers:
        asked = exercises.find(number)
        written = [(row.student, row.reasons[number]) for row in rows if number in row.reasons]
        if not isinstance(asked, StatementsExercise) or not written:
            continue
        yield f"<table><caption>{html.escape(f'{number} {asked.task}')}</caption><tbody>"
        for k, statement in enumerate(asked.statements, 1):
            said = [
                f"{'✓' if mine[k][0] is statement.true else '✗'} {mine[k][0]}: {_safe(mine[k][1])} {_who([student])}"
                for student, mine in written
                if k in mine
            ]
            if said:
                says = html.escape(f"{k}. {statement.says}")
                yield f'<tr><th scope="row">{says}</th><td class="words">{"<br>".join(said)}</td></tr>'
        yield "</tbody></table>"


def _alike(rows: Sequence[Row]) -> Iterable[str]:
    """Pairs whose answers need an explanation. Nobody is accused: two who sat together look the same."""
    pairs = alike(rows)
    if pairs:
        yield (
            "<h2>Answers that are alike</h2><p>Only answers count that few others have, that are longer than a line or "
            "so, and that are not the solution of the lesson. Two who worked together look the same as one who copied: "
            "ask.</p>"
        )
    for pair in pairs[:MOST_PAIRS]:
        one, other = (_safe(name, 80) for name in pair.students)
        same = "; ".join(
            f"{n} {'word for word' if equal else 'but for names and layout'}" for n, equal, _ in pair.answers
        )
        code = "\n\n".join(f"# {number}\n{code[:MOST_CODE]}" for number, _, code in pair.answers)
        yield (
            f"<details><summary>{one} and {other}, lesson {html.escape(pair.lesson)}: {html.escape(same)}</summary>"
            f"<pre>{html.escape(printable(code))}</pre></details>"
        )
    if len(pairs) > MOST_PAIRS:
        yield f"<p>And {len(pairs) - MOST_PAIRS} pairs more.</p>"


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
            style, glyph = ("done", "✓ right") if right else ("not-yet", "✗ not right")
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
