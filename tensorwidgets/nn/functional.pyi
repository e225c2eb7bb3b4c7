# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Callable, Sequence
from typing import overload

from ..engine.tensor.generator import Generator as _Generator
from ..engine.tensor.tensor import Tensor
from ..engine.tensor.tensor_methods import _Number as _Number
from ..engine.types.dtypes import dtype as _dtype

def adaptive_avg_pool1d(input: Tensor, output_size: _int | Sequence[_int]) -> Tensor:
    """Averages into a result of a given size."""
def adaptive_avg_pool2d(input: Tensor, output_size: _int | Sequence[_int] | None) -> Tensor:
    """Averages into a result of a given size."""
def adaptive_avg_pool3d(input: Tensor, output_size: _int | Sequence[_int] | None) -> Tensor:
    """Averages into a result of a given size."""
def adaptive_max_pool1d(input: Tensor, output_size: _int, return_indices: _bool = False) -> Tensor:
    """Keeps the largest elements, in a result of a given size; optionally with their places."""
def adaptive_max_pool1d_with_indices(
    input: Tensor, output_size: _int, return_indices: _bool = False
) -> tuple[Tensor, Tensor]:
    """Keeps the largest elements, in a result of a given size, and their places."""
def adaptive_max_pool2d(
    input: Tensor, output_size: _int | Sequence[_int] | None, return_indices: _bool = False
) -> Tensor:
    """Keeps the largest elements, in a result of a given size; optionally with their places."""
def adaptive_max_pool2d_with_indices(
    input: Tensor, output_size: _int | Sequence[_int] | None, return_indices: _bool = False
) -> tuple[Tensor, Tensor]:
    """Keeps the largest elements, in a result of a given size, and their places."""
def adaptive_max_pool3d(
    input: Tensor, output_size: _int | Sequence[_int] | None, return_indices: _bool = False
) -> Tensor:
    """Keeps the largest elements, in a result of a given size; optionally with their places."""
def adaptive_max_pool3d_with_indices(
    input: Tensor, output_size: _int | Sequence[_int] | None, return_indices: _bool = False
) -> tuple[Tensor, Tensor]:
    """Keeps the largest elements, in a result of a given size, and their places."""
def affine_grid(theta: Tensor, size: Sequence[_int], align_corners: _bool | None = None) -> Tensor:
    """The points for `grid_sample` that an affine map takes the pixels to."""
def alpha_dropout(input: Tensor, p: _float = 0.5, training: _bool = False, inplace: _bool = False) -> Tensor:
    """Dropout for selu: mean and variance stay as they are."""
def avg_pool1d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
) -> Tensor:
    """Averages each window."""
def avg_pool2d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
    divisor_override: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Averages each window."""
def avg_pool3d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
    divisor_override: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Averages each window."""
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: _bool = False,
    momentum: _float = 0.1,
    eps: _float = 1e-05,
) -> Tensor:
    """Gives each channel mean 0 and variance 1 over the batch, then multiplies and adds."""
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Computes x1 @ weight[k] @ x2 + bias[k] for each output k."""
def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """The mean of minus the log-probability of the right answer, which is yes (1) or no (0)."""
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
    pos_weight: Tensor | None = None,
) -> Tensor:
    """binary_cross_entropy of the sigmoid of the input, without overflow."""
def celu(input: Tensor, alpha: _float = 1.0, inplace: _bool = False) -> Tensor:
    """Computes max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
def celu_(input: Tensor, alpha: _Number = 1.0) -> Tensor:
    """In-place form of `celu`. Computes max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
def channel_shuffle(input: Tensor, groups: _int) -> Tensor:
    """Mixes the channels of several groups."""
@overload
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor:
    """Slides filters over a sequence."""
@overload
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: str = 'valid',
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
@overload
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor:
    """Slides filters over images."""
@overload
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: str = 'valid',
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
@overload
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor:
    """Slides filters over volumes."""
@overload
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: str = 'valid',
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    output_padding: _int | Sequence[_int] = 0,
    groups: _int = 1,
    dilation: _int | Sequence[_int] = 1,
) -> Tensor:
    """Spreads each element of a sequence over a window by filters: a convolution in reverse."""
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    output_padding: _int | Sequence[_int] = 0,
    groups: _int = 1,
    dilation: _int | Sequence[_int] = 1,
) -> Tensor:
    """Spreads each element of images over a window by filters: a convolution in reverse."""
def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    output_padding: _int | Sequence[_int] = 0,
    groups: _int = 1,
    dilation: _int | Sequence[_int] = 1,
) -> Tensor:
    """Spreads each element of volumes over a window by filters: a convolution in reverse."""
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: _float = 0,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """1 - the cosine of pairs that belong together (1), and the cosine of others (-1) above a margin."""
def cosine_similarity(x1: Tensor, x2: Tensor, dim: _int = 1, eps: _float = 1e-08) -> Tensor:
    """The cosine of the angle between vectors."""
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: _bool | None = None,
    ignore_index: _int = -100,
    reduce: _bool | None = None,
    reduction: str = 'mean',
    label_smoothing: _float = 0.0,
) -> Tensor:
    """The mean of minus the log-probability of the right class: log_softmax, then nll_loss."""
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | Sequence[_int],
    target_lengths: Tensor | Sequence[_int],
    blank: _int = 0,
    reduction: str = 'mean',
    zero_infinity: _bool = False,
) -> Tensor:
    """How unlikely sequences of labels are, over all ways to align them with the steps."""
def dropout(input: Tensor, p: _float = 0.5, training: _bool = True, inplace: _bool = False) -> Tensor:
    """Sets random elements to 0 in training, and divides the others by 1 - p."""
def dropout1d(input: Tensor, p: _float = 0.5, training: _bool = True, inplace: _bool = False) -> Tensor:
    """Sets random channels of sequences to 0 in training."""
def dropout2d(input: Tensor, p: _float = 0.5, training: _bool = True, inplace: _bool = False) -> Tensor:
    """Sets random channels of images to 0 in training."""
def dropout3d(input: Tensor, p: _float = 0.5, training: _bool = True, inplace: _bool = False) -> Tensor:
    """Sets random channels of volumes to 0 in training."""
def elu(input: Tensor, alpha: _float = 1.0, inplace: _bool = False) -> Tensor:
    """Computes alpha * (exp(x) - 1) of negative elements."""
def elu_(input: Tensor, alpha: _Number = 1, scale: _Number = 1, input_scale: _Number = 1) -> Tensor:
    """In-place form of `elu`. Computes alpha * (exp(x) - 1) of negative elements."""
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: _int | None = None,
    max_norm: _float | None = None,
    norm_type: _float = 2.0,
    scale_grad_by_freq: _bool = False,
    sparse: _bool = False,
) -> Tensor:
    """Looks up the rows of a table by their numbers."""
def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: _float | None = None,
    norm_type: _float = 2,
    scale_grad_by_freq: _bool = False,
    mode: str = 'mean',
    sparse: _bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: _bool = False,
    padding_idx: _int | None = None,
) -> Tensor:
    """Looks up rows of a table, and returns the sum, mean or largest of each bag."""
def feature_alpha_dropout(
    input: Tensor, p: _float = 0.5, training: _bool = False, inplace: _bool = False
) -> Tensor:
    """Dropout of whole channels for selu."""
def fold(
    input: Tensor,
    output_size: _int | Sequence[_int],
    kernel_size: _int | Sequence[_int],
    dilation: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    stride: _int | Sequence[_int] = 1,
) -> Tensor:
    """Adds up columns into images: the inverse of `unfold`, except where blocks overlap."""
def fractional_max_pool2d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    output_size: _int | Sequence[_int] | None = None,
    output_ratio: _float | Sequence[_float] | None = None,
    return_indices: _bool = False,
    _random_samples: Tensor | None = None,
) -> Tensor:
    """Keeps the largest element of each random window; optionally with its place."""
def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    output_size: _int | Sequence[_int] | None = None,
    output_ratio: _float | Sequence[_float] | None = None,
    return_indices: _bool = False,
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Keeps the largest element of each random window, and its place."""
def fractional_max_pool3d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    output_size: _int | Sequence[_int] | None = None,
    output_ratio: _float | Sequence[_float] | None = None,
    return_indices: _bool = False,
    _random_samples: Tensor | None = None,
) -> Tensor:
    """Keeps the largest element of each random window; optionally with its place."""
def fractional_max_pool3d_with_indices(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    output_size: _int | Sequence[_int] | None = None,
    output_ratio: _float | Sequence[_float] | None = None,
    return_indices: _bool = False,
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Keeps the largest element of each random window, and its place."""
def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | _float,
    full: _bool = False,
    eps: _float = 1e-06,
    reduction: str = 'mean',
) -> Tensor:
    """How unlikely targets are if the input is their mean, and var their variance."""
def gelu(input: Tensor, *, approximate: str = 'none', out: Tensor | None = None) -> Tensor:
    """Multiplies each element by the share of a normal distribution below it."""
def glu(input: Tensor, dim: _int = -1) -> Tensor:
    """Multiplies one half of a dimension by the sigmoid of the other half."""
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = 'bilinear',
    padding_mode: str = 'zeros',
    align_corners: _bool | None = None,
) -> Tensor:
    """Reads images at points that a grid gives, between -1 and 1 along each dimension."""
def group_norm(
    input: Tensor,
    num_groups: _int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: _float = 1e-05,
) -> Tensor:
    """Gives groups of channels mean 0 and variance 1, then multiplies and adds."""
def gumbel_softmax(
    logits: Tensor, tau: _float = 1, hard: _bool = False, eps: _float = 1e-10, dim: _int = -1
) -> Tensor:
    """A softmax with random noise: a sample of a category that has a gradient."""
def hardshrink(input: Tensor, lambd: _Number = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Sets elements between -lambd and lambd to 0."""
def hardsigmoid(input: Tensor, inplace: _bool = False) -> Tensor:
    """A sigmoid of three straight lines: clamp(x + 3, 0, 6) / 6."""
def hardswish(input: Tensor, inplace: _bool = False) -> Tensor:
    """Multiplies each element by its hardsigmoid."""
def hardtanh(input: Tensor, min_val: _float = -1.0, max_val: _float = 1.0, inplace: _bool = False) -> Tensor:
    """Limits elements to the range from min_val to max_val."""
def hardtanh_(input: Tensor, min_val: _Number = -1, max_val: _Number = 1) -> Tensor:
    """In-place form of `hardtanh`. Limits elements to the range from min_val to max_val."""
def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: _float = 1.0,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """Distances of pairs that belong together (1), and how far those of others (-1) are below a margin."""
def huber_loss(
    input: Tensor, target: Tensor, reduction: str = 'mean', delta: _float = 1.0, weight: Tensor | None = None
) -> Tensor:
    """Grows like the square of differences below delta, and in a straight line above."""
def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: _bool = True,
    momentum: _float = 0.1,
    eps: _float = 1e-05,
) -> Tensor:
    """Gives each channel of each example mean 0 and variance 1."""
def interpolate(
    input: Tensor,
    size: _int | None = None,
    scale_factor: _float | Sequence[_float] | None = None,
    mode: str = 'nearest',
    align_corners: _bool | None = None,
    recompute_scale_factor: _bool | None = None,
    antialias: _bool = False,
) -> Tensor:
    """Resamples to a size, or by a factor."""
def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
    log_target: _bool = False,
) -> Tensor:
    """How far a distribution of log-probabilities is from a target."""
def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
    weight: Tensor | None = None,
) -> Tensor:
    """The mean of the absolute differences."""
def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[_int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: _float = 1e-05,
) -> Tensor:
    """Gives the last dimensions mean 0 and variance 1, then multiplies and adds."""
def leaky_relu(input: Tensor, negative_slope: _float = 0.01, inplace: _bool = False) -> Tensor:
    """Multiplies negative elements by a small slope."""
def leaky_relu_(input: Tensor, negative_slope: _Number = 0.01) -> Tensor:
    """In-place form of `leaky_relu`. Multiplies negative elements by a small slope."""
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """Multiplies the last dimension by the transposed weight, and adds the bias."""
def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = 'mean',
    ignore_index: _int | None = None,
    label_smoothing: _float = 0.0,
    options: object | None = None,
) -> Tensor:
    """Cross entropy of a linear map's result."""
def local_response_norm(
    input: Tensor, size: _int, alpha: _float = 0.0001, beta: _float = 0.75, k: _float = 1.0
) -> Tensor:
    """Divides each channel by a number that grows with the squares of the channels next to it."""
def log_softmax(
    input: Tensor, dim: _int | None = None, _stacklevel: _int = 3, dtype: _dtype | None = None
) -> Tensor:
    """The logarithm of softmax along a dimension, without overflow."""
def logsigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the logarithm of the sigmoid, without overflow."""
def lp_pool1d(
    input: Tensor,
    norm_type: _float,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    ceil_mode: _bool = False,
) -> Tensor:
    """The p-norm of each window."""
def lp_pool2d(
    input: Tensor,
    norm_type: _float,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    ceil_mode: _bool = False,
) -> Tensor:
    """The p-norm of each window."""
def lp_pool3d(
    input: Tensor,
    norm_type: _float,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    ceil_mode: _bool = False,
) -> Tensor:
    """The p-norm of each window."""
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: _float = 0,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """How much is missing until one of two numbers is larger than the other by a margin."""
def max_pool1d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    return_indices: _bool = False,
) -> Tensor:
    """Keeps the largest element of each window; optionally with its place."""
def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    return_indices: _bool = False,
) -> Tensor:
    """Keeps the largest element of each window, and its place."""
def max_pool2d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    return_indices: _bool = False,
) -> Tensor:
    """Keeps the largest element of each window; optionally with its place."""
def max_pool2d_with_indices(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    return_indices: _bool = False,
) -> Tensor:
    """Keeps the largest element of each window, and its place."""
def max_pool3d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    return_indices: _bool = False,
) -> Tensor:
    """Keeps the largest element of each window; optionally with its place."""
def max_pool3d_with_indices(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    return_indices: _bool = False,
) -> Tensor:
    """Keeps the largest element of each window, and its place."""
def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    output_size: Sequence[_int] | None = None,
) -> Tensor:
    """The inverse of a max pool of sequences: zeros where nothing was kept."""
def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    output_size: Sequence[_int] | None = None,
) -> Tensor:
    """The inverse of a max pool: zeros where nothing was kept."""
def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    output_size: Sequence[_int] | None = None,
) -> Tensor:
    """The inverse of a max pool: zeros where nothing was kept."""
def mish(input: Tensor, inplace: _bool = False) -> Tensor:
    """Multiplies each element by the tanh of its softplus."""
def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
    weight: Tensor | None = None,
) -> Tensor:
    """The mean of the squared differences."""
def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: _int,
    num_heads: _int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: _bool,
    dropout_p: _float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: _bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: _bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: _bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: _bool = True,
    is_causal: _bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Attention with several heads, and the weights that it used."""
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: _int = 1,
    margin: _float = 1.0,
    weight: Tensor | None = None,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """How much closer than a margin the scores of other classes come to that of the right one."""
def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """How much closer than a margin the scores of other classes come to those of the right ones."""
def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """Binary cross entropy of logits, averaged over the classes."""
def native_channel_shuffle(input: Tensor, groups: _int) -> Tensor:
    """The same as `channel_shuffle`, by the name of its kernel, which has no derivative."""
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: _bool | None = None,
    ignore_index: _int = -100,
    reduce: _bool | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """The mean of minus the log-probabilities of the right classes."""
def normalize(
    input: Tensor, p: _float = 2.0, dim: _int = 1, eps: _float = 1e-12, out: Tensor | None = None
) -> Tensor:
    """Divides vectors by their length, so that it is 1."""
def one_hot(input: Tensor, num_classes: _int = -1) -> Tensor:
    """A vector for each class: 1 at its index, and 0 elsewhere."""
def pad(input: Tensor, pad: Sequence[_int], mode: str = 'constant', value: _float | None = None) -> Tensor:
    """Adds elements around the last dimensions: a number, or elements of the border."""
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: _float = 2, eps: _float = 1e-06, keepdim: _bool = False
) -> Tensor:
    """The distances between vectors in the last dimension."""
def pdist(input: Tensor, p: _float = 2) -> Tensor:
    """The distance of each row to every later one."""
def pixel_shuffle(input: Tensor, upscale_factor: _int) -> Tensor:
    """Moves channels into the image, which gets larger by a factor."""
def pixel_unshuffle(input: Tensor, downscale_factor: _int) -> Tensor:
    """Moves the image's elements into channels: the inverse of `pixel_shuffle`."""
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: _bool = True,
    full: _bool = False,
    size_average: _bool | None = None,
    eps: _float = 1e-08,
    reduce: _bool | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """How unlikely counts are where the input is their rate, or its logarithm."""
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Multiplies negative elements by a weight, one for all or one for each channel."""
def relu(input: Tensor, inplace: _bool = False) -> Tensor:
    """Sets negative elements to 0; optionally in place."""
def relu6(input: Tensor, inplace: _bool = False) -> Tensor:
    """Limits elements to the range from 0 to 6."""
def rms_norm(
    input: Tensor, normalized_shape: Sequence[_int], weight: Tensor | None = None, eps: _float | None = None
) -> Tensor:
    """Divides by the root of the mean square over the last dimensions."""
def rrelu(
    input: Tensor,
    lower: _float = 0.125,
    upper: _float = 0.3333333333333333,
    training: _bool = False,
    inplace: _bool = False,
) -> Tensor:
    """Multiplies negative elements by random slopes; by their mean if not in training."""
def rrelu_(
    input: Tensor,
    lower: _Number = 0.125,
    upper: _Number = 0.3333333333333333,
    training: _bool = False,
    generator: _Generator | None = None,
) -> Tensor:
    """In-place form of `rrelu`."""
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: _float = 0.0,
    is_causal: _bool = False,
    *,
    scale: _float | None = None,
    enable_gqa: _bool = False,
) -> Tensor:
    """A mean of the values for each query, weighted by the softmax of its products with the keys."""
def selu(input: Tensor, inplace: _bool = False) -> Tensor:
    """An elu whose constants keep mean 0 and variance 1 from layer to layer."""
def selu_(input: Tensor) -> Tensor:
    """In-place form of `selu`. An elu that keeps mean 0 and variance 1 from layer to layer."""
def sigmoid(input: Tensor) -> Tensor:
    """Computes 1 / (1 + exp(-x)) of each element."""
def silu(input: Tensor, inplace: _bool = False) -> Tensor:
    """Multiplies each element by its sigmoid (also called swish)."""
def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
    beta: _float = 1.0,
) -> Tensor:
    """Grows like the square of differences below beta, and like the absolute value above."""
def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """The logarithm of 1 + exp(-target * input), for targets 1 and -1."""
def softmax(
    input: Tensor, dim: _int | None = None, _stacklevel: _int = 3, dtype: _dtype | None = None
) -> Tensor:
    """Positive numbers that add up to 1 along a dimension: exp(x) / sum(exp(x))."""
def softmin(
    input: Tensor, dim: _int | None = None, _stacklevel: _int = 3, dtype: _dtype | None = None
) -> Tensor:
    """The softmax of minus the elements: the smallest has the largest share."""
def softplus(
    input: Tensor, beta: _Number = 1, threshold: _Number = 20, *, out: Tensor | None = None
) -> Tensor:
    """A smooth relu: log(1 + exp(beta * x)) / beta."""
def softshrink(input: Tensor, lambd: _Number = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Moves elements towards 0 by lambd, and those nearer than that to 0."""
def softsign(input: Tensor) -> Tensor:
    """Computes x / (1 + |x|) of each element."""
def tanh(input: Tensor) -> Tensor:
    """Computes the hyperbolic tangent of each element."""
def tanhshrink(input: Tensor) -> Tensor:
    """Computes x - tanh(x) of each element."""
def threshold(input: Tensor, threshold: _float, value: _float, inplace: _bool = False) -> Tensor:
    """Sets elements that are not above a threshold to a value."""
def threshold_(input: Tensor, threshold: _Number, value: _Number) -> Tensor:
    """In-place form of `threshold`. Sets elements that are not above a threshold to a value."""
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: _float = 1.0,
    p: _float = 2,
    eps: _float = 1e-06,
    swap: _bool = False,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """How much is missing until a positive example is nearer than a negative one by a margin."""
def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable | None = None,
    margin: _float = 1.0,
    swap: _bool = False,
    reduction: str = 'mean',
) -> Tensor:
    """triplet_margin_loss with a distance function of your own."""
def unfold(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    dilation: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    stride: _int | Sequence[_int] = 1,
) -> Tensor:
    """Sliding blocks of images, each as a column."""
def upsample(
    input: Tensor,
    size: _int | None = None,
    scale_factor: _float | Sequence[_float] | None = None,
    mode: str = 'nearest',
    align_corners: _bool | None = None,
) -> Tensor:
    """The old name of `interpolate`."""
def upsample_bilinear(
    input: Tensor, size: _int | None = None, scale_factor: _float | Sequence[_float] | None = None
) -> Tensor:
    """The old name of bilinear `interpolate` with `align_corners=True`."""
def upsample_nearest(
    input: Tensor, size: _int | None = None, scale_factor: _float | Sequence[_float] | None = None
) -> Tensor:
    """The old name of `interpolate` by nearest elements."""
relu_ = Tensor.relu_
