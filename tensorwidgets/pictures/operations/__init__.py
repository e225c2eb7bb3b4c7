"""What does an operation do with its operands, step by step?"""
