"""The errors that people ask about: what why() says names the case, and the way out that it proposes works."""

from __future__ import annotations

import linecache
import warnings
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tests.engine.reasons.common_errors import CASES, Case

LIBRARIES = ["tensorwidgets", pytest.param("torch", marks=pytest.mark.torch)]


def run(program: str, torch: ModuleType) -> dict[str, Any]:
    """Run a program as a file of the user; its names are what is left of it."""
    name = "a_program.py"
    linecache.cache[name] = (len(program), None, [line + "\n" for line in program.split("\n")], name)
    scope = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "np": np, "__name__": "program"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(program, name, "exec"), scope)
    return scope


def failure(program: str, torch: ModuleType) -> Exception:
    try:
        run(program, torch)
    except Exception as error:
        return error
    raise AssertionError("nothing was refused")


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_what_is_said_names_the_case(case: Case, library: str) -> None:
    torch = __import__(library)
    torch.manual_seed(0)
    error = failure(case.program, torch)
    told = repr(tw.why(error))
    for words in case.says:
        assert words.lower() in told.lower(), (words, told)
    assert case.way in told, (case.way, told)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_the_way_out_works(case: Case, library: str) -> None:
    torch = __import__(library)
    before, after = case.cure
    assert case.program.count(before) >= 1
    run(case.program.replace(before, after), torch)
