"""Draw the rooms of the engine and who imports whom, read from the code: `python docs/rooms.py` writes docs/rooms.svg.

The floors come from the import contract in pyproject.toml. An import counts wherever it is written: at the head of a
file, inside a function, or as a string given to `import_module`. An arrow that a longer way implies is left out.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import wrap
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
ENGINE = "tensorwidgets.engine"
CONTRACT = "Rooms of the engine import only the rooms below them"
WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 168, 78, 18, 46, 24


@cache
def floors() -> list[str]:
    """The rooms from the top down, as the contract lists them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(c for c in settings["tool"]["importlinter"]["contracts"] if c["name"] == CONTRACT)
    return [str(layer) for layer in contract["layers"]]


@cache
def modules() -> dict[str, Path]:
    """Every module of the engine, by its full name."""
    by_name = {}
    for path in sorted((ROOT / "tensorwidgets" / "engine").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        by_name[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return by_name


def imports(name: str, path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules of the engine that one of them names, in imports and in strings."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    yield from named_in(path.read_text(encoding="utf-8"), name, package, known)


def named_in(source: str, name: str, package: str, known: dict[str, Path]) -> Iterator[str]:
    """The modules that a source text names.

    >>> known = {"a.b": Path(), "a.c": Path()}
    >>> list(named_in("from . import b", "a.d", "a", known)), list(named_in("f('a.c')", "a.d", "a", known))
    (['a.b'], ['a.c'])
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            named = [f"{module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in known:
            named = [node.value]
        else:
            continue
        for whole in named:
            while whole and whole not in known:
                whole = whole.rpartition(".")[0]
            if whole and whole != name:
                yield whole


def room_of(module: str, rooms: list[str]) -> str | None:
    """The innermost room that a module is in; None for those of the engine's own floor."""
    inside = [room for room in rooms if module == room or module.startswith(room + ".")]
    return max(inside, key=len, default=None)


@cache
def arrows() -> set[tuple[str, str]]:
    """Which room imports which."""
    known, rooms = modules(), floors()
    every = set()
    for name, path in known.items():
        start = room_of(name, rooms)
        for target in imports(name, path, known):
            end = room_of(target, rooms)
            if start and end and start != end and not _only_typing(path, target):
                every.add((start, end))
    return every


def _only_typing(path: Path, target: str) -> bool:
    """Whether a module is imported for type checkers alone."""
    leaf = target.rpartition(".")[2]
    return path.name == "tensor.py" and leaf == "tensor_methods"


def upward() -> list[tuple[str, str]]:
    """The arrows that do not go down; there should be none."""
    rooms = floors()
    return sorted((a, b) for a, b in arrows() if rooms.index(a) >= rooms.index(b))


def essential(every: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The arrows that no longer way implies."""
    after: dict[str, set[str]] = {}
    for a, b in every:
        after.setdefault(a, set()).add(b)

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        todo = list(after.get(start, ()))
        while todo:
            room = todo.pop()
            if room not in seen:
                seen.add(room)
                todo += after.get(room, ())
        return seen

    return {(a, b) for a, b in every if not any(b in reached(via) for via in after[a] - {b})}


def levels(every: set[tuple[str, str]]) -> dict[str, int]:
    """How many rooms lie below each, on the longest way down."""
    height: dict[str, int] = {}
    for room in reversed(floors()):
        height[room] = 1 + max((height[b] for a, b in every if a == room and b in height), default=-1)
    return height


def question(room: str) -> str:
    """The question that a room answers: the first line of its docstring."""
    base = ROOT / room.replace(".", "/")
    path = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def drawing() -> str:
    """The picture as SVG."""
    every = arrows()
    height = levels(every)
    rows: dict[int, list[str]] = {}
    for room in floors():
        rows.setdefault(height[room], []).append(room)
    widest = max(map(len, rows.values()))
    wide = MARGIN * 2 + widest * (WIDTH + GAP_X) - GAP_X
    tall = MARGIN * 2 + len(rows) * (HEIGHT + GAP_Y) - GAP_Y
    at: dict[str, tuple[float, float]] = {}
    for level, row in rows.items():
        left = (wide - len(row) * (WIDTH + GAP_X) + GAP_X) / 2
        for k, room in enumerate(row):
            at[room] = (left + k * (WIDTH + GAP_X), MARGIN + (max(rows) - level) * (HEIGHT + GAP_Y))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}" '
        'font-family="ui-sans-serif, system-ui, sans-serif" role="img" '
        f'aria-label="{len(at)} rooms of the engine; every arrow goes down">',
        '<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#5b6675"/></marker></defs>',
        f'<rect width="{wide}" height="{tall}" fill="#ffffff"/>',
    ]
    for a, b in sorted(essential(every)):
        (x1, y1), (x2, y2) = at[a], at[b]
        x1, x2, y1 = x1 + WIDTH / 2, x2 + WIDTH / 2, y1 + HEIGHT
        bend = max(24, (y2 - y1) * 0.4)
        lines.append(
            f'<path d="M{x1:g} {y1:g}C{x1:g} {y1 + bend:g} {x2:g} {y2 - bend:g} {x2:g} {y2 - 2:g}" fill="none" '
            'stroke="#5b6675" stroke-opacity="0.55" marker-end="url(#a)"/>'
        )
    for room, (x, y) in at.items():
        name = room.removeprefix(ENGINE + ".").replace(".", "/")
        lines.append(
            f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#eef3fb" stroke="#3b6fb6"/>'
        )
        lines.append(
            f'<text x="{x + 8:g}" y="{y + 18:g}" font-size="13" font-weight="600" fill="#10233f">{name}</text>'
        )
        words = wrap(question(room), 29)
        shown = [*words[:3], words[3][:28] + "…"] if len(words) > 4 else words
        for k, line in enumerate(shown):
            lines.append(
                f'<text x="{x + 8:g}" y="{y + 33 + 12 * k:g}" font-size="9.5" fill="#33415c">{escape(line)}</text>'
            )
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    for a, b in upward():
        raise SystemExit(f"{a} imports {b}, which is not below it")
    (ROOT / "docs" / "rooms.svg").write_text(drawing(), encoding="utf-8")
