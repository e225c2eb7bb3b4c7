"""What a student has done so far: a small JSON file beside the notebooks.

It is written whole into a second file that then takes its place, so that a crash leaves the old one or the new
one and never half of either. Of what a lesson prints, only `reveal` depends on it, after a restart.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

FILE = "tensorwidgets-progress.json"
VARIABLE = "TENSORWIDGETS_PROGRESS"
"""Names another file."""
GUESS = "tensorwidgets/guess"
"""Under this name the output of `reveal` carries the first guess in its metadata, to where a class is marked."""
TRIES = "tensorwidgets/tries"
"""Under this name the output of `check` carries how often it was tried."""
MOST_WRONG, MOST_SAID = 12, 240


def _started_in() -> Path:
    try:
        return Path.cwd()
    except OSError:  # the folder was removed meanwhile: nothing can be kept there, and the lesson goes on
        return Path()


_folder = _started_in()
"""Where the kernel was started: the notebook's folder, also when a cell changes directory later."""


def where() -> Path:
    """The file."""
    return Path(os.environ.get(VARIABLE) or _folder / FILE)


def read() -> dict[str, dict[str, Any]]:
    """All that is kept: `predictions`, `exercises` and `puzzles`, each by number. Empty where there is nothing to
    read."""
    try:
        return _parts(json.loads(where().read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return _parts({})


def _parts(result: Any) -> dict[str, dict[str, Any]]:
    """What a file may hold of what is kept."""
    parts = ("predictions", "exercises", "puzzles")
    if isinstance(result, dict):
        result.setdefault("puzzles", {})  # a file may be older than they are
    if not isinstance(result, dict) or not all(isinstance(result.get(part), dict) for part in parts):
        return {part: {} for part in parts}
    return {part: {k: v for k, v in result[part].items() if isinstance(v, dict)} for part in parts}


def keep_guess(number: str, guess: bool | int | float | str) -> None:
    """The first guess stays, the latest is replaced."""

    def change(kept: dict[str, dict[str, Any]]) -> None:
        first = kept["predictions"].get(number, {}).get("first", guess)
        kept["predictions"][number] = {"first": first, "latest": guess}

    _rewrite(change)


def latest_guess(number: str) -> Any:
    """The last guess that `keep_guess` stored, or `...` if there is none.

    >>> latest_guess("99.1")
    Ellipsis
    """
    return as_guessed(read()["predictions"].get(number, {}).get("latest", ...))


def first_guess(number: str, otherwise: Any) -> Any:
    """The first guess that was kept, as JSON has it; where nothing could be kept, the one of this session."""
    return read()["predictions"].get(number, {}).get("first", otherwise)


def as_guessed(kept: Any) -> Any:
    """A guess as it was made: JSON has no tuples, so they are kept as words.

    >>> as_guessed("(2, 1, 3)"), as_guessed("view"), as_guessed(8)
    ((2, 1, 3), 'view', 8)
    """
    if isinstance(kept, str) and kept.startswith("("):
        with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            return ast.literal_eval(kept)
    return kept


def keep_check(number: str, done: bool, said: str = "") -> None:
    """Once done stays done; tries, and what was said to the wrong ones, are kept up to there."""

    def change(kept: dict[str, dict[str, Any]]) -> None:
        before = kept["exercises"].get(number, {})
        tries = before.get("tries", 0)
        if not before.get("done"):
            one: dict[str, Any] = {"tries": tries + 1 if isinstance(tries, int) else 1, "done": done}
            wrong = list(dict.fromkeys([*wrong_tries(before), said[:MOST_SAID]] if said else wrong_tries(before)))
            one |= {"reasons": before["reasons"]} if "reasons" in before else {}
            kept["exercises"][number] = one | ({"wrong": wrong[:MOST_WRONG]} if wrong else {})

    _rewrite(change)


def keep_reasons(number: str, reasons: dict[int, str]) -> None:
    """The reasons that were written beside the answers to a list of statements, by the number of the statement."""

    def change(kept: dict[str, dict[str, Any]]) -> None:
        one = kept["exercises"].setdefault(number, {})
        one["reasons"] = {str(k): reason[:MOST_SAID] for k, reason in reasons.items()}

    _rewrite(change)


def reasons(one: dict[str, Any]) -> dict[str, str]:
    """The reasons that are kept with an exercise.

    >>> reasons({"tries": 1, "reasons": {"2": "it copies", "3": 4}}), reasons({})
    ({'2': 'it copies'}, {})
    """
    kept = one.get("reasons")
    return {k: said for k, said in kept.items() if isinstance(said, str)} if isinstance(kept, dict) else {}


def tries(number: str) -> int:
    """How often an exercise was checked, up to the right answer; 0 where nothing is kept.

    >>> tries("99.1")
    0
    """
    kept = read()["exercises"].get(number, {}).get("tries", 0)
    return kept if isinstance(kept, int) else 0


def wrong_tries(one: dict[str, Any]) -> list[str]:
    """What was said to the wrong answers to an exercise, each sentence once.

    >>> wrong_tries({"tries": 2, "wrong": ["size yours is (3,)", 7]}), wrong_tries({})
    (['size yours is (3,)'], [])
    """
    wrong = one.get("wrong")
    return [said for said in wrong if isinstance(said, str)] if isinstance(wrong, list) else []


def keep_puzzle(number: str, length: int | None) -> None:
    """One more try at a puzzle. The length of the shortest right answer stays; None is for an answer that is wrong."""

    def change(kept: dict[str, dict[str, Any]]) -> None:
        before = kept["puzzles"].get(number, {})
        tries, best = before.get("tries", 0), before.get("best")
        one: dict[str, Any] = {"tries": tries + 1 if isinstance(tries, int) else 1}
        lengths = [n for n in (best, length) if isinstance(n, int)]
        kept["puzzles"][number] = one | ({"best": min(lengths)} if lengths else {})

    _rewrite(change)


def _rewrite(change: Callable[[dict[str, dict[str, Any]]], None]) -> None:
    """Read, change, replace. A folder that cannot be written to keeps nothing, and the lesson goes on."""
    target = where()
    with contextlib.suppress(OSError):
        try:
            found = json.loads(target.read_text(encoding="utf-8"))
        except FileNotFoundError:
            found = {}
        except ValueError:
            found = None
        if not isinstance(found, dict):
            os.replace(target, target.with_suffix(".unreadable.json"))
        kept = _parts(found)
        change(kept)
        if not kept["puzzles"]:
            del kept["puzzles"]
        _replace(target, json.dumps({"version": 1, **kept}, indent=1, sort_keys=True) + "\n")


def _replace(target: Path, text: str) -> None:
    number, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", text=True)
    try:
        with os.fdopen(number, "w", encoding="utf-8") as fresh:
            fresh.write(text)
            fresh.flush()
            os.fsync(fresh.fileno())
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
