"""The error of a forward that comes before all gradients of the last backward have come."""

from __future__ import annotations

from collections.abc import Sequence

from ...distributed.settings import DebugLevel, get_debug_level


def unfinished(rank: int, missing: list[int], names: Sequence[str], find_unused: bool, static: bool) -> str:
    """PyTorch's error for parameters without a gradient; it names them where debugging is asked for."""
    indices = f"\nParameter indices which did not receive grad for rank {rank}: {' '.join(map(str, missing))}"
    if get_debug_level() is not DebugLevel.OFF:
        named = ", ".join(names[i] for i in missing)
        return f"{_said(find_unused, static)}\nParameters which did not receive grad for rank {rank}: {named}{indices}"
    return (
        f"{_said(find_unused, static)}{indices}\n In addition, you can set the environment variable "
        "TORCH_DISTRIBUTED_DEBUG to either INFO or DETAIL to print out information about which particular parameters "
        "did not receive gradient on this rank as part of this error"
    )


def _said(find_unused: bool, static: bool) -> str:
    said = (
        "Expected to have finished reduction in the prior iteration before starting a new one. This error indicates "
        "that your "
    )
    if static:
        return said + (
            "training graph has changed in this iteration, e.g., one parameter is used in first iteration, but then "
            "got unused in the second iteration. this is not compatible with static_graph set to True."
        )
    said += "module has parameters that were not used in producing loss. "
    if find_unused:
        said += (
            "Since `find_unused_parameters=True` is enabled, this likely  means that not all `forward` outputs "
            "participate in computing loss. You can fix this by making sure all `forward` function outputs participate "
            "in calculating loss. "
        )
    else:
        said += (
            "You can enable unused parameter detection by passing the keyword argument `find_unused_parameters=True` "
            "to `torch.nn.parallel.DistributedDataParallel`, and by \nmaking sure all `forward` function outputs "
            "participate in calculating loss. "
        )
    return said + (
        "\nIf you already have done the above, then the distributed data parallel module wasn't able to locate the "
        "output tensors in the return value of your module's `forward` function. Please include the loss function and "
        "the structure of the return value of `forward` of your module when reporting this issue (e.g. list, dict, "
        "iterable)."
    )
