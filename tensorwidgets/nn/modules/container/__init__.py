"""Which modules hold other modules or parameters?"""

from .module_dict import ModuleDict
from .module_list import ModuleList
from .parameters import ParameterDict, ParameterList
from .sequential import Sequential

__all__ = ["ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]
