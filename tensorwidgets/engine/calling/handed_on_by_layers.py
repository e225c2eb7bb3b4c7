"""What PyTorch's functions of layers and losses, which are written in Python, hand on to functions in C++.

>>> hand_on = handed_on_by_layer("nn.functional.elu", "(input, alpha=1.0, inplace=False)")
>>> hand_on(input=0, alpha="x")
('elu', (0, 'x'), {})
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from math import prod
from operator import gt
from typing import Any

from ..errors.reasons import refuse
from ..geometry import broadcast
from ..tensor.tensor import Tensor
from ..types.dtypes import float64

Call = tuple[str, tuple, dict[str, Any]]

CALLS = {
    "adaptive_avg_pool2d": "adaptive_avg_pool2d(input, listed(output_size))",
    "adaptive_avg_pool3d": "adaptive_avg_pool3d(input, listed(output_size))",
    "adaptive_max_pool1d": "adaptive_max_pool1d(input, output_size)",
    "adaptive_max_pool2d": "adaptive_max_pool2d(input, listed(output_size))",
    "adaptive_max_pool3d": "adaptive_max_pool3d(input, listed(output_size))",
    "alpha_dropout": "alpha_dropout(input, p, training)",
    "batch_norm": "batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, True)",
    "binary_cross_entropy": "binary_cross_entropy(input, target, weight, 1)",
    "binary_cross_entropy_with_logits": "binary_cross_entropy_with_logits(input, target, weight, pos_weight, 1)",
    "celu": "celu(input, alpha)",
    "cosine_embedding_loss": "cosine_embedding_loss(input1, input2, target, margin, 1)",
    "cross_entropy": "cross_entropy_loss(input, target, weight, 1, ignore_index, label_smoothing)",
    "ctc_loss": "ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, 1, zero_infinity)",
    "dropout": "dropout(input, p, training)",
    "dropout1d": "feature_dropout(input, p, training)",
    "dropout2d": "feature_dropout(input, p, training)",
    "dropout3d": "feature_dropout(input, p, training)",
    "elu": "elu(input, alpha)",
    "feature_alpha_dropout": "feature_alpha_dropout(input, p, training)",
    "fold": "col2im(input, pair(output_size), pair(kernel_size), pair(dilation), pair(padding), pair(stride))",
    "glu": "glu(input, dim)",
    "group_norm": "group_norm(input, num_groups, weight, bias, eps, True)",
    "hardtanh": "hardtanh(input, min_val, max_val)",
    "hinge_embedding_loss": "hinge_embedding_loss(input, target, margin, 1)",
    "huber_loss": "huber_loss(input, target, 1, delta)",
    "instance_norm": (
        "instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True)"
    ),
    "kl_div": "kl_div(input, target, 1, log_target=log_target)",
    "layer_norm": "layer_norm(input, normalized_shape, weight, bias, eps, True)",
    "leaky_relu": "leaky_relu(input, negative_slope)",
    "margin_ranking_loss": "margin_ranking_loss(input1, input2, target, margin, 1)",
    "max_pool1d": "max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode)",
    "max_pool2d": "max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode)",
    "max_pool3d": "max_pool3d(input, kernel_size, stride, padding, dilation, ceil_mode)",
    "multi_margin_loss": "multi_margin_loss(input, target, p, margin, weight, 1)",
    "multilabel_margin_loss": "multilabel_margin_loss(input, target, 1)",
    "nll_loss": "nll_loss_nd(input, target, weight, 1, ignore_index)",
    "poisson_nll_loss": "poisson_nll_loss(input, target, log_input, full, eps, 1)",
    "rms_norm": "rms_norm(input, normalized_shape, weight, eps)",
    "rrelu": "rrelu(input, lower, upper, training)",
    "smooth_l1_loss": "smooth_l1_loss(input, target, 1, beta)",
    "soft_margin_loss": "soft_margin_loss(input, target, 1)",
    "threshold": "threshold(input, threshold, value)",
    "triplet_margin_loss": "triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, 1)",
    "unfold": "im2col(input, pair(kernel_size), pair(dilation), pair(padding), pair(stride))",
}
"""The call that each function makes, by the names of its own parameters. 1 stands for the number of a reduction."""

LOOKED_AT = {
    "adaptive_avg_pool2d": "input", "adaptive_avg_pool3d": "input", "adaptive_max_pool2d": "input",
    "adaptive_max_pool3d": "input", "batch_norm": "input", "binary_cross_entropy": "input target weight?",
    "binary_cross_entropy_with_logits": "input target", "dropout1d": "input", "dropout2d": "input",
    "dropout3d": "input", "glu": "input", "group_norm": "input", "huber_loss": "input target weight?",
    "instance_norm": "input", "margin_ranking_loss": "input1 input2 target", "multi_margin_loss": "weight?",
    "smooth_l1_loss": "input target",
}  # fmt: skip
"""Parameters of which Python asks a size or a number of dimensions first: anything but a tensor, or None after a
question mark, fails there."""


def _fit(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors broadcast, which Python lets them do before the call."""
    return isinstance(broadcast(a._array.shape, b._array.shape), tuple)


def _has_too_few(input: Tensor, sizes: Any) -> bool:
    """Whether Python refuses sizes in front of which there is no dimension."""
    return (
        hasattr(sizes, "__len__") and (not isinstance(sizes, Tensor) or sizes.dim() > 0) and input.dim() <= len(sizes)
    )


def _has_one_number(batch: Tensor) -> bool:
    """Whether each channel of a batch has a single number."""
    size = batch.size()
    return prod(size[2:]) * size[0] == 1


COMPARED: dict[str, Callable[..., bool]] = {
    "adaptive_avg_pool2d": lambda input, output_size, **more: _has_too_few(input, output_size),
    "adaptive_avg_pool3d": lambda input, output_size, **more: _has_too_few(input, output_size),
    "adaptive_max_pool2d": lambda input, output_size, **more: _has_too_few(input, output_size),
    "adaptive_max_pool3d": lambda input, output_size, **more: _has_too_few(input, output_size),
    "alpha_dropout": lambda p=0.5, **more: p < 0.0 or p > 1.0,
    "batch_norm": lambda input, training=False, eps=1e-05, **more: (
        training and (_has_one_number(input) or eps <= 0.0) or eps < 0.0
    ),
    "binary_cross_entropy": lambda input, target, **more: target.size() != input.size(),
    "binary_cross_entropy_with_logits": lambda input, target, **more: target.size() != input.size(),
    "dropout": lambda p=0.5, **more: p < 0.0 or p > 1.0,
    "dropout1d": lambda p=0.5, **more: p < 0.0 or p > 1.0,
    "dropout2d": lambda p=0.5, **more: p < 0.0 or p > 1.0,
    "dropout3d": lambda p=0.5, **more: p < 0.0 or p > 1.0,
    "feature_alpha_dropout": lambda p=0.5, **more: p < 0.0 or p > 1.0,
    "group_norm": lambda input, num_groups, **more: input.dim() < 2 or num_groups == 0,
    "hardtanh": lambda min_val=-1.0, max_val=1.0, **more: min_val > max_val,
    "margin_ranking_loss": lambda input1, input2, target, **more: (
        input1.dim() != target.dim() or input2.dim() != target.dim()
    ),
    "huber_loss": lambda input, target, **more: not _fit(input, target),
    "multi_margin_loss": lambda p=1, weight=None, **more: p != 1 and p != 2 or weight is not None and weight.dim() != 1,
    "smooth_l1_loss": lambda input, target, **more: not _fit(input, target),
    "triplet_margin_loss": lambda margin=1.0, **more: margin <= 0,
}
"""What Python compares before the call, and refuses where it is true; what cannot be compared is Python's error."""


def _has_no_reduction(values: dict[str, Any]) -> bool:
    """Whether the name of a reduction is none: Python looks it up before the call."""
    name = values.get("reduction", "mean")
    return name not in _REDUCTIONS if values.get("size_average", values.get("reduce")) is None else False


_REDUCTIONS = ("none", "mean", "sum", "elementwise_mean", "batchmean")

COMPUTED_IN = {
    "celu": ("double", "alpha"), "elu": ("float", "alpha"), "leaky_relu": ("float", "negative_slope"),
    "multi_margin_loss": ("float", "margin"), "rrelu": ("double", "lower upper"),
    "threshold": ("float", "threshold value"),
}  # fmt: skip
"""What numbers become where the tensor is of float32, and which: a complex one is refused where the tensor is real."""


def handed_on_by_layer(name: str, parameters: str) -> Callable[..., Call | None] | None:
    """What a function with these parameters hands on; None for a function that is not of this table."""
    short = name.removeprefix("nn.functional.")
    if short in IN_STEPS:
        return IN_STEPS[short]
    if short == name or short not in CALLS:
        return None
    call = ast.parse(CALLS[short], mode="eval").body
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    native, defaults = call.func.id, defaults_of(parameters)
    computed_in, numbers = COMPUTED_IN.get(short, ("", ""))
    looked_at, is_refused = LOOKED_AT.get(short, "").split(), COMPARED.get(short)

    def hand_on(**given: Any) -> Call | None:
        values = defaults | given
        for each in looked_at:
            value = values[each.removesuffix("?")]
            if not isinstance(value, Tensor) and not (value is None and each.endswith("?")):
                return None
        if _has_no_reduction(values) or is_refused is not None and is_refused(**given):
            return None
        by_place = tuple([_value(each, values) for each in call.args])
        if any([type(values[each]) is complex for each in numbers.split()]):
            _refuse_complex(by_place[0], computed_in)
        by_name = {each.arg: _value(each.value, values) for each in call.keywords if each.arg}
        ending = "_" * bool(values.get("inplace")) + "_with_indices" * bool(values.get("return_indices"))
        return native + ending * (not native.startswith("adaptive")), by_place, by_name

    return hand_on


def _refuse_complex(input: Any, computed_in: str) -> None:
    """Refuse a complex number beside a tensor of real numbers."""
    if isinstance(input, Tensor) and input.is_floating_point():
        computed_in = "double" if input.dtype is float64 else computed_in
        message = f"value cannot be converted to type {computed_in} without overflow"
        refuse(RuntimeError, message, "the tensor has real numbers, and this number has an imaginary part")


def defaults_of(parameters: str) -> dict[str, Any]:
    """The defaults of a function's parameters; of one without a default it is None.

    >>> defaults_of("(input, alpha=1.0, *, inplace=False)")
    {'input': None, 'alpha': 1.0, 'inplace': False}
    """
    (written,) = ast.parse(f"def f{parameters}: ...").body
    assert isinstance(written, ast.FunctionDef)
    by_place, by_name = written.args.args, written.args.kwonlyargs
    missing: list[ast.expr | None] = [None] * (len(by_place) - len(written.args.defaults))
    values = [*missing, *written.args.defaults, *written.args.kw_defaults]
    return {
        each.arg: None if value is None else ast.literal_eval(value)
        for each, value in zip([*by_place, *by_name], values, strict=True)
    }


def _value(written: ast.expr, values: dict[str, Any]) -> Any:
    if isinstance(written, ast.Name):
        return values[written.id]
    if isinstance(written, ast.Constant):
        return written.value
    assert isinstance(written, ast.Call) and isinstance(written.func, ast.Name)
    return _AS[written.func.id](_value(written.args[0], values))


def _pair(value: Any) -> tuple:
    return tuple(value) if isinstance(value, Iterable) else (value, value)


def _listed(size: Any) -> Any:
    """A size in which None, for a dimension that keeps its own, counts as a number."""
    if isinstance(size, int):
        return size
    len(size)  # or Python's refusal
    return [1 if each is None else each for each in size]


_AS: dict[str, Callable[[Any], Any]] = {"pair": _pair, "listed": _listed}


# -- functions that call several others --------------------------------------------------------------------------


def _embedding(
    input: Any,
    weight: Any,
    padding_idx: Any = None,
    max_norm: Any = None,
    norm_type: Any = 2.0,
    scale_grad_by_freq: Any = False,
    sparse: Any = False,
) -> Call | None:
    if max_norm is not None and not isinstance(input, Tensor):
        return None
    if padding_idx is None:
        padding_idx = -1
    else:
        gt(padding_idx, 0)  # what cannot be compared is Python's error
        if not isinstance(weight, Tensor) or not weight.dim():
            return None
        if padding_idx and not -weight.size(0) <= padding_idx < weight.size(0):
            return None
    if not isinstance(max_norm, (int, float, type(None))):
        return "embedding_renorm_", (weight, input, max_norm, norm_type), {}
    return "embedding", (weight, input, padding_idx, scale_grad_by_freq, sparse), {}


def _embedding_bag(
    input: Any,
    weight: Any,
    offsets: Any = None,
    max_norm: Any = None,
    norm_type: Any = 2,
    scale_grad_by_freq: Any = False,
    mode: Any = "mean",
    sparse: Any = False,
    per_sample_weights: Any = None,
    include_last_offset: Any = False,
    padding_idx: Any = None,
) -> Call | None:
    if not all([isinstance(each, Tensor) for each in (input, weight)]):
        return None
    if not isinstance(per_sample_weights, (Tensor, type(None))):
        return None
    if not isinstance(max_norm, (int, float, type(None))):
        return "embedding_renorm_", (weight, input, max_norm, norm_type), {}
    if not isinstance(offsets, Tensor):
        return None  # made of the rows of the input, or refused
    given = (scale_grad_by_freq, 0, sparse, per_sample_weights, include_last_offset, padding_idx)
    return "embedding_bag", (weight, input, offsets, *given), {}


def _softmax(name: str) -> Callable[..., Call | None]:
    def hand_on(input: Any, dim: Any = None, _stacklevel: int = 3, dtype: Any = None) -> Call | None:
        if dim is None or not isinstance(input, Tensor):
            return None
        return f"Tensor.{name}", (dim,), {} if dtype is None else {"dtype": dtype}

    return hand_on


def _lp_pool(dims: int) -> Callable[..., Call | None]:
    def hand_on(
        input: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: Any = False
    ) -> Call | None:
        if not isinstance(input, Tensor) or not isinstance(norm_type, (int, float)) or norm_type in _INFINITE:
            return None
        if stride is None:
            return f"avg_pool{dims}d", (input, kernel_size), {"padding": 0, "ceil_mode": ceil_mode}
        return f"avg_pool{dims}d", (input, kernel_size, stride, 0, ceil_mode), {}

    return hand_on


_INFINITE = (float("inf"), float("-inf"))


def _normalize(input: Any, p: Any = 2.0, dim: Any = 1, eps: Any = 1e-12, out: Any = None) -> Call | None:
    if not isinstance(input, Tensor) or isinstance(p, str):
        return None
    if not isinstance(eps, (int, float)):
        return "Tensor.clamp_min" + "_" * (out is not None), (eps,), {}
    dim = [dim] if isinstance(dim, int) else dim
    return "linalg_vector_norm", (input, 2.0 if p is None else p, dim, True), {}


def _gaussian(
    input: Any, target: Any, var: Any, full: Any = False, eps: Any = 1e-6, reduction: Any = ""
) -> Call | None:
    return None if isinstance(eps, (int, float)) else ("Tensor.clamp_", (), {"min": eps})


def _local_response(input: Any, size: Any, alpha: Any = 1e-4, beta: Any = 0.75, k: Any = 1.0) -> Call | None:
    return None if isinstance(beta, (int, float)) else ("Tensor.pow", (beta,), {})


def _gumbel(logits: Any, tau: Any = 1, hard: Any = False, eps: Any = 1e-10, dim: Any = -1) -> Call | None:
    return ("Tensor.softmax", (dim,), {}) if isinstance(logits, Tensor) else None


def _affine_grid(theta: Any, size: Any, align_corners: Any = None) -> Call | None:
    if not isinstance(theta, Tensor) or not isinstance(size, (list, tuple)):
        return None
    return "affine_grid_generator", (theta, size, align_corners or False), {}


def _fractional_pool(dims: int) -> Callable[..., Call | None]:
    def hand_on(
        input: Any, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: Any = False,
        _random_samples: Any = None,
    ) -> Call | None:  # fmt: skip
        if not isinstance(input, Tensor) or output_size is None:
            return None
        samples = input if _random_samples is None else _random_samples
        return f"fractional_max_pool{dims}d", (input, kernel_size, output_size, samples), {}

    return hand_on


IN_STEPS: dict[str, Callable[..., Call | None]] = {
    "affine_grid": _affine_grid,
    "embedding": _embedding,
    "embedding_bag": _embedding_bag,
    "fractional_max_pool2d": _fractional_pool(2),
    "fractional_max_pool2d_with_indices": _fractional_pool(2),
    "fractional_max_pool3d": _fractional_pool(3),
    "fractional_max_pool3d_with_indices": _fractional_pool(3),
    "gaussian_nll_loss": _gaussian,
    "gumbel_softmax": _gumbel,
    "local_response_norm": _local_response,
    "log_softmax": _softmax("log_softmax"),
    "lp_pool1d": _lp_pool(1),
    "lp_pool2d": _lp_pool(2),
    "lp_pool3d": _lp_pool(3),
    "normalize": _normalize,
    "softmax": _softmax("softmax"),
    "softmin": _softmax("softmax"),
}
"""Functions that make more than one call: the one that an argument of a wrong type fails in, or the last one."""
