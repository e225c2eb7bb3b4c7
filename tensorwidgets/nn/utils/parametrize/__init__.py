"""torch.nn.utils.parametrize: how is a parameter computed from another one, each time that it is read?"""

from __future__ import annotations

from typing import Any

from .classes import cached, is_parametrized, type_before_parametrizations
from .lists import ParametrizationList
from .registering import register_parametrization, remove_parametrizations, transfer_parametrizations_and_params

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]


def __getattr__(name: str) -> Any:
    from ....engine.errors.missing_names import missing

    missing(__name__, name, __all__)
