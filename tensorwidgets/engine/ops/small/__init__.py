"""Which small ops belong to no other family?"""

from . import dim_order, module_load, python_functions, questions, sum_to_size, unsafe_splits

__all__ = ["dim_order", "module_load", "python_functions", "questions", "sum_to_size", "unsafe_splits"]
