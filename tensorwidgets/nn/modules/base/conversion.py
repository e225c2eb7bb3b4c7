"""Does a module keep its parameters when it is moved or converted, or does it get new ones?

By default the parameters stay, with other numbers, so that an optimizer still knows them.
"""

from __future__ import annotations

from ....engine.errors.reasons import refuse

_overwrite = False


def set_overwrite_module_params_on_conversion(value: bool) -> None:
    """Choose whether `to`, `float`, `cuda` … give a module new parameters, instead of new numbers to the old ones.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.Linear(1, 1)
    >>> weight = layer.weight
    >>> torch.__future__.set_overwrite_module_params_on_conversion(True)
    >>> layer.double().weight is weight
    False
    >>> torch.__future__.set_overwrite_module_params_on_conversion(False)
    """
    global _overwrite
    _overwrite = value


def get_overwrite_module_params_on_conversion() -> bool:
    """Whether a module that is moved or converted gets new parameters. Initially False."""
    return _overwrite


def set_swap_module_params_on_conversion(value: bool) -> None:
    """Choose whether parameters and their converted copies exchange what they are. Only False is possible here."""
    if value:
        refuse(
            NotImplementedError,
            "set_swap_module_params_on_conversion(True) is not implemented",
            "a parameter here keeps its own identity, and gets the numbers of the converted one",
            "torch.__future__.set_overwrite_module_params_on_conversion(True)",
            rule="module.conversion",
        )


def get_swap_module_params_on_conversion() -> bool:
    """Whether parameters and their converted copies exchange what they are: no."""
    return False
