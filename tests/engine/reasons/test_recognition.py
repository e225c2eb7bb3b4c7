"""What other libraries recognise PyTorch's tensors and dtypes by, and what they ask before they compute."""

from __future__ import annotations

import importlib
import pickle
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import pytest
import safetensors

import tensorwidgets as tw
from tensorwidgets.engine.errors import reasons
from tests.engine.frozen_answers import answered_otherwise
from tests.engine.reasons.close_cases import CALLS
from tests.engine.reasons.freeze_close import REFERENCE, answer
from tests.project.running import run_python


@pytest.fixture
def as_torch(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package under PyTorch's name."""
    before = set(sys.modules)
    monkeypatch.setitem(sys.modules, "torch", tw)
    yield
    for name in {n for n in sys.modules if n.startswith("torch.")} - before:
        del sys.modules[name]


def test_a_dtype_shows_what_that_of_pytorch_shows() -> None:
    own = set(dir(tw.float32)) - set(dir(object))
    shown = "abbr is_complex is_floating_point is_signed itemsize to_complex to_real"
    assert own == {"__module__", *shown.split()}
    for name in ("kind", "name", "numpy", "type", "char", "str", "is_quantized", "type_name"):
        assert not hasattr(tw.float32, name), name


def test_a_tensor_of_torch_is_not_taken_for_an_array(as_torch: None) -> None:
    x = tw.ones(2)
    assert not hasattr(x, "__array_interface__")
    assert np.asarray(x).tolist() == [1, 1] and np.shares_memory(np.asarray(x), x.numpy())


def test_the_class_is_from_torch_where_that_is_this_package(as_torch: None) -> None:
    class Mine(tw.Tensor):
        pass

    assert type(tw.ones(2)).__module__ == "torch"
    assert Mine.__module__ == __name__
    assert type(tw.ones(2)).__qualname__ == "Tensor"


def test_the_class_is_from_here_where_torch_is_another_package() -> None:
    assert type(tw.ones(2)).__module__.startswith("tensorwidgets")
    assert repr(tw.Tensor) == "<class 'torch.Tensor'>"


def test_submodules_are_the_same_under_the_name_of_torch(as_torch: None) -> None:
    for name in ("linalg", "fft", "testing", "utils.dlpack", "cuda", "jit", "version"):
        assert importlib.import_module(f"torch.{name}") is importlib.import_module(f"tensorwidgets.{name}")
    assert tw.linalg.__spec__.name == "tensorwidgets.linalg"


def test_imports_leave_functions_with_the_name_of_their_module(as_torch: None) -> None:
    names = "autograd.gradcheck", "distributed.rendezvous", "nn.utils.spectral_norm", "nn.utils.weight_norm"
    for name in names:
        room, _, function = name.rpartition(".")
        module = importlib.import_module(f"torch.{name}")
        assert module is sys.modules[f"tensorwidgets.{name}"]
        found = getattr(importlib.import_module(f"tensorwidgets.{room}"), function)
        assert callable(found) and found is getattr(module, function)


@pytest.mark.parametrize("name", ["monitor", "export", "package"])
def test_an_import_of_what_is_not_here_says_why(name: str) -> None:
    with pytest.raises(AttributeError) as looked_up:
        getattr(tw, name)
    for code in (f"from tensorwidgets import {name}", f"import tensorwidgets.{name}"):
        with pytest.raises(ImportError) as imported:
            exec(code)
        assert str(imported.value) == str(looked_up.value)
        assert imported.value.__notes__ == looked_up.value.__notes__
    with pytest.raises(ImportError, match="cannot import name 'no_such_name'"):
        exec("from tensorwidgets import no_such_name")


def test_questions_of_libraries_are_answered() -> None:
    assert not tw.jit.is_scripting() and not tw.jit.is_tracing()
    assert not tw.compiler.is_compiling() and not tw.compiler.is_dynamo_compiling()
    assert not tw.cuda.is_available() and not tw.cuda.is_initialized() and tw.cuda.memory_allocated() == 0
    assert tw.cuda._initialized is False
    assert tw.cuda.manual_seed_all(0) is None and tw.cuda.empty_cache() is None
    assert tw.version.cuda is None and tw.version.__version__ == tw.__version__
    assert tw.overrides.is_tensor_like(tw.ones(2)) and not tw.overrides.has_torch_function((tw.ones(2),))
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        tw.cuda.current_device()


def test_under_the_name_of_torch_the_version_is_that_of_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tw.__version__ == tw.version.__version__ == "0.1.0"
    monkeypatch.setitem(sys.modules, "torch", tw)
    found = tw.__version__
    assert found == tw.version.__version__ == "2.13.0" and isinstance(found, tw.torch_version.TorchVersion)
    assert found > "2.2" and found >= (2, 13) and found < (3,) and found != "2.13.0+cpu"
    assert not found > "x" and not found >= "a.b" and tw.torch_version.TorchVersion("2.13.0a1") < "2.13"
    assert hash(found) == hash("2.13.0") and found.split(".") == ["2", "13", "0"]
    with pytest.raises(TypeError):
        found > 1  # noqa: B015 - compared for its refusal


def test_what_a_compiler_is_given_stays_as_it_is() -> None:
    def double(x: int) -> int:
        return 2 * x

    layer = tw.nn.Linear(2, 2)
    with pytest.warns(DeprecationWarning, match="`torch.jit.script` is deprecated"):
        assert tw.jit.script(double) is double
    with pytest.warns(DeprecationWarning):
        assert tw.jit.script(layer) is layer and not isinstance(layer, tw.jit.ScriptModule)
    assert tw.compile(double) is double and tw.compile(layer) is layer and tw.compile is tw.compiler.compile
    assert tw.compile(fullgraph=True, mode="default")(double) is double
    with pytest.raises(RuntimeError, match="Unrecognized mode=zzz, should be one of: default, lite"):
        tw.compile(double, mode="zzz")
    with pytest.raises(AssertionError, match="A callable function is expected, but <class 'int'> is provided"):
        tw.compile(3)  # type: ignore[arg-type]
    for kind in (tw.jit.ScriptModule, tw.jit.ScriptFunction):
        with pytest.raises(NotImplementedError, match=f"torch.jit.{kind.__name__} is for later"):
            kind()
    with pytest.raises(NotImplementedError, match="torch.jit.trace is for later"):
        tw.jit.trace(layer, tw.ones(2))
    assert importlib.import_module("tensorwidgets.jit.annotations").List[int]


def test_small_questions_of_libraries_are_answered() -> None:
    assert tw._C._log_api_usage_once("a library") is None and tw._C._get_tracing_state() is None
    assert tw._check(True) is None
    with pytest.raises(RuntimeError, match="^told why$"):
        tw._check(False, lambda: "told why")
    with pytest.raises(RuntimeError, match="^Expected cond to be True, but got False"):
        tw._check(False)
    with pytest.raises(TypeError, match="^cond must be a bool, but got <class 'int'>"):
        tw._check(1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="^message must be a callable"):
        tw._check(False, "m")  # type: ignore[arg-type]


def test_marks_for_a_compiler_change_nothing() -> None:
    def double(x: int) -> int:
        return 2 * x

    jit = tw.jit
    for mark in (jit.ignore, jit.unused, jit.export, jit.script_if_tracing, jit._overload_method, tw.compiler.disable):
        assert mark(double) is double
    with pytest.warns(FutureWarning, match=r"ignore\(True\) has been deprecated"):
        assert tw.jit.ignore(drop=True)(double) is double
    assert tw.compiler.disable(reason="slow")(double) is double
    assert tw.compiler.allow_in_graph([double, double]) == [double, double]
    assert tw.jit.annotate(int, 3) == 3
    assert tw.jit.Final is Final and tw.jit._script_if_tracing is tw.jit.script_if_tracing


def test_what_is_no_function_is_not_marked_or_compiled() -> None:
    with pytest.raises(RuntimeError, match="^Argument to @torch.jit.ignore must be a bool or a function but got 3"):
        tw.jit.ignore(3)
    with pytest.raises(AssertionError, match="^fn must be callable"):
        tw.compiler.disable(3)  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="^allow_in_graph expects a callable"):
        tw.compiler.allow_in_graph([3])
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'fast'"):
        tw.compile(abs, fast=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="^<class 'tuple'> is a built-in class"), pytest.warns(DeprecationWarning):
        tw.jit.script((1, 2))


def test_models_go_through_pickles_under_the_name_of_torch(as_torch: None) -> None:
    layer, lazy = tw.nn.Linear(2, 2), tw.nn.LazyLinear(2)
    again = pickle.loads(pickle.dumps(layer))
    assert type(again.weight) is tw.nn.Parameter and again.weight.tolist() == layer.weight.tolist()
    assert type(pickle.loads(pickle.dumps(lazy)).weight) is tw.nn.UninitializedParameter
    for kind in (tw.nn.Parameter, tw.nn.UninitializedParameter, tw.Tensor):
        assert pickle.loads(pickle.dumps(kind)) is kind
    assert tw.nn.Parameter.__module__ == "torch.nn.parameter" and tw.Tensor.__module__ == "torch"


def test_safetensors_maps_a_file_into_memory_for_tensors(as_torch: None, tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    tw.save_safetensors(path, {"x": tw.arange(6.0).reshape(2, 3), "n": tw.tensor([7, 8], dtype=tw.int16)})
    with safetensors.safe_open(path, framework="pt") as file:
        x, row = file.get_tensor("x"), file.get_slice("x")[1:]
        assert type(x) is tw.Tensor and x.tolist() == [[0, 1, 2], [3, 4, 5]] and row.tolist() == [[3, 4, 5]]
        assert file.get_tensor("n").dtype is tw.int16 and file.get_tensor("n").tolist() == [7, 8]


def test_importing_under_both_names_loads_one_engine() -> None:
    code = "import sys, tensorwidgets; sys.modules['torch'] = tensorwidgets; import torch.fft, torch.sparse"
    told = run_python(f"{code}; print(*[n for n in sys.modules if n.startswith('torch.engine')])")
    assert told.strip() == ""


def test_a_module_that_is_not_there_is_called_what_it_was_asked_for_as() -> None:
    code = """
        import sys, tensorwidgets
        sys.modules["torch"] = tensorwidgets
        for line in ("import torch.util.data", "import torch.nn.functionals", "import tensorwidgets.util"):
            try:
                exec(line)
            except ModuleNotFoundError as error:
                print(error, error.name)
    """
    assert run_python(textwrap.dedent(code)).splitlines() == [
        "No module named 'torch.util' torch.util",
        "No module named 'torch.nn.functionals' torch.nn.functionals",
        "No module named 'tensorwidgets.util' tensorwidgets.util",
    ]


def test_importing_a_module_under_the_other_name_warns_of_nothing() -> None:
    code = "import sys, tensorwidgets; sys.modules['torch'] = tensorwidgets; import torch.nn.functional, torch.optim"
    told = run_python(f"import warnings; warnings.simplefilter('error', ImportWarning); {code}; print(torch.nn.ReLU())")
    assert told.strip() == "ReLU()"


def test_safetensors_reads_its_files_by_the_bytes_of_a_storage(tmp_path: Path) -> None:
    code = f"""
        import sys, tensorwidgets
        sys.modules["torch"] = tensorwidgets
        import torch
        from safetensors.torch import load_file, safe_open, save_file
        path = {str(tmp_path / "x.safetensors")!r}
        save_file({{"x": torch.arange(6.0).view(2, 3), "y": torch.ones(2, dtype=torch.bfloat16)}}, path)
        print(load_file(path)["x"].add_(1).tolist(), load_file(path)["y"])
        with safe_open(path, "pt") as file:
            print(file.get_slice("x")[:, 1:].tolist())
    """
    told = run_python(textwrap.dedent(code)).splitlines()
    assert told[0] == "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] tensor([1., 1.], dtype=torch.bfloat16)"
    assert told[1] == "[[1.0, 2.0], [4.0, 5.0]]"


def test_fill_leaves_its_argument_as_it_was() -> None:
    x = tw.arange(6).reshape(2, 3).t()
    filled = tw.fill(x, 1.5)
    assert filled.tolist() == [[1, 1]] * 3 and filled.stride() == (1, 3) and x[2, 1] == 5
    assert tw.fill(x, tw.tensor(2)).sum() == 12


def test_assert_close_answers_as_that_of_pytorch() -> None:
    assert answered_otherwise(tw, REFERENCE, CALLS, answer) == []


@pytest.mark.torch
def test_frozen_answers_are_still_those_of_pytorch() -> None:
    import torch

    assert answered_otherwise(torch, REFERENCE, CALLS, answer) == []
    for name in ("float32", "int64", "bool", "complex64", "quint8"):
        assert dir(getattr(tw, name)) == dir(getattr(torch, name))


def test_annotations_find_their_types() -> None:
    from tensorwidgets import types

    assert isinstance(3, types._Number) and isinstance(2.5, types.Number) and not isinstance(1j, types.Number)
    assert all(isinstance(place, types.Device) for place in ("cpu", 0, None, tw.device("cpu")))
    assert isinstance(tw.ones(2).shape, types._size) and isinstance(tw.ones(2), types._TensorOrTensors.__args__[0])
    assert (types._int, types._bool, types._dtype, types._device) == (int, bool, tw.dtype, tw.device)


def test_a_tool_that_asks_modules_for_their_files_leaves_the_last_error() -> None:
    with pytest.raises(RuntimeError):
        tw.arange(6).reshape(2, 3).t().view(-1)
    before = reasons.latest
    modules = [tw.onnx, tw.distributions, tw.nn, tw.utils, tw.linalg, tw]
    assert not any(hasattr(module, name) for module in modules for name in ("__wrapped__", "__no_such_name__"))
    assert reasons.latest is before
