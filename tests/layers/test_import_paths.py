"""Every layer is found where PyTorch has it: `from torch.nn.modules.conv import Conv2d`."""

from __future__ import annotations

import inspect
import pickle
import re
from importlib import import_module

import pytest

from tensorwidgets import nn

PATHS = """
activation: CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish
    MultiheadAttention PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin Softplus Softshrink Softsign
    Tanh Tanhshrink Threshold
adaptive: AdaptiveLogSoftmaxWithLoss
batchnorm: BatchNorm1d BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d SyncBatchNorm
channelshuffle: ChannelShuffle
container: ModuleDict ModuleList ParameterDict ParameterList Sequential
conv: Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv1d LazyConv2d LazyConv3d
    LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d
distance: CosineSimilarity PairwiseDistance
dropout: AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout
flatten: Flatten Unflatten
fold: Fold Unfold
instancenorm: InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d
linear: Bilinear Identity LazyLinear Linear
linear_cross_entropy_options: LinearCrossEntropyOptions
loss: BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss HingeEmbeddingLoss
    HuberLoss KLDivLoss L1Loss LinearCrossEntropyLoss MSELoss MarginRankingLoss MultiLabelMarginLoss
    MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss NLLLoss2d PoissonNLLLoss SmoothL1Loss SoftMarginLoss
    TripletMarginLoss TripletMarginWithDistanceLoss
module: Module
normalization: CrossMapLRN2d GroupNorm LayerNorm LocalResponseNorm RMSNorm
padding: CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d
    ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d
pixelshuffle: PixelShuffle PixelUnshuffle
pooling: AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d
    AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d FractionalMaxPool3d LPPool1d LPPool2d LPPool3d MaxPool1d
    MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d
rnn: GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCell RNNCellBase
sparse: Embedding EmbeddingBag
transformer: Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer
upsampling: Upsample UpsamplingBilinear2d UpsamplingNearest2d
"""
"""The modules of `torch.nn.modules` and their layers, as `type.__module__` has them in PyTorch 2.13."""

MODULES = {found[1]: found[2].split() for found in re.finditer(r"^(\w+):((?:\s+[A-Z]\w*)+)", PATHS, re.MULTILINE)}


def test_the_table_names_every_layer() -> None:
    assert {name for names in MODULES.values() for name in names} == {
        name for name in nn.modules.__all__ if inspect.isclass(getattr(nn, name))
    }


@pytest.mark.parametrize("module", MODULES)
def test_layers_are_found_where_pytorch_has_them(module: str) -> None:
    found = import_module(f"tensorwidgets.nn.modules.{module}")
    for name in MODULES[module]:
        assert getattr(found, name) is getattr(nn, name)
        by_path = f"ctensorwidgets.nn.modules.{module}\n{name}\n.".encode()
        assert pickle.loads(by_path) is getattr(nn, name)


@pytest.mark.parametrize("room", ["nn", "optim"])
def test_classes_that_a_program_lists_are_layers_or_optimizers(room: str) -> None:
    module = import_module(f"tensorwidgets.{room}")
    found = {name for name, _ in inspect.getmembers(module, inspect.isclass)}
    assert found == {name for name in module.__all__ if inspect.isclass(getattr(module, name))}


@pytest.mark.parametrize("name", ["Conv2d", "CrossEntropyLoss", "LSTM", "MaxPool2d", "ReLU", "TransformerEncoder"])
def test_a_layer_shows_its_source(name: str) -> None:
    assert inspect.getsource(getattr(nn, name)).startswith(f"class {name}(")


def test_parts_that_libraries_import_are_where_pytorch_has_them() -> None:
    module, transformer, types, init, optim = (
        import_module(f"tensorwidgets.{name}")
        for name in ("nn.modules.module", "nn.modules.transformer", "nn.common_types", "nn.init", "optim.adamw")
    )
    assert module._addindent("a\nb\n c", 2) == "a\n  b\n   c"
    first, second = transformer._get_clones(nn.Linear(1, 1), 2)
    assert first is not second and first.weight.equal(second.weight)
    assert transformer._get_activation_fn("gelu") is nn.functional.gelu
    assert str(types._size_2_t) == "typing.Union[int, tuple[int, int]]"
    assert init._no_grad_trunc_normal_(nn.Linear(2, 2).weight, 0.0, 1.0, -0.5, 0.5).abs().max() <= 0.5
    assert optim.AdamW is import_module("tensorwidgets.optim").AdamW
