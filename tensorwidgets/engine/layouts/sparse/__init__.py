"""How do tensors compute that store only some of their elements (COO, CSR, CSC, BSR, BSC)?

Each file here has the ops of one sort; `parts/` is below them and `members/` above. `rows` declares the ops that only
sparse tensors have, and is imported at start. `kernels` imports the rest when the first sparse tensor is created.
"""
