"""The names of parts of PyTorch that are for later, as far as libraries import them, by module."""

from __future__ import annotations

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
_SPREAD = """
    DTensor DeviceMesh Partial Placement Replicate Shard distribute_module distribute_tensor empty full
    init_device_mesh ones rand randn zeros
"""
MODULES = {
    "distributions": _DISTRIBUTIONS,
    **{f"distributions.{name}": names for name, names in _PARTS_OF_DISTRIBUTIONS.items()},
    **{f"distributions.{name}": _DISTRIBUTIONS for name in _FILES_OF_DISTRIBUTIONS.split()},
    "_custom_ops": "custom_op get_ctx impl impl_abstract",
    "_dynamo.utils": "is_compile_supported",
    "_dynamo._trace_wrapped_higher_order_op": "TransformGetItemToIndex",
    "_higher_order_ops": "associative_scan cond map scan while_loop",
    "_higher_order_ops.associative_scan": "associative_scan",
    "_subclasses": "FakeTensor FakeTensorMode",
    "_subclasses.fake_tensor": "FakeTensor FakeTensorMode is_fake",
    "_vmap_internals": "_vmap vmap",
    "_tensor_str": "PRINT_OPTS _add_suffixes _str_intern _tensor_str",
    "ao": "",
    "ao.pruning": "BaseSparsifier FakeSparsity NearlyDiagonalSparsifier WeightNormSparsifier",
    "ao.quantization": """
        DeQuantStub FakeQuantize MinMaxObserver QConfig QuantStub QuantWrapper convert default_qconfig fuse_modules
        fuse_modules_qat get_default_qat_qconfig get_default_qconfig prepare prepare_qat quantize quantize_dynamic
    """,
    "autograd.forward_ad": "UnpackedDualTensor dual_level enter_dual_level exit_dual_level make_dual unpack_dual",
    "autograd.profiler": "EventList FunctionEvent emit_itt emit_nvtx load_nvprof profile record_function",
    "distributed._composable": "",
    "distributed._composable.fsdp": _SHARDED,
    "distributed._functional_collectives": "AsyncCollectiveTensor all_to_all_single_autograd wait_tensor",
    "distributed._tensor": _SPREAD,
    "distributed._tensor.experimental": "implicit_replication",
    "distributed.algorithms._checkpoint": "",
    "distributed.algorithms._checkpoint.checkpoint_wrapper": """
        ActivationWrapper CheckpointImpl CheckpointWrapper OffloadWrapper apply_activation_checkpointing
        checkpoint_wrapper offload_wrapper
    """,
    "distributed.algorithms.join": "Join JoinHook Joinable",
    "distributed.checkpoint": "FileSystemReader FileSystemWriter async_save load load_state_dict save save_state_dict",
    "distributed.checkpoint._consolidate_hf_safetensors": "consolidate_safetensors_files",
    "distributed.checkpoint.default_planner": "DefaultLoadPlanner DefaultSavePlanner",
    "distributed.checkpoint.format_utils": "dcp_to_torch_save torch_save_to_dcp",
    "distributed.checkpoint.hf_storage": "HuggingFaceStorageReader HuggingFaceStorageWriter",
    "distributed.checkpoint.state_dict": """
        StateDictOptions get_model_state_dict get_optimizer_state_dict get_state_dict set_model_state_dict
        set_optimizer_state_dict set_state_dict
    """,
    "distributed.device_mesh": "DeviceMesh init_device_mesh",
    "distributed.fsdp": _SHARDED,
    "distributed.fsdp.api": _SHARDED,
    "distributed.fsdp.fully_sharded_data_parallel": _SHARDED,
    "distributed.fsdp.sharded_grad_scaler": "ShardedGradScaler",
    "distributed.fsdp.wrap": """
        ModuleWrapPolicy _or_policy lambda_auto_wrap_policy size_based_auto_wrap_policy transformer_auto_wrap_policy
        wrap
    """,
    "distributed.tensor": _SPREAD,
    "distributed.tensor._utils": "compute_local_shape_and_global_offset",
    "distributed.tensor.experimental": "context_parallel implicit_replication",
    "distributed.tensor.parallel": """
        ColwiseParallel ParallelStyle PrepareModuleInput PrepareModuleOutput RowwiseParallel SequenceParallel
        loss_parallel parallelize_module
    """,
    "distributed.tensor.placement_types": "Partial Placement Replicate Shard _StridedShard",
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
    "fx._symbolic_trace": "ProxyableClassMeta Tracer is_fx_tracing symbolic_trace wrap",
    "fx.experimental.proxy_tensor": "get_proxy_mode make_fx",
    "fx.experimental.symbolic_shapes": """
        free_symbols free_unbacked_symbols guard_or_false guard_or_true guard_size_oblivious statically_known_true
    """,
    "fx.graph": "CodeGen Graph",
    "fx.graph_module": "GraphModule _CodeOnlyModule _USER_PRESERVED_ATTRIBUTES_KEY _copy_attr",
    "fx.node": "Argument Node Target has_side_effect map_aggregate map_arg",
    "fx.proxy": "Attribute GraphAppendingTracer ParameterProxy Proxy TraceError TracerBase",
    "hub": """
        HASH_REGEX _get_torch_home download_url_to_file get_dir help list load load_state_dict_from_url set_dir urlparse
    """,
    "nested": "as_nested_tensor masked_select narrow nested_tensor nested_tensor_from_jagged to_padded_tensor",
    "nn.utils._per_sample_grad": "call_for_per_sample_grads",
    "nn.attention.flex_attention": """
        AuxOutput AuxRequest BlockMask _DEFAULT_SPARSE_BLOCK_SIZE and_masks create_block_mask create_mask
        flex_attention noop_mask or_masks
    """,
    "onnx": """
        ExportOptions ONNXProgram OnnxExporterError OperatorExportTypes TensorProtoDataType TrainingMode export
        is_in_onnx_export register_custom_op_symbolic
    """,
    "onnx.operators": "reshape_from_tensor_shape shape_as_tensor",
    "onnx.symbolic_helper": "parse_args quantized_args",
    **{f"onnx.symbolic_opset{n}": "masked_fill softmax squeeze unsqueeze" for n in (9, 11, 12)},
    "profiler": """
        DeviceType ExecutionTraceObserver ProfilerAction ProfilerActivity profile record_function schedule
        kineto_available supported_activities tensorboard_trace_handler
    """,
    "utils._python_dispatch": "TorchDispatchMode is_traceable_wrapper_subclass transform_subclass",
    "utils.cpp_extension": """
        BuildExtension CUDAExtension CUDA_HOME CppExtension check_compiler_abi_compatibility include_paths load
        load_inline
    """,
    "utils.data.datapipes": "",
    "utils.data.datapipes.iter": "IterableWrapper Mapper Shuffler ShufflerIterDataPipe",
    "utils.data.datapipes.iter.combinatorics": "SamplerIterDataPipe ShufflerIterDataPipe",
    "utils.model_zoo": "load_url tqdm",
}
"""Modules that stand in for PyTorch's, and the names in each that are not modules themselves."""
LAYERS = set(
    """
    ActivationWrapper CheckpointWrapper DeQuantStub FakeQuantize FullyShardedDataParallel GraphModule OffloadWrapper
    QuantStub QuantWrapper
    """.split()
)
"""Classes that are layers in PyTorch, too."""
DESCRIPTIONS = set(
    """
    ColwiseParallel Partial PrepareModuleInput PrepareModuleOutput Replicate RowwiseParallel SequenceParallel Shard
    _StridedShard
    """.split()
)
"""Classes whose objects only say how something is done."""
ELSEWHERE = {"futures": "distributed.work"}
"""Those of which all names are here already, in another module."""
BROUGHT_ALONG = {
    "distributed._tensor": "tensor checkpoint fsdp",
    "distributed.checkpoint": "tensor fsdp",
    "distributed.fsdp": "tensor",
}
"""What PyTorch has loaded after an import of a module, beside it: programs use it without an import of their own."""
