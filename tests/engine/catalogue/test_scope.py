"""Names that are not here are told by name; switches and small modules answer as PyTorch's."""

from __future__ import annotations

import importlib
import math
import os
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
LATER = ("package", "export", "monitor", "mtia")


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


@pytest.mark.parametrize(
    "name",
    """
    vmap func.vmap func.jvp func.jacfwd jit.trace jit.load distributions.Normal distributions.kl.kl_divergence
    distributions.utils.broadcast_all fx.symbolic_trace fx.node.Node ao.quantization.convert hub.load
    nested.nested_tensor nn.attention.flex_attention.flex_attention profiler.profile autograd.profiler.profile
    utils.model_zoo.load_url autograd.forward_ad.dual_level distributed.rpc.rpc_sync
    distributed.algorithms.join.Join distributed.tensor.DTensor distributed.fsdp.wrap._or_policy
    distributed.algorithms._checkpoint.checkpoint_wrapper.checkpoint_wrapper fx.proxy.Proxy cuda.CUDAGraph
    distributed.checkpoint.default_planner.DefaultLoadPlanner onnx.symbolic_opset11.squeeze library.opcheck
    fx.experimental.symbolic_shapes.guard_or_true _higher_order_ops.associative_scan.associative_scan fx.GraphModule
    PyTorchFileReader ao.quantization.QuantStub ao.pruning.WeightNormSparsifier utils._python_dispatch.TorchDispatchMode
    """.split(),
)
def test_names_that_libraries_import_are_there_and_refused_when_they_are_called(name: str) -> None:
    module, _, last = f"tensorwidgets.{name}".rpartition(".")
    with pytest.raises(NotImplementedError, match=f"^torch.{name} is for later") as caught:
        getattr(importlib.import_module(module), last)(3)
    assert caught.value.reason.rule == "name.later" and caught.value.__notes__  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "name", "utils.cpp_extension.load utils.data.datapipes.iter.combinatorics.ShufflerIterDataPipe".split()
)
def test_names_out_of_scope_are_there_and_refused_when_they_are_called(name: str) -> None:
    module, _, last = f"tensorwidgets.{name}".rpartition(".")
    kind = getattr(importlib.import_module(module), last)
    with pytest.raises(NotImplementedError, match=f"^torch.{name} is out of scope here") as caught:
        kind("a name")
    assert caught.value.reason.rule == "name.scope" and caught.value.reason.instead  # type: ignore[attr-defined]
    assert not isinstance(kind, type) or not isinstance(tw.utils.data.DataLoader([1]), kind)


def test_what_libraries_make_when_they_are_imported_is_made() -> None:
    parallel = importlib.import_module("tensorwidgets.distributed.tensor.parallel")
    placed = importlib.import_module("tensorwidgets.distributed.tensor").Shard(0)
    assert parallel.ColwiseParallel(output_layouts=placed).said == ((), {"output_layouts": placed})
    helper = importlib.import_module("tensorwidgets.onnx.symbolic_helper")
    assert helper.parse_args("v", "f")(len) is len
    assert tw.onnx.register_custom_op_symbolic("torchvision::nms", len, 11) is None
    assert importlib.import_module("tensorwidgets._dynamo.utils").is_compile_supported("cpu") is False
    assert importlib.import_module("tensorwidgets.utils.model_zoo").tqdm([1, 2], disable=True).total == 2
    annotations = importlib.import_module("tensorwidgets.jit.annotations")
    assert annotations.BroadcastingList2[int] is None


def test_layers_to_come_are_layers_and_have_no_objects() -> None:
    assert issubclass(tw.fx.GraphModule, tw.nn.Module) and issubclass(tw.ao.quantization.QuantStub, tw.nn.Module)
    assert not issubclass(tw.fx.Node, tw.nn.Module) and not isinstance(tw.nn.Linear(1, 1), tw.fx.GraphModule)


def test_the_folder_of_downloads_is_that_of_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TORCH_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "kept")
    assert tw.hub._get_torch_home() == os.path.join("kept", "torch")
    monkeypatch.setenv("TORCH_HOME", "here")
    assert tw.hub._get_torch_home() == "here"


def test_an_op_of_a_library_that_is_not_there_may_be_told_its_results() -> None:
    assert tw.library.register_fake("not_loaded::nms")(len) is len
    with pytest.raises(RuntimeError, match="^operator not_loaded::nms does not exist"):
        tw.library.register_fake("not_loaded::nms", len)


def test_tensors_without_memory_are_for_later() -> None:
    dispatch = importlib.import_module("tensorwidgets.utils._python_dispatch")
    assert dispatch.is_traceable_wrapper_subclass(tw.ones(1)) is False
    with pytest.raises(NotImplementedError, match="^Tensor._make_wrapper_subclass is for later"):
        tw.Tensor._make_wrapper_subclass(tw.Tensor, (2,))


def test_classes_to_come_are_inherited_from_and_asked_for() -> None:
    distributions = tw.distributions

    class Even(distributions.Distribution, list):  # type: ignore[misc]
        arg_constraints = {"n": distributions.constraints.positive, "m": distributions.constraints.interval(0, 1)}  # noqa: RUF012

        @distributions.utils.lazy_property
        def size(self) -> int:
            return 2

    with pytest.raises(NotImplementedError, match="^torch.distributions.Distribution is for later"):
        Even(2)
    assert not isinstance(tw.ones(1), (distributions.Normal, distributions.Beta[tw.Tensor]))
    assert repr(Even.arg_constraints["m"]) == "<torch.distributions.constraints.interval, for later>"
    assert distributions.register_kl(Even, Even)(len) is len and tw.fx.wrap(len) is len
    assert distributions.Normal is distributions.Normal
    with pytest.raises(AttributeError, match="^module 'tensorwidgets.distributions' has no attribute 'Nromal'") as told:
        _ = distributions.Nromal
    assert told.value.__notes__[0].startswith("similar names: Normal")
    with tw.profiler.record_function("a label") as block:
        assert block.name == "a label"
    assert importlib.import_module("tensorwidgets._subclasses.fake_tensor").is_fake(tw.ones(1)) is False
    assert tw.Future is tw.Future and not tw.onnx.is_in_onnx_export()


def test_switches_of_the_compiler_are_kept() -> None:
    dynamo = importlib.import_module("tensorwidgets._dynamo")
    dynamo.config.cache_size_limit = 64
    for patched in (((), {"cache_size_limit": 8}), (("cache_size_limit", 8), {}), (({"cache_size_limit": 8},), {})):
        with dynamo.config.patch(*patched[0], **patched[1]):
            assert tw._dynamo.config.cache_size_limit == 8
        assert tw._dynamo.config.cache_size_limit == 64
    assert dynamo.optimize("eager")(len) is len and not isinstance(tw.nn.Linear(1, 1), dynamo.OptimizedModule)
    assert dynamo.mark_dynamic(tw.ones(2), 0) is None and dynamo.mark_static(tw.ones(2)) is None
    assert dynamo.maybe_mark_dynamic(tw.ones(2), 0) is None and dynamo.mark_static_address(tw.ones(2)) is None
    with pytest.raises(NotImplementedError, match="^torch._dynamo.OptimizedModule is for later"):
        dynamo.OptimizedModule()


def test_libraries_are_told_that_nothing_compiles() -> None:
    dynamo = importlib.import_module("tensorwidgets._dynamo")
    assert not dynamo.is_dynamo_supported() and not dynamo.is_inductor_supported() and dynamo.list_backends() == []
    assert importlib.import_module("tensorwidgets._dynamo.utils").is_compile_supported("cpu") is False
    assert dynamo.graph_break("here") is None and dynamo.assume_constant_result(len) is len


def test_classes_for_files_are_named_and_not_let_in() -> None:
    serialization = importlib.import_module("tensorwidgets.serialization")
    with serialization.safe_globals([slice, slice]):
        assert serialization.get_safe_globals() == [slice]
    assert serialization.get_safe_globals() == [] and serialization.load is tw.load


def test_other_names_are_unknown_and_what_is_near_is_noted() -> None:
    error = refusal(tw, "aranje")
    assert str(error) == "module 'tensorwidgets' has no attribute 'aranje'"
    assert error.__notes__ == ["similar names: arange, range, arctan"]
    assert "similar names: arange" in "".join(traceback.format_exception(error))
    assert error.reason.because == "similar names: arange, range, arctan"  # type: ignore[attr-defined]


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
    with pytest.raises(ModuleNotFoundError, match="torch.package is for later"):
        importlib.import_module("tensorwidgets.package")


def test_compiled_libraries_are_refused_as_by_pytorch() -> None:
    with pytest.raises(OSError, match="^Could not load this library: /"):
        tw.ops.load_library("nothing.so")
    assert hasattr(tw.ops, "torchvision") and not hasattr(tw.ops.torchvision, "nms")
    with pytest.raises(AttributeError, match=r"^'_OpNamespace' 'torchvision' object has no attribute 'nms'"):
        _ = tw.ops.torchvision.nms


def test_ops_of_the_engine_go_by_the_names_of_pytorch() -> None:
    aten = tw.ops.aten
    assert aten.add.Tensor(tw.ones(2), 1).tolist() == [2, 2] and aten.relu(tw.ones(1)).item() == 1
    assert str(aten.add) == "aten.add" and str(aten.add.Tensor) == "aten.add.Tensor"
    assert repr(aten.add) == "<OpOverloadPacket(op='aten.add')>"
    assert repr(aten.add.Tensor) == "<OpOverload(op='aten.add', overload='Tensor')>"
    assert aten.add.Tensor is aten.add.Tensor and aten.add.Tensor.overloadpacket is aten.add
    with pytest.raises(AttributeError, match="^The underlying op of 'aten.add' has no overload name '_x'$"):
        _ = aten.add._x
    with pytest.raises(NotImplementedError, match="^torch.ops.aten._to_copy is for later"):
        aten._to_copy(tw.ones(1))


def test_libraries_are_told_of_no_special_instructions() -> None:
    assert tw.backends.cpu.get_cpu_capability() == "DEFAULT"  # one of the names that PyTorch gives


def test_optimizers_over_ranks_are_a_class_to_ask_for() -> None:
    optim = importlib.import_module("tensorwidgets.distributed.optim")
    assert not isinstance(tw.optim.SGD([tw.zeros(1)]), optim.ZeroRedundancyOptimizer)
    with pytest.raises(NotImplementedError, match="ZeroRedundancyOptimizer is for later"):
        optim.ZeroRedundancyOptimizer([tw.zeros(1)], tw.optim.SGD)


def test_collectives_with_a_gradient_are_those_of_one_module() -> None:
    collectives = importlib.import_module("tensorwidgets.distributed.nn")
    assert tw.distributed.nn is collectives and collectives.all_reduce.__name__ == "all_reduce"
    functions = importlib.import_module("tensorwidgets.distributed.nn.functional")
    assert [getattr(functions, name) is getattr(collectives, name) for name in functions.__all__] == [True] * 9
    with pytest.raises(AttributeError, match="no_such_call"):
        _ = collectives.no_such_call


def test_a_name_that_graph_libraries_use_is_that_of_the_op() -> None:
    assert tw._segment_reduce is tw.segment_reduce
    assert tw._segment_reduce(tw.ones(3), "sum", lengths=tw.tensor([1, 2])).tolist() == [1, 2]
