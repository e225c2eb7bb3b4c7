"""`autocast` on a simulated GPU computes in PyTorch's dtypes."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.dispatch.registry import OPS
from tensorwidgets.engine.modes.autocast.policies import POLICIES
from tests.devices.autocast import FILE, answers, of_pytorch


@pytest.mark.usefixtures("gpu")
def test_each_call_computes_in_pytorchs_dtypes() -> None:
    wanted = FILE.read_text(encoding="utf-8").splitlines()
    found = list(answers(tw, lambda: tw.autocast("cuda")))
    assert len(found) > 100
    assert [(f, w) for f, w in zip(found, wanted, strict=True) if f != w] == []


ENDS = """import sys
sys.stderr = sys.stdout
import tensorwidgets as torch
torch.cuda.simulate()
torch.autocast("cuda", torch.float16).__enter__()
torch.nn.Linear(2, 2, device="cuda")(torch.ones(2, device="cuda"))
"""


def test_a_program_ends_in_silence_with_copies_of_weights_on_a_gpu() -> None:
    """They outlive the functions by which the allocator takes memory back."""
    told = subprocess.run([sys.executable, "-c", ENDS], capture_output=True, text=True, check=True, timeout=60)
    assert told.stderr == "" and told.stdout.count("\n") == 1 and "simulates 1 GPU" in told.stdout


@pytest.mark.torch
def test_pytorch_still_says_so() -> None:
    assert of_pytorch() == FILE.read_text(encoding="utf-8").splitlines()


@pytest.mark.torch
def test_every_op_that_pytorch_converts_has_a_row_that_is_converted() -> None:
    """The kernels that PyTorch has for autocast, by the names of our rows; what has no row of its own is listed."""
    import torch

    others = {
        "cpu": "_addmm_activation _convolution _grid_sampler_2d_cpu_fallback _lu_with_info "
        "_native_multi_head_attention cross_entropy_loss mkldnn_rnn_layer nll_loss2d orgqr",
        "cuda": "_scaled_dot_product_flash_attention _thnn_fused_gru_cell _thnn_fused_lstm_cell cudnn_convolution "
        "cudnn_convolution_transpose nll_loss2d",
    }
    names = torch._C._dispatch_get_all_op_names()
    for device, key in (("cpu", "AutocastCPU"), ("cuda", "AutocastCUDA")):
        theirs = {
            name.removeprefix("aten::").partition(".")[0]
            for name in names
            if name.startswith("aten::") and torch._C._dispatch_has_kernel_for_dispatch_key(name, key)
        }
        ours = {name.rpartition(".")[2] for name in POLICIES[device]} | {n.replace(".", "_") for n in POLICIES[device]}
        ours |= {"_" + name for name in ours}
        assert theirs - ours == set(others[device].split())
        assert [name for name in POLICIES[device] if name not in OPS] == []
