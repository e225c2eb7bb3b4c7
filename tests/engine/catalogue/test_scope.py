"""Names that are not here are told by name; switches and small modules answer as PyTorch's."""

from __future__ import annotations

import importlib
import math
import subprocess
import sys
import traceback

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.compat.importing import Explanations
from tensorwidgets.engine.errors import missing_names

OUT = (
    "quasirandom",
    "sym_int",
    "sym_max",
    "from_file",
    "int4",
    "bits8",
)
LATER = ("vmap", "distributions", "export", "grid_sampler", "conv_tbc", "mtia")


def refusal(module: object, name: str) -> AttributeError:
    assert not hasattr(module, name)
    with pytest.raises(AttributeError) as caught:
        getattr(module, name)
    return caught.value


@pytest.mark.parametrize("name", OUT)
def test_out_of_scope_is_said_by_name(name: str) -> None:
    error = refusal(tw, name)
    assert str(error) == (f"module 'tensorwidgets' has no attribute '{name}': torch.{name} is out of scope here")
    assert error.reason.because and error.reason.instead  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", LATER)
def test_what_is_to_come_is_said_by_name(name: str) -> None:
    assert str(refusal(tw, name)).endswith(f": torch.{name} is for later")


def test_what_is_to_come_is_said_where_it_is_looked_for() -> None:
    assert str(refusal(tw.autograd, "forward_ad")).endswith(": torch.autograd.forward_ad is for later")
    for name in ("vmap", "jvp", "jacfwd"):
        assert str(refusal(tw.func, name)).endswith(f": torch.func.{name} is for later")


def test_other_names_are_unknown_and_what_is_near_is_noted() -> None:
    error = refusal(tw, "aranje")
    assert str(error) == "module 'tensorwidgets' has no attribute 'aranje'"
    assert error.__notes__ == ["near it: arange, range, arctan"]
    assert "near it: arange" in "".join(traceback.format_exception(error))
    assert error.reason.because == "near it: arange, range, arctan"  # type: ignore[attr-defined]


def test_names_near_it_are_sought_when_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing_names, "get_close_matches", lambda *given: pytest.fail("sought"))
    assert not hasattr(tw, "aranje")


def test_the_modules_can_be_imported_by_name() -> None:
    names = "accelerator autograd.grad_mode backends.mps random return_types utils.dlpack"
    code = "\n".join(f"import tensorwidgets.{name}" for name in names.split())
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr


def test_code_that_looks_for_a_device_finds_the_cpu() -> None:
    torch = tw
    device = (
        torch.accelerator.current_accelerator().type
        if torch.accelerator.is_available()
        else "cuda"
        if torch.cuda.is_available()
        else "mps"
        if torch.backends.mps.is_available()
        else "cpu"
    )
    assert tw.ones(2, device=device).is_cpu


# -- recording switched off --------------------------------------------------------------------------------------


def test_set_grad_enabled_acts_at_once_or_for_a_block_or_for_a_function() -> None:
    tw.set_grad_enabled(False)
    off = tw.is_grad_enabled()
    tw.set_grad_enabled(True)
    with tw.set_grad_enabled(False):
        inside = tw.is_grad_enabled()

    @tw.set_grad_enabled(False)
    def asked() -> bool:
        return tw.is_grad_enabled()

    assert (off, inside, asked(), tw.is_grad_enabled()) == (False, False, False, True)


@pytest.mark.parametrize("decorate", [tw.no_grad, tw.no_grad(), tw.inference_mode, tw.inference_mode()])
def test_decorators_work_with_and_without_brackets(decorate: object) -> None:
    @decorate  # type: ignore[operator]
    def asked() -> bool:
        return tw.is_grad_enabled()

    assert not asked()
    assert tw.is_grad_enabled()


def test_a_decorated_generator_switches_only_while_it_runs() -> None:
    @tw.no_grad()
    def steps():  # type: ignore[no-untyped-def]
        yield tw.is_grad_enabled()
        yield tw.is_grad_enabled()

    running = steps()
    assert next(running) is False
    assert tw.is_grad_enabled()
    assert list(running) == [False]


def test_inference_mode_is_told_and_left() -> None:
    with tw.inference_mode():
        assert tw.is_inference_mode_enabled() and not tw.is_grad_enabled()
        with tw.inference_mode(False):
            assert not tw.is_inference_mode_enabled() and tw.is_grad_enabled()
    assert not tw.is_inference_mode_enabled()


# -- small things ------------------------------------------------------------------------------------------------


def test_relu_as_function_method_and_in_place() -> None:
    x = tw.tensor([-1.0, math.nan, 2.0])
    assert repr(tw.relu(x)) == repr(x.relu()) == "tensor([0., nan, 2.])"
    assert x.relu_() is x
    with pytest.raises(RuntimeError, match="Boolean inputs not supported for relu"):
        tw.relu(tw.tensor([True]))


@pytest.mark.parametrize(
    ("thing", "name"),
    [(tw.ones(1), "torch.FloatTensor"), (3, "int"), (tw.Tensor, "torch.Tensor"), (tw.float32, "torch.dtype")],
)
def test_typename(thing: object, name: str) -> None:
    assert tw.typename(thing) == name


def test_a_tensor_as_an_instance_of_a_class_of_ones_own() -> None:
    class Mine(tw.Tensor):
        pass

    x = tw.ones(2)
    mine = x.as_subclass(Mine)
    x.add_(1)
    assert type(mine) is Mine and mine._base is x and mine.tolist() == [2, 2]


def test_retain_grad_asks_for_the_flag() -> None:
    assert tw.ones(1, requires_grad=True).retain_grad() is None
    with pytest.raises(RuntimeError, match="can't retain_grad on Tensor that has requires_grad=False"):
        tw.ones(1).retain_grad()


def test_switches_are_kept_and_told() -> None:
    tw.use_deterministic_algorithms(True, warn_only=True)
    assert tw.get_deterministic_debug_mode() == 1 and tw.is_deterministic_algorithms_warn_only_enabled()
    tw.set_deterministic_debug_mode("default")
    assert not tw.are_deterministic_algorithms_enabled()
    with pytest.raises(RuntimeError, match="expected 0, 1, or 2, but got 7"):
        tw.set_deterministic_debug_mode(7)
    tw.set_float32_matmul_precision("high")
    assert tw.get_float32_matmul_precision() == "high"
    tw.set_float32_matmul_precision("highest")


def test_rooms_may_share_a_name_with_a_part_of_pytorch() -> None:
    assert Explanations().find_spec("tensorwidgets.engine.ops", ["a folder where no module is"]) is None
    with pytest.raises(ModuleNotFoundError, match="torch.distributions is for later"):
        importlib.import_module("tensorwidgets.distributions")


def test_compiled_libraries_are_refused_as_by_pytorch() -> None:
    with pytest.raises(OSError, match="^Could not load this library: /"):
        tw.ops.load_library("nothing.so")
    assert hasattr(tw.ops, "torchvision") and not hasattr(tw.ops.torchvision, "nms")
    with pytest.raises(AttributeError, match=r"^'_OpNamespace' 'torchvision' object has no attribute 'nms'"):
        _ = tw.ops.torchvision.nms


def test_optimizers_over_ranks_are_a_class_to_ask_for() -> None:
    optim = importlib.import_module("tensorwidgets.distributed.optim")
    assert not isinstance(tw.optim.SGD([tw.zeros(1)]), optim.ZeroRedundancyOptimizer)
    with pytest.raises(NotImplementedError, match="ZeroRedundancyOptimizer is for later"):
        optim.ZeroRedundancyOptimizer([tw.zeros(1)], tw.optim.SGD)
