"""How do gradients go back? `running` starts a pass, `backward_pass` makes its steps, and `pass_on_arrays` makes them
with few steps in between where only `.grad` of leaves is wanted.
"""
