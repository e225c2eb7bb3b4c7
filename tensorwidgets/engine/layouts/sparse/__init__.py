"""How do tensors compute that store only some of their elements (COO, CSR, CSC, BSR, BSC)?

`rows` declares the ops that only sparse tensors have, and is imported at start. `kernels` imports the rest when the
first sparse tensor is created.
"""
