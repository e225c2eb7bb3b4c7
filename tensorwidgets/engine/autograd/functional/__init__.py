"""What are the derivatives of a Python function? `torch.autograd.functional` and `torch.func`."""
