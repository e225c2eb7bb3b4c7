"""What libraries build checkpoints of their own from: states of random numbers, and inputs without their graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...errors.warnings import warn
from ...tensor.generator import default_of
from ...tensor.tensor import Tensor
from ...types.device import device, gpu_is_there

UNTRACKED = "None of the inputs have requires_grad=True. Gradients will be None"


class DefaultDeviceType:
    """The kind of device that checkpoints take if no input is on a GPU; libraries for other devices set it."""

    _default_device_type: str | None = None

    @staticmethod
    def set_device_type(device: str = "cuda") -> None:
        """Set the kind of device."""
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type() -> str:
        """The kind of device.

        >>> DefaultDeviceType.get_device_type()
        'cpu'
        """
        if not DefaultDeviceType._default_device_type:
            DefaultDeviceType._default_device_type = "cuda" if gpu_is_there() else "cpu"
        return DefaultDeviceType._default_device_type


def detach_variable(inputs: tuple) -> tuple:
    """Inputs as leaves, each requiring a gradient if it did before; all that is not a tensor as it is.

    >>> import tensorwidgets as torch
    >>> detach_variable((torch.ones(2, requires_grad=True) * 2, 3))
    (tensor([2., 2.], requires_grad=True), 3)
    """
    if not isinstance(inputs, tuple):
        raise RuntimeError(f"Only tuple of tensors is supported. Got Unsupported input type: {type(inputs).__name__}")
    return tuple(
        each.detach().requires_grad_(each.requires_grad) if isinstance(each, Tensor) else each for each in inputs
    )


def check_backward_validity(inputs: Iterable[Any]) -> None:
    """Warn if no input requires a gradient."""
    if not any(isinstance(each, Tensor) and each.requires_grad for each in inputs):
        warn(UNTRACKED)


def get_device_states(*args: Any) -> tuple[list[int | None], list[Tensor]]:
    """The numbers of the GPUs that tensors are on, and the states of their streams of random numbers.

    >>> import tensorwidgets as torch
    >>> get_device_states(torch.ones(2), {"x": [torch.zeros(1)]})
    ([], [])
    """
    places = [t.device for t in _tensors(args) if t.device.type not in ("cpu", "meta")]
    return [place.index for place in places], [default_of(place).get_state() for place in places]


def set_device_states(
    devices: Sequence[int | None], states: Sequence[Tensor], *, device_type: str | None = None
) -> None:
    """Let the streams of GPUs go on from states."""
    kind = "cuda" if device_type is None else device_type
    if kind == "meta":
        return
    for number, state in zip(devices, states, strict=False):
        default_of(device(kind, number)).set_state(state)


def _tensors(value: Any) -> Iterator[Tensor]:
    """The tensors in lists, tuples and dicts."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _tensors(each)
