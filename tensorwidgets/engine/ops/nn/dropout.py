"""Dropout: random elements, or whole channels, become 0 in training."""

from __future__ import annotations

from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types.dtypes import bool_
from .declaring import nn_calls, nn_composite

ALPHA = 1.7580993408473766
"""What alpha dropout sets elements to, times -1: the limit of selu far below 0."""


def _dropped(name: str, input: Tensor, p: float, train: bool, features: bool, alpha: bool) -> Tensor:
    """The input with dropped elements; PyTorch makes it of draws, a product and a sum, and so does this."""
    over = name.endswith("_")
    must_be_tensor(name, input)
    if not 0 <= p <= 1:
        refuse(
            RuntimeError,
            f"dropout probability has to be between 0 and 1, but got {p:g}",
            "a probability lies between 0 and 1",
            "p=0.5",
            rule="dropout.probability",
        )
    if p == 0 or not train or not input.numel():
        return input
    if p == 1:
        nothing = OPS["empty"].function((), dtype=input.dtype, device=input.device).zero_()
        return input.mul_(nothing) if over else input * nothing
    noise = _draws(input, p, features)
    if not alpha:
        noise.div_(1 - p)
        return input.mul_(noise) if over else input * noise
    a = 1 / ((ALPHA * ALPHA * p + 1) * (1 - p)) ** 0.5
    shift = (noise + -1).mul_(ALPHA * a).add_(ALPHA * a * p)  # in place, as whole numbers are refused there
    noise.mul_(a)
    return input.mul_(noise).add_(shift) if over else (input * noise).add_(shift)


def _draws(input: Tensor, p: float, features: bool) -> Tensor:
    """Ones with the probability of what is kept: one for each element, or for each channel of each example."""
    values = input.detach()
    if not features:
        return OPS["empty_like"].function(values).bernoulli_(1 - p)
    if input.dim() < 2:
        refuse(
            RuntimeError,
            "Feature dropout requires at least 2 dimensions in the input",
            "the first dimension counts examples, the second one channels",
            "x.unsqueeze(0)",
            rule="dropout.size",
        )
    return values.new_empty((*input.shape[:2], *[1] * (input.dim() - 2))).bernoulli_(1 - p)


def _declare(name: str, words: str, features: bool, alpha: bool) -> None:
    @nn_composite(name, words, notation="Tensor input, double p, bool train")
    def dropped(input: Tensor, p: float, train: bool) -> Tensor:
        return _dropped(name, input, p, train, features, alpha)


for _name, _features, _alpha, _words in (
    ("dropout", False, False, "Sets random elements to 0, and divides the others by 1 - p."),
    ("feature_dropout", True, False, "Sets random channels to 0, and divides the others by 1 - p."),
    ("alpha_dropout", False, True, "Sets random elements to the lower limit of selu; mean and variance are kept."),
    ("feature_alpha_dropout", True, True, "Sets random channels to the lower limit of selu."),
):
    _declare(_name, _words, _features, _alpha)
    _declare(_name + "_", f"In-place form of `{_name}`.", _features, _alpha)


@nn_calls("native_dropout", "Sets random elements to 0, and divides the others by 1 - p; and says which are kept.")
def native_dropout(input: Tensor, p: float, train: bool | None = None) -> tuple[Tensor, Tensor]:
    if not input.numel():
        return input.view_as(input), OPS["empty_like"].function(input.detach())
    if train is False:
        return input.clone(), OPS["ones_like"].function(input.detach(), dtype=bool_)
    mask = OPS["empty_like"].function(input.detach(), dtype=bool_).bernoulli_(1 - p)
    return (input * mask).mul_(0.0 if p == 1 else 1 / (1 - p)), mask


# -- as torch.nn.functional has them -----------------------------------------------------------------------------


def _check(p: float) -> None:
    if p < 0.0 or p > 1.0:
        refuse(
            ValueError,
            f"dropout probability has to be between 0 and 1, but got {p}",
            "a probability lies between 0 and 1",
            "p=0.5",
            rule="dropout.probability",
        )


def _chosen(name: str, input: Tensor, p: float, training: bool, inplace: bool) -> Tensor:
    _check(p)
    return OPS[name + "_" * bool(inplace)].function(input, p, training)


def _as_batch(input: Tensor, batched: int, p: float, training: bool, inplace: bool) -> Tensor:
    """Feature dropout of a batch, or of one example, which gets a dimension for the call."""
    if input.dim() == batched:
        return _chosen("feature_dropout", input, p, training, inplace)
    one = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _chosen("feature_dropout", one, p, training, inplace)
    return result.squeeze_(0) if inplace else result.squeeze(0)


def _other_size(name: str, ndim: int, spatial: int) -> None:
    """PyTorch's warning of an input that has the wrong number of dimensions."""
    warn(
        f"{name}: Received a {ndim}-D input to {name}, which is deprecated and will result in an error in a future "
        "release. To retain the behavior and silence this warning, please use dropout instead. Note that "
        f"{name} exists to provide channel-wise dropout on inputs with {spatial} spatial dimensions, a channel "
        f"dimension, and an optional batch dimension (i.e. {spatial + 1}D or {spatial + 2}D inputs)."
    )


@nn_composite("nn.functional.dropout", "Sets random elements to 0 in training, and divides the others by 1 - p.")
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    return _chosen("dropout", input, p, training, inplace)


@nn_composite("nn.functional.dropout1d", "Sets random channels of sequences to 0 in training.")
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    _check(p)
    dims = input.dim()
    if dims not in (2, 3):
        refuse(
            RuntimeError,
            f"dropout1d: Expected 2D or 3D input, but received a {dims}D input. Note that dropout1d exists to provide "
            "channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch "
            "dimension (i.e. 2D or 3D inputs).",
            "dropout1d drops channels of sequences",
            "torch.nn.functional.dropout(x)",
            rule="dropout.size",
        )
    return _as_batch(input, 3, p, training, inplace)


@nn_composite("nn.functional.dropout2d", "Sets random channels of images to 0 in training.")
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    _check(p)
    dims = input.dim()
    if dims not in (3, 4):
        _other_size("dropout2d", dims, 2)
    if dims == 3:
        warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is "
            "desired - input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change "
            "in a future release to interpret the input as one without a batch dimension, i.e. shape (C, H, W). To "
            "maintain the 1D channel-wise dropout behavior, please switch to using dropout1d instead."
        )
    return _chosen("feature_dropout", input, p, training, inplace)


@nn_composite("nn.functional.dropout3d", "Sets random channels of volumes to 0 in training.")
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    _check(p)
    if input.dim() not in (4, 5):
        _other_size("dropout3d", input.dim(), 3)
    return _as_batch(input, 5, p, training, inplace)


@nn_composite("nn.functional.alpha_dropout", "Dropout for selu: mean and variance stay as they are.")
def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    return _chosen("alpha_dropout", input, p, training, inplace)


@nn_composite("nn.functional.feature_alpha_dropout", "Dropout of whole channels for selu.")
def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    return _chosen("feature_alpha_dropout", input, p, training, inplace)
