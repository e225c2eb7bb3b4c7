"""Which layers go through sequences step by step?"""

from .base import RNNBase
from .cells import GRUCell, LSTMCell, RNNCell, RNNCellBase
from .layers import GRU, LSTM, RNN

__all__ = ["GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNBase", "RNNCell", "RNNCellBase"]
