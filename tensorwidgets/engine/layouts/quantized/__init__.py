"""How do tensors compute that store integers for real values, by a scale and a zero point?

`rows` declares the ops that only quantized tensors have, and is imported at start. `tensors` and `kernels` are imported
when the first quantized tensor is created.
"""
