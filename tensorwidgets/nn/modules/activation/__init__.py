"""Which curves, slopes and shares do layers apply to their input?"""

from ..multihead_attention import MultiheadAttention
from .along_dim import GLU, LogSoftmax, Softmax, Softmax2d, Softmin
from .fixed import GELU, SELU, Hardsigmoid, Hardswish, LogSigmoid, Mish, ReLU, Sigmoid, SiLU, Softsign, Tanh, Tanhshrink
from .slopes import LeakyReLU, PReLU, RReLU
from .with_numbers import CELU, ELU, Hardshrink, Hardtanh, ReLU6, Softplus, Softshrink, Threshold

__all__ = [
    "CELU", "ELU", "GELU", "GLU", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU", "LogSigmoid",
    "LogSoftmax", "Mish", "MultiheadAttention", "PReLU", "RReLU", "ReLU", "ReLU6", "SELU", "SiLU", "Sigmoid",
    "Softmax", "Softmax2d", "Softmin", "Softplus", "Softshrink", "Softsign", "Tanh", "Tanhshrink", "Threshold",
]  # fmt: skip
