"""Which small ops fit no family: questions about a tensor, Python functions on elements?"""

from . import dim_order, python_functions, questions, sum_to_size, unsafe_splits

__all__ = ["dim_order", "python_functions", "questions", "sum_to_size", "unsafe_splits"]
