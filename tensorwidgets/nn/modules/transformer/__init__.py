"""Which layers read a sequence, or write one, by attention?"""

from .layers import TransformerDecoderLayer, TransformerEncoderLayer
from .stacks import Transformer, TransformerDecoder, TransformerEncoder

__all__ = [
    "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
]  # fmt: skip
