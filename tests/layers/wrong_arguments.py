"""Functions of layers and losses, each with one argument of a type or value that may be wrong, as PyTorch takes it.

python -m tests.layers.wrong_arguments          # ask PyTorch, and write its answers down
python -m tests.layers.wrong_arguments --show   # what is answered otherwise here
"""

from __future__ import annotations

import gzip
import json
import math
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.engine.calls.calls import plain_message

REFERENCE = Path(__file__).with_name("wrong_arguments_reference.json.gz")
VALUES = ("'x'", "1.5", "2", "True", "None", "[1]", "(1, 2)", "object()", "b'y'", "1j")

CALLS = {
    "adaptive_avg_pool2d(x4)": "output_size=2",
    "adaptive_max_pool2d(x4)": "output_size=2, return_indices=False",
    "affine_grid(g(1, 2, 3))": "size=[1,1,2,2], align_corners=None",
    "alpha_dropout(x)": "p=.5, training=False, inplace=False",
    "avg_pool1d(x3, 2)": "stride=2, padding=0, ceil_mode=False, count_include_pad=True",
    "avg_pool2d(x4, 2)": "stride=2, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None",
    "avg_pool3d(x5, 2)": "stride=2, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None",
    "batch_norm(x4, None, None)": "weight=None, bias=None, training=True, momentum=.1, eps=1e-5",
    "bilinear(x, x, g(2, 3, 3))": "bias=None",
    "binary_cross_entropy(x/2, x/2)": "weight=None, reduction='mean'",
    "binary_cross_entropy_with_logits(x, x)": "weight=None, reduction='mean', pos_weight=None",
    "celu(x)": "alpha=1., inplace=False",
    "channel_shuffle(x4)": "groups=2",
    "conv1d(x3, g(3, 2, 3))": "bias=None, stride=1, padding=0, dilation=1, groups=1",
    "conv2d(x4, g(3, 2, 3, 3))": "bias=None, stride=1, padding=0, dilation=1, groups=1",
    "conv_transpose2d(x4, g(2, 3, 3, 3))": "bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1",
    "cosine_embedding_loss(x, x+1, torch.tensor([1, -1]))": "margin=0., reduction='mean'",
    "cosine_similarity(x, x+1)": "dim=1, eps=1e-8",
    "cross_entropy(x, classes)": "weight=None, ignore_index=-100, reduction='mean', label_smoothing=0.0",
    "ctc_loss(g(5, 1, 3).log(), torch.tensor([[1, 2]]), torch.tensor([5]), torch.tensor([2]))": (
        "blank=0, reduction='mean', zero_infinity=False"
    ),
    "dropout(x)": "p=.5, training=False, inplace=False",
    "dropout1d(x3)": "p=.5, training=False, inplace=False",
    "dropout2d(x4)": "p=.5, training=False, inplace=False",
    "elu(x)": "alpha=1., inplace=False",
    "embedding(classes, g(4, 3))": (
        "padding_idx=None, max_norm=None, norm_type=2., scale_grad_by_freq=False, sparse=False"
    ),
    "embedding_bag(classes, g(4, 3), torch.tensor([0]))": (
        "max_norm=None, norm_type=2, scale_grad_by_freq=False, mode='mean', "
        "sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None"
    ),
    "feature_alpha_dropout(x)": "p=.5, training=False, inplace=False",
    "fold(g(1, 8, 9), (4, 4), 2)": "dilation=1, padding=0, stride=1",
    "gaussian_nll_loss(x, x, x)": "full=False, eps=1e-6, reduction='mean'",
    "fractional_max_pool2d(x4)": (
        "kernel_size=2, output_size=3, output_ratio=None, return_indices=False, _random_samples=None"
    ),
    "gelu(x)": "approximate='none'",
    "glu(g(2, 4))": "dim=-1",
    "grid_sample(x4, g(1, 2, 2, 2))": "mode='bilinear', padding_mode='zeros', align_corners=None",
    "group_norm(x4, 2)": "weight=None, bias=None, eps=1e-5",
    "gumbel_softmax(x)": "tau=1., hard=False, dim=-1",
    "hardshrink(x)": "lambd=.5",
    "hardsigmoid(x)": "inplace=False",
    "hardswish(x)": "inplace=False",
    "hardtanh(x)": "min_val=-1., max_val=1., inplace=False",
    "hinge_embedding_loss(x, x)": "margin=1., reduction='mean'",
    "huber_loss(x, x)": "reduction='mean', delta=1., weight=None",
    "instance_norm(x4)": (
        "running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=.1, eps=1e-5"
    ),
    "interpolate(x4)": "size=None, scale_factor=2, mode='nearest', align_corners=None, recompute_scale_factor=None",
    "interpolate(x4, mode='bilinear', antialias=True)": (
        "size=None, scale_factor=.5, align_corners=None, recompute_scale_factor=None"
    ),
    "kl_div(x, x)": "reduction='mean', log_target=False",
    "l1_loss(x, x)": "reduction='mean', weight=None",
    "layer_norm(x, (3, ))": "weight=None, bias=None, eps=1e-5",
    "leaky_relu(x)": "negative_slope=.01, inplace=False",
    "linear(x, g(2, 3))": "bias=None",
    "local_response_norm(x4, 2)": "alpha=1e-4, beta=.75, k=1.",
    "log_softmax(x)": "dim=1, dtype=None",
    "lp_pool2d(x4, 2., 2)": "stride=2, ceil_mode=False",
    "margin_ranking_loss(g(3), g(3), g(3))": "margin=0., reduction='mean'",
    "max_pool1d(x3, 2)": "stride=2, padding=0, dilation=1, ceil_mode=False, return_indices=False",
    "max_pool2d(x4, 2)": "stride=2, padding=0, dilation=1, ceil_mode=False, return_indices=False",
    "max_pool3d(x5, 2)": "stride=2, padding=0, dilation=1, ceil_mode=False, return_indices=False",
    "mish(x)": "inplace=False",
    "mse_loss(x, x)": "reduction='mean', weight=None",
    "multi_margin_loss(x, classes)": "p=1, margin=1., weight=None, reduction='mean'",
    "multilabel_margin_loss(x, torch.tensor([[0, 1, -1], [1, -1, 0]]))": "reduction='mean'",
    "nll_loss(x, classes)": "weight=None, ignore_index=-100, reduction='mean'",
    "normalize(x)": "p=2., dim=1, eps=1e-12",
    "one_hot(classes)": "num_classes=3",
    "pad(x4, (1, 1))": "mode='constant', value=None",
    "pairwise_distance(x, x+1)": "p=2., eps=1e-6, keepdim=False",
    "pdist(x)": "p=2.",
    "pixel_shuffle(g(1, 4, 2, 2))": "upscale_factor=2",
    "pixel_unshuffle(x4)": "downscale_factor=2",
    "poisson_nll_loss(x, x)": "log_input=True, full=False, eps=1e-8, reduction='mean'",
    "relu(x)": "inplace=False",
    "relu6(x)": "inplace=False",
    "rms_norm(x, (3, ))": "weight=None, eps=None",
    "rrelu(x)": "lower=.1, upper=.3, training=False, inplace=False",
    "scaled_dot_product_attention(g(1, 4, 4), g(1, 4, 4), g(1, 4, 4))": (
        "attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False"
    ),
    "selu(x)": "inplace=False",
    "silu(x)": "inplace=False",
    "smooth_l1_loss(x, x)": "reduction='mean', beta=1.",
    "soft_margin_loss(x, x)": "reduction='mean'",
    "softmax(x)": "dim=1, dtype=None",
    "softmin(x)": "dim=1, dtype=None",
    "softplus(x)": "beta=1., threshold=20.",
    "softshrink(x)": "lambd=.5",
    "threshold(x)": "threshold=.5, value=.1, inplace=False",
    "triplet_margin_loss(x, x+1, x+2)": "margin=1., p=2., eps=1e-6, swap=False, reduction='mean'",
    "unfold(x4, 2)": "dilation=1, padding=0, stride=1",
}
"""The arguments that are always right, and those of which each in turn is replaced by every one of `VALUES`."""


def calls() -> Iterator[tuple[str, str]]:
    """The call that is made each time, and the argument that is replaced."""
    for start, named in CALLS.items():
        given = dict(part.split("=") for part in named.split(", "))
        for name in given:
            for value in VALUES:
                text = ", ".join(f"{key}={value if key == name else usual}" for key, usual in given.items())
                yield f"F.{start[:-1]}, {text})", f"{name}={value}"


def names_of(torch: Any) -> dict[str, Any]:
    """What the texts of calls speak of."""

    def g(*size: int) -> Any:
        return torch.arange(1.0, 1 + math.prod(size)).reshape(*size) / 10

    return {
        "torch": torch, "F": torch.nn.functional, "g": g, "x": g(2, 3), "x3": g(1, 2, 8), "x4": g(1, 2, 6, 6),
        "x5": g(1, 2, 4, 4, 4), "classes": torch.tensor([0, 1]),
    }  # fmt: skip


def answers(torch: Any) -> list[str]:
    """ "ok", or the type and the first line of the error, for each call."""
    names = names_of(torch)
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text, _ in calls():
            try:
                eval(text, dict(names))
                found.append("ok")
            except Exception as error:
                line = plain_message(str(error)).split("\n")[0]
                found.append(f"{type(error).__name__}: {re.sub('0x[0-9a-f]+', '0x', line)}")
    return found


def frozen(path: Path = REFERENCE) -> list[str]:
    """PyTorch's answers."""
    return json.loads(gzip.decompress(path.read_bytes()))  # type: ignore[no-any-return]


def differences(wanted: list[str]) -> Iterator[tuple[str, str, str, str]]:
    """The function, the argument, PyTorch's answer and ours."""
    import tensorwidgets

    for (text, changed), theirs, ours in zip(calls(), wanted, answers(tensorwidgets), strict=True):
        if theirs != ours:
            yield text.partition("(")[0].removeprefix("F."), changed, theirs, ours


def main(path: Path, ask: Callable[[Any], list[str]], differing: Callable[[list[str]], Iterator[Any]]) -> None:
    """Ask PyTorch, and write its answers to a file; or show what is answered otherwise here."""
    if "--show" in sys.argv:
        for each in differing(frozen(path)):
            print(*each, sep="\n    ")
        return
    import torch

    found = ask(torch)
    path.write_bytes(gzip.compress(json.dumps(found).encode(), mtime=0))
    print(len(found), "calls,", path.stat().st_size, "bytes")


if __name__ == "__main__":
    main(REFERENCE, answers, differences)
