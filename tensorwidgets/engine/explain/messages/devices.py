"""Explain an error of GPUs from its message."""

from __future__ import annotations

from .patterns import Answer, explains


@explains(r"Attempting to deserialize object on a CUDA device but torch\.cuda\.is_available\(\) is False")
def _other_device() -> Answer:
    because = "The tensors were saved on a GPU, and this computer has none that PyTorch can use."
    return "file.device", because, ("torch.load(path, map_location='cpu')",)


@explains(r"CUDA out of memory\. Tried to allocate (\S+ \S+?)\.")
def _full(wanted: str) -> Answer:
    because = (
        f"The GPU's memory is full: another {wanted} did not fit. Most of it usually holds activations, which backward "
        "needs."
    )
    ways = ("a smaller batch", "with torch.no_grad(): where nothing is learned", "total += loss.item(), not loss")
    return "memory.full", because, ways


@explains(r"CUDA error: device-side assert triggered")
def _assert() -> Answer:
    because = "A kernel met an index or a target that is out of range; the GPU reports it later, at another line."
    ways = ("the same call with tensors on the CPU, whose message says which index", "CUDA_LAUNCH_BLOCKING=1")
    return "device.assert", because, ways


@explains(r"Input type \(torch\.(cuda\.)?\w+\) and (?:weight|bias) type \(torch\.(cuda\.)?\w+\) should be the same")
def _one_on_gpu(one: str | None, other: str | None) -> Answer | None:
    if bool(one) == bool(other):
        return None
    where = (
        "The input is on the GPU and the weight is not." if one else "The weight is on the GPU and the input is not."
    )
    return "device.mixed", where, ("model.to(x.device)",) if one else ("x.to(model.weight.device)", "x.cuda()")


@explains(r"can't convert cuda:\d+ device type tensor to numpy")
def _numpy_on_gpu() -> Answer:
    return "numpy.device", "NumPy reads main memory, and the tensor is on a GPU.", ("x.cpu().numpy()",)
