"""Which layers read a sequence, or write one, by attention?"""

from .layers import TransformerDecoderLayer, TransformerEncoderLayer
from .layers import _get_activation_fn as _get_activation_fn
from .stacks import Transformer, TransformerDecoder, TransformerEncoder
from .stacks import _get_clones as _get_clones

__all__ = [
    "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
]  # fmt: skip
