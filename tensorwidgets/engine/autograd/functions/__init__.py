"""`autograd.Function`: ops of the user's own, with a backward of their own."""
