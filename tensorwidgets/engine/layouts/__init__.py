"""How do tensors compute that do not store every element in one array? These rooms do not import each other."""
