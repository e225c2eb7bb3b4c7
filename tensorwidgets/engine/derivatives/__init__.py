"""What is the derivative of each op? One table, declared family by family."""
