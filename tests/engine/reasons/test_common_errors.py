"""The errors that people ask about: what why() says names the case, and the way out that it proposes works."""

from __future__ import annotations

import gc
import linecache
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.errors import reasons
from tests.engine.reasons.common_errors import CASES, EXPLAINED, Case

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


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("text", EXPLAINED)
def test_each_has_a_reason_and_a_way_out(text: str, library: str) -> None:
    torch = __import__(library)
    error = failure(f"y = {text}", torch)
    told = tw.why(error)
    because = told.steps[-1].because if told.steps else told.reason.because  # type: ignore[union-attr]
    assert because and "The arguments were" not in because, repr(told)
    assert "Instead: " in repr(told) and told.reason.rule != "unknown", repr(told)  # type: ignore[union-attr]


@pytest.mark.parametrize("library", LIBRARIES)
def test_modules_of_ones_own_are_no_hindrance(library: str) -> None:
    torch = __import__(library)

    class Shown(torch.nn.Linear):  # type: ignore[misc, name-defined]
        pass

    class Mute(torch.nn.Linear):  # type: ignore[misc, name-defined]
        def extra_repr(self) -> str:
            raise ValueError("not told")

    class Shy(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __getattr__(self, name: str) -> Any:
            raise AttributeError("nothing is said")

        def forward(self, x: Any) -> Any:
            return torch.nn.functional.linear(x, torch.ones(2, 3))

    for kind in (Shown, Mute, Shy):
        model = kind() if kind is Shy else torch.nn.Sequential(kind(3, 2))
        with pytest.raises(RuntimeError) as caught:
            model(torch.ones(2, 5))
        told = repr(tw.why(caught.value))
        assert "size 5" in told and "has 3" in told or "has size 3" in told
        if kind is Shown:
            assert "model[0] is Shown(in_features=3" in told and "nn.Linear(5, 2) in its place" in told


# -- explaining changes nothing ----------------------------------------------------------------------------------------


UNTOUCHED = {
    "numbers drawn by a function": "y = F.dropout(x).view(7)",
    "numbers drawn by a model": "y = nn.Sequential(nn.Dropout(), nn.BatchNorm1d(3))(x).view(7)",
    "attention with dropout": "y = F.scaled_dot_product_attention(x[None], x[None], x[None], None, 0.5).view(7)",
    "an embedding that writes": "y = F.embedding(torch.tensor([0]), x, max_norm=0.1).view(7)",
    "a target by its place": "y = np.add(a, 1, a).reshape(7)",
    "a write": "x.add_(torch.ones(7))",
    "a loss of other sizes": "y = F.cross_entropy(x, torch.ones(3).long())",
    "a gradient that is missing": "y = (p * 2).grad.sum()",
    "a module among the names": "p.add_(1)",
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("program", UNTOUCHED.values(), ids=list(UNTOUCHED))
def test_explaining_changes_nothing(program: str, library: str) -> None:
    torch = __import__(library)
    x, p, a = torch.ones(2, 3), torch.ones(2, requires_grad=True), np.ones(6)
    scope = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "np": np, "tw": tw, "x": x, "p": p, "a": a}
    linecache.cache["a_program.py"] = (len(program), None, [program + "\n"], "a_program.py")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(program, "a_program.py", "exec"), scope)
        except Exception as caught:
            error = caught
        else:
            raise AssertionError("nothing was refused")

    def seen() -> tuple:
        streams = [library.get_rng_state().tolist() for library in (torch, tw)]
        return streams, x.tolist(), x._version, p.grad, a.tolist(), reasons.latest, torch.is_grad_enabled()

    before = seen()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert str(error).splitlines()[0] in repr(tw.why(error))
    assert seen() == before


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("call", ["x.apply_(count)", "torch.tensor(map(count, [1.0]))", "x.map_(x, count)"])
def test_no_function_of_the_program_is_called_again(call: str, library: str) -> None:
    torch = __import__(library)
    called: list[Any] = []

    def count(*given: Any) -> Any:
        called.append(given)
        raise ValueError("not so")

    scope = {"torch": torch, "x": torch.ones(2), "count": count}
    linecache.cache["a_program.py"] = (len(call), None, [call + "\n"], "a_program.py")
    with pytest.raises((ValueError, RuntimeError, TypeError)) as caught:
        exec(compile(call, "a_program.py", "exec"), scope)
    times = len(called)
    assert str(caught.value).splitlines()[0] in repr(tw.why(caught.value))
    assert len(called) == times


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_file_is_written_again(library: str, tmp_path: Path) -> None:
    torch = __import__(library)
    path = tmp_path / "kept.pt"
    error = failure(f"torch.save(lambda: 1, {str(path)!r})", torch)
    path.write_bytes(b"kept")
    assert tw.why(error).reason is not None
    assert path.read_bytes() == b"kept"


@pytest.mark.parametrize("library", LIBRARIES)
def test_in_a_notebook_the_layer_and_the_line_are_told(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from IPython.core.interactiveshell import InteractiveShell

    for name in ("last_type", "last_value", "last_traceback", "last_exc"):
        monkeypatch.setitem(vars(sys), name, None)
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    try:
        shell.user_ns |= {"torch": __import__(library), "tw": tw, "why": tw.why}
        shell.run_cell("model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 10))")
        shell.run_cell("x = torch.ones(2, 1, 27, 28)\nmodel(x)")
        shell.run_cell("1 + 1")
        told = repr(shell.run_cell("why()").result)
        assert "model[1] is Linear(in_features=784" in told and "line 2 of this cell: model(x)" in told
        assert "nn.Linear(756, 10) in its place" in told
        shell.run_cell("w = torch.ones(2, requires_grad=True)\nw += 1")
        assert "The leaf is w." in repr(shell.run_cell("why()").result)
        assert "The leaf is w." in repr(shell.run_cell("why()").result)
    finally:
        shell.history_manager.end_session()
        InteractiveShell.clear_instance()


# -- two devices -------------------------------------------------------------------------------------------------------


MOVED = {
    "a = torch.ones(3).cuda()\nb = torch.ones(3)\ny = a + b": "b.to('cuda:0')",
    "w = torch.ones(3, 2).cuda()\nx = torch.ones(2, 3)\ny = x @ w": "x.to('cuda:0')",
    "x = torch.ones(2)\ny = torch.cat([x.cuda(), x])": "x.to('cuda:0')",
    "model = nn.Linear(3, 2).cuda()\nx = torch.ones(4, 3)\ny = model(x)": "x.to('cuda:0'), for the input x",
    "model = nn.Sequential(nn.Linear(3, 2))\nx = torch.ones(4, 3).cuda()\ny = model(x)": "model.to('cuda:0')",
    "emb = nn.Embedding(3, 2).cuda()\ny = emb(torch.tensor([7]).cuda())": "num_embeddings=8, or more",
}


def ways_out(program: str) -> list[str]:
    """What is proposed; nothing of the program is kept."""
    told = tw.why(failure(program, tw))
    return list(told.steps[-1].instead if told.steps else told.instead)


@pytest.mark.parametrize("program", MOVED)
def test_what_is_moved_is_not_there_yet(program: str) -> None:
    with tw.cuda.simulate():
        ways = ways_out(program)
        assert ways[0] == MOVED[program], ways
        name, _, device = ways[0].partition(", for")[0].removesuffix("')").partition(".to('")
        if device and name != "model":
            run(program.replace("\ny = ", f"\n{name} = {name}.to('{device}')\ny = "), tw)
        gc.collect()
