"""Initial weights of twenty kinds of layer from five seeds, equal to PyTorch's to the bit.

python -m tests.layers.initial               ours beside PyTorch's
python -m tests.layers.initial --freeze      writes PyTorch's checksums into initial.json
"""

from __future__ import annotations

import json
import sys
import zlib
from pathlib import Path
from typing import Any

FROZEN = Path(__file__).with_suffix(".json")
SEEDS = (0, 1, 7, 123, 20_26)
LAYERS = """
Linear(20, 30)
Bilinear(5, 6, 7)
Conv1d(3, 8, 5)
Conv2d(3, 8, 3)
Conv3d(2, 4, 3)
ConvTranspose2d(4, 3, 2)
BatchNorm2d(5)
LayerNorm((4, 5))
PReLU(3)
Embedding(20, 8, padding_idx=3)
EmbeddingBag(20, 8)
RNN(5, 8, 2, bidirectional=True)
GRU(5, 8)
LSTM(5, 8, 2, proj_size=3)
RNNCell(5, 8)
GRUCell(5, 8)
LSTMCell(5, 8, bias=False)
MultiheadAttention(8, 2)
MultiheadAttention(8, 2, kdim=3, vdim=5, add_bias_kv=True)
TransformerEncoderLayer(8, 2, 16)
TransformerDecoderLayer(8, 2, 16)
Transformer(8, 2, 1, 2, 16, batch_first=True)
""".split("\n")[1:-1]


def checksum(torch: Any, layer: str, seed: int) -> int:
    """One number for all parameters of a layer that is made after a seed, and for the number drawn next."""
    torch.manual_seed(seed)
    made = eval(f"nn.{layer}", {"nn": torch.nn})
    tensors = [*made.state_dict().values(), torch.rand(1)]
    return zlib.crc32(b"".join(t.detach().numpy().tobytes() for t in tensors))


def checksums(torch: Any) -> dict[str, list[int]]:
    """Those of every layer for each seed."""
    return {layer: [checksum(torch, layer, seed) for seed in SEEDS] for layer in LAYERS}


def main() -> None:
    import torch

    if "--freeze" in sys.argv[1:]:
        FROZEN.write_text(json.dumps(checksums(torch), indent=1) + "\n")
        return
    import tensorwidgets as tw

    theirs, ours = checksums(torch), checksums(tw)
    other = [layer for layer in LAYERS if ours[layer] != theirs[layer]]
    print(f"{len(LAYERS) - len(other)} of {len(LAYERS)} layers are equal to the bit", *other, sep="\n")


if __name__ == "__main__":
    main()
