"""Modules and what goes with them, each with one argument of a type or value that may be wrong, as PyTorch takes it.

python -m tests.layers.wrong_module_arguments          # ask PyTorch, and write its answers down
python -m tests.layers.wrong_module_arguments --show   # what is answered otherwise here
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.engine.calls.calls import plain_message
from tests.layers import wrong_arguments
from tests.parts import ALL, Part

REFERENCE = Path(__file__).with_name("wrong_module_arguments_reference.json.gz")
VALUES = ("'x'", "1.5", "-1", "0", "True", "None", "[1]", "object()", "1j", "torch.ones(2)", "nn.Identity()")

CALLS = """
nn.MultiheadAttention(«4», «2», «0.0», «True», «False», «False», «None», «None», «False», «None», «None»)(q, q, q)
nn.MultiheadAttention(4, 2)(«q», «q», «q», «None», «True», «None», «True», «False»)
nn.TransformerEncoderLayer(4, 2, 8, 0.0)(«q», «None», «None», «False»)
nn.TransformerDecoderLayer(4, 2, 8, 0.0)(«q», «q», «None», «None», «None», «None», «False», «False»)
nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8, 0.0), 1)(«q», «q», «None», «None»)
nn.Bilinear(«2», «3», «4», «True», «None», «None»)(«g(1, 2)», «g(1, 3)»)
nn.Linear(«2», «3», «True», «None», «None»)(«g(1, 2)»)
nn.Embedding(«4», «3», «None», «None», «2.0», «False», «False», «None»)(«classes»)
nn.EmbeddingBag(«4», «3», «None», «2.0», «False», «'mean'», «False»)(«classes», «torch.tensor([0])», «None»)
nn.AdaptiveLogSoftmaxWithLoss(«3», «4», [2], «4.0», «False»)(«x», «classes»)
nn.PixelShuffle(«2»)(«g(1, 4, 2, 2)»)
nn.Upsample(«None», «2», «'nearest'», «None», «None»)(«x4»)
nn.Softmax2d()(«x4»)
nn.TripletMarginLoss(«1.0», «2.0», «1e-6», «False»)(«x», «x + 1», «x + 2»)
nn.TripletMarginWithDistanceLoss(distance_function=«None», margin=«1.0», swap=«False»)(«x», «x + 1», «x + 2»)
nn.CTCLoss(«0», «'mean'», «False»)(«logs», «torch.tensor([[1, 2]])», «torch.tensor([5])», «torch.tensor([2])»)
nn.CrossEntropyLoss(«None», «None», «-100», «None», «'mean'», «0.0»)(«x», «classes»)
nn.BCEWithLogitsLoss(«None», «None», «None», «'mean'», «None»)(«x», «x»)
nn.Flatten(«1», «-1»)(«x3»)
nn.Unflatten(«1», «(1, 3)»)(«x»)
nn.PReLU(«1», «0.25»)(«x»)
nn.LayerNorm(«3», «1e-5», «True», «True»)(x)
nn.GroupNorm(«2», «2», «1e-5», «True»)(x4)
nn.BatchNorm2d(«2», «1e-5», «0.1», «True», «True»)(x4)
nn.FractionalMaxPool2d(«2», «3», «None», «False», «None»)(«x4»)
nn.CrossMapLRN2d(«3», «1e-4», «0.75», «1»)(«x4»)
torch.conv_tbc(«g(5, 1, 2)», «g(3, 2, 2)», «g(2)», «1»)
torch.native_dropout(«x», «0.5», «True»)
torch.grid_sampler(«x4», «g(1, 2, 2, 2)», «0», «0», «True»)
nn.Parameter(«x», «True»)
init.uniform_(«g(2, 3)», «0.0», «0.5»)
init.trunc_normal_(«g(2, 3)», «0.0», «1.0», «-2.0», «2.0»)
init.kaiming_uniform_(«g(2, 3)», «0», «'fan_in'», «'leaky_relu'», «None»)
init.orthogonal_(«g(2, 3)», «1», «None»)
init.calculate_gain(«'leaky_relu'», «None»)
utils.clip_grad_norm_(«params», «1.0», «2.0», «False»)
utils.clip_grad_value_(«params», «1.0»)
utils.clip_grads_with_norm_(«params», «1.0», «torch.tensor(2.0)»)
utils.parameters_to_vector(«params»)
utils.vector_to_parameters(«g(4)», «params»)
utils.weight_norm(«nn.Linear(2, 2)», «'weight'», «0»)
utils.spectral_norm(«nn.Linear(2, 2)», «'weight'», «1», «1e-12», «None»)
utils.parametrize.register_parametrization(«nn.Linear(2, 2)», «'weight'», «nn.ReLU()»)
utils.prune.l1_unstructured(«nn.Linear(2, 2)», «'weight'», «1»)
utils.rnn.pack_padded_sequence(«g(3, 2, 1)», «[3, 2]», «False», «True»)
utils.rnn.pad_sequence(«[g(3), g(2)]», «False», «0.0», «'right'»)
utils.rnn.PackedSequence(«g(3)», «torch.tensor([2, 1])», «None»)
utils.stateless.functional_call(«nn.Linear(2, 2)», «{'bias': g(2)}», «g(1, 2)»)
nn.Linear(2, 2).register_buffer(«'b'», «g(2)», «True»)
nn.Linear(2, 2).register_module(«'b'», «nn.ReLU()»)
nn.Sequential(nn.Linear(2, 2)).get_submodule(«'0'»)
nn.Linear(2, 2).load_state_dict(«{'weight': g(2, 2), 'bias': g(2)}», «True», «False»)
nn.Linear(2, 2).to(«torch.float64», «False»)
nn.Linear(2, 2).requires_grad_(«True»)
list(nn.Linear(2, 2).named_parameters(«'a'», «True», «True»))
nn.Linear(2, 2).register_forward_hook(«print», prepend=«False»)
setattr(nn.Linear(2, 2), 'weight', «nn.Parameter(g(2, 2))»)
nn.Sequential(nn.ReLU()).insert(«0», «nn.ReLU()»)
nn.ModuleDict({'a': nn.ReLU()}).update(«{'b': nn.ReLU()}»)
g(2, 3).flatten(«0», «1»)
g(2, 3).unflatten(«1», «(1, 3)»)
torch.sin(«g(2)»)
torch.zeros(«2»)
"""
"""Each argument in «» in turn is replaced by every one of `VALUES`."""


def calls() -> Iterator[tuple[str, str]]:
    """The call that is made each time, and the call and argument that were meant."""
    for line in CALLS.strip().splitlines():
        for found in re.finditer("«(.*?)»", line):
            for value in VALUES:
                text = line[: found.start()] + value + line[found.end() :]
                yield re.sub("[«»]", "", text), f"{line.partition('(')[0]} {found[1]} -> {value}"


def names_of(torch: Any) -> dict[str, Any]:
    """What the texts of calls speak of."""
    names = wrong_arguments.names_of(torch)
    g = names["g"]
    importlib.import_module(f"{torch.__name__}.nn.utils.prune")  # which is there once it is imported
    return names | {
        "nn": torch.nn, "init": torch.nn.init, "utils": torch.nn.utils, "q": g(3, 1, 4),
        "logs": g(5, 1, 3).log_softmax(2), "params": [torch.nn.Parameter(g(2)), torch.nn.Parameter(g(2))],
    }  # fmt: skip


def answers(torch: Any, part: Part = ALL) -> list[str]:
    """ "ok", or the type and the first line of the error, for each call of this part."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text, _ in part.of(calls()):
            try:
                eval(text, names_of(torch))
                found.append("ok")
            except Exception as error:
                line = plain_message(str(error)).strip().split("\n")[0].replace(torch.__name__, "torch")
                found.append(f"{type(error).__name__}: {re.sub('0x[0-9a-f]+', '0x', line)}")
    return found


def frozen() -> list[str]:
    """PyTorch's answers."""
    return wrong_arguments.frozen(REFERENCE)


def differences(wanted: list[str], part: Part = ALL) -> Iterator[tuple[str, str, str]]:
    """The call and the argument, PyTorch's answer and ours."""
    import tensorwidgets

    asked = zip(part.of(calls()), part.of(wanted), answers(tensorwidgets, part), strict=True)
    for (_, changed), theirs, ours in asked:
        if theirs != ours:
            yield changed, theirs, ours


if __name__ == "__main__":
    wrong_arguments.main(REFERENCE, answers, differences)
