"""Parts of PyTorch that are for later, as far as libraries import them: each name is there, and refuses when called.

A library that has one class of distributions, or one graph of calls, is not kept from its other code by that. What is
capitalized is a class: it can be inherited from and asked for with `isinstance`, and has no objects.

>>> import tensorwidgets as torch
>>> isinstance(torch.ones(2), torch.distributions.Distribution)
False
>>> torch.distributions.Normal(0.0, 1.0)
Traceback (most recent call last):
NotImplementedError: torch.distributions.Normal is for later
probability distributions: this package is about tensors, and has no code for these yet
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

from ..errors.missing_names import missing, reason_of_absence

_DISTRIBUTIONS = """
    Bernoulli Beta Binomial Categorical Cauchy Chi2 ContinuousBernoulli Dirichlet Distribution Exponential
    ExponentialFamily FisherSnedecor Gamma GeneralizedPareto Geometric Gumbel HalfCauchy HalfNormal Independent
    InverseGamma Kumaraswamy LKJCholesky Laplace LogNormal LogisticNormal LowRankMultivariateNormal MixtureSameFamily
    Multinomial MultivariateNormal NegativeBinomial Normal OneHotCategorical OneHotCategoricalStraightThrough Pareto
    RelaxedBernoulli RelaxedOneHotCategorical StudentT Poisson Uniform VonMises Weibull Wishart
    TransformedDistribution LogitRelaxedBernoulli ExpRelaxedCategorical
    biject_to transform_to kl_divergence register_kl identity_transform
    AbsTransform AffineTransform CatTransform ComposeTransform CorrCholeskyTransform CumulativeDistributionTransform
    ExpTransform IndependentTransform LowerCholeskyTransform PositiveDefiniteTransform PowerTransform ReshapeTransform
    SigmoidTransform SoftplusTransform TanhTransform SoftmaxTransform StackTransform StickBreakingTransform Transform
"""
_PARTS_OF_DISTRIBUTIONS = {
    "constraints": """
        Constraint MixtureSameFamilyConstraint boolean cat corr_cholesky dependent dependent_property greater_than
        greater_than_eq independent integer_interval interval half_open_interval is_dependent less_than lower_cholesky
        lower_triangular multinomial nonnegative nonnegative_integer one_hot positive positive_semidefinite
        positive_definite positive_integer real real_vector simplex square stack symmetric unit_interval
    """,
    "constraint_registry": "ConstraintRegistry biject_to transform_to",
    "utils": """
        broadcast_all logits_to_probs clamp_probs probs_to_logits lazy_property tril_matrix_to_vec vec_to_tril_matrix
        _standard_normal _sum_rightmost
    """,
}
_FILES_OF_DISTRIBUTIONS = """
    bernoulli beta binomial categorical cauchy chi2 continuous_bernoulli dirichlet distribution exp_family exponential
    fishersnedecor gamma generalized_pareto geometric gumbel half_cauchy half_normal independent inverse_gamma kl
    kumaraswamy laplace lkj_cholesky log_normal logistic_normal lowrank_multivariate_normal mixture_same_family
    multinomial multivariate_normal negative_binomial normal one_hot_categorical pareto poisson relaxed_bernoulli
    relaxed_categorical studentT transformed_distribution transforms uniform von_mises weibull wishart
"""
_SHARDED = """
    BackwardPrefetch CPUOffload CPUOffloadPolicy FSDPModule FullOptimStateDictConfig FullStateDictConfig
    FullyShardedDataParallel MixedPrecision MixedPrecisionPolicy OptimStateKeyType ShardedOptimStateDictConfig
    ShardedStateDictConfig ShardingStrategy StateDictType fully_shard
"""
MODULES = {
    "distributions": _DISTRIBUTIONS,
    **{f"distributions.{name}": names for name, names in _PARTS_OF_DISTRIBUTIONS.items()},
    **{f"distributions.{name}": _DISTRIBUTIONS for name in _FILES_OF_DISTRIBUTIONS.split()},
    "_subclasses": "FakeTensor FakeTensorMode",
    "_subclasses.fake_tensor": "FakeTensor FakeTensorMode is_fake",
    "_tensor_str": "PRINT_OPTS _add_suffixes _str_intern _tensor_str",
    "ao": "",
    "ao.pruning": "BaseSparsifier FakeSparsity NearlyDiagonalSparsifier WeightNormSparsifier",
    "ao.quantization": """
        DeQuantStub FakeQuantize MinMaxObserver QConfig QuantStub QuantWrapper convert default_qconfig fuse_modules
        fuse_modules_qat get_default_qat_qconfig get_default_qconfig prepare prepare_qat quantize quantize_dynamic
    """,
    "autograd.forward_ad": "UnpackedDualTensor dual_level enter_dual_level exit_dual_level make_dual unpack_dual",
    "autograd.profiler": "EventList FunctionEvent emit_itt emit_nvtx load_nvprof profile record_function",
    "distributed.algorithms.join": "Join JoinHook Joinable",
    "distributed.checkpoint": "FileSystemReader FileSystemWriter async_save load load_state_dict save save_state_dict",
    "distributed.checkpoint.state_dict": """
        StateDictOptions get_model_state_dict get_optimizer_state_dict get_state_dict set_model_state_dict
        set_optimizer_state_dict set_state_dict
    """,
    "distributed.device_mesh": "DeviceMesh init_device_mesh",
    "distributed.fsdp": _SHARDED,
    "distributed.fsdp.api": _SHARDED,
    "distributed.fsdp.fully_sharded_data_parallel": _SHARDED,
    "distributed.fsdp.wrap": "ModuleWrapPolicy size_based_auto_wrap_policy transformer_auto_wrap_policy wrap",
    "distributed.tensor": """
        DTensor Partial Placement Replicate Shard distribute_module distribute_tensor empty full ones rand randn zeros
    """,
    "distributed.rpc": """
        BackendType RRef TensorPipeRpcBackendOptions WorkerInfo get_worker_info init_rpc remote rpc_async rpc_sync
        shutdown
    """,
    "futures": "Future collect_all wait_all",
    "fx": """
        Graph GraphModule Interpreter Node Proxy Tracer Transformer has_side_effect map_arg replace_pattern
        symbolic_trace wrap
    """,
    "fx.experimental": "",
    "fx.experimental.proxy_tensor": "get_proxy_mode",
    "fx.graph_module": "GraphModule",
    "fx.node": "Node has_side_effect map_aggregate map_arg",
    "hub": "HASH_REGEX download_url_to_file get_dir help list load load_state_dict_from_url set_dir urlparse",
    "nested": "as_nested_tensor masked_select narrow nested_tensor nested_tensor_from_jagged to_padded_tensor",
    "nn.attention.flex_attention": """
        AuxOutput AuxRequest BlockMask and_masks create_block_mask create_mask flex_attention noop_mask or_masks
    """,
    "onnx": "ExportOptions ONNXProgram OnnxExporterError export is_in_onnx_export",
    "profiler": """
        DeviceType ExecutionTraceObserver ProfilerAction ProfilerActivity profile record_function schedule
        kineto_available supported_activities tensorboard_trace_handler
    """,
    "utils._python_dispatch": "TorchDispatchMode is_traceable_wrapper_subclass transform_subclass",
    "utils.model_zoo": "load_url",
}
"""Modules that stand in for PyTorch's, and the names in each that are not modules themselves."""
ELSEWHERE = {"futures": "distributed.work"}
"""Those of which all names are here already, in another module."""


class ToCome:
    """The base of classes that have no objects yet. It is an ordinary class, one base among others."""

    _of = ""
    _called = ""

    def __new__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        _refuse(cls._of, cls._called)

    def __class_getitem__(cls, parameters: Any) -> type[ToCome]:
        """With parameters, as annotations have it: `Future[Tensor]`."""
        return cls


class ConstraintToCome:
    """Stands for the values that a parameter may have. Bodies of classes make these, also of others: no refusal."""

    def __init__(self, name: str):
        self.name = name

    def __call__(self, *args: Any, **kwargs: Any) -> ConstraintToCome:
        return self

    def __repr__(self) -> str:
        return f"<torch.distributions.constraints.{self.name}, for later>"


def to_come(module: str, name: str) -> Any:
    """What stands in for a name of a module of ours that is to come."""
    full_name = f"{module}.{name}"
    if (place := ELSEWHERE.get(module.partition(".")[2])) is not None:
        return getattr(import_module(f"{module.partition('.')[0]}.{place}"), name)
    if name in _ANSWERS:
        return _ANSWERS[name]
    if module.endswith(".constraints") and name[0].islower():
        return ConstraintToCome(name)
    if name[0].isupper():
        members = {"_of": module, "_called": name, "__module__": module, "__doc__": f"For later: {full_name}."}
        return type(name, (ToCome,), members)
    return _function(module, name)


def _function(module: str, name: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        _refuse(module, name)

    call.__name__ = call.__qualname__ = name
    call.__module__ = module
    return call


def _refuse(module: str, name: str) -> NoReturn:
    from ..errors.reasons import Reason

    own, _, path = module.partition(".")
    about = reason_of_absence(own, path.partition(".")[0]) or reason_of_absence(module, name)
    because = about.because if about is not None else "this package is about tensors, and has no code for these yet"
    message = f"torch.{path}.{name} is for later" if path else f"torch.{name} is for later"
    raise Reason("name.later", NotImplementedError, message, because, (), {"name": name}).exception()


class RecordFunction(contextlib.ContextDecorator):
    """Labels what a block or a function does, for a profiler. None is ever on here: the label changes nothing."""

    def __init__(self, name: str, args: str | None = None):
        self.name, self.args = name, args

    def __enter__(self) -> RecordFunction:
        return self

    def __exit__(self, *error: object) -> None:
        """There is nothing to end."""


RecordFunction.__name__ = RecordFunction.__qualname__ = "record_function"


class UnpackedDualTensor(NamedTuple):
    """A tensor, and its derivative by what a forward pass is about: None, because no such pass is ever on here."""

    primal: Any
    tangent: Any


_ANSWERS: dict[str, Any] = {
    "get_proxy_mode": lambda: None,
    "has_side_effect": lambda marked: marked,
    "is_fake": lambda tensor: False,
    "is_in_onnx_export": lambda: False,
    "is_traceable_wrapper_subclass": lambda tensor: False,
    "kineto_available": lambda: False,
    "lazy_property": cached_property,
    "record_function": RecordFunction,
    "register_kl": lambda first, second: lambda marked: marked,
    "unpack_dual": lambda tensor, *, level=None: UnpackedDualTensor(tensor, None),
    "wrap": lambda marked: marked,
}
"""What is not refused: decorators, whose functions stay as they are, and questions whose answer is known."""


def module_to_come(full_name: str) -> ModuleType:
    """A module whose names are to come; it is made for the finder, which imports it."""
    path = full_name.partition(".")[2]
    known = MODULES[path].split()
    module = ModuleType(full_name, f"torch.{path}: for later. Its names can be imported; calls are refused.")

    def lookup(name: str) -> Any:
        if name in known:
            value = to_come(full_name, name)
            setattr(module, name, value)
            return value
        if f"{path}.{name}" in MODULES and not name.startswith("_"):
            return import_module(f"{full_name}.{name}")
        missing(full_name, name, known)

    module.__getattr__ = lookup  # type: ignore[method-assign]
    module.__dict__["__all__"] = known
    module.__path__ = []  # it has modules inside
    return module
