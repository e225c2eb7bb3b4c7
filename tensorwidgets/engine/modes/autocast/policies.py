"""What `autocast` does with the tensors of a call, by the name of the row and the kind of device.

What is not listed is computed in the dtypes that it is given. The tables are PyTorch's own; a row is listed where
PyTorch has the op as one.
"""

from __future__ import annotations

from enum import Enum


class Policy(Enum):
    """What is done with the floating-point tensors of a call that are no float64; `{}` is the dtype of the block."""

    LOWER = "its tensors are converted to {} first"
    FLOAT32 = "its tensors are converted to float32 first"
    FLOAT32_RESULT = "its result is float32, unless the call names a dtype"
    WIDEST = "its tensors are converted to the widest dtype among them"
    STEPS = "the products of each step are computed in {}"
    REFUSED = "the call is refused"


def _rows(policy: Policy, names: str) -> dict[str, Policy]:
    return dict.fromkeys(names.split(), policy)


_PRODUCTS = """
    mm bmm matmul addmm addbmm baddbmm linalg.vecdot linalg.matmul nn.functional.linear prelu
    conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d nn.functional.scaled_dot_product_attention
"""
_LOSSES = """
    _nn.mse_loss _nn.huber_loss _nn.smooth_l1_loss _nn.soft_margin_loss _nn.multi_margin_loss _nn.nll_loss
    _nn.multilabel_margin_loss_forward
    nn.functional.l1_loss nn.functional.kl_div nn.functional.poisson_nll_loss nn.functional.hinge_embedding_loss
    nn.functional.margin_ranking_loss nn.functional.cosine_embedding_loss nn.functional.triplet_margin_loss
    nn.functional.multilabel_margin_loss
    binary_cross_entropy_with_logits nn.functional.binary_cross_entropy_with_logits
"""
_ON_CPU = """
    _nn.binary_cross_entropy nn.functional.cross_entropy ctc_loss cdist
    nn.functional.avg_pool3d nn.functional.adaptive_avg_pool3d _nn.adaptive_avg_pool3d _nn.adaptive_max_pool3d max_pool3d _nn.max_unpool2d
    _nn.max_unpool3d
    _nn.reflection_pad1d _nn.reflection_pad2d _nn.replication_pad1d _nn.replication_pad2d _nn.replication_pad3d
    fft.fft fft.fft2 fft.fftn fft.ifft fft.ifft2 fft.ifftn fft.rfft fft.rfft2 fft.rfftn fft.irfft fft.irfft2
    fft.irfftn fft.hfft fft.ihfft stft
    prod trace quantile nanquantile polar view_as_complex fake_quantize_per_tensor_affine
    cholesky cholesky_inverse cholesky_solve inverse pinverse qr svd geqrf ormqr lu_solve triangular_solve
    linalg.cholesky linalg.cholesky_ex linalg.cond linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh
    linalg.householder_product linalg.inv linalg.inv_ex linalg.lstsq linalg.matrix_rank linalg.qr linalg.solve
    linalg.svd linalg.svdvals linalg.tensorinv linalg.tensorsolve
"""
_ON_GPUS = """
    acos asin cosh sinh tan erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt pow
    nn.functional.softplus layer_norm nn.functional.layer_norm native_layer_norm rms_norm group_norm
    nn.functional.group_norm cosine_similarity dist pdist cdist renorm logsumexp
    _nn.upsample_nearest1d _nn.upsample_nearest2d _nn.upsample_nearest3d _nn.upsample_nearest_exact1d
    _nn.upsample_nearest_exact2d _nn.upsample_nearest_exact3d _nn.upsample_linear1d _nn.upsample_bilinear2d
    _nn.upsample_trilinear3d _nn.upsample_bicubic2d
"""

POLICIES: dict[str, dict[str, Policy]] = {
    "cpu": {
        **_rows(Policy.LOWER, _PRODUCTS),
        **_rows(Policy.STEPS, "_nn.lstm_layer _nn.gru_layer _nn.rnn_tanh_layer _nn.rnn_relu_layer"),
        **_rows(Policy.WIDEST, "cat stack index_copy"),
        **_rows(Policy.FLOAT32, _LOSSES + _ON_CPU),
    },
    "cuda": {
        **_rows(
            Policy.LOWER,
            _PRODUCTS
            + "addmv mv addr einsum chain_matmul linalg.multi_dot convolution lstm_cell gru_cell rnn_tanh_cell "
            "rnn_relu_cell",
        ),
        **_rows(Policy.STEPS, "_nn.lstm_layer _nn.gru_layer _nn.rnn_tanh_layer _nn.rnn_relu_layer"),
        **_rows(Policy.WIDEST, "addcdiv addcmul atan2 bilinear cross dot vdot index_put tensordot scatter_add"),
        **_rows(Policy.FLOAT32, _LOSSES + _ON_GPUS),
        **_rows(
            Policy.FLOAT32_RESULT,
            "prod softmax log_softmax cumprod cumsum sum linalg.vector_norm linalg.matrix_norm norm",
        ),
        **_rows(Policy.REFUSED, "_nn.binary_cross_entropy"),
    },
}
